"""The ingredients of a ladder's tables, and the processes that play and search for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from engine.games.evaluator import Evaluator
from engine.networks.human_policy import HumanPolicy
from engine.search.search import Search
from engine.search.tree import new_cache
from engine.strength.rank_scale import RANKED_GAME
from engine.strength.rating_ladder import RatingLadder
from engine.training.opponents.balanced_games import BalancedGame, play_balanced_game
from engine.training.opponents.ladder_games import (
    LadderGame,
    OpponentSamples,
    balance_samples,
    opponent_samples,
    play_ladder_game,
)
from engine.training.opponents.outside_players import (
    OutsideGame,
    OutsideSamples,
    outside_samples,
    play_outside_game,
)
from engine.training.opponents.recorded_even_games import RecordedEvenGame, standings_of
from engine.training.opponents.win_model import BalanceSample
from engine.util.process_pool import WorkerProcesses
from engine.values import Standing

STEERED_GAMES = 6  # kept even
BALANCED_ROUNDS = 24  # each by the tables of the games before it
SLOW_SHARE = 0.1  # of the games, with the ladder's highest rungs too
QUICK_VISITS = 100  # rungs with more visits are slow
CACHED = 2**18  # evaluations a process
TOGETHER = 4  # games handed to a process at a time

Progress = Callable[[str, int, int], None]  # (what, done, of how many)


@dataclass(frozen=True, slots=True)
class TableLearner:
    """The ingredients of a ladder's tables."""

    ladder: RatingLadder
    make: Callable[[], Evaluator]  # makes the network, once in each process
    folder: Path  # of the games; present ones are not played again
    # Makes the model of human moves for levels with a rank, once in each process.
    make_human: Callable[[], HumanPolicy | None] = lambda: None
    seed: int = 0
    steered: int = STEERED_GAMES  # against each rival, in each round
    rounds: int = BALANCED_ROUNDS  # of balanced games; 0: a ladder keeps its own outcome model
    processes: int = 1  # for the games; 1: this process alone
    progress: Progress = lambda _what, _done, _of: None


class LearnerPool(WorkerProcesses):
    """The processes that play and search."""

    def __init__(self, learner: TableLearner) -> None:
        self._progress = learner.progress
        start = learner.make, learner.make_human, learner.ladder
        super().__init__(learner.processes, _begin, start)

    def work(self, what: str, task: Callable[[Any], Any], items: Sequence[Any]) -> Iterator[Any]:
        """Yields the task's result for each item, in order."""
        together = TOGETHER if len(items) > 100 else 1
        results = map(task, items) if self.pool is None else self.pool.map(task, items, together)
        for done, result in enumerate(results, 1):
            self._progress(what, done, len(items))
            yield result


# ---- The work of a process. Each has its network and the ladder.

_process: dict[str, Any] = {}


def _begin(
    make: Callable[[], Evaluator],
    make_human: Callable[[], HumanPolicy | None],
    ladder: RatingLadder,
) -> None:
    cache = new_cache(ladder.board.game, CACHED)
    _process.update(evaluator=make(), human=make_human(), cache=cache, ladder=ladder)


def _search() -> tuple[Search, RatingLadder]:
    return Search(_process["evaluator"], cache=_process["cache"]), _process["ladder"]


def play_known(seed: Sequence[int]) -> LadderGame:
    """Returns a game between levels of the ladder."""
    search, ladder = _search()
    rng = np.random.default_rng(seed)
    quick = max(rung.elo for rung in ladder.rungs if rung.level.visits <= QUICK_VISITS)
    highest = ladder.highest if rng.random() < SLOW_SHARE else quick
    human = _process["human"]
    return play_ladder_game(search, ladder, rng, highest_elo=highest, human=human)


def play_stranger(task: tuple[Sequence[int], str, Sequence[OutsideGame]]) -> OutsideGame:
    """Returns the next game of an agent. task: the seed, the agent and its games so far."""
    seed, agent, before = task
    search, ladder = _search()
    rng = np.random.default_rng(seed)
    return play_outside_game(agent, before, search, ladder, rng, human=_process["human"])


def play_steered(task: tuple[RatingLadder, str, float, Sequence[int]]) -> BalancedGame:
    """Returns a game kept even. task: the present tables, the rival, its Elo and the seed."""
    ladder, rival, elo, seed = task
    search, _ = _search()
    return play_balanced_game(rival, elo, search, ladder, seed, human=_process["human"])


def look_at(game: RecordedEvenGame) -> list[tuple[float, Standing]]:
    """Returns the levels and standings of a recorded game."""
    search, _ = _search()
    return standings_of(game, search)


def samples_of_levels(game: LadderGame) -> OpponentSamples:
    """Returns the samples of a game between levels."""
    search, ladder = _search()
    return opponent_samples(game, search, ladder, _people(ladder))


def look_at_levels(game: LadderGame) -> list[BalanceSample]:
    """Returns the samples of a game between levels, for the outcome model alone."""
    search, ladder = _search()
    return balance_samples(game, search, ladder)


def samples_of_strangers(games: Sequence[OutsideGame]) -> OutsideSamples:
    """Returns the samples of an agent's games."""
    search, ladder = _search()
    return outside_samples(games, search, ladder, _people(ladder))


def _people(ladder: RatingLadder) -> HumanPolicy | None:
    """Returns the human policy for the features of moves; None in a game without ranks."""
    human: HumanPolicy | None = _process["human"]
    return human if ladder.board.game == RANKED_GAME else None
