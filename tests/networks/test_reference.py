"""The reference network against KataGo's own outputs on it, in full precision."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from engine._core import GoPosition, GoRules
from engine.networks.raw import decode, turned_back
from engine.networks.runtime import load_evaluator

SYMMETRIES = json.loads((Path(__file__).parent / "symmetries.json").read_text())["entries"]
Entry = dict[str, Any]
BACKENDS = ["native", "openvino", "torch"]


@cache
def evaluator(path: Path, backend: str) -> Any:
    return load_evaluator(path, backend=backend, precision="fp32")


@pytest.fixture(scope="module")
def positions(katago_reference: Path) -> Any:
    return {entry["name"]: entry for entry in json.loads(katago_reference.read_text())["positions"]}


def size_of(entry: Entry) -> Any:
    size = entry["size"]
    return (size, size) if isinstance(size, int) else tuple(size)


def turned(planes: NDArray[Any], symmetry: int) -> Any:
    """Planes under the network's symmetry: y mirrored, x mirrored, axes exchanged."""
    if symmetry & 1:
        planes = planes[:, ::-1]
    if symmetry & 2:
        planes = planes[:, :, ::-1]
    return planes.swapaxes(1, 2) if symmetry & 4 else planes


def board(rows: list[list[float | None]]) -> Any:
    return np.array([[np.nan if cell is None else cell for cell in row] for row in rows], float)


def raw_output(path: Path, backend: str, entry: Entry, symmetry: int) -> Any:
    """KataGo's planes of the position through our network, from White's view."""
    width, height = size_of(entry)
    planes = np.zeros((22, height, width), np.uint8)
    for plane, points in entry["input_planes_nonzero_yx"].items():
        for y, x in points:
            planes[int(plane), y, x] = 1
    planes[0] = 1
    slot = evaluator(path, backend).open(width, height, 1)
    slot.spatial[0] = turned(planes, symmetry)
    slot.globals[0] = entry["input_global"]
    slot.start(1)
    slot.wait()
    legal = np.append(~np.isnan(board(entry["nn"]["policy"])), True).astype(np.uint8)
    rules = entry["rules_json"]
    return decode(
        slot,
        0,
        network=evaluator(path, backend).network,
        legal=legal,
        symmetry=symmetry,
        no_result=rules["ko"] == "SIMPLE" or rules["scoring"] == "TERRITORY",
    ).for_white(white_to_move=entry["nextPlayer"] == "W")


def assert_agrees(found: Any, expected: Entry) -> None:
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


@pytest.mark.parametrize("backend", BACKENDS)
def test_outputs_agree_with_katago(
    backend: str, katago_model: Path, positions: dict[str, Entry]
) -> None:
    for entry in positions.values():
        found = raw_output(katago_model, backend, entry, symmetry=0)
        assert_agrees(found, entry["nn"])
        assert found.variance_time_left == entry["nn"]["varTimeLeft"] == -1
        assert found.win_loss_error == entry["nn"]["shorttermWinlossError"] == -1


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    "expected", SYMMETRIES, ids=lambda entry: f"{entry['position']}-{entry['symmetry']}"
)
def test_outputs_agree_with_katago_in_every_symmetry(
    backend: str, expected: Entry, katago_model: Path, positions: dict[str, Entry]
) -> None:
    entry = positions[expected["position"]]
    assert_agrees(raw_output(katago_model, backend, entry, expected["symmetry"]), expected)


@pytest.mark.parametrize("symmetry", range(8))
def test_boards_are_turned_back(symmetry: int) -> None:
    rows = np.arange(25, dtype=np.float32).reshape(1, 5, 5)
    assert (turned_back(turned(rows, symmetry)[0], symmetry) == rows[0]).all()


@pytest.mark.parametrize("symmetry", range(8))
def test_features_are_turned_as_the_outputs_are_turned_back(symmetry: int) -> None:
    position = GoPosition(9, 9, GoRules())
    for move in (20, 60, 30, 21):
        position.play(move)
    straight, _ = position.features(0)
    found, _ = position.features(symmetry)
    for plane in range(22):
        assert (turned_back(found[plane], symmetry) == straight[plane]).all()
