"""The planes of lc0's convolutional policy for chess.

Plane p, square s is the value of the move of kind p from square s. The kinds are 7 distances in
each of 8 directions, 8 moves of a knight, and 9 promotions; the order is that of lc0's
src/neural/shared/policy_map.h.
"""

from __future__ import annotations

from engine.games.chess_policy import (
    DIRECTIONS,
    KNIGHT_MOVES,
    POLICY_MOVES,
    SIDE,
    SQUARES,
    PolicyMove,
)

DISTANCES = SIDE - 1
FIRST_KNIGHT_PLANE = DISTANCES * len(DIRECTIONS)
FIRST_PROMOTION_PLANE = FIRST_KNIGHT_PLANE + len(KNIGHT_MOVES)
PROMOTION_PLANES = "rbq"  # to the left, straight on, and to the right
POLICY_PLANES = FIRST_PROMOTION_PLANE + 3 * len(PROMOTION_PLANES)  # lc0's files have some unused


def plane_of(move: PolicyMove) -> int:
    """Returns the plane of a move, 0..POLICY_PLANES - 1."""
    files = move.end % SIDE - move.start % SIDE
    ranks = move.end // SIDE - move.start // SIDE
    if move.promotion:
        kind = PROMOTION_PLANES.index(move.promotion)
        return FIRST_PROMOTION_PLANE + len(PROMOTION_PLANES) * (files + 1) + kind
    if (files, ranks) in KNIGHT_MOVES:
        return FIRST_KNIGHT_PLANE + KNIGHT_MOVES.index((files, ranks))
    distance = max(abs(files), abs(ranks))
    direction = DIRECTIONS.index((files // distance, ranks // distance))
    return DISTANCES * direction + distance - 1


# By index of the policy: plane * 64 + square of departure.
POLICY_CELLS = tuple(plane_of(move) * SQUARES + move.start for move in POLICY_MOVES)
