from __future__ import annotations

import numpy as np
import pytest

from engine.lab.calibrate.curve import EloCurve, rising


def test_what_rises_stays_and_what_falls_is_averaged() -> None:
    assert rising([-5, 0, 2]).tolist() == [-5, 0, 2]
    assert rising([3, 2, 1]).tolist() == [2, 2, 2]
    assert rising([0, 10, 4, 6, 20]).tolist() == pytest.approx([0, 20 / 3, 20 / 3, 20 / 3, 20])


def test_a_curve_is_cut_into_even_steps_with_its_ends_and_random_play() -> None:
    # Steep below random play, flatter above it.
    places = [-300, -200, -100, 0, 100, 200, 300]
    elos = [-600, -400, -200, 0, 60, 120, 180]
    cuts = EloCurve.through(places, elos).cut(100)
    assert cuts == sorted(cuts)
    assert (cuts[0], cuts[-1]) == (-300, 300)
    assert 0.0 in cuts
    assert np.diff(np.interp(cuts, places, elos)) == pytest.approx(100, abs=45)


def test_noise_does_not_make_a_curve_fall() -> None:
    curve = EloCurve.through([-100, 0, 100, 200, 300], [20, 0, 90, 80, 200])
    assert np.all(np.diff(curve.elos) > 0)
    assert curve.elos[1] == 0.0
    assert 100 < curve.place_of(85.0) < 250
    assert len(set(curve.cut(50))) == len(curve.cut(50))


@pytest.mark.parametrize(("low", "high"), [(-1.0, 300.0), (-300.0, 250.0), (-20.0, 40.0)])
def test_short_and_one_sided_curves_have_both_ends(low: float, high: float) -> None:
    cuts = EloCurve((low, 0.0, high), (low, 0.0, high)).cut(100)
    assert cuts[0] == low
    assert cuts[-1] == high
    assert 0.0 in cuts


def test_a_curve_goes_on_beyond_measured_points_as_the_assumed_one() -> None:
    assumed = EloCurve((-300.0, 0.0, 500.0), (-300.0, 0.0, 500.0))
    curve = assumed.like([-100.0, 0.0, 200.0], [-150.0, 0.0, 50.0])
    assert curve.places == (-300.0, -100.0, 0.0, 200.0, 500.0)
    assert curve.elos == pytest.approx((-350.0, -150.0, 0.0, 50.0, 350.0))


def test_measured_points_beyond_the_ends_are_left_out() -> None:
    assumed = EloCurve((-50.0, 0.0, 150.0), (-50.0, 0.0, 150.0))
    curve = assumed.like([-100.0, 0.0, 100.0, 200.0], [-200.0, 0.0, 50.0, 250.0])
    assert curve.places == (-50.0, 0.0, 100.0, 150.0)
    assert curve.elos == pytest.approx((-100.0, 0.0, 50.0, 150.0))
