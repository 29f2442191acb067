"""The nodes of the search tree for chess."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from engine.games.chess_position import ChessPosition
from engine.search.pawns import pawns_of

Numbers = NDArray[np.float64]


@dataclass(eq=False, slots=True)
class Node:
    """A position of the tree. Its sums are over playouts, from White's view."""

    position: ChessPosition
    moves: NDArray[np.intp]  # [n] legal moves; none after the end
    priors: Numbers | None = None  # [n]; None before the evaluation
    children: dict[int, Node] = field(default_factory=dict)  # by index in `moves`
    visits: int = 0
    pending: int = 0  # playouts whose rows are in evaluation
    win_loss: float = 0.0  # the sum of wins minus losses
    draws: float = 0.0  # the sum of the probabilities of a draw
    own: tuple[float, float] | None = None  # (win - loss, draw) of the node's own evaluation
    pawns: float | None = None  # White's lead as another engine states it

    @property
    def lead_in_pawns(self) -> float:
        """White's lead: another engine's, else by the mean value, as lc0 writes it."""
        return pawns_of(self.mean) if self.pawns is None else self.pawns

    @property
    def mean(self) -> float:
        """The mean of wins minus losses, White's view; 0 before a playout."""
        return self.win_loss / self.visits if self.visits else 0.0

    @property
    def sign(self) -> int:
        """1 with White to move, -1 with Black."""
        return 1 if self.position.to_move == 0 else -1


def node_at(position: ChessPosition) -> Node:
    """Returns the node of a position, not evaluated."""
    return Node(position, np.array(position.legal_moves(), np.intp))


def child_of(node: Node, index: int) -> Node:
    """Returns the node after a move; an end and a repetition have their result."""
    position = node.position.copy()
    position.play(int(node.moves[index]))
    child = node_at(position)
    if position.is_over or position.is_repeated:
        result = position.black_score
        child.own = (result, 0.0 if result else 1.0)
    return child


def size_of(node: Node) -> int:
    """Returns the number of nodes from this one on."""
    return 1 + sum(size_of(child) for child in node.children.values())


def line_below(start: Node | None, length: int) -> list[tuple[int, int]]:
    """Returns the most visited moves from a node on, with their visits."""
    line: list[tuple[int, int]] = []
    node = start
    while node is not None and len(line) < length:
        index, child = _most_visited(node)
        if child is None:
            break
        line.append((int(node.moves[index]), child.visits))
        node = child
    return line


def _most_visited(node: Node) -> tuple[int, Node | None]:
    """Returns the child with the most visits, with its index; None without a visit."""
    tried = [(index, child) for index, child in node.children.items() if child.visits]
    return max(tried, key=lambda each: each[1].visits, default=(0, None))
