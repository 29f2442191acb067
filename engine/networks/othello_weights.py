"""Weights of Othello's linear evaluation in a file, for players and training.

A compressed numpy archive: weights of pieces of the board in eighths of a disc, one for each piece
and its mirror image; weights of counts; the scales between discs and probabilities; and a card with
the history of the training. engine/core/othello/othello_linear.h defines the weights.
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
UNIT = 1.0 / 256  # discs, of a weight in the core
STORED_UNIT = 1.0 / 8  # discs, of a piece's weight in a file
# Errors of the numpy and JSON readers on a file that is no such archive or has inconsistent parts.
_FORGED = (OSError, EOFError, BadZipFile, KeyError, TypeError, ValueError, AttributeError)
BUNDLED = Path(__file__).parent / "weights"


@dataclass(frozen=True, eq=False)
class OthelloWeights:
    """A linear evaluation for one board size."""

    size: int
    weights: NDArray[np.int16]  # [stages, states + counts], in UNITs
    win_scales: tuple[float, ...]  # per stage: discs for an e-fold growth of the odds of winning
    # per stage: discs, standard deviation of the final score from the evaluation
    deviations: tuple[float, ...]
    card: Mapping[str, object] = field(default_factory=dict)


def bundled_path(size: int) -> Path:
    """Returns the path of the bundled weights for a board size; there may be no file."""
    return BUNDLED / f"othello{size}-patterns.npz"


def write_othello_weights(path: Path, weights: OthelloWeights) -> None:
    """Writes the weights; those of pieces are rounded to 8 bits."""
    states, stored_states = _states(weights.size)
    discs = weights.weights.astype(np.float64) * UNIT
    stored = np.clip(np.round(discs[:, :states][:, stored_states] / STORED_UNIT), -127, 127)
    with path.open("wb") as file:
        np.savez_compressed(
            file,
            header=np.array(
                json.dumps({"format": FORMAT, "size": weights.size, "card": weights.card})
            ),
            pieces=np.ascontiguousarray(stored.astype(np.int8).T),
            counts=discs[:, states:].astype(np.float32),
            win_scales=np.array(weights.win_scales, np.float32),
            deviations=np.array(weights.deviations, np.float32),
        )


def read_othello_weights(path: Path) -> OthelloWeights:
    """Reads the weights of a file. Raises ValueError, quoting a file without them."""
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
    states, stored_states = _states(header["size"])
    stages = shape["stages"]
    expected = {
        "pieces": (int(stored_states.sum()), stages),
        "counts": (stages, shape["counts"]),
        "win_scales": (stages,),
        "deviations": (stages,),
    }
    for name, shape_of_part in expected.items():
        if parts[name].shape != shape_of_part or not np.isfinite(parts[name]).all():
            raise ValueError(f"{name} is not {shape_of_part} finite numbers")
    if not (parts["win_scales"] > 0).all():
        raise ValueError("a scale is not above 0")
    discs = np.zeros((stages, states + shape["counts"]))
    discs[:, :states][:, stored_states] = parts["pieces"].T * STORED_UNIT
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
    """Returns the number of states, and the mask [states] of those with a weight of their own."""
    shared = othello_shared_states(size)
    return len(shared), shared == np.arange(len(shared))
