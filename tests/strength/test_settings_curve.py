from __future__ import annotations

from dataclasses import fields
from itertools import pairwise

import numpy as np
import pytest

from engine.strength.level import RANDOM
from engine.strength.settings_curve import CURVES, knots_of, level_at


@pytest.mark.parametrize("game", CURVES)
def test_the_chain_rises_through_random_play(game: str) -> None:
    elos = [corner.elo for corner in knots_of(game)]
    assert elos == sorted(set(elos))
    assert [corner.level for corner in knots_of(game) if corner.elo == 0] == [RANDOM]
    assert elos[0] < 0


@pytest.mark.parametrize("game", CURVES)
def test_settings_change_little_by_little(game: str) -> None:
    corners = knots_of(game)
    for corner in corners:
        assert level_at(game, corner.elo) == corner.level
    assert level_at(game, corners[0].elo - 1000) == corners[0].level
    assert level_at(game, corners[-1].elo + 1000) == corners[-1].level
    along = [level_at(game, elo) for elo in np.arange(corners[0].elo, corners[-1].elo, 1.0)]
    for before, after in pairwise(along):
        for field in fields(before):
            low, high = getattr(before, field.name), getattr(after, field.name)
            step = max(1.0, 0.1 * low) if field.name == "visits" else 0.1
            assert abs(high - low) <= step or (field.name == "solve" and high), field.name
