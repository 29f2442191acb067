"""The pieces of a game of chess, followed for one purpose: castling has two notations.

The specification says that the king takes its own rook (e1h1); its example and standard games have
the king's two steps (e1g1). Both are read in every game. No rule of chess is checked here.
"""

from __future__ import annotations

import re

from bots.fields import WireError

USUAL_ROWS = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
_MOVE = re.compile(r"([a-h][1-8])([a-h][1-8])([nbrqk]?)", re.ASCII)
_KING_FILES = {1: "g", -1: "c"}  # after castling to the right and to the left
_ROOK_FILES = {1: "f", -1: "d"}


class ChessPieces:
    """The pieces by square, as letters of a FEN."""

    def __init__(self, fen: str = "") -> None:
        self._pieces = _pieces_of(fen.split(maxsplit=1)[0] if fen else USUAL_ROWS)

    def play(self, move: str, *, is_chess960: bool) -> str:
        """Plays a move and returns it in the notation of its game.

        is_chess960: castling is returned as the king that takes its rook, else as the king's two
        steps. Raises WireError on a text that is no move.
        """
        match = _MOVE.fullmatch(move)
        if match is None:
            raise WireError(f"no move of chess: {move[:40]!a}")
        start, end, promotion = match[1], match[2], match[3]
        piece = self._pieces.get(start)
        if piece is None:
            raise WireError(f"no piece stands on {start}")
        rook = self._castling_rook(piece, start, end)
        if rook is not None:
            return self._castle(piece, start, rook, is_chess960=is_chess960)
        if piece in "Pp" and start[0] != end[0] and end not in self._pieces:
            self._pieces.pop(end[0] + start[1], None)  # taken en passant
        del self._pieces[start]
        promoted = promotion.upper() if piece.isupper() else promotion
        self._pieces[end] = promoted or piece
        return move

    def _castling_rook(self, piece: str, start: str, end: str) -> str | None:
        """Returns the rook's square if a move castles in either notation."""
        if piece not in "Kk" or start[1] != end[1]:
            return None
        rook = "R" if piece == "K" else "r"
        if self._pieces.get(end) == rook:
            return end
        steps = ord(end[0]) - ord(start[0])
        if abs(steps) < 2:
            return None
        files = "hgfedcba" if steps > 0 else "abcdefgh"
        beyond = [file for file in files if (file > start[0]) == (steps > 0) and file != start[0]]
        return next(
            (file + start[1] for file in beyond if self._pieces.get(file + start[1]) == rook), None
        )

    def _castle(self, king: str, start: str, rook: str, *, is_chess960: bool) -> str:
        way = 1 if rook > start else -1
        rank = start[1]
        rook_piece = self._pieces.pop(rook)
        del self._pieces[start]
        self._pieces[_KING_FILES[way] + rank] = king
        self._pieces[_ROOK_FILES[way] + rank] = rook_piece
        return start + (rook if is_chess960 else _KING_FILES[way] + rank)


def _pieces_of(rows: str) -> dict[str, str]:
    pieces = {}
    for down, row in enumerate(rows.split("/")):
        file = 0
        for letter in row:
            if letter in "12345678":
                file += int(letter)
            elif letter in "pnbrqkPNBRQK" and file < 8 and down < 8:
                pieces[f"{'abcdefgh'[file]}{8 - down}"] = letter
                file += 1
            else:
                raise WireError(f"no rows of a FEN: {rows[:100]!a}")
    return pieces
