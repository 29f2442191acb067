"""Fits a ladder's tables of move likelihood and results to games, and stores the games.

The module has the order of the work, its processes and the games' folder. ladder_games,
balanced_games and outside_players play the games; move_likelihood and win_model fit.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from engine.games.evaluator import Evaluator
from engine.networks.human_policy import HumanPolicy
from engine.opponents import OutcomeModel, Posterior
from engine.opponents.score_model import ScoreModel
from engine.opponents.transfer import win_model_of
from engine.opponents.win_model import WinModel
from engine.search.search import Search
from engine.search.tree import new_cache
from engine.strength.rank_scale import RANKED_GAME
from engine.strength.rating_ladder import RatingLadder
from engine.training.opponents.balanced_games import LEVEL, BalancedGame, play_balanced_game
from engine.training.opponents.calibration_players import WEAKENED, calibration_players
from engine.training.opponents.ladder_games import (
    LadderGame,
    OpponentSamples,
    opponent_samples,
    play_ladder_game,
)
from engine.training.opponents.margin_model import fit_margin_model
from engine.training.opponents.move_likelihood import fit_move_likelihood
from engine.training.opponents.outside_players import (
    OutsideGame,
    OutsideSamples,
    outside_samples,
    play_outside_game,
)
from engine.training.opponents.score_model import fit_score_model
from engine.training.opponents.win_model import BalanceSample, fit_win_model, leaned
from engine.util.process_pool import WorkerProcesses

GAMES = 1500  # between levels, by default
STRANGER_GAMES = 40  # of each agent
STEERED_GAMES = 6  # kept even
BALANCED_ROUNDS = 24  # each by the tables of the games before it
RECENT_ROUNDS = 4  # the latest ones count
STRONG = 0.7  # of the ladder's highest: stronger levels are rivals, few agents are as strong
BY_NUMBER = "first-legal"  # no rival: its games' ends depend on the numbering of moves
# The same by game. In Go most agents are levels, and the margins need rivals of all strengths.
LEAST_SHARES = {"go": -1.0}
RIVAL_VISITS = 800  # of such a level, at most
SLOW_SHARE = 0.1  # of the games, with the ladder's highest rungs too
QUICK_VISITS = 100  # rungs with more visits are slow
CACHED = 2**18  # evaluations a process
TOGETHER = 4  # games handed to a process at a time
RUNGS = "rungs.json"  # the rungs of the folder's games
KNOWN, STRANGERS, STEERED = "levels.jsonl", "strangers.jsonl", "steered{}.jsonl"

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


@dataclass(frozen=True, slots=True)
class LearnedTables:
    """The result of a learner, with the samples that it was fitted to."""

    ladder: RatingLadder  # with its tables
    samples: Sequence[BalanceSample]  # of games that were not kept even
    balanced: Sequence[BalancedGame]  # the last rounds


def learn(
    learner: TableLearner, *, games: int = GAMES, stranger_games: int = STRANGER_GAMES
) -> LearnedTables:
    """Returns the ladder with tables fitted to the games; plays the missing ones.

    Without rounds of balanced games the ladder keeps its own outcome model; one without any gets
    one fitted to the other games. Raises ValueError if the folder holds games of another ladder.
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
    if rounds or not ladder.outcome:  # one without any borrows another board's
        ladder = replace(ladder, outcome=_outcome(ladder, positions, rounds))
    return LearnedTables(ladder, positions, _recent(rounds))


def fit_outcome(ladder: RatingLadder, samples: Sequence[BalanceSample]) -> OutcomeModel:
    """Returns the outcome model of the ladder's game, fitted to the samples.

    In Go the margins of games kept even and the leaning are those of the ladder's present tables.
    """
    ends = ladder.lowest, ladder.highest
    known = win_model_of(ladder)
    if isinstance(known, ScoreModel):
        return fit_score_model(samples, *ends, present=known)
    return fit_win_model(samples, *ends)


def _outcome(
    ladder: RatingLadder,
    positions: Sequence[BalanceSample],
    rounds: Sequence[Sequence[BalancedGame]],
) -> dict[str, Any]:
    """Returns the tables by other games and by the last rounds of balanced games."""
    recent = _recent(rounds)
    steered = [position for game in recent for position in game.positions()]
    ladder = with_margins(ladder, recent)
    tables = fit_outcome(ladder, [*positions, *steered])
    if not isinstance(tables, WinModel):
        return tables.to_json()
    leaning = tables.leaning
    for games in rounds:
        ends = [positions[-1] for positions in (game.positions() for game in games) if positions]
        leaning = leaned(leaning, tables, ends)
    return replace(tables, leaning=leaning).to_json()


def with_margins(ladder: RatingLadder, games: Sequence[BalancedGame]) -> RatingLadder:
    """Returns a ladder of Go with margins fitted to the games; other ladders as they are."""
    tables = win_model_of(ladder)
    samples = [sample for game in games if (sample := game.margin_sample()) is not None]
    if not isinstance(tables, ScoreModel) or not samples:
        return ladder
    tables = replace(tables, margins=fit_margin_model(samples, tables))
    return replace(ladder, outcome=tables.to_json())


def _recent(rounds: Sequence[Sequence[BalancedGame]]) -> list[BalancedGame]:
    """Returns the games of the last rounds.

    Older rounds belong to other tables, and to another way of playing.
    """
    return [game for last in rounds[-RECENT_ROUNDS:] for game in last]


def rivals_of(ladder: RatingLadder, elos: Sequence[float]) -> dict[str, float]:
    """Returns the rivals of balanced games with their Elo: agents, and levels above them.

    elos: of the players for the tables.
    """
    placed = zip(calibration_players(ladder.board), elos, strict=True)
    rivals = {text: elo for text, elo in placed if text not in WEAKENED and text != BY_NUMBER}
    share = LEAST_SHARES.get(ladder.board.game, STRONG)
    strong = [rung for rung in ladder.rungs if rung.elo > share * ladder.highest]
    quick = [rung.elo for rung in strong if rung.level.visits <= RIVAL_VISITS]
    return rivals | {f"{LEVEL}{elo:.0f}": elo for elo in quick}


def balanced_games(
    learner: TableLearner,
    pool: _WorkerPool,
    ladder: RatingLadder,
    rivals: Mapping[str, float],
    request: int,
) -> list[BalancedGame]:
    """Returns the games kept even by the present tables; plays the missing ones."""
    path = learner.folder / STEERED.format(request)
    stored = [BalancedGame.from_json(row) for row in rows_of(path)]
    tasks = [
        (rival, elo, (learner.seed, 3, request, number, game))
        for game in range(learner.steered)
        for number, (rival, elo) in enumerate(rivals.items())
    ]
    with path.open("a") as file:
        missing = [(ladder, *task) for task in tasks[len(stored) :]]
        for steered in pool.work(f"steering {request}", _play_steered, missing):
            stored.append(steered)
            file.write(json.dumps(steered.to_json()) + "\n")
            file.flush()
    return stored


def _claim(learner: TableLearner) -> None:
    """Claims the folder for this ladder."""
    learner.folder.mkdir(parents=True, exist_ok=True)
    path = learner.folder / RUNGS
    own = json.dumps([[rung.elo, rung.level.to_json()] for rung in learner.ladder.rungs])
    if path.is_file() and path.read_text() != own:
        raise ValueError(f"{str(learner.folder)!r} holds games of another ladder")
    path.write_text(own)


def ladder_games(learner: TableLearner, pool: _WorkerPool, games: int) -> list[LadderGame]:
    """Returns the games between levels; plays the missing ones."""
    path = learner.folder / KNOWN
    stored = [LadderGame.from_json(row) for row in rows_of(path)][:games]
    seeds = [(learner.seed, 1, number) for number in range(len(stored), games)]
    with path.open("a") as file:
        for game in pool.work("levels", _play_known, seeds):
            stored.append(game)
            file.write(json.dumps(game.to_json()) + "\n")
            file.flush()
    return stored


def outside_games_of(
    learner: TableLearner, pool: _WorkerPool, games: int
) -> list[list[OutsideGame]]:
    """Returns each agent's games against the ladder; plays the missing ones."""
    path = learner.folder / STRANGERS
    agents = list(calibration_players(learner.ladder.board))
    found: dict[str, list[OutsideGame]] = {agent: [] for agent in agents}
    for row in rows_of(path):
        game = OutsideGame.from_json(row)
        if game.agent in found and len(found[game.agent]) < games:
            found[game.agent].append(game)
    while todo := [agent for agent in agents if len(found[agent]) < games]:
        # One game of each at a time: the next game's level depends on all before.
        tasks = [((learner.seed, 2, len(found[a]), agents.index(a)), a, found[a]) for a in todo]
        played = pool.work("strangers", _play_stranger, tasks)
        with path.open("a") as file:
            for game in played:
                found[game.agent].append(game)
                file.write(json.dumps(game.to_json()) + "\n")
    return list(found.values())


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


def _play_known(seed: Sequence[int]) -> LadderGame:
    search, ladder = _search()
    rng = np.random.default_rng(seed)
    quick = max(rung.elo for rung in ladder.rungs if rung.level.visits <= QUICK_VISITS)
    highest = ladder.highest if rng.random() < SLOW_SHARE else quick
    human = _process["human"]
    return play_ladder_game(search, ladder, rng, highest_elo=highest, human=human)


def _play_stranger(task: tuple[Sequence[int], str, Sequence[OutsideGame]]) -> OutsideGame:
    seed, agent, before = task
    search, ladder = _search()
    rng = np.random.default_rng(seed)
    return play_outside_game(agent, before, search, ladder, rng, human=_process["human"])


def _play_steered(task: tuple[RatingLadder, str, float, Sequence[int]]) -> BalancedGame:
    ladder, rival, elo, seed = task
    search, _ = _search()
    return play_balanced_game(rival, elo, search, ladder, seed, human=_process["human"])


def _opponent_samples(game: LadderGame) -> OpponentSamples:
    search, ladder = _search()
    return opponent_samples(game, search, ladder, _people(ladder))


def _meet(games: Sequence[OutsideGame]) -> OutsideSamples:
    search, ladder = _search()
    return outside_samples(games, search, ladder, _people(ladder))


def _people(ladder: RatingLadder) -> HumanPolicy | None:
    """Returns the human policy for the features of moves; None in a game without ranks."""
    human: HumanPolicy | None = _process["human"]
    return human if ladder.board.game == RANKED_GAME else None


class _WorkerPool(WorkerProcesses):
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


def rows_of(path: Path) -> list[dict[str, Any]]:
    """Returns the rows of a file; an incomplete last one is removed.

    Raises ValueError, and leaves the file unchanged, if it holds something else.
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
