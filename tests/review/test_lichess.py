"""Lichess's formulas: the cases of its own test, and the marks."""

from __future__ import annotations

import pytest

from engine.review.lichess import (
    centipawns,
    lichess_review,
    mark_of_loss,
    move_accuracy,
    player_accuracy,
    win_percent,
)
from engine.review.marks import MoveMark


# White's centipawns after each move, the accuracy of White and of Black, and the tolerance of both:
# the cases of lila's AccuracyPercentTest.
@pytest.mark.parametrize(
    ("pawns", "white", "black", "within"),
    [
        ([15, 15], 100, 100, (1, 1)),
        ([-900, -900], 10, 100, (5, 1)),
        ([15, 900], 100, 10, (1, 5)),
        ([-900, 0], 10, 10, (5, 5)),
        ([15] * 20, 100, 100, (1, 1)),
        ([15] * 20 + [-900], 50, 100, (5, 1)),
        ([15] * 21 + [900], 100, 50, (1, 5)),
        ([-50, 15] * 5, 76, 76, (8, 8)),
        ([-50, 15] * 50, 76, 76, (8, 8)),
        ([-135, 15] * 50, 54, 54, (8, 8)),
        ([-435, 15] * 50, 20, 20, (8, 8)),
    ],
)
def test_the_cases_of_lichess(
    pawns: list[float], white: float, black: float, within: tuple[float, float]
) -> None:
    colors = [number % 2 for number in range(len(pawns))]
    assert player_accuracy(pawns, colors, 0) == pytest.approx(white, abs=within[0])
    assert player_accuracy(pawns, colors, 1) == pytest.approx(black, abs=within[1])


def test_black_may_move_first() -> None:
    assert player_accuracy([900, 900], [1, 0], 1) == pytest.approx(10, abs=5)
    assert player_accuracy([900, 900], [1, 0], 0) == pytest.approx(100, abs=1)
    assert player_accuracy([15], [1], 0) is None


def test_win_percents_are_symmetric_and_bounded() -> None:
    assert win_percent(0) == 50
    assert win_percent(300) == pytest.approx(100 - win_percent(-300))
    assert win_percent(300) == pytest.approx(75.1, abs=0.1)
    assert centipawns(1.0) == -centipawns(0.0) == 1000
    assert move_accuracy(100, 0) == 0


@pytest.mark.parametrize(
    ("loss", "mark"),
    [
        (0.09, None),
        (0.1, MoveMark.INACCURACY),
        (0.2, MoveMark.MISTAKE),
        (0.3, MoveMark.BLUNDER),
        (-0.5, None),
    ],
)
def test_marks_follow_the_loss_of_chances(loss: float, mark: MoveMark | None) -> None:
    assert mark_of_loss(loss) is mark


def test_a_game_is_seen_by_the_side_that_moves() -> None:
    review = lichess_review([0.5, 0.5, 0.95, 0.95], [0, 1, 0])
    assert review.marks == (None, MoveMark.BLUNDER, None)
    assert review.accuracies[1] < 50
    assert review.accuracies[0] == review.accuracies[2] == 100
    assert review.win_percents[2] == pytest.approx(win_percent(centipawns(0.95)))
