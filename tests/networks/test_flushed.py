"""Copies of network files without subnormal weights."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from engine.networks.architecture import NetworkFileError
from engine.networks.flushed import flushed_copy
from tests.support.networks.katago_fields import MARK, fields_of
from tests.support.networks.katago_writer import katago_file
from tests.support.networks.shapes import network

SMALL = np.array([1e-42, -3e-39, 9e-31, -9e-31], np.float32)


def weights_of(content: bytes) -> list[np.ndarray]:
    return [
        np.frombuffer(content, "<f4", place.floats, place.start + len(MARK))
        for place in fields_of(content)
        if place.floats
    ]


@pytest.mark.parametrize("zipped", [True, False], ids=["gz", "plain"])
@pytest.mark.parametrize("name", ["version 8", "transformer of version 17"])
def test_small_weights_alone_are_0_in_the_copy(name: str, zipped: bool, tmp_path: Path) -> None:
    architecture = network(name)
    architecture.globals.weights[0, : len(SMALL)] = SMALL
    architecture.planes.weights[0, 0, 0, 0] = SMALL[0]
    content = katago_file(architecture, zipped=False)
    path, copy = tmp_path / "network.bin", tmp_path / "copy.bin.gz"
    path.write_bytes(gzip.compress(content) if zipped else content)
    assert flushed_copy(path, copy) == len(SMALL) + 1
    copied = gzip.decompress(copy.read_bytes())
    words = [content[place.start : place.end] for place in fields_of(content) if not place.floats]
    assert words == [copied[p.start : p.end] for p in fields_of(copied) if not p.floats]
    for before, after in zip(weights_of(content), weights_of(copied), strict=True):
        np.testing.assert_array_equal(after, np.where(np.abs(before) < 1e-30, 0, before))
    assert flushed_copy(copy, tmp_path / "again.bin.gz") == 0
    assert not (tmp_path / "again.bin.gz").exists()


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "network.bin.gz"
    path.write_bytes(b"no network")
    with pytest.raises(NetworkFileError):
        flushed_copy(path, tmp_path / "copy.bin.gz")
