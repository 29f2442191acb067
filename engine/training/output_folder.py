"""The folder of a training's files: a run never replaces files from no run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from engine.errors import SettingError
from engine.training.common.metrics import NAME, read_metrics


def check_folder(folder: Path, results: Sequence[str]) -> None:
    """Raises SettingError if a run in the folder would replace a file from no run.

    results: names of the run's result files. Each run writes its metrics before its results.
    """
    if read_metrics(folder):
        return
    for path in (folder / name for name in results):
        if path.exists():
            raise SettingError(f"{path} is of no run: there is no {NAME} beside it")
