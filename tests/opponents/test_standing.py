"""The standing of a side in Go: the points that somebody may still play for."""

from __future__ import annotations

import numpy as np
import pytest

from engine._core import GoPosition, GoRules
from engine.opponents.standing import even_score, standing_of
from engine.search.report import WITH_OWNERSHIP
from engine.search.search import Search
from engine.values import Limit
from tests.support.stand_in import StandInEvaluator

EVEN = (0.5, 0.5)
CORNER_EYE = (1, 9)  # with these stones of one color the corner of 9x9 is an eye


def free_points_after(*moves: int) -> int:
    position = GoPosition(9, 9, GoRules(), 7.5)
    for move in moves:
        position.play(move)
    search = Search(StandInEvaluator())
    search.set_position(position)
    report = search.run(Limit(visits=4), options=WITH_OWNERSHIP)
    assert report.ownership is not None
    assert np.isfinite(report.ownership).all()
    return standing_of(position, report, EVEN).free_points


def test_empty_points_without_eyes_are_free() -> None:
    black_first, black_second = CORNER_EYE
    assert free_points_after(black_first, 40) == 81 - 2
    assert free_points_after(black_first, 40, black_second, 42) == 81 - 4 - 1


def test_after_a_pass_nothing_is_left_to_play_for() -> None:
    assert free_points_after(40, 81) == 0
    assert free_points_after(40, 81, 42) == 81 - 2


# Rules, komi, side of the board, and Black's score between its least win and its least loss.
EVEN_SCORES = [
    (GoRules(), 7.5, 9, 0.5),  # wins by 1.5, loses by 0.5
    (GoRules(), 6.5, 9, -0.5),
    (GoRules(), 7.5, 19, 0.5),
    (GoRules(), 7.5, 8, -0.5),
    (GoRules(), 7.0, 9, 0.0),  # a draw is possible
    (GoRules(), 6.0, 9, 0.0),  # wins or loses by 1
    (GoRules(scoring="TERRITORY"), 6.5, 9, 0.0),
    (GoRules(tax="ALL"), 7.5, 9, 0.0),
    (GoRules(button=True), 7.5, 9, 0.0),
]


@pytest.mark.parametrize(("rules", "komi", "side", "even"), EVEN_SCORES)
def test_an_even_score_lies_between_the_least_win_and_the_least_loss(
    rules: GoRules, komi: float, side: int, even: float
) -> None:
    assert even_score(GoPosition(side, side, rules, komi)) == even
