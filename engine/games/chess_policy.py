"""The moves of lc0's policy for chess, by their index.

An index means a move of the side to move, which sees the board from its own side: square 0 is a1,
7 is h1, 63 is h8 for White. The order is that of lc0's table in src/chess/bitboard.cc: every move
of a queen or of a knight on the empty board, by its squares, and then the promotions. A promotion
to a knight is the plain move; castling is the move of the king to its own rook.
"""

from __future__ import annotations

from typing import NamedTuple

SIDE = 8
SQUARES = 64
PROMOTIONS = "qrb"  # in the order of the indices
# (files, ranks) of a direction, clockwise from the opponent's side, and of a knight's move.
DIRECTIONS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
KNIGHT_MOVES = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


class PolicyMove(NamedTuple):
    """A move from the view of the side to move."""

    start: int  # square
    end: int  # square
    promotion: str = ""  # one of PROMOTIONS, or empty


def _is_on_a_line(files: int, ranks: int) -> bool:
    """Whether a queen or a knight moves so far."""
    straight = (files == 0) != (ranks == 0) or (files != 0 and abs(files) == abs(ranks))
    return straight or (files, ranks) in KNIGHT_MOVES


def _moves() -> tuple[PolicyMove, ...]:
    plain = [
        PolicyMove(start, end)
        for start in range(SQUARES)
        for end in range(SQUARES)
        if _is_on_a_line(end % SIDE - start % SIDE, end // SIDE - start // SIDE)
    ]
    before_last, last = SQUARES - 2 * SIDE, SQUARES - SIDE
    promotions = [
        PolicyMove(before_last + file, last + target, piece)
        for file in range(SIDE)
        for target in range(max(file - 1, 0), min(file + 2, SIDE))
        for piece in PROMOTIONS
    ]
    return (*plain, *promotions)


POLICY_MOVES = _moves()  # by index
POLICY_INDEX = {move: index for index, move in enumerate(POLICY_MOVES)}
