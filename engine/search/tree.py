"""The core's search trees, one per game, as the search drives them, with their position classes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from engine._core import (
    Connect4Position,
    Connect4Tree,
    CpuFlights,
    DarkChessPosition,
    DarkChessTree,
    EinsteinPosition,
    EinsteinTree,
    EvaluationCache,
    GoPosition,
    GoTree,
    MoveReport,
    NodeStats,
    OthelloPosition,
    OthelloTree,
    SearchSettings,
    Values,
)
from engine.search.chess_evaluations import ChessEvaluations
from engine.values import Floats

_Planes = NDArray[np.uint8]
P_contra = TypeVar("P_contra", contravariant=True)  # the position class of the tree's own game
Cache = EvaluationCache | ChessEvaluations  # the evaluations that the searches of a game share


class Tree(Protocol[P_contra]):
    """A search graph over one game; see engine/core/search/tree.h for each method."""

    @property
    def root(self) -> NodeStats:
        """Averages of the root."""

    @property
    def root_values(self) -> Values:
        """The root's own evaluation."""

    @property
    def evaluated(self) -> bool:
        """Tests whether the root has an evaluation."""

    @property
    def to_move(self) -> int:
        """The color to move at the root."""

    @property
    def position_hash(self) -> int:
        """The root's graph_hash."""

    @property
    def symmetry_hash(self) -> int:
        """Equal for roots that are symmetric images of each other."""

    @property
    def bounds(self) -> tuple[int, int] | None:
        """Proven bounds of the root mover's final score; None without a proof."""

    @property
    def proven(self) -> bool:
        """Tests whether the score and a move with it are proven, and the search is finished."""

    @property
    def nodes(self) -> int:
        """Number of nodes of the graph."""

    @property
    def playouts(self) -> int:
        """Playouts completed since begin()."""

    @property
    def in_flight(self) -> int:
        """Playouts whose rows are being evaluated."""

    @property
    def rows_evaluated(self) -> int:
        """Total rows evaluated by the network."""

    @property
    def cache_hits(self) -> int:
        """Total rows answered by the cache."""

    def set_game(self, game: P_contra) -> None:
        """Searches the position from scratch."""

    def advance(self, move: int, game: P_contra) -> None:
        """Searches the position after the move and keeps its subgraph."""

    def set_settings(self, settings: SearchSettings) -> None:
        """Searches with other settings and clears the graph."""

    def set_restriction(self, color: int, until: Sequence[int]) -> None:
        """Excludes moves of a color at the first depths."""

    def set_prior_weights(self, weights: Sequence[float]) -> None:
        """Sets factors on the root's policy until the root moves on: [moves]; empty: none."""

    def begin(self, least_in_flight: int = 1) -> None:
        """Starts a search of the root.

        At least this many playouts may be pending at once, whatever the settings allow.
        """

    def select(
        self, slot: int, spatial: _Planes, globals_: Floats, rows: int, budget: int, /
    ) -> int:
        """Fills rows with positions to evaluate and returns their number.

        spatial: [rows, planes, height, width]; globals_: [rows, globals].
        """

    def optimism(self, slot: int) -> float:
        """Returns the share of the optimistic policy in the priors of the slot's rows, 0..1."""

    def update(
        self, slot: int, policy: Floats, value: Floats, misc: Floats, ownership: Floats
    ) -> None:
        """Completes the playouts of a slot. Raises RuntimeError for a non-finite output.

        policy: [rows, moves]; value: [rows, 3]; misc: [rows, 6]; ownership: [rows, area].
        """

    def abandon(self, slot: int) -> None:
        """Drops the playouts of a slot."""

    def report(self, pv_length: int = 20) -> list[MoveReport]:
        """The root's moves, best first."""

    def ownership(self, move: int = -1) -> tuple[Floats, Floats]:
        """Mean and deviation of ownership, [H*W] each, the root mover's view; empty if unknown."""

    def policy(self) -> Floats:
        """The root's prior: [moves], -1 if illegal or not evaluated."""

    def symmetric_move(self, move: int, symmetry: int) -> int:
        """Returns the move's image under a symmetry of the board."""

    def symmetric_cell(self, cell: int, symmetry: int) -> int:
        """Returns the cell's image under a symmetry of the board."""


@runtime_checkable
class CoreTree(Tree[P_contra], Protocol[P_contra]):
    """A tree of the core, which may also evaluate by the core's own slots."""

    def run(
        self,
        flights: CpuFlights,
        *,
        launches: bool,
        visits: int,
        playouts: int,
        nodes: int,
        seconds: float,
    ) -> int:
        """Selects, evaluates and updates by the core; returns the number of finished batches.

        It pauses after `seconds`, with playouts under way.
        """


@dataclass(frozen=True)
class GameTree:
    """The classes of one game."""

    position: type
    # (position, settings, scales, cache, network key, seed) -> a tree rooted at the position. The
    # key distinguishes networks in the cache.
    make: Callable[..., Tree[Any]]


TREES: Mapping[str, GameTree] = {  # the core's, by the name of the game
    "go": GameTree(GoPosition, GoTree),
    "othello": GameTree(OthelloPosition, OthelloTree),
    "connect4": GameTree(Connect4Position, Connect4Tree),
    "darkchess": GameTree(DarkChessPosition, DarkChessTree),
    "einstein": GameTree(EinsteinPosition, EinsteinTree),
}


def tree_of(game: str) -> GameTree:
    """Returns the classes of a game, a key of GAMES. Chess needs python-chess and has them here."""
    if game == "chess":
        from engine.games.chess_position import ChessPosition  # noqa: PLC0415 (an optional module)
        from engine.search.chess_tree import ChessTree  # noqa: PLC0415 (an optional module)

        return GameTree(ChessPosition, ChessTree)
    return TREES[game]


def new_cache(game: str, entries: int) -> Cache:
    """Returns an empty cache of this many evaluations for a game, a key of GAMES."""
    return ChessEvaluations(entries) if game == "chess" else EvaluationCache(entries)
