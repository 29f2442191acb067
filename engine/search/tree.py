"""The core's search trees, one a game, as the search drives them, and whose position each takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine._core import (
    Connect4Position,
    Connect4Tree,
    GoPosition,
    GoTree,
    MoveReport,
    NodeStats,
    OthelloPosition,
    OthelloTree,
    SearchSettings,
    Values,
)
from engine.values import Floats

_Planes = NDArray[np.uint8]
P_contra = TypeVar("P_contra", contravariant=True)  # the position class of the tree's own game


class Tree(Protocol[P_contra]):
    """A search graph over one game; engine/core/search/tree.h says what each of these does."""

    @property
    def root(self) -> NodeStats:
        """Averages of the root."""

    @property
    def root_values(self) -> Values:
        """The root's own evaluation."""

    @property
    def evaluated(self) -> bool:
        """Whether the root has an evaluation."""

    @property
    def to_move(self) -> int:
        """The color that moves at the root."""

    @property
    def position_hash(self) -> int:
        """The root's graph_hash."""

    @property
    def symmetry_hash(self) -> int:
        """Equal for roots that are symmetric images of each other."""

    @property
    def bounds(self) -> tuple[int, int] | None:
        """Between what the root mover's final score is proven to lie; None where nothing is."""

    @property
    def proven(self) -> bool:
        """Whether the score and a move that reaches it are known, so that nothing is left to do."""

    @property
    def nodes(self) -> int:
        """Nodes of the graph."""

    @property
    def playouts(self) -> int:
        """Playouts completed since begin()."""

    @property
    def in_flight(self) -> int:
        """Playouts whose rows are being evaluated."""

    @property
    def rows_evaluated(self) -> int:
        """Rows that the network evaluated, in all."""

    @property
    def cache_hits(self) -> int:
        """Rows that the cache answered, in all."""

    def set_game(self, game: P_contra) -> None:
        """Search the position, knowing nothing of it."""

    def advance(self, move: int, game: P_contra) -> None:
        """Search the position to which the move led, keeping what is known of it."""

    def set_settings(self, settings: SearchSettings) -> None:
        """Search by other settings, all forgotten."""

    def set_restriction(self, color: int, until: Sequence[int]) -> None:
        """Keep a color from moves at the first depths."""

    def set_prior_weights(self, weights: Sequence[float]) -> None:
        """Multiply the root's policy until the root moves on, [moves]; empty: by nothing."""

    def begin(self) -> None:
        """Start a search of the root."""

    def select(
        self, slot: int, spatial: _Planes, globals_: Floats, rows: int, budget: int, /
    ) -> int:
        """Fill rows with positions to evaluate; their number."""

    def update(
        self, slot: int, policy: Floats, value: Floats, misc: Floats, ownership: Floats
    ) -> None:
        """Complete the playouts of a slot; RuntimeError for an output that is not finite."""

    def abandon(self, slot: int) -> None:
        """Drop the playouts of a slot."""

    def report(self, pv_length: int = 20) -> list[MoveReport]:
        """The root's moves, best first."""

    def ownership(self, move: int = -1) -> tuple[Floats, Floats]:
        """Mean and deviation by cell, the root mover's view; empty where nothing is known."""

    def policy(self) -> Floats:
        """The root's prior by move, -1 where illegal or not evaluated."""

    def symmetric_move(self, move: int, symmetry: int) -> int:
        """Where the move lands when the board is turned."""

    def symmetric_cell(self, cell: int, symmetry: int) -> int:
        """Where the cell lands when the board is turned."""


@dataclass(frozen=True)
class GameTree:
    """The core's classes of one game."""

    position: type
    # (position, settings, scales, cache, network key, seed) -> a tree with its root there; the key
    # tells networks apart in the cache.
    make: Callable[..., Tree[Any]]


TREES: Mapping[str, GameTree] = {  # by the name of the game
    "go": GameTree(GoPosition, GoTree),
    "othello": GameTree(OthelloPosition, OthelloTree),
    "connect4": GameTree(Connect4Position, Connect4Tree),
}
