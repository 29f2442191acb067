"""Functions over a grid of Elo: its points, distributions on it, log densities and their JSON."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.util.elo import EVERYWHERE_ELO

Grid = NDArray[np.float64]  # [points], one value an Elo of the grid
Tables = NDArray[np.float64]  # [styles, points]
Kernel = NDArray[np.float64]  # [points, points], rows sum to 1

STEP_ELO = 25.0
MARGIN_ELO = 600.0  # the grid goes this far beyond both ends of the ladder
LEAST_LOG = -60.0  # floor of log densities below the highest one
WRITTEN = np.dtype("<f4")  # the type of log densities in JSON


@lru_cache(maxsize=64)
def elos_from(first: float, step: float, points: int) -> Grid:
    """Returns [points] the Elo of each point, rising."""
    elos = np.linspace(first, first + step * (points - 1), points, dtype=np.float64)
    elos.flags.writeable = False
    return elos


@lru_cache(maxsize=64)
def normal_around(points: int, step_elo: float, deviation_elo: float) -> Kernel:
    """Returns [points, points] the normal distribution around each point, on the grid."""
    steps = np.arange(points)
    if deviation_elo <= 0:
        return np.eye(points)
    apart = (steps[None, :] - steps[:, None]) * step_elo / deviation_elo
    kernel: Kernel = np.exp(-0.5 * apart**2)
    kernel /= kernel.sum(axis=1, keepdims=True)
    kernel.flags.writeable = False
    return kernel


def written_densities(values: Grid | Tables) -> str:
    """Returns log densities as base64 of little-endian float32; read_densities reads them."""
    return b64encode(values.astype(WRITTEN).tobytes()).decode()


def read_densities(values: str | Sequence[Any]) -> Grid:
    """Reads the flat array of written_densities; older versions wrote a list.

    Raises ValueError on an empty array or a number that is not finite.
    """
    if isinstance(values, str):
        read = np.frombuffer(b64decode(values, validate=True), WRITTEN).astype(np.float64)
    else:
        read = np.asarray(values, dtype=np.float64).ravel()
    if not (len(read) > 0 and np.isfinite(read).all()):
        raise ValueError(f"a density of {len(read)} points, or not finite")
    is_written = read.max() == 0 and read.min() >= LEAST_LOG
    return read if is_written else from_highest(read)


def finite(value: object, most: float = EVERYWHERE_ELO) -> float:
    """Returns a number from a file or a row. Raises ValueError quoting one beyond `most`."""
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not abs(value) <= most:
        raise ValueError(f"{repr(value)[:80]} is no number up to {most:g}")
    return float(value)


def from_highest(values: Grid) -> Grid:
    """Returns log densities shifted to a highest of 0, with the floor LEAST_LOG."""
    shifted: Grid = np.maximum(values - values.max(), LEAST_LOG)
    return shifted


def log_of(values: Grid) -> Grid:
    """Returns logarithms of densities, finite ones of zeros too."""
    logs: Grid = np.log(np.maximum(values, 1e-300))
    return logs
