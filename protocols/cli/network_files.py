"""The network files of the installation by game and board, each described in one line."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from engine.games.table import GAMES
from engine.networks.architecture import NetworkFileError
from engine.networks.description import describe
from engine.networks.katago import NEWEST_VERSION, OLDEST_VERSION
from engine.networks.runtime import read_network
from engine.play.networks import networks_of

# The networks that --network takes, for texts.
TAKEN = (
    f"KataGo's (.bin.gz of the model versions {OLDEST_VERSION} to {NEWEST_VERSION}, transformers "
    "too) or Sparring's (.safetensors)"
)


def bundled_files() -> Iterator[tuple[str, Path]]:
    """Yields the title, game and board in words, and the file of each bundled network."""
    for game, kind in GAMES.items():
        networks = networks_of(game)
        usual = [] if networks.usual is None else [(None, networks.usual)]
        for board, path in _by_board([*networks.sizes.items(), *usual]):
            yield f"{kind.title}, {board}", path
        for board, path in _by_board(networks.humans.items()):
            yield f"{kind.title}, {board}, human moves", path


def line_of(path: Path) -> tuple[str, str]:
    """Returns a file's line and the reason why it cannot be read; that is empty if it can."""
    try:
        network = describe(read_network(path))
        return f"{path.name} ({network.trunk}, {path.stat().st_size:,} bytes)", ""
    except (NetworkFileError, OSError) as error:
        return f"{path.name} (cannot be read)", str(error)


def _by_board(
    paths: Collection[tuple[tuple[int, int] | None, Path]],
) -> Iterator[tuple[str, Path]]:
    # None in place of (width, height) stands for every board without a file of its own.
    others = "every board" if len(paths) == 1 else "every other board"
    for size, path in paths:
        yield others if size is None else f"{size[0]}x{size[1]}", path
