"""Mirror Go: an opponent who answers each move at the opposite point, and the moves against it.

The test for a mirroring opponent follows KataGo's cpp/search/searchmirror.cpp. The factors raise
the policy of the centre at the root alone; KataGo also changes the tree below it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from engine.values import Floats

LEAST_MIRRORED, MIRRORED_SHARE = 7.0, 0.5  # answers by mirroring: a number, plus a share of all
RECENT_SHARE, DECAY = 0.45, 0.75  # share of the recent answers; weight of an answer by its age
CENTRE_POLICY = 0.3  # share of the policy that the centre gains
LEAST_POLICY = 1e-4  # of the centre before the factor


def is_mirrored(moves: Sequence[tuple[int, int]], to_move: int, cells: int) -> bool:
    """Whether the opponent of the side to move mirrors its moves.

    moves: (color, cell) of the game, a pass being `cells`. cells: points of the board.
    """
    mirrored, answers, recent, recent_answers, last = 0, 0, 0.0, 0.0, False
    for (_, before), (color, move) in pairwise(moves):
        if color == to_move:
            continue
        last = move < cells and before == cells - 1 - move
        recent = DECAY * (recent + last)
        recent_answers = DECAY * (recent_answers + 1)
        mirrored, answers = mirrored + last, answers + 1
    enough = mirrored >= LEAST_MIRRORED + MIRRORED_SHARE * answers
    return last and enough and recent >= RECENT_SHARE * recent_answers


def centre_factors(policy: Floats, cells: int) -> Floats | None:
    """Returns [moves] factors in favour of the centre; None where there is none or it is taken.

    policy: [moves] of the side to move, below 0 for illegal moves. cells: points of the board.
    """
    centre = cells // 2
    if cells % 2 == 0 or policy[centre] < 0:
        return None
    before = max(float(policy[centre]), LEAST_POLICY)
    after = before + CENTRE_POLICY * (1 - before)
    factors = np.ones(len(policy), np.float32)
    factors[centre] = after / before * (1 - before) / (1 - after) if before < 1 else 1.0
    return factors
