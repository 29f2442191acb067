"""KataGo's transformer networks against its own outputs: every backend, and the plain pass."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from engine.networks.katago import read_katago
from engine.networks.raw import evaluate_raw
from engine.networks.runtime import load_evaluator
from tests.support.networks.backends import compared_backends
from tests.support.networks.katago_reference import (
    Entry,
    assert_agrees,
    reference_position,
    size_of,
)
from tests.support.networks.plain_evaluator import PlainEvaluator

SMALL_NETWORKS = ["b7c96h3tfrs-test5-cnorm", "b7c96h6kv3qk32v16tflrs-fson-bnh"]
NETWORKS = ["b10c384h6nbttflrs", *SMALL_NETWORKS]
BACKENDS = compared_backends()
PLAIN_POINTS = 9 * 13  # of the largest board for the slow plain pass


def entries(folder: Path, name: str) -> list[Entry]:
    """KataGo's positions and outputs of one network."""
    if name not in SMALL_NETWORKS:
        found: list[Entry] = json.loads((folder / "reference-v17.json").read_text())["positions"]
        return found
    variants = json.loads((folder / "reference-v17-variants.json").read_text())["networks"]
    return next(each["positions"] for each in variants if each["model"] == f"{name}.bin.gz")


@cache
def evaluator(path: Path, backend: str) -> Any:
    if backend == "plain":
        return PlainEvaluator(read_katago(path))
    return load_evaluator(path, backend=backend, precision="fp32")


def assert_outputs(path: Path, backend: str, entry: Entry) -> None:
    """Our own features of the position, in its symmetry and with its optimism."""
    position, expected = reference_position(entry), entry["nn"]
    raw = evaluate_raw(
        evaluator(path, backend),
        position,
        symmetry=entry["symmetry"],
        optimism=entry["optimism"],
    ).for_white(white_to_move=position.to_move == 1)
    assert_agrees(raw, expected)
    assert raw.variance_time_left == pytest.approx(expected["varTimeLeft"], abs=0.01)
    assert raw.win_loss_error == pytest.approx(expected["shorttermWinlossError"], abs=0.001)
    assert raw.score_error == pytest.approx(expected["shorttermScoreError"], abs=0.003)


@pytest.mark.parametrize("name", NETWORKS)
def test_the_plain_pass_agrees_with_katago(name: str, katago_data: Path) -> None:
    cases = [entry for entry in entries(katago_data, name) if area(entry) <= PLAIN_POINTS]
    assert len(cases) >= 4
    for entry in cases:
        assert_outputs(katago_data / f"{name}.bin.gz", "plain", entry)


def area(entry: Entry) -> int:
    width, height = size_of(entry)
    return width * height


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", NETWORKS)
def test_outputs_agree_with_katago(name: str, backend: str, katago_data: Path) -> None:
    path = katago_data / f"{name}.bin.gz"
    for entry in entries(katago_data, name):
        assert_outputs(path, backend, entry)
