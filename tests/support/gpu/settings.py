"""The settings and the rows of the measurements on a GPU."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.networks.runtime import read_network
from engine.networks.torch_backend import TorchEvaluator

Row = dict[str, Any]
Rows = Iterator[Row]

B6 = "g170-b6c96-s175395328-d26788732"
B10 = "b10c384h6nbttflrs"
VARIANTS = ("b7c96h3tfrs-test5-cnorm", "b7c96h6kv3qk32v16tflrs-fson-bnh")
SUFFIX = ".bin.gz"


@dataclass(frozen=True)
class Settings:
    """One run. `is_tiny`: sizes for a trial on a processor; its rates mean nothing."""

    data: Path  # KataGo's networks and their reference outputs
    device: str = "cuda"
    is_tiny: bool = False

    @property
    def precision(self) -> str:
        """The precision of the rates."""
        return "fp16" if self.device.startswith("cuda") else "fp32"

    @property
    def precisions(self) -> tuple[str, ...]:
        """The precisions of the agreement; a processor computes fp16 slowly."""
        return ("fp32", "fp16", "bf16") if self.device.startswith("cuda") else ("fp32", "bf16")

    @property
    def networks(self) -> tuple[str, ...]:
        """The networks of the rates."""
        return VARIANTS[:1] if self.is_tiny else (B6, B10)

    @property
    def batches(self) -> tuple[int, ...]:
        """Rows of a batch, the most important number first."""
        return (2, 1) if self.is_tiny else (64, 1, 256, 8)

    @property
    def games(self) -> tuple[int, ...]:
        """Numbers of games that are searched at once."""
        return (1, 3) if self.is_tiny else (1, 8, 64)

    @property
    def size(self) -> int:
        """The side of the board."""
        return 9 if self.is_tiny else 19

    @property
    def seconds(self) -> float:
        """The time of one measurement."""
        return 0.05 if self.is_tiny else 2.0

    def path(self, network: str) -> Path:
        """Returns the file of a network."""
        return self.data / f"{network}{SUFFIX}"

    def evaluator(
        self,
        network: str,
        precision: str,
        *,
        workers: int | None = None,
        uses_graphs: bool = True,
    ) -> TorchEvaluator:
        """Returns the network on the device."""
        return TorchEvaluator(
            read_network(self.path(network)),
            device=self.device,
            precision=precision,
            workers=workers,
            uses_graphs=uses_graphs,
        )


def rate(step: Callable[[], object], rows: int, seconds: float) -> float:
    """Returns rows a second of a step that waits for its own results, after two steps."""
    step()
    step()
    began, done = time.perf_counter(), 0
    while (passed := time.perf_counter() - began) < seconds:
        step()
        done += rows
    return done / passed


def written(row: Row) -> str:
    """Returns a row as one line of JSON, numbers of 4 digits."""
    short = {
        name: float(f"{value:.4g}") if isinstance(value, float) else value
        for name, value in row.items()
    }
    return json.dumps(short)
