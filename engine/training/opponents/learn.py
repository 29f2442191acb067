"""Fits a ladder's tables of evidence and outcomes to games played for it; what was played is kept.

Knows in which order that is done, in which processes and where the games lie. The games are those
of known_games and strangers, the fits those of evidence and outcome.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from engine._core import EvaluationCache
from engine.games.evaluator import Evaluator
from engine.opponents.posterior import Posterior
from engine.search.search import Search
from engine.strength.rating_ladder import RatingLadder
from engine.training.opponents.balanced_games import LEVEL, BalancedGame, play_balanced_game
from engine.training.opponents.calibration_players import WEAKENED, calibration_players
from engine.training.opponents.ladder_games import (
    LadderGame,
    OpponentSamples,
    opponent_samples,
    play_ladder_game,
)
from engine.training.opponents.move_likelihood import fit_move_likelihood
from engine.training.opponents.outside_players import (
    OutsideGame,
    OutsideSamples,
    outside_samples,
    play_outside_game,
)
from engine.training.opponents.win_model import BalanceSample, fit_win_model, leaned
from engine.util.process_pool import ProcessPool

GAMES = 1500  # between levels, unless another number is asked for
STRANGER_GAMES = 40  # of each agent
STEERED_GAMES = 6  # that are kept even
BALANCED_ROUNDS = 24  # each by the tables that games before it lead to
RECENT_ROUNDS = 4  # that count
STRONG = 0.7  # of the ladder's highest: levels above are rivals, few agents are as strong
BY_NUMBER = "first-legal"  # no rival: how its games end tells of how moves are numbered
RIVAL_VISITS = 800  # that such a level searches at most
SLOW_SHARE = 0.1  # of the games in which the ladder's highest rungs may play too
QUICK_VISITS = 100  # rungs that search more are slow
CACHED = 2**18  # evaluations a process
TOGETHER = 4  # games that a process is given at a time
RUNGS = "rungs.json"  # whose games they are
KNOWN, STRANGERS, STEERED = "levels.jsonl", "strangers.jsonl", "steered{}.jsonl"

Progress = Callable[[str, int, int], None]  # (what, done, of how many)


@dataclass(frozen=True, slots=True)
class TableLearner:
    """What it takes to learn a ladder's tables."""

    ladder: RatingLadder
    make: Callable[[], Evaluator]  # the network; where there are more processes, in each of them
    folder: Path  # where games are kept; those that lie there are not played again
    seed: int = 0
    steered: int = STEERED_GAMES  # against each rival, in each round
    rounds: int = BALANCED_ROUNDS
    processes: int = 1  # that play; 1 is this one
    progress: Progress = lambda _what, _done, _of: None


def learn(
    learner: TableLearner, *, games: int = GAMES, stranger_games: int = STRANGER_GAMES
) -> RatingLadder:
    """The ladder with tables fitted to so many games, played where they are not there yet.

    ValueError where the folder holds games of another ladder.
    """
    _claim(learner)
    ends = learner.ladder.lowest, learner.ladder.highest
    with _WorkerPool(learner) as pool:
        known = ladder_games(learner, pool, games)
        strangers = outside_games_of(learner, pool, stranger_games)
        samples = list(pool.work("looking", _opponent_samples, known))
        met = list(pool.work("meeting", _meet, strangers))
        moves = [move for sample in samples for move in sample.moves]
        strange = [stranger.player for stranger in met]
        evidence = fit_move_likelihood(moves, strange, Posterior.of_stranger(*ends))
        positions = [position for sample in (*samples, *met) for position in sample.positions]
        ladder = replace(learner.ladder, evidence=evidence.to_json())
        rivals = rivals_of(ladder, [stranger.elo for stranger in strange])
        rounds: list[list[BalancedGame]] = []
        for request in range(1, learner.rounds + 1):
            ladder = replace(ladder, outcome=_outcome(ladder, positions, rounds))
            rounds.append(balanced_games(learner, pool, ladder, rivals, request))
    return replace(ladder, outcome=_outcome(ladder, positions, rounds))


def _outcome(
    ladder: RatingLadder,
    positions: Sequence[BalanceSample],
    rounds: Sequence[Sequence[BalancedGame]],
) -> dict[str, Any]:
    """The tables by other games and by the last rounds of those that were kept even.

    Older rounds were played by other tables, and tell what came of another way of playing.
    """
    recent = [game for last in rounds[-RECENT_ROUNDS:] for game in last]
    steered = [position for game in recent for position in game.positions()]
    tables = fit_win_model([*positions, *steered], ladder.lowest, ladder.highest)
    leaning = tables.leaning
    for games in rounds:
        ends = [positions[-1] for positions in (game.positions() for game in games) if positions]
        leaning = leaned(leaning, tables, ends)
    return replace(tables, leaning=leaning).to_json()


def rivals_of(ladder: RatingLadder, elos: Sequence[float]) -> dict[str, float]:
    """Against whom games are kept even and how strong each is: agents, above them levels.

    elos: of the players that tables are fitted to.
    """
    placed = zip(calibration_players(ladder.board), elos, strict=True)
    rivals = {text: elo for text, elo in placed if text not in WEAKENED and text != BY_NUMBER}
    strong = [rung for rung in ladder.rungs if rung.elo > STRONG * ladder.highest]
    quick = [rung.elo for rung in strong if rung.level.visits <= RIVAL_VISITS]
    return rivals | {f"{LEVEL}{elo:.0f}": elo for elo in quick}


def balanced_games(
    learner: TableLearner,
    pool: _WorkerPool,
    ladder: RatingLadder,
    rivals: Mapping[str, float],
    request: int,
) -> list[BalancedGame]:
    """Games kept even by the tables so far, the kept ones and those that are missing."""
    path = learner.folder / STEERED.format(request)
    kept = [BalancedGame.from_json(row) for row in rows_of(path)]
    tasks = [
        (rival, elo, (learner.seed, 3, request, number, game))
        for game in range(learner.steered)
        for number, (rival, elo) in enumerate(rivals.items())
    ]
    with path.open("a") as file:
        missing = [(ladder, *task) for task in tasks[len(kept) :]]
        for steered in pool.work(f"steering {request}", _play_steered, missing):
            kept.append(steered)
            file.write(json.dumps(steered.to_json()) + "\n")
            file.flush()
    return kept


def _claim(learner: TableLearner) -> None:
    """Makes the folder this ladder's."""
    learner.folder.mkdir(parents=True, exist_ok=True)
    path = learner.folder / RUNGS
    own = json.dumps([[rung.elo, rung.level.to_json()] for rung in learner.ladder.rungs])
    if path.is_file() and path.read_text() != own:
        raise ValueError(f"{str(learner.folder)!r} holds games of another ladder")
    path.write_text(own)


def ladder_games(learner: TableLearner, pool: _WorkerPool, games: int) -> list[LadderGame]:
    """The kept games between levels, and as many more as are missing."""
    path = learner.folder / KNOWN
    kept = [LadderGame.from_json(row) for row in rows_of(path)][:games]
    seeds = [(learner.seed, 1, number) for number in range(len(kept), games)]
    with path.open("a") as file:
        for game in pool.work("levels", _play_known, seeds):
            kept.append(game)
            file.write(json.dumps(game.to_json()) + "\n")
            file.flush()
    return kept


def outside_games_of(
    learner: TableLearner, pool: _WorkerPool, games: int
) -> list[list[OutsideGame]]:
    """Each agent's games against the ladder, the kept ones and as many more as are missing."""
    path = learner.folder / STRANGERS
    agents = list(calibration_players(learner.ladder.board))
    found: dict[str, list[OutsideGame]] = {agent: [] for agent in agents}
    for row in rows_of(path):
        game = OutsideGame.from_json(row)
        if game.agent in found and len(found[game.agent]) < games:
            found[game.agent].append(game)
    while todo := [agent for agent in agents if len(found[agent]) < games]:
        # A game of each at a time: the next one's level follows from all before.
        tasks = [((learner.seed, 2, len(found[a]), agents.index(a)), a, found[a]) for a in todo]
        played = pool.work("strangers", _play_stranger, tasks)
        with path.open("a") as file:
            for game in played:
                found[game.agent].append(game)
                file.write(json.dumps(game.to_json()) + "\n")
    return list(found.values())


# ---- What a process does. Each has its network and the ladder.

_process: dict[str, Any] = {}


def _begin(make: Callable[[], Evaluator], ladder: RatingLadder) -> None:
    _process.update(evaluator=make(), cache=EvaluationCache(CACHED), ladder=ladder)


def _search() -> tuple[Search, RatingLadder]:
    return Search(_process["evaluator"], cache=_process["cache"]), _process["ladder"]


def _play_known(seed: Sequence[int]) -> LadderGame:
    search, ladder = _search()
    rng = np.random.default_rng(seed)
    quick = max(rung.elo for rung in ladder.rungs if rung.level.visits <= QUICK_VISITS)
    highest = ladder.highest if rng.random() < SLOW_SHARE else quick
    return play_ladder_game(search, ladder, rng, highest_elo=highest)


def _play_stranger(task: tuple[Sequence[int], str, Sequence[OutsideGame]]) -> OutsideGame:
    seed, agent, before = task
    search, ladder = _search()
    return play_outside_game(agent, before, search, ladder, np.random.default_rng(seed))


def _play_steered(task: tuple[RatingLadder, str, float, Sequence[int]]) -> BalancedGame:
    ladder, rival, elo, seed = task
    search, _ = _search()
    return play_balanced_game(rival, elo, search, ladder, seed)


def _opponent_samples(game: LadderGame) -> OpponentSamples:
    search, ladder = _search()
    return opponent_samples(game, search, ladder)


def _meet(games: Sequence[OutsideGame]) -> OutsideSamples:
    search, ladder = _search()
    return outside_samples(games, search, ladder)


class _WorkerPool:
    """The processes that play and look."""

    def __init__(self, learner: TableLearner) -> None:
        self._progress = learner.progress
        self._pool: ProcessPool | None = None
        self._ending = ExitStack()
        told = learner.make, learner.ladder
        if learner.processes == 1:
            _begin(*told)
        else:
            self._pool = self._ending.enter_context(ProcessPool(learner.processes, _begin, told))

    def __enter__(self) -> _WorkerPool:
        return self

    def __exit__(self, *error: Any) -> None:  # noqa: ANN401 - as contextlib has it
        self._ending.__exit__(*error)

    def work(self, what: str, task: Callable[[Any], Any], items: Sequence[Any]) -> Iterator[Any]:
        """What the task makes of each item, in their order."""
        together = TOGETHER if len(items) > 100 else 1
        results = map(task, items) if self._pool is None else self._pool.map(task, items, together)
        for done, result in enumerate(results, 1):
            self._progress(what, done, len(items))
            yield result


def rows_of(path: Path) -> list[dict[str, Any]]:
    """The rows of a file of them; a last one that was cut short is taken out.

    Raises ValueError, the file left as it is, where it holds something else.
    """
    if not path.is_file():
        return []
    text = path.read_text()
    whole = text[: text.rfind("\n") + 1]
    rest = text[len(whole) :]
    try:
        rows = [json.loads(line) for line in whole.splitlines()]
    except ValueError as error:
        raise ValueError(f"{str(path)!r} holds no games: {error}") from error
    if not all(isinstance(row, dict) for row in rows) or (rest and rest[0] != "{"):
        raise ValueError(f"{str(path)!r} holds no games")
    if rest:
        with path.open("r+") as file:
            file.truncate(len(whole.encode()))
    return rows
