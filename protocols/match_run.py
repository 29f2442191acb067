"""Games played at several tables at once, each with its own running players.

Knows threads, and that a player which lost its engine gets a new one for the next game. Does not
know which games are to be played, nor what happens to the rows.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from protocols.engine_process import EngineLostError, EngineRefusedError
from protocols.players import Budget, Player, Start, start_player
from protocols.referee import Ending, Game, play_game

Row = dict[str, Any]  # one game as JSON: see row()
LOST = ("crashed", "hung")


@dataclass(frozen=True, slots=True)
class Plan:
    """Who plays, and under which limits."""

    players: tuple[str, str]
    budget: Budget
    patience: float  # seconds without an answer after which an engine counts as hung
    referee: str | None = None  # a GTP command line


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game to be played: its number, which player (0, 1) has Black, and how it begins."""

    number: int
    black: int
    start: Start


class Table:
    """Two players and a referee, started when first needed and kept from game to game."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._seats: dict[str, Player] = {}
        self._open = True

    def _seat(self, name: str, text: str, budget: Budget) -> Player:
        if not self._open:
            raise EngineLostError("absent", "the match was stopped")
        if name not in self._seats:
            self._seats[name] = start_player(text, budget, self.plan.patience)
        return self._seats[name]

    def player(self, index: int) -> Player:
        """The running player 0 or 1; raises EngineLostError, EngineRefusedError at its start."""
        return self._seat(str(index), self.plan.players[index], self.plan.budget)

    def _referee(self) -> Player | None:
        if self.plan.referee is None:
            return None
        return self._seat("referee", f"gtp:{self.plan.referee}", Budget())

    def play(self, pairing: Pairing) -> Row:
        """The game as a row for the record. Raises when a player or the referee can't start."""
        order = (pairing.black, 1 - pairing.black)
        players = [self.player(index) for index in order]
        game, ending = play_game(pairing.start, players, self._referee())
        limits = [self.player(index).limited_by for index in (0, 1)]
        if ending.how in LOST and ending.winner is not None:
            self._seats.pop(str(order[1 - ending.winner])).kill()
        return row(pairing, game, ending) | {"limits": limits}

    def close(self) -> None:
        """Ends all that runs at this table."""
        while self._seats:
            self._seats.popitem()[1].close()

    def kill(self) -> None:
        """Ends all that runs at this table at once, from any thread; nothing starts again."""
        self._open = False
        for player in list(self._seats.values()):
            player.kill()


def row(pairing: Pairing, game: Game, ending: Ending) -> Row:
    """A game as JSON values. Players are 0 and 1 as the match names them, whatever their color."""
    by_player = game.efforts if pairing.black == 0 else game.efforts[::-1]
    winner = ending.winner
    return {
        "game": pairing.number,
        "black": pairing.black,
        "winner": None if winner is None else (pairing.black if winner == 0 else 1 - pairing.black),
        **asdict(ending),
        "opening": list(pairing.start.opening),
        "handicap": list(pairing.start.handicap),
        "moves": game.moves,
        "efforts": [asdict(effort) for effort in by_player],
    }


def play_all(plan: Plan, pairings: Iterable[Pairing], at_once: int) -> Iterator[Row]:
    """Rows in the order games end. Stopping the iteration ends every engine.

    Raises what a table raised: EngineLostError or EngineRefusedError where an engine would not
    start, or the referee failed.
    """
    waiting: queue.SimpleQueue[Pairing] = queue.SimpleQueue()
    count = 0
    for pairing in pairings:
        waiting.put(pairing)
        count += 1
    done: queue.SimpleQueue[Row | BaseException] = queue.SimpleQueue()
    tables = [Table(plan) for _ in range(min(at_once, count))]
    threads = [
        threading.Thread(target=_work, args=(table, waiting, done), daemon=True) for table in tables
    ]
    for thread in threads:
        thread.start()
    try:
        for _ in range(count):
            yield _unpack(done.get())
    except BaseException:
        for table in tables:
            table.kill()
        raise
    for thread in threads:
        thread.join()


def _unpack(result: Row | BaseException) -> Row:
    if isinstance(result, BaseException):
        raise result
    return result


def _work(
    table: Table,
    waiting: queue.SimpleQueue[Pairing],
    done: queue.SimpleQueue[Row | BaseException],
) -> None:
    try:
        while True:
            done.put(table.play(waiting.get_nowait()))
    except queue.Empty:
        table.close()
    except (EngineLostError, EngineRefusedError) as error:
        table.close()
        done.put(error)
    except BaseException as error:
        table.kill()
        done.put(error)
