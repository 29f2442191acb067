"""The lines of another engine in the place of our playouts.

They become the visits and values of the root's moves, so that reports, levels and personas need no
other source of values.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.games.chess_game import write_uci
from engine.search.chess_node import Node, child_of
from engine.search.chess_tree import ChessTree
from engine.search.engine_lines import EngineLine
from engine.search.external_engine import MOST_LINES, EngineLimit, ExternalEngine
from engine.search.pawns import MATE_PAWNS
from engine.search.tree import Tree

CLOSE = 0.05  # of wins minus losses: so much worse, a move gets 1/e of the visits
NODES_A_VISIT = 1000  # of the engine for one visit of ours
USUAL_VISITS = 1000  # of a search that time alone limits


def adopt(tree: ChessTree, lines: Sequence[EngineLine], visits: int) -> None:
    """Replaces the root's playouts by the lines, as so many visits.

    The best move has the most visits, and others fewer by their values. A move that ends the game
    or repeats a position keeps the value of the rules: an engine knows no history. The root has the
    value of its best move. Lines of illegal moves are left out.
    """
    root, valued = tree.emptied_root(), []
    index_of = {int(move): index for index, move in enumerate(root.moves)}
    for line in lines:
        if line.move in index_of:
            node = child_of(root, index_of[line.move])
            win_loss, draw, pawns = line.win_loss, line.draw, line.pawns
            if node.own is not None:
                win_loss, draw = root.sign * node.own[0], node.own[1]
                pawns = (MATE_PAWNS - 1) * win_loss  # a mate in one
            valued.append((win_loss, draw, pawns, index_of[line.move], node, line))
    if not valued:
        return
    values = np.array([each[0] for each in valued])
    shares = np.exp((values - values.max()) / CLOSE)
    counts = np.maximum(np.rint(visits * shares / shares.sum()), 1).astype(int)
    for (win_loss, draw, pawns, index, node, line), count in zip(valued, counts, strict=True):
        root.children[index] = node
        node.visits, node.pawns = int(count), root.sign * pawns
        node.win_loss, node.draws = root.sign * win_loss * node.visits, draw * node.visits
        _continue(node, line.variation[1:])
    best = valued[int(np.argmax(values))]
    root.visits = 1 + int(counts.sum())
    root.win_loss, root.draws = root.sign * best[0] * root.visits, best[1] * root.visits
    root.pawns = root.sign * best[2]
    tree.playouts = root.visits
    tree.recount()


def searched_by(
    engine: ExternalEngine,
    tree: Tree[Any],
    position: Any,  # noqa: ANN401 (of chess)
    *,
    visits: int | None,
    seconds: float,
    until: tuple[Sequence[int], Sequence[int]],
    lines: int | None,
    stop: Callable[[], bool],
    on_change: Callable[[], None] | None,
) -> bool:
    """Puts the engine's values of the position into its tree; returns False where it has none.

    visits, seconds: the limits; a visit is worth NODES_A_VISIT nodes of the engine. until: as in
    Restriction, those of color 0 first. lines: the most moves with a value; None: all. on_change:
    called after values were replaced, while the engine thinks on; None: the last ones suffice.
    """
    if not isinstance(tree, ChessTree) or position.is_over:
        return False
    legal, forbidden = position.legal_moves(), until[position.to_move]
    allowed = [move for move in legal if not len(forbidden) or forbidden[move] <= 0]
    if not allowed:
        return False
    count = USUAL_VISITS if visits is None else visits

    def show(so_far: Sequence[EngineLine]) -> None:
        adopt(tree, so_far, count)
        if on_change is not None:
            on_change()

    limit = EngineLimit(
        nodes=None if visits is None else visits * NODES_A_VISIT,
        seconds=None if math.isinf(seconds) else seconds,
        moves=() if len(allowed) == len(legal) else tuple(map(write_uci, allowed)),
        lines=MOST_LINES if lines is None else lines,
    )
    final = engine.search(position, limit, stop, None if on_change is None else show)
    adopt(tree, final, count)
    return bool(final)


def _continue(node: Node, variation: Sequence[int]) -> None:
    """Adds the nodes of a variation below a node, with a visit each, as far as it is legal."""
    for move in variation:
        places = np.flatnonzero(node.moves == move)
        if not len(places):
            return
        child = child_of(node, int(places[0]))
        child.visits, child.win_loss = 1, node.mean
        node.children[int(places[0])] = child
        node = child
