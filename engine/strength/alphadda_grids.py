"""The candidates of AlphaDDA's constants: the grid searches of the paper's tables A2 to A4.

Fujita, AlphaDDA, PeerJ CS 8:e1123, 2022. The module has the constants and the opponents of the grid
search; engine.lab.tuning evaluates their games.
"""

from __future__ import annotations

from itertools import product
from typing import Any

from engine.games.table import Board
from engine.strength.alphadda import (
    CONNECT4,
    OTHELLO6,
    OTHELLO8,
    Balance,
    Constants,
    Damage,
    Simulations,
    row_of,
)

KINDS: dict[str, type[Constants]] = {  # by the persona of these constants
    "alphadda1": Simulations,
    "alphadda2": Damage,
    "alphadda3": Balance,
}
OPPONENTS = ("alphazero", "mcts1", "mcts2", "minimax1", "random")  # the opponents of the metric D
Axes = tuple[tuple[float, ...], ...]  # the candidates of each constant, in the constants' order

GRIDS: dict[str, dict[str, Axes]] = {
    "alphadda1": {  # N_h, A_sim, B_sim0, N_max
        CONNECT4: (
            (1, 2, 3, 4),
            (1.6, 2.0, 2.4),
            (-1.6, -1.5, -1.4, -1.3, -1.2),
            (200, 300, 400),
        ),
        OTHELLO6: (
            (1, 2, 3, 4, 5),
            (1.4, 1.6, 2.0, 2.4),
            (-1.8, -1.6, -1.4, -1.2),
            (200, 300, 400),
        ),
        OTHELLO8: (
            (1, 2, 3, 4, 5),
            (1.6, 2.0, 2.4, 2.8),
            (-1.8, -1.6, -1.4, -1.2),
            (400, 600),
        ),
    },
    "alphadda2": {  # N_h, A_drop, P_drop0
        CONNECT4: ((1, 2, 3, 4), (0.5, 1, 5, 10, 20), (-0.9, -0.8, -0.6, -0.4, -0.2, 0.0)),
        OTHELLO6: ((1, 2, 3, 4), (1, 5, 10, 20), (-0.9, -0.8, -0.6, -0.5, -0.4)),
        OTHELLO8: ((1, 2, 3, 4, 5), (5, 10, 20, 40), (-0.9, -0.8, -0.6, -0.4)),
    },
    "alphadda3": {  # N_h, C
        CONNECT4: ((1, 2, 3, 4, 5), (0.25, 0.5, 0.75, 1.0, 1.25)),
        OTHELLO6: ((1, 2, 3, 4, 5), (0.25, 0.5, 0.6, 0.75, 0.9, 1.0)),
        OTHELLO8: ((1, 2, 3, 4, 5), (0.25, 0.5, 0.6, 0.75, 0.9, 1.0)),
    },
}


def grid(persona: str, board: Board) -> list[Constants]:
    """Returns all constants of the paper's grid for a board, or for the nearest of its three.

    persona: a key of GRIDS.
    """
    kind: Any = KINDS[persona]
    return [kind(*values) for values in product(*GRIDS[persona][row_of(board)])]
