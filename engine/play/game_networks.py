"""The networks of a game by board, as a client or the installation chooses them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from engine.games.table import Board
from engine.search.chess_aids import NO_AIDS, ChessAids


@dataclass(frozen=True)
class NetworkChoice:
    """A network file, its backend and its precision."""

    path: Path | None  # None: no network, but the game's rollouts
    backend: str = "auto"
    precision: str = "auto"
    game: str = "go"  # a key of GAMES


@dataclass(frozen=True)
class GameNetworks:
    """The networks of one game, by the size of the board."""

    game: str  # a key of GAMES
    usual: Path | None = None  # network of boards without one of their own; None: rollouts
    sizes: Mapping[tuple[int, int], Path] = field(
        default_factory=dict
    )  # networks by (width, height)
    backend: str = "auto"
    precision: str = "auto"
    # Networks of human moves, by (width, height); None: on every board without one of its own.
    humans: Mapping[tuple[int, int] | None, Path] = field(default_factory=dict)
    aids: ChessAids = NO_AIDS  # of chess

    def on(self, board: Board) -> NetworkChoice:
        """Returns the network for a board of this game."""
        return self._choice(self.sizes.get((board.width, board.height), self.usual))

    def human_on(self, board: Board) -> NetworkChoice | None:
        """Returns the network of human moves on a board; None if there is none."""
        path = self.humans.get((board.width, board.height), self.humans.get(None))
        return None if path is None else self._choice(path)

    def choices(self) -> set[NetworkChoice]:
        """Returns all networks of the game."""
        paths = (self.usual, *self.sizes.values(), *self.humans.values())
        return {self._choice(path) for path in paths}

    def _choice(self, path: Path | None) -> NetworkChoice:
        if path is None:
            return NetworkChoice(None, game=self.game)  # rollouts have one backend
        return NetworkChoice(path, self.backend, self.precision, self.game)
