"""Syzygy's endgame tables, as python-chess reads them: exact results of positions of few pieces.

A result holds under the rule of fifty moves. Files are opened when a position first needs them, and
stay open.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

import chess
import chess.syzygy

from engine.errors import SettingError
from engine.games.chess_position import ChessPosition

SURE_WDL = 2  # of the tables' values; 1 is a win that the rule of fifty moves may take away
MOST_PLIES = 99  # half-moves without a capture or a pawn's move within which a win stays a win
OPEN_FILES = 128


@dataclass(frozen=True, slots=True)
class TableMove:
    """The exact result of a move, as its player sees it."""

    result: int  # 1 win, 0 draw, -1 loss
    # Half-moves to a mate or to progress before it (a capture, a pawn's move), with this one.
    plies: int


class EndgameTables:
    """The tables of some folders. Several threads may use it."""

    def __init__(self, tables: chess.syzygy.Tablebase) -> None:
        self._tables = tables
        names = [key for key in tables.wdl if key in tables.dtz]
        self.most_pieces = max((len(name) - 1 for name in names), default=0)  # KQvK has 3

    @classmethod
    def in_folders(cls, folders: Sequence[str]) -> Self:
        """Reads the names of the files. Raises SettingError where a folder holds no table."""
        tables = chess.syzygy.Tablebase(max_fds=OPEN_FILES)
        for folder in folders:
            try:
                count = tables.add_directory(folder)
            except OSError as error:
                raise SettingError(f"cannot read the folder {folder!r}: {error}") from error
            if not count:
                raise SettingError(f"no Syzygy table (.rtbw, .rtbz) in the folder {folder!r}")
        return cls(tables)

    def win_loss(self, position: ChessPosition) -> int | None:
        """Returns the result for the side to move, 1, 0 or -1; None where no table knows it.

        The tables leave out the clock of fifty moves: a position has a result here after a capture
        or a pawn's move alone.
        """
        board = position.board
        if board.halfmove_clock or not self._may_know(board):
            return None
        value = self._tables.get_wdl(board)
        return None if value is None else _result(value)

    def moves(self, position: ChessPosition) -> dict[int, TableMove] | None:
        """Returns the exact results of all legal moves; None where no table knows one of them."""
        board = position.board
        if position.is_over or not self._may_know(board):
            return None
        found: dict[int, TableMove] = {}
        for move in position.legal_moves():
            valued = self._valued(position, move, board.halfmove_clock)
            if valued is None:
                return None
            found[move] = valued
        return found

    def _may_know(self, board: chess.Board) -> bool:
        return chess.popcount(board.occupied) <= self.most_pieces and not board.castling_rights

    def _valued(self, position: ChessPosition, move: int, clock: int) -> TableMove | None:
        after = position.copy()
        after.play(move)
        if after.is_over:
            return TableMove(int(after.winner == position.to_move), 1)
        board = after.board
        value = self._tables.get_wdl(board)
        if value is None:
            return None
        result = -_result(value)
        if board.halfmove_clock == 0:
            return TableMove(result, 1)
        distance = self._tables.get_dtz(board)
        if distance is None:
            return None
        plies = 1 + abs(distance)
        if plies + clock > MOST_PLIES:
            result = 0
        return TableMove(result, plies)


@lru_cache
def open_tables(folders: str) -> EndgameTables:
    """Returns the tables of folders, separated as in PATH; searches share them.

    Raises SettingError as EndgameTables.in_folders.
    """
    return EndgameTables.in_folders(folders.split(os.pathsep))


def _result(value: int) -> int:
    """Returns the result of the tables' value: a win or a loss beyond fifty moves is a draw."""
    if abs(value) < SURE_WDL:
        return 0
    return 1 if value > 0 else -1
