"""Fits a ladder's tables of move likelihood and results to games.

The module has the order of the work. stored_games has the games, table_learner the processes;
move_likelihood, score_model, margin_model and win_model fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.opponents import OutcomeModel, Posterior
from engine.opponents.score_model import ScoreModel
from engine.opponents.transfer import win_model_of
from engine.opponents.win_model import WinModel
from engine.strength.rating_ladder import RatingLadder
from engine.training.opponents.balanced_games import LEVEL, BalancedGame
from engine.training.opponents.calibration_players import WEAKENED, calibration_players
from engine.training.opponents.ladder_games import LadderGame
from engine.training.opponents.margin_model import fit_margin_model
from engine.training.opponents.move_likelihood import fit_move_likelihood
from engine.training.opponents.recorded_even_games import RecordedEvenGame
from engine.training.opponents.score_model import fit_score_model
from engine.training.opponents.stored_games import (
    KNOWN,
    balanced_games,
    balanced_games_of,
    claim,
    ladder_games,
    outside_games_of,
    rows_of,
)
from engine.training.opponents.table_learner import (
    LearnerPool,
    TableLearner,
    look_at_levels,
    samples_of_levels,
    samples_of_strangers,
)
from engine.training.opponents.win_model import BalanceSample, fit_win_model, leaned

GAMES = 1500  # between levels, by default
STRANGER_GAMES = 40  # of each agent
RECENT_ROUNDS = 4  # the latest ones count
STRONG = 0.7  # of the ladder's highest: stronger levels are rivals, few agents are as strong
BY_NUMBER = "first-legal"  # no rival: its games' ends depend on the numbering of moves
# The same by game. In Go most agents are levels, and the margins need rivals of all strengths.
LEAST_SHARES = {"go": -1.0}
RIVAL_VISITS = 800  # of such a level, at most


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
    claim(learner)
    ends = learner.ladder.lowest, learner.ladder.highest
    with LearnerPool(learner) as pool:
        known = ladder_games(learner, pool, games)
        strangers = outside_games_of(learner, pool, stranger_games)
        samples = list(pool.work("looking", samples_of_levels, known))
        met = list(pool.work("meeting", samples_of_strangers, strangers))
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


def learn_outcome(learner: TableLearner, games: Sequence[RecordedEvenGame]) -> LearnedTables:
    """Returns the ladder with an outcome model fitted to recorded games; its evidence stays.

    The folder's games between levels count too; none are played. Raises ValueError if the folder
    holds games of another ladder.
    """
    claim(learner)
    known = [LadderGame.from_json(row) for row in rows_of(learner.folder / KNOWN)]
    with LearnerPool(learner) as pool:
        levels = pool.work("looking", look_at_levels, known)
        positions = [position for samples in levels for position in samples]
        kept_even = balanced_games_of(learner, pool, games)
    ladder = replace(learner.ladder, outcome=_outcome(learner.ladder, positions, [kept_even]))
    return LearnedTables(ladder, positions, kept_even)


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
