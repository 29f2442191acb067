"""The networks that come with the engine, by game and board size.

The tables name the files of weights/, and a missing file is left out. The files are read in
engine.networks.runtime.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

WEIGHTS = Path(__file__).resolve().parent / "weights"
SUFFIX = ".safetensors"


@dataclass(frozen=True, slots=True)
class NetworkUse:
    """The game and board size of a network."""

    game: str  # a key of GAMES
    size: tuple[int, int] | None = None  # width and height; None: any


# By file name. Other files there (HUMAN) do not play by themselves.
PLACES: dict[str, NetworkUse] = {
    "connect4": NetworkUse("connect4", (7, 6)),
    "darkchess": NetworkUse("darkchess", (4, 8)),
    "othello6": NetworkUse("othello", (6, 6)),
    "othello8": NetworkUse("othello", (8, 8)),
    "go": NetworkUse("go"),
}

# Networks of human moves: their policy defines natural moves.
HUMAN: dict[str, NetworkUse] = {
    "othello8-human": NetworkUse("othello", (8, 8)),
    "go-human": NetworkUse("go"),
}


def bundled_networks(game: str, folder: Path = WEIGHTS) -> Mapping[tuple[int, int] | None, Path]:
    """Returns the game's present files by the board's (width, height); None: any other size."""
    return _present(PLACES, game, folder)


def human_networks(game: str, folder: Path = WEIGHTS) -> Mapping[tuple[int, int] | None, Path]:
    """Returns the same for the networks of human moves."""
    return _present(HUMAN, game, folder)


def _present(
    places: Mapping[str, NetworkUse], game: str, folder: Path
) -> Mapping[tuple[int, int] | None, Path]:
    paths = {
        place.size: folder / f"{name}{SUFFIX}"
        for name, place in places.items()
        if place.game == game
    }
    return {size: path for size, path in paths.items() if path.is_file()}
