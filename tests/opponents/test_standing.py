"""The standing of a side in Go: the points that somebody may still play for."""

from __future__ import annotations

import numpy as np

from engine._core import GoPosition, GoRules
from engine.opponents.tracker import standing_of
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
