"""A run between two iterations: what it learns with, and what it has done so far, in one file."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from engine.errors import SettingError
from engine.util.atomic_file import atomic_write

FORMAT = "sparring-run-1"


@dataclass(frozen=True)
class TrainingProgress:
    """What all iterations so far come to."""

    iterations: int = 0
    games: int = 0
    positions: int = 0
    batches: int = 0
    playing_seconds: float = 0.0
    learning_seconds: float = 0.0

    @property
    def seconds(self) -> float:
        """Of playing and learning."""
        return self.playing_seconds + self.learning_seconds


def write_checkpoint(
    path: Path, tensors: dict[str, Tensor], progress: TrainingProgress, settings: dict[str, Any]
) -> None:
    """Writes what `read_checkpoint` reads; the file is there whole or not at all."""
    told = {
        "format": FORMAT,
        "progress": json.dumps(asdict(progress)),
        "settings": json.dumps(settings),
    }
    kept = {name: part.detach().cpu().contiguous() for name, part in tensors.items()}
    with atomic_write(path) as unfinished:
        save_file(kept, unfinished, metadata=told)


def read_checkpoint(
    path: Path, settings: dict[str, Any]
) -> tuple[dict[str, Tensor], TrainingProgress]:
    """The tensors and the progress of a run with the same settings.

    SettingError names a file that is no checkpoint, or the settings that differ.
    """
    try:
        with safe_open(path, framework="pt") as file:
            told = file.metadata() or {}
            if told.get("format") != FORMAT:
                raise SettingError(f"{path} is no checkpoint of this kind")
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except SafetensorError as error:
        raise SettingError(f"{path} is no checkpoint: {error}") from error
    earlier, asked = json.loads(told["settings"]), json.loads(json.dumps(settings))
    if other := _differences(earlier, asked):
        raise SettingError(f"{path} is of a run with other settings: {', '.join(other)}")
    return tensors, TrainingProgress(**json.loads(told["progress"]))


def _differences(earlier: dict[str, Any], asked: dict[str, Any], under: str = "") -> list[str]:
    """The settings in which two runs differ, in words."""
    found = []
    for name in sorted(earlier.keys() | asked.keys()):
        one, other = earlier.get(name), asked.get(name)
        if isinstance(one, dict) and isinstance(other, dict):
            found += _differences(one, other, f"{under}{name}.")
        elif one != other:
            found.append(f"{under}{name} {one!r}, not {other!r}")
    return found
