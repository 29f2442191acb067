"""Networks of double DQN for Othello (Liang 2022), and their file.

There are two networks, one per color; each gives every cell a value for that color, 1 a won game
and -1 a lost one. The study gives 8 convolutions and 2 dense layers; their widths are ours. The
training is in engine.training.othello.double_dqn, the choice of a move in engine.agents.double_dqn.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor, nn

from engine.games.position import Position
from engine.networks.architecture import NetworkFileError
from engine.util.atomic_file import atomic_write

FORMAT = "sparring-double-dqn-1"
CONVOLUTIONS = 8
# Planes of OthelloPosition.features(): own discs, the opponent's discs, legal moves.
PLANES = (1, 2, 3)
LAST_SCALE = 0.1  # of the last layer's initial weights: new networks give all moves values near 0
MOST_WEIGHTS = 1 << 28
_FORGED = (SafetensorError, ValueError, TypeError, KeyError, AttributeError, RuntimeError)


@dataclass(frozen=True)
class QShape:
    """The widths of a network."""

    size: int = 8  # edge of the board
    channels: int = 32
    hidden: int = 256


class QNetwork(nn.Sequential):
    """Maps boards [n, planes, size, size] float32 to values of the cells [n, size * size]."""

    def __init__(self, shape: QShape) -> None:
        layers: list[nn.Module] = []
        inputs = len(PLANES)
        for _ in range(CONVOLUTIONS):
            layers += [nn.Conv2d(inputs, shape.channels, 3, padding=1), nn.ReLU()]
            inputs = shape.channels
        area = shape.size**2
        layers += [nn.Flatten(), nn.Linear(shape.channels * area, shape.hidden), nn.ReLU()]
        last = nn.Linear(shape.hidden, area)
        super().__init__(*layers, last)
        for layer in self:
            if isinstance(layer, nn.Conv2d | nn.Linear):
                # Signals keep their size through all layers; with torch's own initial weights they
                # vanish.
                nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
                if layer.bias is not None:
                    nn.init.zeros_(layer.bias)
        with torch.no_grad():
            last.weight.mul_(LAST_SCALE)


@dataclass(frozen=True)
class DoubleDqn:
    """Both networks: of color 0 and of color 1."""

    shape: QShape
    networks: tuple[QNetwork, QNetwork]

    def values(self, position: Position) -> Tensor:
        """Value of each cell for the side to move: [cells].

        Raises ValueError on another board size.
        """
        if (position.width, position.height) != (self.shape.size, self.shape.size):
            size = self.shape.size
            raise ValueError(
                f"trained for Othello on {size}x{size}, not on {position.width}x{position.height}"
            )
        planes = position.features()[0][list(PLANES)].astype(np.float32)
        with torch.inference_mode():
            values: Tensor = self.networks[position.to_move](torch.from_numpy(planes)[None])[0]
        return values


def new_networks(shape: QShape, seed: int) -> tuple[QNetwork, QNetwork]:
    """Returns untrained networks; the same seed gives the same weights."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return QNetwork(shape), QNetwork(shape)


def write_double_dqn(
    path: Path, shape: QShape, tensors: Mapping[str, Tensor], progress: Mapping[str, Any]
) -> None:
    """Writes the tensors [...] of both networks by name, and the progress of the training run.

    The write is atomic.
    """
    header = {"format": FORMAT, "shape": json.dumps(asdict(shape))}
    header["progress"] = json.dumps(dict(progress))
    contiguous = {name: part.detach().cpu().contiguous() for name, part in tensors.items()}
    with atomic_write(path) as unfinished:
        save_file(contiguous, unfinished, metadata=header)


def read_tensors(path: Path) -> tuple[QShape, dict[str, Tensor], dict[str, Any]]:
    """Reads the shape, tensors [...] and progress of `write_double_dqn`.

    Raises NetworkFileError, with the reason, for another file.
    """
    try:
        with safe_open(path, framework="pt") as file:
            header = file.metadata() or {}
            if header.get("format") != FORMAT:
                actual = str(header.get("format", "no format"))[:40]
                raise ValueError(f"expected {FORMAT!r} in the header, found {actual!r}")
            shape = QShape(**json.loads(header["shape"]))
            _check(shape)
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
            return shape, tensors, json.loads(header["progress"])
    except OSError as error:
        raise NetworkFileError(f"{path}: cannot be read: {error}") from error
    except _FORGED as error:
        raise NetworkFileError(f"{path}: no networks of a double DQN: {error}") from error


def read_double_dqn(path: Path) -> DoubleDqn:
    """Reads the networks of a file. Raises NetworkFileError, with the reason, if there are none."""
    shape, tensors, _ = read_tensors(path)
    networks = new_networks(shape, 0)
    try:
        for color, network in enumerate(networks):
            network.load_state_dict(part_of(tensors, f"{color}."))
            network.eval()
    except _FORGED as error:
        raise NetworkFileError(f"{path}: no networks of a double DQN: {error}") from error
    return DoubleDqn(shape, networks)


def part_of(tensors: Mapping[str, Tensor], prefix: str) -> dict[str, Tensor]:
    """Returns the tensors [...] with a name prefix, under their names without it."""
    return {
        name.removeprefix(prefix): part for name, part in tensors.items() if name.startswith(prefix)
    }


def _check(shape: QShape) -> None:
    whole = all(isinstance(width, int) and width > 0 for width in vars(shape).values())
    if not whole or shape.size not in (4, 6, 8, 10):
        raise ValueError(f"a network of {shape}")
    if shape.channels * (shape.size**2 * shape.hidden + 9 * 8 * shape.channels) > MOST_WEIGHTS:
        raise ValueError(f"a network as large as {shape}")
