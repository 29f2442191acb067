"""Measures of naturalness, on numbers made by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.style.measures import (
    MoveMeasure,
    distances,
    fall,
    late,
    mean_of,
    median_of,
    reversals,
    side_of,
    values_of,
)


def moves(*likely: float | None, loss: float | None = None) -> list[MoveMeasure]:
    """Moves of such probabilities."""
    return [MoveMeasure(number, 0, number, each, loss=loss) for number, each in enumerate(likely)]


def test_a_side_is_the_mean_of_its_moves() -> None:
    side = side_of([[*moves(0.5, 0.01, None), MoveMeasure(4, 0, 9, 0.0, 80, 0.25, 3.0, 5.0)]])
    assert side.moves == 4
    assert side.natural is not None
    assert side.natural.value == pytest.approx((0.5 * 0.01 * 1e-4) ** (1 / 3)), "0 counts as .0001"
    assert side.unnatural is not None
    assert side.unnatural.value == pytest.approx(2 / 3)
    for estimate, value in (
        (side.first, 0.0),
        (side.loss, 0.25),
        (side.points, 3.0),
        (side.distance, 5.0),
    ):
        assert estimate is not None
        assert (estimate.value, estimate.interval) == (value, None), "one game has no interval"


def test_a_probability_of_exactly_a_twentieth_is_natural() -> None:
    side = side_of([moves(0.05, 0.049)])
    assert side.unnatural is not None
    assert side.unnatural.value == 0.5


def test_a_measure_without_moves_is_unknown() -> None:
    side = side_of([[], moves(None)])
    assert (side.natural, side.unnatural, side.first) == (side.loss, side.points, side.distance)
    assert mean_of([]) is median_of([]) is None
    names = {name for name, value in side.values().items() if value == values_of(None)}
    assert names == {"natural", "unnatural", "first", "loss", "points", "distance"}


def test_intervals_are_of_games_not_of_moves() -> None:
    """Games of equal moves carry no more information than one move each."""
    rng = np.random.default_rng(3)
    held, widths = 0, []
    for _ in range(60):
        games = [moves(*[0.01 if rng.random() < 0.3 else 0.5] * 25) for _ in range(40)]
        estimate = side_of(games).unnatural
        assert estimate is not None
        assert estimate.interval is not None
        low, high = estimate.interval
        held += low <= 0.3 <= high
        widths.append(high - low)
    assert held >= 52
    assert np.mean(widths) == pytest.approx(2 * 1.96 * math.sqrt(0.21 / 40), rel=0.1)


def test_a_game_without_moves_of_a_side_changes_nothing() -> None:
    games = [moves(0.5, 0.01), moves(0.5), moves(0.02)]
    side, with_empty = side_of(games), side_of([*games, []])
    assert side.unnatural is not None
    assert with_empty.unnatural is not None
    assert with_empty.unnatural.value == side.unnatural.value
    assert with_empty.unnatural.interval is not None


def test_of_numbers_by_game_the_interval_holds_the_value() -> None:
    for summed, value in ((mean_of, 4.0), (median_of, 2.0)):
        estimate = summed([1.0, 2.0, 9.0])
        assert estimate is not None
        assert estimate.value == value
        assert estimate.interval is not None
        assert 1 <= estimate.interval[0] <= value <= estimate.interval[1] <= 9


@pytest.mark.parametrize(
    ("cells", "width", "apart"),
    [
        ([], 9, []),
        ([40], 9, [None]),
        ([0, 8, 80], 9, [None, 8.0, 8.0]),
        ([0, 20], 9, [None, math.sqrt(8)]),
        ([40, None, 41], 9, [None, None, None]),
        ([0, 9], 13, [None, 9.0]),
    ],
)
def test_distances_are_euclidean(
    cells: list[int | None], width: int, apart: list[float | None]
) -> None:
    assert list(distances(cells, width)) == pytest.approx(apart)


def test_a_moves_loss_is_the_fall_of_its_own_side() -> None:
    values = [0.5, 0.4, 0.6]
    assert fall(values, 0, color=0) == pytest.approx(0.1)
    assert fall(values, 1, color=1) == pytest.approx(0.2)
    assert fall(values, 1, color=0) == pytest.approx(-0.2)


@pytest.mark.parametrize(
    ("values", "changes"),
    [
        ([0.5, 0.6, 0.55, 0.7], []),
        ([0.6, 0.45, 0.4], [2]),
        ([0.9, 0.1, 0.9, 0.5, 0.1], [1, 2, 4]),
        ([0.5, 0.5], []),
    ],
)
def test_the_lead_changes_when_the_other_side_has_it(
    values: list[float], changes: list[int]
) -> None:
    assert reversals(values) == changes


def test_late_reversals_are_those_of_the_last_fifth() -> None:
    changes = reversals([0.9, 0.1, *[0.1] * 6, 0.9, 0.1, 0.9])
    assert (len(changes), late(changes, 10)) == (4, 2)
