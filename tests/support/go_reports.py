"""Drawn boards of Go at the end, and hand-made reports about them."""

from __future__ import annotations

import numpy as np

from engine._core import GoPosition
from engine.values import Report, RootStats

# Black has the left, White the right; C2 is a white stone that can be captured at any time.
FINISHED = """
. X . X O . O .
X X X X O O O O
. X . X O . O .
X X O X O O . O
. X . X O . O .
"""
BLACK_ROOT = RootStats(
    to_move=0, visits=100, win_rate=0.5, no_result=0.0, score_lead=0.0, score_mean=0.0,
    score_stdev=5.0, utility=0.0, weight=100.0, raw_win_rate=0.5, raw_score_lead=0.0,
    raw_score_mean=0.0, raw_score_stdev=5.0, raw_no_result=0.0, raw_win_loss_error=-1.0,
    raw_score_error=-1.0, raw_variance_time=-1.0, position_hash=0, symmetry_hash=0,
)  # fmt: skip


def report_of(position: GoPosition, owners: str, *, lead: float = 0.0) -> Report:
    """Returns a report with the drawn ownership: X Black's, O White's, . neutral."""
    values = {"X": 1.0, "O": -1.0, ".": 0.0, "?": 0.4}
    black = np.array([values[cell] for row in owners.strip().splitlines() for cell in row.split()])
    sign = 1 if position.to_move == 0 else -1
    root = RootStats(**{
        **{name: getattr(BLACK_ROOT, name) for name in RootStats.__slots__},
        "to_move": position.to_move,
        "score_lead": lead,
        "score_mean": lead,
        "utility": lead / 10,
    })  # fmt: skip
    return Report(
        root=root,
        moves=(),
        policy=np.zeros(black.size + 1, np.float32),
        seconds=0.0,
        playouts=0,
        ownership=(sign * black).astype(np.float32),
    )


OWNERS = "\n".join(["X X X X O O O O"] * 5)
C2 = 3 * 8 + 2


def passed_twice(position: GoPosition) -> GoPosition:
    position.play(position.pass_move)
    position.play(position.pass_move)
    return position
