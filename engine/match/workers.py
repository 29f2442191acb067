"""Games at several tables at once, each with its own running players.

Each table has a thread. A player is replaced after the loss of its engine. The caller chooses the
games and uses the rows.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field

from engine.match.engine_player import SharedNetworks
from engine.match.game_spec import GameSpec
from engine.match.player import Memory, MoveBudget, Player, Remembering
from engine.match.players import PlayerTerms, start_player
from engine.match.record import Row
from engine.match.referee import Ending, PlayedGame, play_game
from engine.util.engine_process import EngineLostError, EngineRefusedError

LOST = ("crashed", "hung")
STOPPING_SECONDS = 0.5  # time for all tables to notice the end of the match
OWN_REFEREE = "sparring:full"


@dataclass(frozen=True, slots=True)
class Plan:
    """The players and their limits."""

    players: tuple[str, ...]
    board: GameSpec  # without an opening
    budget: MoveBudget = field(default_factory=MoveBudget)
    patience: float = 300.0  # seconds of silence after which an engine counts as hung
    referee: str | None = None  # the referee's GTP command line; None: this engine
    networks: SharedNetworks = field(default_factory=SharedNetworks)


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game of the schedule. Players are numbered as in the plan."""

    number: int
    pair: tuple[int, int]  # the players, the lower number first
    black: int  # the player with color 0
    start: GameSpec
    seeds: tuple[int, int]  # seeds of the pair's players
    # The beliefs of the pair's players about each other before the game. None: those learned at the
    # same table.
    known: tuple[Memory, Memory] | None = None
    keep: bool = False  # whether the row stores the beliefs after the game


@dataclass(frozen=True, slots=True)
class Series:
    """Games that one table plays one after the other."""

    following: Callable[[Sequence[Row]], Pairing | None]  # the game after these rows; None: the end
    rows: tuple[Row, ...] = ()  # the finished games of the series, in order


def single(pairing: Pairing) -> Series:
    """A series of one game."""
    return Series(lambda rows: None if rows else pairing)


class MatchTable:
    """The players of a match and a referee, each started at first use and reused."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._seats: dict[str, Player] = {}
        # beliefs about each other, by pair
        self._learned: dict[tuple[int, int], tuple[Memory, Memory]] = {}
        self._open = True

    def _lease(self, name: str, text: str, budget: MoveBudget) -> Player:
        if not self._open:
            raise EngineLostError("absent", "the match was stopped")
        if name not in self._seats:
            terms = PlayerTerms(self.plan.board, budget, self.plan.patience, self.plan.networks)
            self._seats[name] = start_player(text, terms)
        return self._seats[name]

    def player(self, index: int) -> Player:
        """Returns the running player of that number; raises EngineLostError, EngineRefusedError."""
        return self._lease(str(index), self.plan.players[index], self.plan.budget)

    def _referee(self) -> Player:
        program = self.plan.referee
        return self._lease("referee", f"gtp:{program}" if program else OWN_REFEREE, MoveBudget())

    def play(self, pairing: Pairing) -> Row:
        """Returns the played game as a row. Raises if a player or the referee does not start."""
        began = time.time()
        flipped = pairing.black != pairing.pair[0]
        order = pairing.pair[::-1] if flipped else pairing.pair
        seeds = pairing.seeds[::-1] if flipped else pairing.seeds
        players = [self.player(index) for index in order]
        self._recall(pairing)
        game, ending = play_game(pairing.start, players, seeds, self._referee)
        limits = [self.player(index).limited_by for index in pairing.pair]
        played = row(pairing, game, ending) | {"limits": limits, "began": round(began, 3)}
        first, second = map(self._remembered, pairing.pair)
        self._learned[pairing.pair] = first, second
        if pairing.keep:
            played["known"] = [first, second]
        if ending.how in LOST and ending.winner is not None:
            self._seats.pop(str(order[1 - ending.winner])).kill()
        return played

    def _recall(self, pairing: Pairing) -> None:
        learned = self._learned.get(pairing.pair, (None, None))
        for index, known in zip(pairing.pair, pairing.known or learned, strict=True):
            player = self.player(index)
            if isinstance(player, Remembering):
                player.recall(known)

    def _remembered(self, index: int) -> Memory:
        player = self.player(index)
        return player.remembered() if isinstance(player, Remembering) else None

    def close(self) -> None:
        """Ends all players of the table."""
        while self._seats:
            self._seats.popitem()[1].close()

    def kill(self) -> None:
        """Ends all players of the table at once, from any thread; none starts again."""
        self._open = False
        for player in list(self._seats.values()):
            player.kill()


def row(pairing: Pairing, game: PlayedGame, ending: Ending) -> Row:
    """Returns a game as JSON values. Players have their numbers in the match, whatever their color.

    "efforts", "seeds" and "limits" are in the order of "pair"; "moves" follow the opening, and
    "times" are their seconds. "levels" are the moves' levels in Elo, null for a move without one; a
    game without levels lacks the field.
    """
    first, second = pairing.pair
    white = second if pairing.black == first else first
    write = pairing.start.write
    return {
        "game": pairing.number,
        "pair": [first, second],
        "black": pairing.black,
        **asdict(ending),
        "winner": None if ending.winner is None else (pairing.black, white)[ending.winner],
        "opening": [write(move) for move in pairing.start.opening],
        "handicap": [write(move) for move in pairing.start.handicap],
        "moves": [write(move) for move in game.moves],
        "times": game.seconds,
        **({"levels": game.levels} if any(level is not None for level in game.levels) else {}),
        "seeds": list(pairing.seeds),
        "efforts": [asdict(effort) for effort in game.efforts[:: 1 if white == second else -1]],
    }


def play_all(plan: Plan, series: Iterable[Series], at_once: int) -> Iterator[Row]:
    """Yields rows in the order games end. A stopped iteration ends every engine.

    Raises a table's error: EngineLostError or EngineRefusedError if an engine does not start, or
    the referee fails.
    """
    waiting: queue.SimpleQueue[Series] = queue.SimpleQueue()
    for each in series:
        waiting.put(each)
    done: queue.SimpleQueue[Row | BaseException | None] = queue.SimpleQueue()
    tables = [MatchTable(plan) for _ in range(min(at_once, waiting.qsize()))]
    threads = [
        threading.Thread(target=_work, args=(table, waiting, done), daemon=True) for table in tables
    ]
    for thread in threads:
        thread.start()
    try:
        busy = len(tables)
        while busy:
            result = done.get()
            if result is None:
                busy -= 1
            else:
                yield _unpack(result)
    except BaseException:
        for table in tables:
            table.kill()
        until = time.monotonic() + STOPPING_SECONDS
        for thread in threads:
            thread.join(max(0.0, until - time.monotonic()))
        raise
    for thread in threads:
        thread.join()


def _unpack(result: Row | BaseException) -> Row:
    if isinstance(result, BaseException):
        raise result
    return result


def _work(
    table: MatchTable,
    waiting: queue.SimpleQueue[Series],
    done: queue.SimpleQueue[Row | BaseException | None],
) -> None:
    """Plays series after series; puts None after the last."""
    try:
        while True:
            _play_out(table, waiting.get_nowait(), done)
    except queue.Empty:
        table.close()
        done.put(None)
    except (EngineLostError, EngineRefusedError) as error:
        table.close()
        done.put(error)
    except BaseException as error:
        table.kill()
        done.put(error)


def _play_out(
    table: MatchTable, series: Series, done: queue.SimpleQueue[Row | BaseException | None]
) -> None:
    rows = list(series.rows)
    while (pairing := series.following(rows)) is not None:
        rows.append(table.play(pairing))
        done.put(rows[-1])
