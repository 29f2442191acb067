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
from tests.support.networks.backends import compared_backends
from tests.support.networks.katago_reference import (
    Entry,
    assert_agrees,
    board,
    reference_planes,
    size_of,
)

SYMMETRIES = json.loads((Path(__file__).parent / "symmetries.json").read_text())["entries"]
BACKENDS = compared_backends()


@cache
def evaluator(path: Path, backend: str) -> Any:
    return load_evaluator(path, backend=backend, precision="fp32")


@pytest.fixture(scope="module")
def positions(katago_reference: Path) -> Any:
    return {entry["name"]: entry for entry in json.loads(katago_reference.read_text())["positions"]}


def turned(planes: NDArray[Any], symmetry: int) -> Any:
    """Planes under the network's symmetry: y mirrored, x mirrored, axes exchanged."""
    if symmetry & 1:
        planes = planes[:, ::-1]
    if symmetry & 2:
        planes = planes[:, :, ::-1]
    return planes.swapaxes(1, 2) if symmetry & 4 else planes


def raw_output(path: Path, backend: str, entry: Entry, symmetry: int) -> Any:
    """KataGo's planes of the position through our network, from White's view."""
    width, height = size_of(entry)
    planes = reference_planes(entry)
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
