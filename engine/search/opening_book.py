"""An opening book of chess in Polyglot's format, as python-chess reads it."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import chess.polyglot

from engine.errors import SettingError
from engine.games.chess_game import MOVE_NUMBERS
from engine.games.chess_position import ChessPosition


class OpeningBook:
    """The book of a file. Several threads may use it."""

    def __init__(self, path: Path) -> None:
        """Raises SettingError quoting a file that is none or cannot be read."""
        try:
            self._entries = chess.polyglot.MemoryMappedReader(path)
        except OSError as error:
            raise SettingError(f"cannot read the opening book {str(path)!r}: {error}") from error

    def __len__(self) -> int:
        return len(self._entries)

    def moves(self, position: ChessPosition) -> dict[int, int]:
        """Returns the book's legal moves with their weights, above 0; empty outside the book."""
        weights: dict[int, int] = {}
        for entry in self._entries.find_all(position.board):
            move = MOVE_NUMBERS[entry.move.uci()]
            weights[move] = weights.get(move, 0) + entry.weight
        return weights


@lru_cache
def open_book(path: str) -> OpeningBook:
    """Returns the book of a file; searches share it. Raises SettingError as OpeningBook."""
    return OpeningBook(Path(path))
