"""KataGo's positions, planes and outputs of reference.json and its like."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from engine._core import GoPosition, GoRules

COLUMNS = "ABCDEFGHJKLMNOPQRST"
FIXED_HANDICAPS = {"fixed_handicap 3": "set_free_handicap D4 Q16 D16"}  # on 19x19
Entry = dict[str, Any]


def size_of(entry: Entry) -> tuple[int, int]:
    """Width and height."""
    size = entry["size"]
    return (size, size) if isinstance(size, int) else tuple(size)


def move_at(position: GoPosition, vertex: str) -> int:
    if vertex == "pass":
        return position.pass_move
    row = position.height - int(vertex[1:])
    return row * position.width + COLUMNS.index(vertex[0])


def reference_position(entry: Entry) -> GoPosition:
    names = entry["rules_json"]
    rules = GoRules(
        ko=names["ko"],
        scoring=names["scoring"],
        tax=names["tax"],
        suicide=names["suicide"],
        button=names["hasButton"],
        white_handicap_bonus=names["whiteHandicapBonus"],
        friendly_pass=names["friendlyPassOk"],
    )
    position = GoPosition(*size_of(entry), rules, float(entry["komi"]))
    position.prevent_encore = not entry["cleanup"]
    for command in entry["setup"]:
        name, *vertices = FIXED_HANDICAPS.get(command, command).split()
        assert name == "set_free_handicap"
        position.setup([(0, move_at(position, vertex)) for vertex in vertices])
        position.to_move = 1
    for color, vertex in entry["moves"]:
        position.play(move_at(position, vertex), "BW".index(color))
    assert position.to_move == "BW".index(entry["nextPlayer"])
    return position


def reference_planes(entry: Entry) -> NDArray[np.uint8]:
    """[22, height, width]"""
    width, height = size_of(entry)
    planes = np.zeros((22, height, width), np.uint8)
    planes[0] = 1
    for plane, points in entry["input_planes_nonzero_yx"].items():
        for y, x in points:
            planes[int(plane), y, x] = 1
    return planes


def board(rows: list[list[float | None]]) -> NDArray[np.float64]:
    """The numbers, nan for an illegal move."""
    return np.array([[np.nan if cell is None else cell for cell in row] for row in rows], float)


def assert_agrees(found: Any, expected: Entry) -> None:
    """found: a RawOutput from White's view."""
    assert found.win == pytest.approx(expected["whiteWin"], abs=1e-4)
    assert found.loss == pytest.approx(expected["whiteLoss"], abs=1e-4)
    assert found.no_result == pytest.approx(expected["noResult"], abs=1e-4)
    assert found.lead == pytest.approx(expected["whiteLead"], abs=0.01)
    assert found.score_mean == pytest.approx(expected["whiteScoreSelfplay"], abs=0.01)
    square = expected["whiteScoreSelfplaySq"]
    assert found.score_mean_square == pytest.approx(square, rel=1e-4, abs=0.05)
    assert found.policy[-1] == pytest.approx(expected["policyPass"], abs=1e-4)
    if "policy" in expected:
        policy = board(expected["policy"]).ravel()
        np.testing.assert_allclose(found.policy[:-1], policy, atol=1e-4, equal_nan=True)
        ownership = np.array(expected["whiteOwnership"], float)
        np.testing.assert_allclose(found.ownership, ownership, atol=1e-3)
