"""lc0's 112 input planes for chess, as the side to move sees the boards.

The planes are those of lc0's src/neural/encoder.cc for the classical input: 13 for each of the last
8 boards (6 kinds of own pieces, 6 of the opponent's, and a repetition), 4 castling rights, the
color, the clock of moves without capture or pawn move, zeros and ones. Row 0 is the own first rank.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engine.games.chess_policy import SIDE, SQUARES

BOARDS = 8
KINDS = 6  # pawn, knight, bishop, rook, queen, king
BOARD_PLANES = 2 * KINDS + 1
CASTLING, COLOR, CLOCK, ONES = 104, 108, 109, 111
PLANES = 112
LARGEST_CLOCK = 255
WHITE = 0
ALL = (1 << SQUARES) - 1


@dataclass(frozen=True, slots=True)
class PastBoard:
    """The pieces of a board, as sets of squares: bit 0 is a1, bit 63 is h8."""

    pieces: tuple[int, ...]  # White's pawns, knights, .. king, then Black's: [12]
    repeats: bool  # the position has occurred before in the game


@dataclass(frozen=True, slots=True)
class ChessState:
    """The rest of a position, beside its boards."""

    to_move: int
    castling: tuple[bool, bool, bool, bool]  # White's queenside, kingside, Black's the same
    clock: int  # half-moves since the last capture or pawn move


def planes_of(boards: Sequence[PastBoard], state: ChessState) -> NDArray[np.uint8]:
    """Returns [112, 8, 8]; boards: at most 8, the present one first."""
    black = state.to_move != WHITE
    seen = boards[:BOARDS]
    pieces = np.array([board.pieces for board in seen], np.uint64).reshape(-1, 2 * KINDS)
    if black:
        pieces = turned(np.roll(pieces, KINDS, axis=1))
    sets = np.zeros((BOARDS, BOARD_PLANES), np.uint64)
    sets[: len(seen), : 2 * KINDS] = pieces
    sets[: len(seen), 2 * KINDS] = [ALL if board.repeats else 0 for board in seen]
    squares = np.unpackbits(sets.astype("<u8").view(np.uint8), bitorder="little")
    planes = np.zeros((PLANES, SIDE, SIDE), np.uint8)
    planes[:CASTLING] = squares.reshape(CASTLING, SIDE, SIDE)
    own, other = state.castling[:2], state.castling[2:]
    rights = (*other, *own) if black else (*own, *other)
    planes[CASTLING : CASTLING + 4] = np.array(rights, np.uint8)[:, None, None]
    planes[COLOR] = black
    planes[CLOCK] = min(state.clock, LARGEST_CLOCK)
    planes[ONES] = 1
    return planes


def turned(squares: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Returns [..] the sets of squares [..] from the other side: rank 1 becomes rank 8."""
    return squares.byteswap()


def before_double_step(board: PastBoard, target: int | None, mover: int) -> PastBoard:
    """Returns the board with the pawn back that has just passed the square `target`.

    target: the en-passant square, None without one. mover: the side to move, which did not move it.
    """
    if target is None:
        return board
    behind, ahead = (
        (target + SIDE, target - SIDE) if mover == WHITE else (target - SIDE, target + SIDE)
    )
    pawns = KINDS if mover == WHITE else 0
    pieces = list(board.pieces)
    pieces[pawns] = pieces[pawns] & ~(1 << ahead) | 1 << behind
    return replace(board, pieces=tuple(pieces))
