"""The weights of Othello's linear evaluation in a file: what a player loads and a course writes.

A compressed numpy archive: weights of pieces of the board in eighths of a disc, one for each piece
and its mirror image; weights of counts; the scales by which discs are read as chances; and a card
that tells how they were learned. What the weights mean is engine/core/othello/othello_linear.h's.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from engine._core import othello_pattern_shape, othello_shared_states

FORMAT = "sparring-othello-patterns-1"
UNIT = 1.0 / 256  # discs, of a weight as the core takes it
STORED_UNIT = 1.0 / 8  # discs, of a piece's weight in a file
# What a file that is no such archive, or lies about its parts, makes the reading of it run into.
_FORGED = (OSError, EOFError, BadZipFile, KeyError, TypeError, ValueError, AttributeError)
BUNDLED = Path(__file__).parent / "weights"


@dataclass(frozen=True, eq=False)
class OthelloWeights:
    """A linear evaluation for one board size."""

    size: int
    weights: NDArray[np.int16]  # [stages, states + counts], in UNITs
    win_scales: tuple[float, ...]  # a stage: discs by which the odds of winning grow e-fold
    deviations: tuple[float, ...]  # a stage: discs, of the final score from the evaluation
    card: Mapping[str, object] = field(default_factory=dict)


def bundled_path(size: int) -> Path:
    """Where the weights that come with the engine are, if there are any for that size."""
    return BUNDLED / f"othello{size}-patterns.npz"


def write_othello_weights(path: Path, told: OthelloWeights) -> None:
    """Write the weights; those of pieces lose what does not fit in 8 bits."""
    states, kept = _states(told.size)
    discs = told.weights.astype(np.float64) * UNIT
    stored = np.clip(np.round(discs[:, :states][:, kept] / STORED_UNIT), -127, 127)
    with path.open("wb") as file:
        np.savez_compressed(
            file,
            header=np.array(json.dumps({"format": FORMAT, "size": told.size, "card": told.card})),
            pieces=np.ascontiguousarray(stored.astype(np.int8).T),
            counts=discs[:, states:].astype(np.float32),
            win_scales=np.array(told.win_scales, np.float32),
            deviations=np.array(told.deviations, np.float32),
        )


def read_othello_weights(path: Path) -> OthelloWeights:
    """The weights in a file; ValueError quotes a file that holds none."""
    try:
        return _read(path)
    except _FORGED as error:
        raise ValueError(f"{path}: no weights of Othello's evaluation: {error}") from error


def _read(path: Path) -> OthelloWeights:
    with path.open("rb") as opened, np.load(opened) as file:
        header = json.loads(str(file["header"]))
        if header["format"] != FORMAT:
            raise ValueError(f"the format is {header['format']!r}, not {FORMAT!r}")
        parts = {name: file[name] for name in ("pieces", "counts", "win_scales", "deviations")}
    shape = othello_pattern_shape(header["size"])
    states, kept = _states(header["size"])
    stages = shape["stages"]
    expected = {
        "pieces": (int(kept.sum()), stages),
        "counts": (stages, shape["counts"]),
        "win_scales": (stages,),
        "deviations": (stages,),
    }
    for name, wanted in expected.items():
        if parts[name].shape != wanted or not np.isfinite(parts[name]).all():
            raise ValueError(f"{name} is not {wanted} finite numbers")
    if not (parts["win_scales"] > 0).all():
        raise ValueError("a scale is not above 0")
    discs = np.zeros((stages, states + shape["counts"]))
    discs[:, :states][:, kept] = parts["pieces"].T * STORED_UNIT
    discs[:, :states] = discs[:, othello_shared_states(header["size"])]
    discs[:, states:] = parts["counts"]
    return OthelloWeights(
        size=header["size"],
        weights=np.clip(np.round(discs / UNIT), -32768, 32767).astype(np.int16),
        win_scales=tuple(parts["win_scales"].tolist()),
        deviations=tuple(parts["deviations"].tolist()),
        card=header["card"],
    )


def _states(size: int) -> tuple[int, NDArray[np.bool_]]:
    """The number of states, and which of them have a weight of their own."""
    shared = othello_shared_states(size)
    return len(shared), shared == np.arange(len(shared))
