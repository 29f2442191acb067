"""Files of Othello's evaluation: written ones are read again, others are refused by name."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine._core import othello_pattern_shape, othello_shared_states
from engine.networks.othello_weights import (
    OthelloWeights,
    bundled_path,
    read_othello_weights,
    write_othello_weights,
)


def some_weights(size: int) -> OthelloWeights:
    """Weights in eighths of a disc, a piece's and its mirror image's the same."""
    shape = othello_pattern_shape(size)
    rng = np.random.default_rng(size)
    weights = rng.integers(-100, 101, (shape["stages"], shape["states"] + shape["counts"])) * 32
    weights[:, : shape["states"]] = weights[:, othello_shared_states(size)]
    scales = tuple(float(stage + 1) for stage in range(shape["stages"]))
    return OthelloWeights(size, weights.astype(np.int16), scales, scales, {"rounds": 3})


@pytest.mark.parametrize("size", [6, 8])
def test_a_file_keeps_everything(size: int, tmp_path: Path) -> None:
    told = some_weights(size)
    write_othello_weights(tmp_path / "weights.npz", told)
    again = read_othello_weights(tmp_path / "weights.npz")
    assert (again.weights == told.weights).all()
    assert (again.size, again.win_scales) == (size, told.win_scales)
    assert (again.deviations, again.card) == (told.deviations, told.card)


def test_weights_too_large_for_the_file_are_cut_not_turned_round(tmp_path: Path) -> None:
    told = some_weights(6)
    told.weights[0, 5] = 32000
    write_othello_weights(tmp_path / "weights.npz", told)
    again = read_othello_weights(tmp_path / "weights.npz")
    assert 0 < again.weights[0, 5] < 32000


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 and no more", b"\x93NUMPY", b"rubbish"])
def test_other_files_are_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "other.npz"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"other\.npz"):
        read_othello_weights(path)


def test_another_archive_or_shape_is_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", header=np.array('{"format": "x"}'))
    with pytest.raises(ValueError, match="format"):
        read_othello_weights(tmp_path / "a.npz")
    write_othello_weights(tmp_path / "b.npz", some_weights(6))
    with np.load(tmp_path / "b.npz") as file:
        parts = dict(file)
    np.savez(tmp_path / "b.npz", **{**parts, "pieces": parts["pieces"][:-1]})
    with pytest.raises(ValueError, match="pieces"):
        read_othello_weights(tmp_path / "b.npz")
    np.savez(tmp_path / "b.npz", **{**parts, "win_scales": np.zeros(6)})
    with pytest.raises(ValueError, match="scale"):
        read_othello_weights(tmp_path / "b.npz")


@pytest.mark.parametrize("size", [6, 8])
def test_the_engine_comes_with_weights_and_their_card(size: int) -> None:
    told = read_othello_weights(bundled_path(size))
    assert told.size == size
    assert bundled_path(size).with_suffix(".md").read_text().startswith(f"# othello{size}")
