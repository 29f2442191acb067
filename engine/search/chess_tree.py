"""A search tree in Python for chess, which has its positions from python-chess.

It satisfies engine.search.tree.Tree. The selection is PUCT by the settings of the core's trees, as
far as they are about exploration; a leaf is a row of the network. A position that repeats one of
the game counts as a draw below the root, as in lc0. The score is the result: 1, 0 or -1. A move's
mean score is the lead in pawns.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine._core import (
    MoveReport,
    NodeStats,
    SearchSettings,
    Values,
)
from engine.games.chess_position import ChessPosition
from engine.search.chess_evaluations import ChessEvaluation, ChessEvaluations
from engine.search.chess_node import Node, Numbers, child_of, line_below, node_at, size_of
from engine.search.endgame_tables import EndgameTables
from engine.values import Floats

NO_MOVE = -1.0  # the policy of an illegal move
LOST_PAWNS = 2.0  # the width of the curve of the utility by leads


class ChessTree:
    """The tree of one search. Used by one thread at a time."""

    def __init__(
        self,
        position: ChessPosition,
        settings: SearchSettings,
        _scales: object = None,
        evaluations: ChessEvaluations | None = None,
        network: int = 0,
        _seed: int = 0,
    ) -> None:
        """Takes the arguments of the core's trees; the scales and the seed have no use here.

        evaluations: shared with other searches; None: of this tree alone. network: the key of the
        network in them.
        """
        self._settings = settings
        self._evaluations, self._network = evaluations, network
        self.tables: EndgameTables | None = None  # exact values of leaves
        self._slots: dict[int, list[list[Node]]] = {}  # paths from the root to the leaves
        self._until: dict[int, Sequence[int]] = {}
        self._weights: Numbers | None = None
        self.playouts = self.in_flight = self.rows_evaluated = 0
        self.cache_hits = 0
        self.set_game(position)

    # ---- The root

    def set_game(self, game: ChessPosition) -> None:
        """Searches the position from scratch."""
        self._root = node_at(game.copy())
        self._weights = None
        self._count = 1

    def advance(self, move: int, game: ChessPosition) -> None:
        """Searches the position after the move and keeps its subtree."""
        found = np.flatnonzero(self._root.moves == move)
        child = self._root.children.get(int(found[0])) if len(found) else None
        if child is None or child.priors is None or child.position.is_repeated:
            self.set_game(game)
            return
        self._root, self._weights = child, None
        self._count = size_of(child)

    def set_settings(self, settings: SearchSettings) -> None:
        """Searches with other settings and clears the tree."""
        self._settings = settings
        self.set_game(self._root.position)

    def set_restriction(self, color: int, until: Sequence[int]) -> None:
        """Excludes moves of a color at the first depths; an empty sequence excludes none."""
        self._until[color] = until

    def set_prior_weights(self, weights: Sequence[float]) -> None:
        """Sets factors on the root's policy, [moves]; none: no factors."""
        self._weights = np.asarray(weights, np.float64)[self._root.moves] if len(weights) else None

    @property
    def root(self) -> NodeStats:
        """Averages of the root, White's view."""
        stats, node = NodeStats(), self._root
        stats.visits, stats.weight = node.visits, float(node.visits)
        stats.win_loss = stats.utility = stats.lead = stats.score_mean = node.mean
        stats.no_result = node.draws / max(node.visits, 1)
        stats.score_mean_square = 1.0 - stats.no_result
        return stats

    @property
    def root_values(self) -> Values:
        """The root's own evaluation, White's view."""
        values = Values()
        win_loss, draw = self._root.own or (0.0, 0.0)
        values.no_result = draw
        values.black_win = (1.0 - draw + win_loss) / 2
        values.white_win = (1.0 - draw - win_loss) / 2
        values.lead = values.score_mean = win_loss
        values.score_mean_square = 1.0 - draw
        return values

    @property
    def evaluated(self) -> bool:
        """Tests whether the root has an evaluation."""
        return self._root.own is not None

    @property
    def to_move(self) -> int:
        """The color to move at the root."""
        return self._root.position.to_move

    @property
    def position_hash(self) -> int:
        """The root's graph_hash."""
        return self._root.position.graph_hash

    @property
    def symmetry_hash(self) -> int:
        """The same: chess has no symmetry."""
        return self.position_hash

    @property
    def bounds(self) -> tuple[int, int] | None:
        """None: the tree proves nothing."""
        return None

    @property
    def proven(self) -> bool:
        """False: the tree proves nothing."""
        return False

    @property
    def nodes(self) -> int:
        """Number of nodes of the tree."""
        return self._count

    # ---- Playouts

    def begin(self, least_in_flight: int = 1) -> None:
        """Starts a search of the root."""
        self._least_in_flight = least_in_flight
        self.playouts = 0

    def select(
        self, slot: int, spatial: NDArray[np.uint8], globals_: Floats, rows: int, budget: int, /
    ) -> int:
        """Fills rows with leaves to evaluate and returns their number.

        spatial: [rows, 112, 8, 8]; globals_: [rows, 1].

        Playouts that end with the game are completed here.
        """
        paths: list[list[Node]] = []
        for _ in range(budget):
            if len(paths) == rows or (paths and self.in_flight >= self._most_in_flight()):
                break
            path = self._descend()
            leaf = path[-1]
            if leaf.own is None and leaf.pending:
                break  # its evaluation is under way
            if leaf.own is None:
                self._recall(leaf)
            if leaf.own is not None:
                self._finish(path, *leaf.own)
                continue
            spatial[len(paths)], globals_[len(paths)] = leaf.position.features()
            paths.append(path)
            self.in_flight += 1
            for node in path:
                node.pending += 1
        self._slots[slot] = paths
        return len(paths)

    def optimism(self, slot: int) -> float:  # noqa: ARG002
        """Returns 0: the networks have no optimistic policy."""
        return 0.0

    def update(
        self, slot: int, policy: Floats, value: Floats, misc: Floats, ownership: Floats
    ) -> None:
        """Completes the playouts of a slot. Raises RuntimeError for a non-finite output.

        policy: [rows, 1858] logits; value: [rows, 3] logits of win, loss, draw; the other arrays,
        [rows, ..], have no use.
        """
        del misc, ownership
        paths = self._slots.get(slot, [])
        rows = len(paths)
        if not (np.isfinite(policy[:rows]).all() and np.isfinite(value[:rows]).all()):
            raise RuntimeError("the network's output is not finite")
        self.abandon(slot)
        for row, path in enumerate(paths):
            leaf = path[-1]
            indices = leaf.position.policy_indices()[leaf.moves]
            win, loss, draw = map(float, _softmax(value[row], 1.0))
            evaluation = ChessEvaluation(policy[row, indices], win - loss, draw)
            if self._evaluations is not None:
                self._evaluations.store(self._key_of(leaf), evaluation)
            self._finish(path, *self._evaluated(leaf, evaluation))
        self.rows_evaluated += rows

    def _recall(self, leaf: Node) -> None:
        """Evaluates a leaf by the shared evaluations, if they have it."""
        if self._evaluations is None:
            return
        evaluation = self._evaluations.find(self._key_of(leaf))
        if evaluation is not None:
            self._evaluated(leaf, evaluation)
            self.cache_hits += 1

    def _evaluated(self, leaf: Node, evaluation: ChessEvaluation) -> tuple[float, float]:
        """Evaluates a leaf; returns its wins minus losses, White's view, and its draws."""
        leaf.priors = _softmax(evaluation.logits, self._settings.policy_temperature)
        leaf.own = (leaf.sign * evaluation.win_loss, evaluation.draw)
        return leaf.own

    def _key_of(self, leaf: Node) -> tuple[int, int]:
        return self._network, leaf.position.network_hash

    def emptied_root(self) -> Node:
        """Returns the root, evaluated and without playouts."""
        root = self._root
        root.children.clear()
        root.visits, root.win_loss, root.draws = 1, *(root.own or (0.0, 0.0))
        return root

    def recount(self) -> None:
        """Counts the nodes anew, after others were added."""
        self._count = size_of(self._root)

    def abandon(self, slot: int) -> None:
        """Drops the playouts of a slot."""
        for path in self._slots.pop(slot, []):
            self.in_flight -= 1
            for node in path:
                node.pending -= 1

    def _most_in_flight(self) -> int:
        settings = self._settings
        usual = settings.in_flight_factor * self._root.visits**settings.in_flight_exponent
        return max(1, self._least_in_flight, int(usual))

    def _finish(self, path: Sequence[Node], win_loss: float, draw: float) -> None:
        """Adds a playout's result, White's view, to the nodes of its path."""
        self.playouts += 1
        for node in path:
            node.visits += 1
            node.win_loss += win_loss
            node.draws += draw

    def _descend(self) -> list[Node]:
        """Returns the nodes from the root to a leaf, or to an end of the game."""
        path = [self._root]
        while path[-1].priors is not None:
            node = path[-1]
            index = self._best(node, len(path) - 1)
            if index is None:
                return path
            if index not in node.children:
                node.children[index] = self._child(node, index)
                self._count += 1
            path.append(node.children[index])
        return path

    def _child(self, node: Node, index: int) -> Node:
        """Returns the node after a move, with its exact value where a table knows it."""
        child = child_of(node, index)
        if self.tables is not None and child.own is None:
            result = self.tables.win_loss(child.position)
            if result is not None:
                child.own = (float(child.sign * result), float(result == 0))
        return child

    def _best(self, node: Node, depth: int) -> int | None:
        """Returns the index of the move to try; None without an allowed one."""
        settings, priors = self._settings, node.priors
        if priors is None or not len(priors):
            return None
        if depth == 0 and self._weights is not None and (priors * self._weights).sum() > 0:
            priors = priors * self._weights / (priors * self._weights).sum()
        visits, values = np.zeros(len(priors)), np.zeros(len(priors))
        for index, child in node.children.items():
            lost = settings.virtual_losses * child.pending
            visits[index] = child.visits + child.pending
            total = node.sign * child.win_loss - lost
            values[index] = total / max(child.visits + lost, 1e-9)
        tried = visits > 0
        reduction = settings.fpu_reduction_max if depth else settings.root_fpu_reduction_max
        first = node.sign * node.mean - reduction * math.sqrt(float(priors[tried].sum()))
        growth = math.log(1 + node.visits / settings.cpuct_exploration_base)
        cpuct = settings.cpuct_exploration + settings.cpuct_exploration_log * growth
        explored = cpuct * priors * math.sqrt(visits.sum() + 1) / (1 + visits)
        score = np.where(tried, values, first) + explored
        allowed = self._allowed(node, depth) & ((priors > 0) | (depth > 0))
        if not allowed.any():
            return None
        return int(np.argmax(np.where(allowed, score, -np.inf)))

    def _allowed(self, node: Node, depth: int) -> NDArray[np.bool_]:
        """Returns [n] whether the restriction leaves each move."""
        until = self._until.get(node.position.to_move, ())
        if not len(until):
            return np.ones(len(node.moves), np.bool_)
        return np.asarray(until)[node.moves] <= depth

    # ---- Results

    def report(self, pv_length: int = 20) -> list[MoveReport]:
        """Returns the root's moves with a visit, best first; before any, the likeliest move."""
        root = self._root
        tried = [index for index, child in root.children.items() if child.visits]
        if not tried and root.priors is not None and len(root.priors):
            allowed = self._allowed(root, 0)
            return [self._move_report(int(np.argmax(np.where(allowed, root.priors, -1.0))), 0, 1)]
        tried.sort(
            key=lambda index: (-root.children[index].visits, -root.sign * root.children[index].mean)
        )
        return [self._move_report(index, order, pv_length) for order, index in enumerate(tried)]

    def _move_report(self, index: int, order: int, pv_length: int) -> MoveReport:
        root, report = self._root, MoveReport()
        child = root.children.get(index)
        visits = child.visits if child is not None else 0
        known = child if child is not None and visits else root
        value = root.sign * known.mean
        utility = self._utility(known)
        report.move, report.order = int(root.moves[index]), order
        report.visits = report.edge_visits = visits
        report.weight = report.edge_weight = report.play_selection_value = float(visits)
        report.win_rate = (1 + value) / 2
        report.score_lead, report.score_mean = value, root.sign * known.lead_in_pawns
        report.utility = utility
        deviation = 1 / math.sqrt(visits + 1)
        report.lcb, report.utility_lcb = report.win_rate - deviation / 2, utility - deviation
        report.no_result = known.draws / max(known.visits, 1)
        report.score_stdev = math.sqrt(max(0.0, 1 - report.no_result - value * value))
        if root.priors is not None:
            report.prior = float(root.priors[index])
        line = line_below(child, pv_length - 1)
        report.pv = [report.move, *(move for move, _ in line)]
        report.pv_visits = report.pv_edge_visits = [visits, *(count for _, count in line)]
        return report

    def _utility(self, node: Node) -> float:
        """Returns a child's utility for the mover: its value, or its lead in pawns.

        Without a utility of wins the lead counts, relative to the root's: a level of people then
        loses as much when it is ahead as when the game is level.
        """
        if self._settings.win_loss_utility_factor > 0:
            return self._root.sign * node.mean
        behind = node.lead_in_pawns - self._root.lead_in_pawns
        return self._root.sign * math.tanh(behind / LOST_PAWNS)

    def ownership(self, move: int = -1) -> tuple[Floats, Floats]:  # noqa: ARG002
        """Returns two arrays of [0]: cells of chess have no owner."""
        return np.zeros(0, np.float32), np.zeros(0, np.float32)

    def policy(self) -> Floats:
        """Returns [moves] the root's prior, -1 if illegal or not evaluated."""
        policy = np.full(self._root.position.move_count, NO_MOVE, np.float32)
        if self._root.priors is not None:
            policy[self._root.moves] = self._root.priors
        return policy

    def symmetric_move(self, move: int, symmetry: int) -> int:  # noqa: ARG002
        """Returns the move: chess has no symmetry."""
        return move

    def symmetric_cell(self, cell: int, symmetry: int) -> int:  # noqa: ARG002
        """Returns the cell: chess has no symmetry."""
        return cell


def _softmax(logits: Floats, temperature: float) -> Numbers:
    scaled = logits.astype(np.float64) / temperature
    powers = np.exp(scaled - scaled.max())
    return np.asarray(powers / powers.sum())
