"""Marks of bad moves: thresholds, levels, decided games."""

from __future__ import annotations

import pytest

from engine.games.ranks import parse_rank
from engine.review.marks import LEVELS, MoveMark, badness, factor_of, mark_of, win_rate_of

STRONG, WEAK = parse_rank("9d"), parse_rank("15k")
OPENING = {"deviation": 20.0, "open_points": 330.0}


@pytest.mark.parametrize(
    ("win_rates", "mark"),
    [
        ((0.6, 0.56), None),
        ((0.6, 0.54), MoveMark.INACCURACY),
        ((0.6, 0.49), MoveMark.MISTAKE),
        ((0.6, 0.44), MoveMark.BLUNDER),
        ((0.6, 0.0), MoveMark.BLUNDER),
        ((0.4, 0.7), None),
    ],
)
def test_win_rates_are_marked_as_lichess_marks_them(
    win_rates: tuple[float, float], mark: MoveMark | None
) -> None:
    assert mark_of(badness(None, win_rates, 1.0)) == mark


@pytest.mark.parametrize(
    ("points", "factor", "mark"),
    [
        (2.9, 1.0, None),
        (3.1, 1.0, MoveMark.INACCURACY),
        (6.1, 1.0, MoveMark.MISTAKE),
        (12.1, 1.0, MoveMark.BLUNDER),
        (6.1, 2.0, MoveMark.INACCURACY),
        (12.1, 2.0, MoveMark.MISTAKE),
        (5.9, 2.0, None),
    ],
)
def test_points_are_marked_by_the_level(
    points: float, factor: float, mark: MoveMark | None
) -> None:
    assert mark_of(badness(points, (0.5, 0.5), factor)) == mark


def test_moves_of_a_decided_game_are_inaccuracies_at_most() -> None:
    for win_rates in ((0.04, 0.03), (0.99, 0.96)):
        assert mark_of(badness(20.0, win_rates, 1.0)) == MoveMark.INACCURACY
    assert mark_of(badness(20.0, (0.99, 0.5), 1.0)) == MoveMark.BLUNDER


def test_losses_within_the_judges_error_have_no_mark() -> None:
    assert mark_of(badness(1.4, (0.6, 0.4), 1.0)) is None
    assert mark_of(badness(1.6, (0.6, 0.4), 1.0)) == MoveMark.BLUNDER
    assert mark_of(badness(1.6, (0.6, 0.4), 2.0)) is None


def test_the_same_loss_is_worse_for_a_stronger_player() -> None:
    def mark(rank: float, points: float) -> MoveMark | None:
        before, after = (win_rate_of(rank, lead, **OPENING) for lead in (0.0, -points))
        return mark_of(badness(points, (before, after), factor_of(rank)))

    assert mark(WEAK, 3.5) is None
    assert mark(STRONG, 3.5) == MoveMark.INACCURACY
    assert mark(WEAK, 8.0) == MoveMark.INACCURACY
    assert mark(STRONG, 8.0) == MoveMark.BLUNDER


def test_a_lead_wins_more_the_stronger_the_players_and_the_fewer_the_open_points() -> None:
    rates = [win_rate_of(level.rank, 10.0, **OPENING) for level in LEVELS]
    assert rates == sorted(rates, reverse=True)
    assert win_rate_of(WEAK, 10.0, 5.0, 60.0) > win_rate_of(WEAK, 10.0, **OPENING) > 0.5
    assert win_rate_of(WEAK, 0.0, **OPENING) == 0.5
    assert win_rate_of(WEAK, 5.0, 0.0, 0.0) > 0.99
