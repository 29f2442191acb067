"""A run between two iterations: its learning state and its progress, in one file."""

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
    """The totals of all iterations so far."""

    iterations: int = 0
    games: int = 0
    positions: int = 0
    batches: int = 0
    playing_seconds: float = 0.0
    learning_seconds: float = 0.0

    @property
    def seconds(self) -> float:
        """Seconds of playing and learning."""
        return self.playing_seconds + self.learning_seconds


def write_checkpoint(
    path: Path, tensors: dict[str, Tensor], progress: TrainingProgress, settings: dict[str, Any]
) -> None:
    """Writes tensors [...] for `read_checkpoint`; the file appears whole or not at all."""
    metadata = {
        "format": FORMAT,
        "progress": json.dumps(asdict(progress)),
        "settings": json.dumps(settings),
    }
    stored = {name: part.detach().cpu().contiguous() for name, part in tensors.items()}
    with atomic_write(path) as unfinished:
        save_file(stored, unfinished, metadata=metadata)


def read_checkpoint(
    path: Path, settings: dict[str, Any]
) -> tuple[dict[str, Tensor], TrainingProgress]:
    """Returns the tensors [...] and the progress of a run with the same settings.

    Raises SettingError with the name of a file of another kind, or with the differing settings.
    """
    try:
        with safe_open(path, framework="pt") as file:
            metadata = file.metadata() or {}
            if metadata.get("format") != FORMAT:
                raise SettingError(f"{path} is no checkpoint of this kind")
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except SafetensorError as error:
        raise SettingError(f"{path} is no checkpoint: {error}") from error
    earlier, wanted = json.loads(metadata["settings"]), json.loads(json.dumps(settings))
    if other := _differences(earlier, wanted):
        raise SettingError(f"{path} is of a run with other settings: {', '.join(other)}")
    return tensors, TrainingProgress(**json.loads(metadata["progress"]))


def _differences(earlier: dict[str, Any], wanted: dict[str, Any], under: str = "") -> list[str]:
    """Returns the differing settings of two runs, in words."""
    found = []
    for name in sorted(earlier.keys() | wanted.keys()):
        one, other = earlier.get(name), wanted.get(name)
        if isinstance(one, dict) and isinstance(other, dict):
            found += _differences(one, other, f"{under}{name}.")
        elif one != other:
            found.append(f"{under}{name} {one!r}, not {other!r}")
    return found
