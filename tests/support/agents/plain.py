"""The papers' searches once more, slowly and in the obvious way, over the core's positions."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tests.support.agents.generator import Generator

# The upper half of each table, as published.
ROXANNE = "5 1 3 3 3 3 1 5 / 1 1 2 2 2 2 1 1 / 3 2 3 4 4 3 2 3 / 3 2 4 5 5 4 2 3"
PLACES = {
    6: "30 -5 2 2 -5 30 / -5 -15 3 3 -15 -5 / 2 3 0 0 3 2",
    8: "120 -20 20 5 5 20 -20 120 / -20 -40 -5 -5 -5 -5 -40 -20 / "
    "20 -5 15 3 3 15 -5 20 / 5 -5 3 3 3 3 -5 5",
}


def table(half: str) -> np.ndarray:
    """[size, size] of values, the lower half mirroring the upper one."""
    upper = np.array([[int(word) for word in row.split()] for row in half.split("/")])
    return np.concatenate([upper, upper[::-1]])


def signs(position: Any, color: int) -> np.ndarray:
    """1 for the color's discs, -1 for the opponent's."""
    stones = position.stones
    return (stones == color + 1).astype(int) - (stones == 2 - color).astype(int)


def result(position: Any, color: int) -> int:
    """1, 0, -1 of a finished game, as the color sees it."""
    return 0 if position.winner < 0 else (1 if position.winner == color else -1)


def places(position: Any, color: int, *, weighted: bool) -> int:
    """AlphaDDA's value of a position of Othello."""
    if position.is_over:
        return 1000 * result(position, color)
    values = table(PLACES[position.width]) if weighted else np.ones_like(position.stones, int)
    return int((values * signs(position, color)).sum())


def runs(mine: np.ndarray) -> dict[int, int]:
    """How many runs of discs there are by length, in the four directions."""
    height, width = mine.shape
    found: dict[int, int] = {}

    def at(y: int, x: int) -> bool:
        return 0 <= y < height and 0 <= x < width and bool(mine[y, x])

    for dy, dx in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for y in range(height):
            for x in range(width):
                if at(y, x) and not at(y - dy, x - dx):
                    length = 1
                    while at(y + length * dy, x + length * dx):
                        length += 1
                    found[length] = found.get(length, 0) + 1
    return found


def connections(position: Any, color: int, base: int) -> int:
    """AlphaDDA's value of a position of Connect4."""
    if position.is_over:
        return base**3 * result(position, color)
    by_side = [runs(signs(position, c) == 1) for c in (color, 1 - color)]
    own, other = (r.get(2, 0) * base + r.get(3, 0) * base**2 for r in by_side)
    return own - other


def minimax(
    position: Any, depth: int, color: int, value: Callable[[Any, int], int], *, published: bool
) -> int:
    """The value for `color`; published: of all leaves the least."""
    if depth == 0 or position.is_over:
        return value(position, color)
    values = []
    for move in position.legal_moves():
        child = position.copy()
        child.play(move)
        values.append(minimax(child, depth - 1, color, value, published=published))
    return max(values) if position.to_move == color and not published else min(values)


@dataclass
class Node:
    """A node of UCT."""

    move: int = -1
    visits: int = 0
    results: float = 0.0
    children: list[Node] = field(default_factory=list)


def random_game(position: Any, color: int, random: Generator) -> int:
    position = position.copy()
    while not position.is_over:
        moves = position.legal_moves()
        forced = moves == [position.pass_move]
        position.play(moves[0] if forced else moves[random.below(len(moves))])
    return result(position, color)


def uct(position: Any, playouts: int, seed: int) -> tuple[int, float, Node]:
    """(move, its mean result, the root)."""
    random = Generator(seed, position.move_number)
    root = Node(children=[Node(move) for move in position.legal_moves()])
    for _ in range(playouts):
        here, path = position.copy(), [(root, 1 - position.to_move)]
        while not here.is_over:
            node = path[-1][0]
            if not node.children and node.visits >= 5:
                node.children = [Node(move) for move in here.legal_moves()]
            if not node.children:
                break
            scores = [
                child.results / (child.visits + 1e-7)
                + 0.5 * math.sqrt(math.log(node.visits + 1) / (child.visits + 1e-7))
                for child in node.children
            ]
            best = node.children[scores.index(max(scores))]
            path.append((best, here.to_move))
            here.play(best.move)
        won = random_game(here, 0, random)
        for node, color in path:
            node.visits += 1
            node.results += won if color == 0 else -won
    visits = [child.visits for child in root.children]
    best = root.children[visits.index(max(visits))]
    return best.move, best.results / best.visits, root


def liang(position: Any, color: int) -> int:
    """Liang's evaluation with our factors, on 8x8."""
    discs = int(signs(position, color).sum())
    if position.is_over:
        return discs + 1_000_000 * result(position, color)
    own = signs(position, color)
    value = int((table(ROXANNE) * own).sum())
    value += -discs if (position.stones == 0).sum() > 32 else discs
    value -= 2 * sum(position.is_legal(cell, 1 - color) for cell in range(64))
    for y, inner_y in ((0, 1), (7, 6)):
        for x, inner_x in ((0, 1), (7, 6)):
            if own[y, x]:
                value += 20 * own[y, x]
            else:
                value -= 5 * int(own[y, inner_x] + own[inner_y, x] + own[inner_y, inner_x])
    return value


def roxanne_game(position: Any, color: int, random: Generator) -> int:
    position = position.copy()
    values = table(ROXANNE).ravel()
    while not position.is_over:
        moves = position.legal_moves()
        if moves != [position.pass_move]:
            best = max(values[move] for move in moves)
            moves = [move for move in moves if values[move] == best]
            position.play(moves[random.below(len(moves))])
        else:
            position.play(moves[0])
    return result(position, color)


def roxanne_search(position: Any, loops: int, seed: int) -> tuple[int, float]:
    """(move, its mean result) of Liang's Monte Carlo tree search."""
    random = Generator(seed, position.move_number)
    moves = random.shuffled(position.legal_moves())
    color = position.to_move
    children = []
    for move in moves:
        child = position.copy()
        child.play(move)
        children.append(child)
    init = [min(1.0, max(0.0, 0.5 + 0.5 * liang(child, color) / 50)) for child in children]
    visits, sums = [0] * len(moves), [0] * len(moves)
    for _ in range(loops):
        scores = [
            (sums[i] / visits[i] if visits[i] else 0.0) + 0.4 * init[i] / (1 + visits[i])
            for i in range(len(moves))
        ]
        i = scores.index(max(scores))
        here = children[i].copy()
        if not here.is_over:
            replies = here.legal_moves()
            forced = replies == [here.pass_move]
            here.play(replies[0] if forced else replies[random.below(len(replies))])
        sums[i] += roxanne_game(here, color, random)
        visits[i] += 1
    best = visits.index(max(visits))
    return moves[best], sums[best] / visits[best]
