"""The networks that come with the engine: which file is for which boards of which game.

Derived from what lies in weights/: a file that is not there is not offered. Reads no network.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

WEIGHTS = Path(__file__).resolve().parent / "weights"
SUFFIX = ".safetensors"


@dataclass(frozen=True, slots=True)
class NetworkUse:
    """Where a network plays."""

    game: str  # a key of GAMES
    size: tuple[int, int] | None = None  # width and height; None: any


# By the file's name; what else lies there (HUMAN) plays no game by itself.
PLACES: dict[str, NetworkUse] = {
    "connect4": NetworkUse("connect4", (7, 6)),
    "othello6": NetworkUse("othello", (6, 6)),
    "othello8": NetworkUse("othello", (8, 8)),
    "go": NetworkUse("go"),
}

# Those that human games taught: their policy says what is natural.
HUMAN: dict[str, NetworkUse] = {
    "othello8-human": NetworkUse("othello", (8, 8)),
    "go-human": NetworkUse("go"),
}


def bundled_networks(game: str, folder: Path = WEIGHTS) -> Mapping[tuple[int, int] | None, Path]:
    """The game's files that are there, by (width, height) of the board; None: of every other."""
    return _found(PLACES, game, folder)


def human_networks(game: str, folder: Path = WEIGHTS) -> Mapping[tuple[int, int] | None, Path]:
    """The same of those that human games taught."""
    return _found(HUMAN, game, folder)


def _found(
    places: Mapping[str, NetworkUse], game: str, folder: Path
) -> Mapping[tuple[int, int] | None, Path]:
    found = {
        place.size: folder / f"{name}{SUFFIX}"
        for name, place in places.items()
        if place.game == game
    }
    return {size: path for size, path in found.items() if path.is_file()}
