"""Every field of our own files' headers, spoilt: refused with the reason, or a usable network."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from safetensors.numpy import load_file, save_file

from engine._core import GoPosition, GoRules
from engine.networks.architecture import NetworkFileError
from engine.networks.raw import evaluate_raw
from engine.networks.runtime import load_evaluator
from engine.networks.sparring import write_sparring
from tests.support.networks.shapes import network

SPOILT = (0, -1, 2, 1000, 2**31 - 1, -(2**31), 1e308, float("inf"), float("nan"), True, None)
NAMES = ["version 14, nested", "version 15, metadata", "transformer among convolutions"]
OTHER_TYPES: tuple[Any, ...] = (
    "x",
    "",
    [],
    [1],
    [1, 1, 1],
    [0, 0],
    [-1, 1],
    [1000, 1000],
    ["x", "y"],
    {},
)
EVERY = 4  # of the values, one is tried in the short version


@pytest.fixture(scope="module", params=NAMES)
def written(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("networks") / "network.safetensors"
    write_sparring(path, network(request.param), {})
    return path


def places(plain: Any, kind: str = "") -> Iterator[tuple[str, Any, Any]]:
    """(kind and field, the container, the key) of every value of a header except layers."""
    if isinstance(plain, dict) and "kind" in plain:
        for name, value in plain.items():
            if name == "kind" or not isinstance(value, dict):
                yield f"{plain['kind']}.{name}", plain, name
            yield from places(value)
    elif isinstance(plain, list):
        for item in plain:
            yield from places(item)


@pytest.mark.parametrize("share", [EVERY, pytest.param(1, marks=pytest.mark.slow)])
def test_a_spoilt_header_never_raises_anything_else(
    written: Path, tmp_path: Path, share: int
) -> None:
    with written.open("rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))["__metadata__"]
    weights, tried = load_file(written), 0
    first = {
        name: place for place, (name, _, _) in enumerate(places(json.loads(header["architecture"])))
    }
    for place in first.values():
        for value in (*SPOILT, *OTHER_TYPES)[place % share :: share]:
            architecture = json.loads(header["architecture"])
            _, inside, key = list(places(architecture))[place]
            inside[key] = value
            path = tmp_path / "spoilt.safetensors"
            save_file(weights, path, {**header, "architecture": json.dumps(architecture)})
            tried += 1
            try:
                evaluator = load_evaluator(path, backend="native", precision="fp32", threads=1)
            except NetworkFileError:
                continue
            assert key != "dilation" or value == [1, 1], value
            raw = evaluate_raw(evaluator, GoPosition(5, 5, GoRules()))
            assert 0 <= raw.win <= 1, (inside, key, value)
    assert tried > 500 / share
