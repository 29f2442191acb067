"""An opening book: its legal moves with their weights."""

from __future__ import annotations

from pathlib import Path
from struct import pack

import pytest

pytest.importorskip("chess", reason="needs python-chess: sparring[chess]")

import chess
import chess.polyglot

from engine.games.chess_game import read_uci, write_uci
from engine.games.chess_position import ChessPosition
from engine.search.opening_book import OpeningBook

CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"


def write_book(path: Path, entries: list[tuple[str, str, int]]) -> Path:
    """Writes a book of (FEN, move with castling to the rook, weight)s."""
    rows = []
    for fen, word, weight in entries:
        move = chess.Move.from_uci(word)
        number = move.to_square | move.from_square << 6 | max((move.promotion or 1) - 1, 0) << 12
        rows.append((chess.polyglot.zobrist_hash(chess.Board(fen)), number, weight))
    path.write_bytes(b"".join(pack(">QHHI", *row, 0) for row in sorted(rows)))
    return path


def test_the_moves_of_a_position_have_their_weights(tmp_path: Path) -> None:
    start = chess.STARTING_FEN
    rows = [(start, "e2e4", 30), (start, "d2d4", 10), (start, "a1a5", 9), (start, "c2c4", 0)]
    book = OpeningBook(write_book(tmp_path / "book.bin", rows))
    moves = book.moves(ChessPosition())
    assert {write_uci(move): weight for move, weight in moves.items()} == {"e2e4": 30, "d2d4": 10}
    assert book.moves(ChessPosition("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")) == {}


@pytest.mark.parametrize(("chess960", "word"), [(False, "e1g1"), (True, "e1h1")])
def test_castling_is_the_move_of_our_numbers(tmp_path: Path, chess960: bool, word: str) -> None:
    book = OpeningBook(write_book(tmp_path / "book.bin", [(CASTLING, "e1h1", 5)]))
    position = ChessPosition(CASTLING, chess960=chess960)
    assert book.moves(position) == {read_uci(word): 5}
    assert position.is_legal(read_uci(word))
