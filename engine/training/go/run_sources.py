"""The sources of a run: its teacher's networks, its human games and the batches from both."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from engine.training.go.distill import Machine
from engine.training.go.doubt import Doubt
from engine.training.go.positions import BOARDS
from engine.training.go.records import GameTable, find_archives, read_table
from engine.training.go.run_settings import GoRunSettings, machine_of
from engine.training.go.samples import Network
from engine.training.go.shards import Shards, ShardSettings
from engine.training.go.sources import ShardedSource, Source, sources_of
from engine.training.go.teacher import load_teacher


@dataclass(frozen=True)
class RunSources:
    """The networks and the games of a run, and the sources of its batches."""

    teacher: Network | None
    teacher_name: str
    player: Network | None  # of the quick games; None: the teacher
    archives: tuple[Path, ...]  # of human games
    table: GameTable | None  # the human games
    sources: list[Source]


def run_sources(
    settings: GoRunSettings, machine: Machine, seed: int, wait: Callable[[Path], None] | None = None
) -> RunSources:
    """Returns the sources of a run; `seed` and `wait` are those of its shards.

    Raises SettingError for no network of Go, no archive, and neither of both.
    """
    teacher, name, player, doubt, table = None, "", None, None, None
    archives: list[Path] = []
    if settings.teacher is not None:
        teacher, name = load_teacher(settings.teacher, machine, settings.threads)
    if settings.player is not None:
        player, _ = load_teacher(settings.player, machine, settings.threads)
    if settings.doubter is not None and player is not None:
        doubter, _ = load_teacher(settings.doubter, machine, settings.threads)
        doubt = Doubt(player, doubter)
    if settings.games:
        archives = find_archives(settings.games, settings.held_out)
        table = read_table(archives, settings.output / "games.npz")
    shards = ShardSettings(
        folder=settings.output / "chapters",
        seed=seed,
        cells=settings.shard_cells,
        turns=settings.orientations,
        threads=settings.threads,
        device=machine.device,
        uses=settings.uses,
        wait=wait,
    )
    sources = sources_of(
        teacher,
        table,
        boards=BOARDS,
        human_share=settings.human_share,
        cells=settings.cells,
        settings=shards,
        player=player,
        doubt=doubt,
        ranked=settings.ranked,
    )
    return RunSources(teacher, name, player, tuple(archives), table, sources)


def run_shards(settings: GoRunSettings, seed: int) -> list[Shards]:
    """Returns the shards of a run's sources, for a process that makes them ahead."""
    sources = run_sources(settings, machine_of(settings.device), seed).sources
    return [source.shards for source in sources if isinstance(source, ShardedSource)]
