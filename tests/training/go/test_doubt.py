"""Doubt about positions: the disagreement of two networks, and the chance to be judged."""

from __future__ import annotations

import pytest
import torch

from engine.training.go.doubt import SURE_SHARE, Doubt
from engine.training.go.positions import PositionRows
from engine.training.go.samples import POINTS
from tests.support.training.counting_teacher import CountingTeacher

SIDE = 9
AREA = SIDE * SIDE


@pytest.mark.parametrize(
    ("points", "chance"), [(0.0, SURE_SHARE), (6.0, SURE_SHARE), (10.0, 0.5), (30.0, 1.0)]
)
def test_a_position_is_judged_the_likelier_the_more_points_are_in_doubt(
    points: float, chance: float
) -> None:
    rows = PositionRows(
        torch.zeros(1, 22, SIDE, SIDE, dtype=torch.uint8),
        torch.zeros(1, 19),
        torch.ones(1, AREA + 1, dtype=torch.uint8),
    )
    other = CountingTeacher(lambda planes: torch.full((len(planes),), points / POINTS))
    for doubt in (Doubt(CountingTeacher(), other), Doubt(other, CountingTeacher())):
        assert doubt.points(rows) == pytest.approx([points], rel=1e-5)
        assert doubt.chances(rows) == pytest.approx([chance], rel=1e-5)
