"""The likelihood of moves by a ladder's own levels."""

from __future__ import annotations

import numpy as np
import pytest

from engine._core import MoveReport
from engine.games.evaluator import Multipliers, NetworkDescription
from engine.games.table import Board
from engine.opponents.level_likelihood import PEOPLE_STYLES, STYLES, likelihood_of_levels
from engine.opponents.move_likelihood import (
    LAPSE,
    PEOPLE_RATINGS,
    RATED_FEATURES,
    MoveLikelihood,
    candidates,
)
from engine.opponents.posterior import Posterior
from engine.opponents.program_likelihood import KNOTS_ELO, coefficients_of_programs
from engine.opponents.transfer import move_likelihood_of
from engine.strength.level import weights
from engine.strength.rating_ladder import RatingLadder, guessed
from engine.strength.settings_curve import level_at

MOVES = 12
NETWORK = NetworkDescription("maia-1100..1900", 1, "", 1, 112, 1, 1, 1, Multipliers(), "chess")


def ladder() -> RatingLadder:
    return guessed(Board("chess", 8, 8), NETWORK)


def policies(seed: int) -> list[np.ndarray]:
    """The policies of five ratings, from one that knows little to one that knows more."""
    rng = np.random.default_rng(seed)
    logits, better = rng.normal(size=MOVES), rng.normal(size=MOVES)
    powers = [np.exp(logits + step * better) for step in np.linspace(0, 1.5, len(PEOPLE_RATINGS))]
    return [each / each.sum() for each in powers]


def between(rating: float, people: list[np.ndarray]) -> np.ndarray:
    """The policy of the networks at a rating: logits interpolated."""
    logits = np.array([np.log(each) for each in people])
    at = np.exp([np.interp(rating, PEOPLE_RATINGS, column) for column in logits.T])
    return np.asarray(at / at.sum())


@pytest.mark.parametrize("elo", [0.0, 150.0, 500.0, 900.0, 1100.0, 1250.0, 1500.0, 1600.0])
def test_a_level_of_people_is_its_own_likelihood(elo: float) -> None:
    """At each Elo the table has the probabilities by which the level draws, but for its floor."""
    people = policies(1)
    among = candidates(people[-1].astype(np.float32), (), np.zeros(MOVES), "chess", people)
    table = likelihood_of_levels(ladder())
    shown = table.probabilities(among, np.array([elo]))
    level = level_at(Board("chess", 8, 8), elo)
    expected = weights(
        level if level.floor == 0 else type(level)(index=level.index, rating=level.rating),
        between(level.rating or 1100.0, people),
        np.zeros(MOVES),
        np.zeros(MOVES),
    )
    for style in shown[: len(PEOPLE_STYLES)]:
        assert style[0] == pytest.approx((1 - LAPSE) * expected + LAPSE / MOVES, abs=1e-6)


def test_chess_is_judged_by_its_levels_until_a_table_is_fitted() -> None:
    own = move_likelihood_of(ladder())
    assert own.needs_people
    assert np.array_equal(own.coefficients, likelihood_of_levels(ladder()).coefficients)
    again = MoveLikelihood.from_json(own.to_json())
    np.testing.assert_allclose(again.coefficients, own.coefficients, atol=1e-4)


def test_moves_of_a_rating_tell_the_rating() -> None:
    table, rng = likelihood_of_levels(ladder()), np.random.default_rng(2)
    elos = np.arange(0.0, 1501.0, 50.0)  # up to the players of the highest rating
    for network, elo in ((0, 1100.0), (2, 1300.0), (-1, 1500.0)):
        total = np.zeros(len(elos))
        for turn in range(600):
            people = policies(turn)
            among = candidates(people[-1].astype(np.float32), (), np.zeros(MOVES), "chess", people)
            move = int(rng.choice(MOVES, p=people[network]))
            likelihood = table.log_likelihood(among, move, elos)
            assert likelihood is not None
            total += likelihood[0]
        assert elos[np.argmax(total)] == pytest.approx(elo, abs=100)


def games_of(strength: float, *, as_a_program: bool, games: int) -> Posterior:
    """The belief after games of 40 moves and their likeliest results, each against its mean.

    A program's moves are drawn by its style, and its results by its strength.
    """
    table, rng = likelihood_of_levels(ladder()), np.random.default_rng(3)
    belief = Posterior.of_stranger(ladder().lowest, ladder().highest, styles=table.styles)
    for game in range(games):
        for turn in range(40):
            people = policies(40 * game + turn)
            glance = rng.normal(size=MOVES)
            among = candidates(people[-1].astype(np.float32), (), glance, "chess", people)
            style = table.probabilities(among, np.array([strength]))[-1 if as_a_program else 0, 0]
            move = int(rng.choice(MOVES, p=style))
            likelihood = table.log_likelihood(among, move, belief.grid)
            assert likelihood is not None
            belief = belief.after_move(likelihood)
        chance = 1 / (1 + 10 ** ((belief.mean - strength) / 400))
        belief = belief.after_results(belief.mean, float(round(chance)))
    return belief


@pytest.mark.parametrize("strength", [400.0, 2200.0])
def test_results_tell_the_strength_of_a_program(strength: float) -> None:
    belief = games_of(strength, as_a_program=True, games=8)
    assert belief.mean == pytest.approx(strength, abs=300)
    assert belief.interval()[0] < strength < belief.interval()[1]


@pytest.mark.parametrize("strength", [500.0, 1100.0, 1400.0])
def test_moves_tell_the_strength_of_people(strength: float) -> None:
    belief = games_of(strength, as_a_program=False, games=1)
    assert belief.mean == pytest.approx(strength, abs=150)
    assert belief.deviation < 300  # of 867 at first


@pytest.mark.parametrize("has_engine", [False, True])
def test_stronger_programs_miss_less(has_engine: bool) -> None:
    """Of two moves people like the one that loses; the stronger a program, the less it plays it."""
    table = coefficients_of_programs(np.array([1500.0, 2000.0, 2600.0]), has_engine=has_engine)
    assert table.shape == (3, len(RATED_FEATURES))
    assert np.array_equal(table[0], coefficients_of_programs(KNOTS_ELO, has_engine=has_engine)[0])
    worse = np.zeros(len(RATED_FEATURES))
    for feature, value in (("rate_loss", 0.3), ("score_loss", 0.6), ("visits", -3.0)):
        worse[RATED_FEATURES.index(feature)] = value
    weak, strong = table[1:] @ worse
    assert strong < weak - 0.2
    assert strong < -0.5


def searched(move: int, win_rate: float) -> MoveReport:
    report = MoveReport()
    report.move, report.win_rate, report.score_lead = move, win_rate, 2 * win_rate - 1
    report.visits = report.edge_visits = 2
    return report


def test_a_strong_program_is_told_by_its_moves() -> None:
    """A player that never loses anything, against the moves of people."""
    likelihood = likelihood_of_levels(ladder())
    posterior = Posterior.of_stranger(
        -300.0, 3200.0, mean_elo=1680.0, deviation_elo=600.0, styles=STYLES
    )
    before = posterior.mean
    for turn in range(40):
        people = policies(turn)
        best = int(np.argmin(people[-1]))
        others = [move for move in range(MOVES) if move != best]
        stats = [searched(best, 0.6), *(searched(move, 0.2) for move in others)]
        among = candidates(people[-1].astype(np.float32), stats, np.zeros(MOVES), "chess", people)
        told = likelihood.log_likelihood(among, best, posterior.grid)
        assert told is not None
        posterior = posterior.after_move(told)
    assert posterior.mean > before + 300
