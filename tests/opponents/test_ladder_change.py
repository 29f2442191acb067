"""A stored belief on another ladder than the one it was learned on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.games.table import Board
from engine.opponents.ladder_change import on_ladder
from engine.opponents.opponent import Opponent
from engine.opponents.opponent_rating import evidence_on
from engine.opponents.opponent_store import RatedEvidence
from engine.opponents.posterior import Posterior
from engine.opponents.rating_prior import RatingPrior
from engine.opponents.server_rating import ServerRating
from engine.opponents.tracker import stranger_on
from engine.strength.elo_scale import elo_scale_of
from engine.strength.rating_ladder import RatingLadder, guessed, ladder_for
from tests.support.stand_in import description_of

NETWORK = description_of("go")
BOARD = Board("go", 13, 13)
GUESSES = guessed(BOARD, NETWORK)
MEASURED = ladder_for(BOARD, NETWORK)
BLANK = stranger_on(MEASURED).opponent.posterior


def believed(ladder: RatingLadder, elo: float, deviation: float = 60.0) -> Opponent:
    posterior = Posterior.of_stranger(
        ladder.lowest, ladder.highest, mean_elo=elo, deviation_elo=deviation
    )
    return Opponent("Ann", posterior, games=9, surplus=0.5, scale=elo_scale_of(ladder))


def there(elo: float) -> float:
    """Returns the measured Elo of the play that the guesses put at an Elo."""
    return float(elo_scale_of(GUESSES).moved(np.array([elo]), elo_scale_of(MEASURED))[0])


@pytest.mark.parametrize("is_old", [False, True], ids=["with its scale", "by its ends"])
@pytest.mark.parametrize("elo", [-200.0, 300.0, 1000.0, 1900.0, 2500.0])
def test_a_belief_moves_to_the_measured_elo_of_the_same_play(
    elo: float,
    is_old: bool,
) -> None:
    known = believed(GUESSES, elo)
    if is_old:
        known = replace(known, scale=None)
    moved = on_ladder(known, MEASURED, BLANK)
    assert moved.posterior.mean == pytest.approx(there(elo), abs=60.0)
    assert moved.posterior.grid.tolist() == BLANK.grid.tolist()
    assert moved.posterior.styles == BLANK.styles
    low, high = known.posterior.interval()
    ends = moved.posterior.interval()
    assert ends == pytest.approx((there(low), there(high)), abs=40.0)
    assert (moved.games, moved.surplus) == (9, 0.5)
    assert moved.scale == elo_scale_of(MEASURED)


def test_a_belief_on_the_present_ladder_stays() -> None:
    known = believed(MEASURED, 1500.0)
    assert on_ladder(known, MEASURED, BLANK).posterior is known.posterior
    old = replace(known, scale=None)
    assert on_ladder(old, MEASURED, BLANK) == replace(old, scale=elo_scale_of(MEASURED))


def test_what_steered_games_told_moves_too() -> None:
    """With another deviation of their offset, it becomes part of the strength."""
    blank = replace(BLANK, steered_deviation=250.0)
    known = believed(GUESSES, 1500.0, 300.0)
    posterior = replace(known.posterior, steered_deviation=250.0)
    told = posterior.after_steered_game(-0.5 * ((posterior.grid - 1900.0) / 60) ** 2)
    known = replace(known, posterior=told)
    moved = on_ladder(known, MEASURED, blank).posterior
    met = float(moved.steered_density @ moved.grid)
    assert moved.mean == pytest.approx(there(told.mean), abs=80.0)
    assert moved.mean + 100.0 < met == pytest.approx(there(1900.0), abs=150.0)
    for former, each in ((known, BLANK), (believed(MEASURED, 1500.0), blank)):
        present = on_ladder(former, MEASURED, each).posterior
        assert present.steered_deviation == each.steered_deviation
        assert not present.steered.any()


def test_a_belief_of_an_unknown_ladder_is_stretched_to_the_present_ends() -> None:
    unknown = Posterior.of_stranger(-500.0, 1000.0, mean_elo=500.0, deviation_elo=50.0)
    moved = on_ladder(Opponent("Ann", unknown), MEASURED, BLANK)
    scale = elo_scale_of(MEASURED)
    top, middle = scale.places_at(np.array([MEASURED.highest, moved.posterior.mean]))
    assert middle == pytest.approx(top / 2, abs=40.0)


def test_a_prior_by_a_rating_moves_with_the_belief() -> None:
    prior = RatingPrior(1500.0, 200.0, 0.1)
    known = replace(believed(GUESSES, 1500.0, 200.0), prior=prior)
    moved = on_ladder(known, MEASURED, BLANK).prior
    assert moved is not None
    assert moved.mean == pytest.approx(there(1500.0), abs=0.2)
    assert moved.deviation == pytest.approx((there(1700.0) - there(1300.0)) / 2, abs=0.2)
    assert (moved.tail_share, moved.power) == (0.1, 1.0)


def test_there_and_back_a_belief_is_what_it_was() -> None:
    known = believed(GUESSES, 1900.0, 150.0)
    back = on_ladder(
        on_ladder(known, MEASURED, BLANK), GUESSES, stranger_on(GUESSES).opponent.posterior
    )
    assert back.posterior.mean == pytest.approx(1900.0, abs=15.0)
    assert back.posterior.deviation == pytest.approx(150.0, rel=0.1)


def test_the_evidence_about_a_rated_player_moves_too() -> None:
    evidence = RatedEvidence(ServerRating(1500.0, 80.0, 9), 1900.0, 100.0, elo_scale_of(GUESSES))
    present = elo_scale_of(MEASURED)
    moved = evidence_on(evidence, present)
    assert moved.mean == pytest.approx(there(1900.0), abs=0.2)
    assert moved.deviation == pytest.approx((there(2000.0) - there(1800.0)) / 2, abs=0.2)
    assert evidence_on(moved, present) is moved
    unknown = replace(evidence, scale=None)
    assert evidence_on(unknown, present) is unknown
