"""`sparring train go-compare`: networks of Go side by side, against a teacher and on human moves.

The positions are of quick games by one network, with seeds outside all training, and of human games
in a held-out archive. The teacher's judgements may stay in a file for the next comparison.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from engine.errors import SettingError
from engine.training.common.card import table
from engine.training.go.card import COLUMNS, share_with_bound
from engine.training.go.run_settings import machine_of
from engine.training.go.samples import GoSamples, Network, no_ranks
from engine.training.go.teacher import load_teacher
from engine.training.go.validation import (
    HUMAN_BOARD,
    GoMetrics,
    ValidationSet,
    draw_validation_samples,
    human_samples,
    read_humans,
)
from engine.util.atomic_file import atomic_write

Say = Callable[[str], None]


@dataclass(frozen=True)
class GoComparisonSettings:
    """The networks of a comparison and its positions."""

    networks: tuple[Path, ...]  # the first one plays the quick games
    teacher: Path
    held_out: Path | None = None  # archive of human games
    samples: Path | None = None  # file of the teacher's judgements, written if it does not exist
    positions: int = 1024  # of each board
    device: str = "cpu"
    threads: int = 1


def compare_go(settings: GoComparisonSettings, say: Say) -> dict[str, GoMetrics]:
    """Measures and reports the networks and the teacher; returns the metrics by path or name.

    Raises SettingError for files of another kind.
    """
    torch.set_num_threads(settings.threads)
    machine = machine_of(settings.device)
    teacher, teacher_name = load_teacher(settings.teacher, machine, settings.threads)
    networks = {
        str(path): load_teacher(path, machine, settings.threads)[0] for path in settings.networks
    }
    validation = _validation_set(settings, teacher, next(iter(networks.values())))
    say(f"{validation.positions:,} positions, judged by {teacher_name} in two orientations")
    networks[f"{teacher_name} in one orientation"] = teacher
    metrics = {name: validation.measure(network) for name, network in networks.items()}
    say(_boards_table(metrics))
    if validation.humans is not None:
        say(_humans_table(metrics))
    return metrics


def _validation_set(
    settings: GoComparisonSettings, teacher: Network, player: Network
) -> ValidationSet:
    device = machine_of(settings.device).device
    humans = read_humans(settings.held_out).to(device) if settings.held_out else None
    if settings.samples is not None and settings.samples.exists():
        return ValidationSet(_read(settings.samples), humans)
    samples = draw_validation_samples(
        teacher,
        positions=settings.positions,
        device=device,
        threads=settings.threads,
        player=player,
    )
    if humans is not None:
        samples[HUMAN_BOARD] = human_samples(teacher, humans, settings.positions)
    if settings.samples is not None:
        _write(samples, settings.samples)
    return ValidationSet(samples, humans)


def _write(samples: Mapping[str, GoSamples], path: Path) -> None:
    tensors = {
        f"{board}/{name}": part.cpu().contiguous()
        for board, parts in samples.items()
        for name, part in parts._asdict().items()
    }
    with atomic_write(path) as unfinished:
        save_file(tensors, unfinished)


def _read(path: Path) -> dict[str, GoSamples]:
    """Raises SettingError for a file that `_write` did not write."""
    try:
        tensors = load_file(path)
        boards = sorted(sorted({name.rsplit("/", 1)[0] for name in tensors}), key=len)
        for board in boards:  # a file of an earlier release has no ranks
            tensors.setdefault(f"{board}/ranks", no_ranks(tensors[f"{board}/human"]))
        return {
            board: GoSamples(**{name: tensors[f"{board}/{name}"] for name in GoSamples._fields})
            for board in boards
        }
    except (OSError, SafetensorError, KeyError) as error:
        raise SettingError(f"{path} holds no judged positions: {error}") from error


def _boards_table(metrics: Mapping[str, GoMetrics]) -> str:
    boards = next(iter(metrics.values())).boards
    rows = [
        [board, name, *(f"{each.boards[board][key]:.3f}" for key in COLUMNS)]
        for board in boards
        for name, each in metrics.items()
    ]
    return table(["board", "network", *COLUMNS.values()], rows)


def _humans_table(metrics: Mapping[str, GoMetrics]) -> str:
    rows = [
        [name, f"{human.moves:,}", share_with_bound(human), f"{human.probability:.3f}"]
        for name, each in metrics.items()
        for human in each.humans
    ]
    return table(["policy", "moves", "best move played", "geometric mean probability"], rows)
