"""The table of balance in AlphaDDA's paper, for comparison.

Fujita, AlphaDDA, PeerJ Computer Science 8:e1123, 2022: each AlphaDDA's shares won and lost of 100
games, 50 a color.
"""

from __future__ import annotations

from engine.match.game_spec import GameSpec

PERSONAS = ("alphadda1", "alphadda2", "alphadda3")
Shares = tuple[float, float]  # won, lost

# The board -> the opponent -> the shares won and lost of each of PERSONAS.
TABLES: dict[str, dict[str, tuple[Shares, Shares, Shares]]] = {
    "connect4": {
        "alphazero": ((0.02, 0.02), (0.01, 0.19), (0.0, 0.72)),
        "mcts1": ((0.22, 0.76), (0.29, 0.67), (0.0, 1.0)),
        "mcts2": ((0.46, 0.54), (0.55, 0.42), (0.01, 0.98)),
        "mcts3": ((0.32, 0.63), (0.39, 0.52), (0.0, 0.98)),
        "mcts4": ((0.58, 0.41), (0.79, 0.20), (0.02, 0.95)),
        "minimax1": ((0.69, 0.30), (0.73, 0.27), (0.0, 0.99)),
        "minimax2": ((0.68, 0.32), (0.94, 0.06), (0.04, 0.96)),
        "random": ((0.98, 0.02), (1.0, 0.0), (0.46, 0.49)),
    },
    "othello6": {
        "alphazero": ((0.23, 0.62), (0.19, 0.80), (0.0, 1.0)),
        "mcts1": ((0.29, 0.61), (0.27, 0.67), (0.01, 0.98)),
        "mcts2": ((0.57, 0.38), (0.55, 0.38), (0.0, 0.93)),
        "mcts3": ((0.40, 0.54), (0.52, 0.44), (0.02, 0.98)),
        "mcts4": ((0.62, 0.33), (0.69, 0.28), (0.03, 0.92)),
        "minimax1": ((0.65, 0.34), (0.75, 0.19), (0.27, 0.44)),
        "minimax2": ((0.96, 0.04), (0.95, 0.05), (0.63, 0.06)),
        "random": ((0.96, 0.02), (0.94, 0.04), (0.40, 0.44)),
    },
    "othello8": {
        "alphazero": ((0.56, 0.44), (0.47, 0.50), (0.0, 1.0)),
        "mcts1": ((0.35, 0.60), (0.35, 0.62), (0.0, 0.96)),
        "mcts2": ((0.52, 0.43), (0.55, 0.37), (0.01, 0.92)),
        "mcts3": ((0.36, 0.56), (0.46, 0.45), (0.01, 0.98)),
        "mcts4": ((0.71, 0.27), (0.73, 0.21), (0.05, 0.89)),
        "minimax1": ((0.64, 0.32), (0.74, 0.22), (0.13, 0.67)),
        "minimax2": ((0.59, 0.39), (0.82, 0.17), (0.13, 0.87)),
        "random": ((0.96, 0.03), (0.99, 0.01), (0.43, 0.38)),
    },
}


def published(start: GameSpec, persona: str, opponent: str) -> float | None:
    """Returns the paper's |share won - share lost|; None if it has no such game.

    >>> round(published(GameSpec("connect4", 7, 6), "alphadda1", "random"), 2)
    0.96
    """
    row = TABLES.get(start.name, {}).get(opponent)
    if row is None or persona not in PERSONAS:
        return None
    won, lost = row[PERSONAS.index(persona)]
    return abs(won - lost)
