"""The self-play training of an existing network of Go, and its games' results."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.errors import UsageError
from engine.networks.architecture import Architecture, arrays
from engine.networks.fresh import fresh_architecture
from engine.networks.sparring import read_sparring, write_sparring
from engine.training.common.metrics import read_metrics
from engine.training.common.rows import read_rows
from engine.training.go.student import shape_of
from protocols.cli.main import dispatch

SMALL = (
    "--size 5 --games 3 --first-games 4 --visits 6 --fast-visits 4 --batch 16 --passes 1 "
    "--threads 1 --backend native"
).split()


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Writes the file of a small network with random weights."""
    path = tmp_path_factory.mktemp("start") / "start.safetensors"
    network = fresh_architecture("start", shape_of(2, 12), np.random.default_rng(3))
    write_sparring(path, network, {})
    return path


def train(folder: Path, *more: str) -> Architecture:
    assert dispatch(["train", "go-self-play", "--output", str(folder), *SMALL, *more]) == 0
    return read_sparring(folder / "go-self-play.safetensors")


def distance(one: Architecture, other: Architecture) -> float:
    """The largest difference of a weight."""
    return max(
        float(np.abs(a - b).max())
        for (_, a), (_, b) in zip(arrays(one), arrays(other), strict=True)
    )


def test_a_network_learns_on_from_its_start(start: Path, tmp_path: Path) -> None:
    told = ("--start", str(start), "--beta", "0.2")
    found = train(tmp_path, *told, "--learning-rate", "1e-4", "--iterations", "1")
    # A few small steps from where it began; another network's weights would lie far away.
    assert 0 < distance(found, read_sparring(start)) < 0.05
    card = (tmp_path / "go-self-play.md").read_text(encoding="utf-8")
    assert "From `start`, by 4 games against itself" in card
    assert "line 3 count 1, those nearer to the border 0.8, those farther in 1.2" in card
    assert "The first 1 iterations learned what the start expects of that." in card
    assert f"--start {start} --size 5 --beta 0.2 --expected 1" in card
    first = read_rows(tmp_path / "window" / "000000.safetensors")[0]
    assert 0 < first.result.min() < first.result.max() < 1  # how likely, not how it ended
    # It goes on with the same start and the same territory alone.
    train(tmp_path, *told, "--learning-rate", "1e-4", "--iterations", "2")
    assert [row["games"] for row in read_metrics(tmp_path)] == [4, 7]
    second = read_rows(tmp_path / "window" / "000001.safetensors")[0]
    assert set(second.result.tolist()) <= {0.0, 1.0}
    with pytest.raises(UsageError, match=r"recipe\.territory\.beta 0\.2, not -0\.2"):
        train(tmp_path, *told[:2], "--beta", "-0.2", "--learning-rate", "1e-4")


@pytest.mark.parametrize(
    ("told", "quoted"),
    [
        ("--beta 2", "--beta 2.0: from -1 to 1"),
        ("--line 0", "--line 0: 1, the border"),
        ("--beta 0.2 --expected -1", "--expected -1: 0 or more"),
        ("--size 25", "--size 25: 2x2 to 19x19"),
        ("--start nothing", "--start nothing: cannot be read"),
    ],
)
def test_what_cannot_be_is_quoted(told: str, quoted: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=quoted):
        dispatch(["train", "go-self-play", "--output", str(tmp_path), *told.split()])
