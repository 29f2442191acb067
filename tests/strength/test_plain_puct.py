"""The search of `alphazero` against the paper's formula, written out plainly."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import pytest

from engine.games.evaluator import Evaluator
from engine.games.position import Position
from engine.games.table import GAMES
from engine.networks.bundled import bundled_networks
from engine.networks.raw import evaluate_raw
from engine.networks.runtime import load_evaluator
from engine.search.search import Search
from engine.strength.alphazero import plain_search
from engine.values import Limit
from tests.core.test_proofs import late
from tests.support.stand_in import StandInEvaluator

C_PUCT = 1.25


@dataclass
class Edge:
    move: int
    prior: float
    child: Node
    visits: int = 0
    total: float = 0.0  # W, from the mover's view

    def score(self, visits: int) -> float:
        """Q(s,a) + C_puct P(s,a) sqrt(N(s)) / (1 + N(s,a)), N(s) being `visits`."""
        mean = self.total / self.visits if self.visits else 0.0
        return mean + C_PUCT * self.prior * math.sqrt(visits) / (1 + self.visits)


@dataclass
class Node:
    position: Position
    visits: int = 0
    edges: list[Edge] = field(default_factory=list)


def kept(probability: float) -> float:
    """A probability as the core keeps it: its square root in 16 bits."""
    return ((math.floor(math.sqrt(probability) * 65534 + 1.5) - 1) / 65534) ** 2


def expand(evaluator: Evaluator, node: Node) -> float:
    """Opens the node's edges and returns its value, color 0's view."""
    position = node.position
    if position.is_over:
        return {0: 1.0, 1: -1.0, -1: 0.0}[position.winner]
    raw = evaluate_raw(evaluator, position)
    for move in position.legal_moves():
        after = position.copy()
        after.play(move)
        node.edges.append(Edge(move, kept(float(raw.policy[move])), Node(after)))
    return (raw.win - raw.loss) * (1 if position.to_move == 0 else -1)


def visits_by_the_formula(
    evaluator: Evaluator, position: Position, simulations: int
) -> dict[int, int]:
    root = Node(position)
    for _ in range(simulations):
        node, path = root, []
        while node.edges:
            edge = max(node.edges, key=lambda edge: edge.score(node.visits))
            path.append((node, edge))
            node = edge.child
        value = expand(evaluator, node)
        node.visits += 1
        for passed, edge in path:
            passed.visits += 1
            edge.visits += 1
            edge.total += value * (1 if passed.position.to_move == 0 else -1)
    return {edge.move: edge.visits for edge in root.edges if edge.visits}


def visits_by_the_search(
    evaluator: Evaluator, position: Position, simulations: int
) -> dict[int, int]:
    search = Search(evaluator, plain_search(), seed=simulations)
    search.set_position(position)
    return {move.move: move.edge_visits for move in search.run(Limit(visits=simulations)).moves}


@pytest.mark.parametrize("simulations", [2, 7, 40, 200, 400])
@pytest.mark.parametrize(
    ("game", "size", "empties"),
    [
        ("connect4", (7, 6), 42),
        ("connect4", (7, 6), 33),
        ("connect4", (7, 6), 23),
        ("othello", (6, 6), 32),
        ("othello", (6, 6), 18),
        ("othello", (6, 6), 6),
        ("othello", (8, 8), 40),
        ("othello", (8, 8), 6),
    ],
)
def test_visits_are_those_of_the_formula(
    game: str, size: tuple[int, int], empties: int, simulations: int
) -> None:
    position = late(game, size, empties, empties)
    evaluator = StandInEvaluator(game=game)
    expected = visits_by_the_formula(evaluator, position, simulations)
    assert visits_by_the_search(evaluator, position, simulations) == expected


def test_the_network_of_connect4_where_a_new_edge_is_better_than_a_lost_game() -> None:
    """All tried moves look lost, hence Q = 0 of new edges decides."""
    position = GAMES["connect4"].new_position(7, 6)
    for column in "3244621316374":
        position.play(int(column) - 1)
    evaluator = load_evaluator(
        bundled_networks("connect4")[7, 6], backend="native", precision="fp32"
    )
    expected = {1: 1, 2: 1, 3: 1, 4: 2, 5: 1}
    assert visits_by_the_formula(evaluator, position, 7) == expected
    assert visits_by_the_search(evaluator, position, 7) == expected
