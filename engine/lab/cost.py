"""The cost of an opponent model: one game by two sessions, one of them with a tracker.

Both play at full strength with trees and evaluations of their own, and alternate move by move: the
machine's speed changes within a minute. Both play the one chosen move, so they think about the same
positions with the same visits. A turn is the opponent's move, noted and judged, and our own move,
searched, played and noted. The exact solver is off.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.games.evaluator import Evaluator
from engine.games.game_settings import usual_settings
from engine.games.table import Board
from engine.networks.human_policy import HumanPolicy
from engine.opponents import OpponentName, OpponentStore, StoredOpponent
from engine.personas import make_persona
from engine.play.search_source import OneSearch
from engine.play.session import Session
from engine.play.session_settings import Budget, SessionSettings
from engine.search.search import Search
from engine.search.tree import new_cache
from engine.values import Choice

T = TypeVar("T")

CACHED = 2**18  # evaluations a session
OPPONENT = "softmax:1"  # sound moves, and different ones each game
OPPONENTS_VISITS = 50
RESAMPLES = 2000  # resamples of the turns for an interval


CLOCKS: dict[str, Callable[[], float]] = {
    "wall": time.perf_counter,  # a player's waiting time
    "processor": time.process_time,  # all threads of this process: independent of other programs
}
Seconds = NDArray[np.float64]  # [len(CLOCKS)]


@dataclass(frozen=True, slots=True)
class TimedMove:
    """The times of one turn."""

    plain: Seconds
    watching: Seconds


@dataclass(frozen=True, slots=True)
class MoveCost:
    """The summary of some turns."""

    visits: int  # visits of each of our moves
    turns: Sequence[TimedMove]
    judged: int  # number of the opponent's judged moves

    def values(self) -> dict[str, Any]:
        """Returns JSON values; a ratio is the time with the opponent model to the time without.

        Its 95% interval is found by resampling the turns.
        """
        times = np.array([(turn.plain, turn.watching) for turn in self.turns])
        draws = np.random.default_rng(0).integers(len(times), size=(RESAMPLES, len(times)))
        sums, resampled = times.sum(axis=0), times[draws].sum(axis=1)
        ratios = resampled[:, 1] / resampled[:, 0]
        intervals = np.quantile(ratios, [0.025, 0.975], axis=0).T
        return {
            "visits": self.visits,
            "turns": len(times),
            "judged": self.judged,
            **{
                clock: {
                    "plain_seconds": sums[0, number] / len(times),
                    "watching_seconds": sums[1, number] / len(times),
                    "ratio": sums[1, number] / sums[0, number],
                    "interval": intervals[number].tolist(),
                }
                for number, clock in enumerate(CLOCKS)
            },
        }


class CostTable:
    """The two sessions and their opponent. memory: the store of the session with the tracker."""

    def __init__(
        self,
        board: Board,
        evaluator: Evaluator,
        memory: OpponentStore,
        *,
        visits: int,
        seed: int,
        human: HumanPolicy | None = None,
    ) -> None:
        """human: the human policy of both sessions, as a user's session has it; None: none."""
        self.visits = visits
        self._board = board
        plain, watching = (
            session_on(board, evaluator, "full", visits, seed, human=human) for _ in range(2)
        )
        watching.meet(StoredOpponent(memory, OpponentName("somebody")))
        self.sides = plain, watching
        self._opponent = session_on(board, evaluator, OPPONENT, OPPONENTS_VISITS, seed)
        self.judged = 0

    def play(self, color: int, most_turns: int) -> list[TimedMove]:
        """Plays a game in which both sessions are `color`; returns at most `most_turns` turns."""
        sides = self.sides
        for session in (*sides, self._opponent):
            session.start_over((self._board.width, self._board.height))
            session.clear_search()  # each game's positions are new
        turns: list[TimedMove] = []
        spent = _nothing()
        while not self._opponent.game.position.is_over and len(turns) < most_turns:
            if self._opponent.game.position.to_move != color:
                choice = self._opponent.genmove(1 - color)
                for number, session in enumerate(sides):
                    spent[number] += timed(session.play, 1 - color, choice.move)[1]
                continue
            before = self._updates()
            choices: dict[int, Choice] = {}
            for number in (0, 1) if len(turns) % 2 else (1, 0):
                think = partial(sides[number].genmove, color, play=False)
                choices[number], seconds = timed(think)
                spent[number] += seconds
            self.judged += self._updates() - before
            if choices[0].move is None:
                break
            for number, session in enumerate(sides):
                spent[number] += timed(session.take, color, choices[0])[1]
            self._opponent.play(color, choices[0].move)
            turns.append(TimedMove(*spent))
            spent = _nothing()
        return turns

    def _updates(self) -> int:
        """Returns the number of the opponent's moves in this game that changed the posterior."""
        tracker = self.sides[1].opponent_model.tracker
        return 0 if tracker is None else tracker.updates


def session_on(
    board: Board,
    evaluator: Evaluator,
    persona: str,
    visits: int,
    seed: int,
    *,
    human: HumanPolicy | None = None,
    mixed_network: Callable[[Path], Evaluator | None] = lambda _path: None,
) -> Session:
    """Returns a session with a search of its own; mixed_network: as OneSearch takes it."""
    settings = SessionSettings(
        budget=Budget(visits=visits),
        solve=False,
        persona=make_persona(persona, board.game),
    )
    search = Search(evaluator, cache=new_cache(board.game, CACHED), seed=seed)
    return Session(
        search,
        settings,
        game_settings=usual_settings(board.game),
        source=OneSearch(search, human_policy=lambda: human, mixed_network=mixed_network),
        seed=seed,
    )


def timed(act: Callable[..., T], *arguments: object) -> tuple[T, Seconds]:
    """Returns the result of the call, and its time by each clock, [len(CLOCKS)] seconds."""
    began = _now()
    result = act(*arguments)
    return result, _now() - began


def _now() -> Seconds:
    return np.array([clock() for clock in CLOCKS.values()])


def _nothing() -> list[Seconds]:
    return [np.zeros(len(CLOCKS)), np.zeros(len(CLOCKS))]


def cost(
    table: CostTable, games: int, most_turns: int, on_game: Callable[[], object] = lambda: None
) -> MoveCost:
    """Returns the cost over `games` games, after a few turns to warm up."""
    table.play(0, 2)
    table.judged = 0
    turns: list[TimedMove] = []
    for number in range(games):
        turns += table.play(number % 2, most_turns)
        on_game()
    return MoveCost(table.visits, turns, table.judged)
