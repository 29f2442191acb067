"""AlphaDDA3's tree against the paper's formulas in a few lines of plain Python."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from engine import _core
from engine._core import Connect4Position, GoPosition, GoRules, OthelloPosition

NEW: dict[str, Any] = {
    "connect4": Connect4Position,
    "othello": lambda: OthelloPosition(6),
    "go": lambda: GoPosition(5, 5, GoRules(), 7.5),
}
TREES: dict[str, Any] = {
    "connect4": _core.Connect4BalanceTree,
    "othello": _core.OthelloBalanceTree,
    "go": _core.GoBalanceTree,
}


def logits(spatial: np.ndarray, globals_: np.ndarray) -> np.ndarray:
    """[1, 3], drawn by what a network would see."""
    seed = int((spatial.ravel() * np.arange(1, spatial.size + 1)).sum() + 1e4 * abs(globals_[0]))
    return np.random.default_rng(seed).normal(0, 1.0, (1, 3)).astype(np.float32)


@dataclass
class Plain:
    """A node; `visits` and `sums` are those of its edges, by move."""

    position: Any
    visits: dict[int, int] = field(default_factory=dict)
    sums: dict[int, float] = field(default_factory=dict)
    children: dict[int, Plain] = field(default_factory=dict)

    def best(self, exploration: float) -> int:
        total = sum(self.visits.values())

        def bound(move: int) -> float:
            n = self.visits[move]
            return self.sums[move] / max(1, n) + exploration * math.sqrt(
                2 * math.log(total + 1) / (n + 1)
            )

        return max(self.visits, key=bound)  # the first of equals


def value_of(position: Any) -> float:
    """+1 where color 0 wins."""
    if position.is_over:
        return {0: 1.0, 1: -1.0, -1: 0.0}[position.winner]
    win, loss, _ = logits(*position.features())[0].astype(float)
    mover = math.tanh((win - loss) / 2)  # what the odds of two come to
    return mover if position.to_move == 0 else -mover


def simulate(root: Plain, exploration: float, mean_value: float) -> None:
    path, node = [], root
    while node.visits:
        move = node.best(exploration)
        path.append((node, move))
        if move not in node.children:
            position = node.position.copy()
            position.play(move)
            node.children[move] = Plain(position)
        node = node.children[move]
    value, own = value_of(node.position), root.position.to_move
    if not node.position.is_over:
        node.visits = dict.fromkeys(node.position.legal_moves(), 0)
        node.sums = dict.fromkeys(node.visits, 0.0)
    for parent, move in path:
        color = 1 if parent.position.to_move == own else -1
        parent.visits[move] += 1
        parent.sums[move] -= abs(value + mean_value * color)


def simulated(tree: Any, position: Any, simulations: int) -> Any:
    """The core's moves after so many simulations of a network that says `logits`."""
    planes, globals_ = position.features()
    spatial, row = planes[None].copy(), globals_[None].copy()
    while tree.simulations < simulations:
        if tree.select(spatial, row):
            tree.update(logits(spatial[0], row[0]))
    return tree.moves()


def late(game: str, empty: int, seed: int) -> Any:
    """A position of a random game with so many empty cells, not over."""
    rng = np.random.default_rng(seed)
    while True:
        position = NEW[game]()
        while not position.is_over and (position.stones == 0).sum() > empty:
            position.play(int(rng.choice(position.legal_moves())))
        if not position.is_over:
            return position


@pytest.mark.parametrize("mean_value", [0.0, 0.35, -0.8])
@pytest.mark.parametrize(
    ("game", "empty"),
    [("connect4", 99), ("connect4", 9), ("othello", 99), ("othello", 5), ("go", 99), ("go", 8)],
)
def test_the_tree_is_the_plain_one(game: str, empty: int, mean_value: float) -> None:
    position = late(game, empty, seed=empty)
    for exploration in (0.25, 1.25):
        root = Plain(position)
        tree = TREES[game](position, exploration=exploration, mean_value=mean_value)
        done = 0
        for simulations in (1, 8, 90):
            for _ in range(simulations - done):
                simulate(root, exploration, mean_value)
            done = simulations
            found = simulated(tree, position, simulations)
            assert {move.move: move.visits for move in found} == root.visits
            assert sum(move.visits for move in found) == simulations - 1  # the first is the root's
            for move in found:
                mean = -root.sums[move.move] / max(1, move.visits)
                assert move.distance == pytest.approx(mean, abs=1e-9)


def test_it_looks_for_what_undoes_the_lead() -> None:
    """Of a win and a loss at once, it takes the loss while it is ahead, else the win."""
    position = Connect4Position()
    for column in (0, 6, 0, 6, 0, 6):  # either column ends or saves the game: 0 wins, 6 is wanted
        position.play(column)
    for mean_value, expected in ((1.0, False), (-1.0, True)):
        tree = _core.Connect4BalanceTree(position, exploration=0.25, mean_value=mean_value)
        moves = simulated(tree, position, 200)
        most = max(moves, key=lambda move: move.visits)
        assert (most.move == 0) == expected


def test_wrong_use_is_refused() -> None:
    position = Connect4Position()
    tree = _core.Connect4BalanceTree(position, exploration=1.0, mean_value=0.0)
    planes, globals_ = position.features()
    spatial, row = planes[None].copy(), globals_[None].copy()
    value = np.zeros((1, 3), np.float32)
    with pytest.raises(ValueError, match="awaits none"):
        tree.update(value)
    with pytest.raises(ValueError, match="spatial must be"):
        tree.select(spatial[:, :2].copy(), row)
    assert tree.select(spatial, row)
    with pytest.raises(ValueError, match="awaits its update"):
        tree.select(spatial, row)
    with pytest.raises(ValueError, match=r"value must be \[n, 3\]"):
        tree.update(np.zeros((1, 2), np.float32))
    tree.update(value)
    assert tree.select(spatial, row)
    with pytest.raises(RuntimeError, match="not finite"):
        tree.update(np.full((1, 3), np.nan, np.float32))
    assert tree.simulations == 1
    over = Connect4Position()
    for column in (0, 1, 0, 1, 0, 1, 0):
        over.play(column)
    with pytest.raises(ValueError, match="the game is over"):
        _core.Connect4BalanceTree(over, exploration=1.0, mean_value=0.0)
