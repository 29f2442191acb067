"""The ratings that moves look like: the posterior, its interval, and its limits."""

from __future__ import annotations

import numpy as np
import pytest

from engine.games.game_record import GameRecord
from engine.games.game_settings import usual_settings
from engine.networks.human_policy import HumanPolicy
from engine.networks.rated_networks import RatedEvaluator
from engine.networks.runtime import load_evaluator
from engine.review.move_ratings import (
    GRID_STEP,
    PRIOR_MEAN,
    MoveRatings,
    estimate,
    move_ratings,
    rating_of_moves,
    ratings_of,
)
from engine.review.played import ReplayedGame
from tests.conftest import SHARED_DATA
from tests.support.stand_in import StandInEvaluator

RATINGS = (700.0, 900.0, 1100.0, 1300.0, 1500.0, 1700.0, 1900.0)
MAIA = SHARED_DATA / "maia"
ALIKE = np.full((1, 7), 0.3)


def peaked(at: int, moves: int) -> MoveRatings:
    """Moves likelier at the rating of this number than at the others."""
    distance = np.abs(np.arange(7) - at)
    return MoveRatings(RATINGS, np.tile(0.5 * 0.8**distance, (moves, 1)))


def test_moves_alike_at_all_ratings_leave_the_prior() -> None:
    found = estimate(np.log(ALIKE), RATINGS)
    assert found is not None
    assert found.mean == pytest.approx(PRIOR_MEAN, abs=130), "the grid ends at 1900"
    assert (found.low, found.high) == (810, 1870)
    assert str(found) == f"{found.mean:.0f} ({found.low:.0f} to {found.high:.0f} or more)"


def test_more_moves_narrow_the_interval_around_the_rating() -> None:
    few, many = (rating_of_moves(peaked(3, moves), [0] * moves) for moves in (5, 80))
    assert few is not None
    assert many is not None
    assert many.high - many.low < few.high - few.low
    assert many.mean == pytest.approx(1300, abs=30)
    assert not many.is_lowest
    assert not many.is_highest


def test_the_ends_of_the_ratings_are_said() -> None:
    weak, strong = (rating_of_moves(peaked(at, 80), [0] * 80) for at in (0, 6))
    assert str(weak).startswith("7")
    assert "or less to " in str(weak)
    assert str(strong).endswith("1900 or more)")


def test_a_player_has_its_own_moves_without_the_forced_ones() -> None:
    rows = np.concatenate([peaked(1, 20).probabilities, peaked(5, 20).probabilities])
    rows[3] = np.nan
    likelihoods = MoveRatings(RATINGS, rows)
    colors = [0] * 20 + [1] * 20
    white, black = (rating_of_moves(likelihoods, colors, color) for color in (0, 1))
    assert white is not None
    assert black is not None
    assert white.mean < 1100
    assert black.mean > 1500
    assert likelihoods.of_move(3) == {}
    assert likelihoods.of_move(4)[900.0] == 0.5
    assert rating_of_moves(likelihoods, colors, 2) is None


def test_networks_by_rating_judge_the_moves() -> None:
    pytest.importorskip("chess", reason="needs python-chess: sparring[chess]")
    settings = usual_settings("chess")
    position, moves = settings.begin(8, 8), list[tuple[int, int]]()
    for _ in range(4):
        moves.append((position.to_move, position.legal_moves()[3]))
        position.play(moves[-1][1])
    played = ReplayedGame(GameRecord(settings, 8, 8, moves=tuple(moves)))
    networks = {rating: StandInEvaluator(game="chess") for rating in (1100.0, 1500.0)}
    people = HumanPolicy(RatedEvaluator(networks))
    assert ratings_of(people) == (700.0, 900.0, 1100.0, 1500.0)
    found = move_ratings(people, played)
    assert found is not None
    assert found.probabilities.shape == (4, 4)
    assert ((found.probabilities > 0) & (found.probabilities < 1)).all()
    alone = HumanPolicy(RatedEvaluator({1500.0: networks[1500.0]}))
    assert move_ratings(alone, played) is None, "one network tells no ratings apart"
    assert move_ratings(None, played) is None


@pytest.mark.skipif(not MAIA.is_dir(), reason="needs Maia's networks")
@pytest.mark.parametrize("rating", [1100.0, 1500.0, 1900.0])
def test_the_rating_of_sampled_games_is_told(rating: float) -> None:
    pytest.importorskip("chess", reason="needs python-chess: sparring[chess]")
    evaluator = load_evaluator(MAIA)
    people, rng = HumanPolicy(evaluator), np.random.default_rng(7)
    position = usual_settings("chess").begin(8, 8)
    moves = list[tuple[int, int]]()
    while not position.is_over and len(moves) < 60:
        policy = people.policy_at(position, (rating, rating))
        moves.append((position.to_move, int(rng.choice(len(policy), p=policy / policy.sum()))))
        position.play(moves[-1][1])
    played = ReplayedGame(GameRecord(usual_settings("chess"), 8, 8, moves=tuple(moves)))
    likelihoods = move_ratings(people, played)
    assert likelihoods is not None
    found = rating_of_moves(likelihoods, [color for color, _ in moves])
    assert found is not None
    assert found.mean == pytest.approx(rating, abs=300)
    assert found.low <= rating <= found.high + GRID_STEP
