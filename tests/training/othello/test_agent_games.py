"""Points between agents: all, half or none, whoever begins, the same for the same seed."""

from __future__ import annotations

import pytest

from engine._core import OthelloPosition
from engine.agents.table import make_agent
from engine.training.othello.agent_games import points_between


def points(one: str, other: str, seed: int = 1) -> float:
    first, second = (make_agent(text, "othello", 1) for text in (one, other))
    return points_between(first, second, OthelloPosition(6), games=20, plies=4, seed=seed)


def test_points_are_shared_and_the_stronger_has_more() -> None:
    first, second = points("alphabeta:3", "random"), points("random", "alphabeta:3")
    assert first > 0.8
    assert second == pytest.approx(1 - first, abs=0.1)
    assert points("first-legal", "first-legal") == 0.5


def test_points_depend_on_the_seed_alone() -> None:
    assert points("roxanne", "random") == points("roxanne", "random")
    assert len({points("roxanne", "random", seed) for seed in range(4)}) > 1
