"""Moves on the wire and in the engine's GTP, one pair of functions a notation.

Each function takes all moves of the game, as a move may depend on those before it. It raises
WireError on a text that is no move.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bots.fields import WireError
from bots.lichess.chess_pieces import ChessPieces
from bots.lichess.flipello_board import FlipelloBoard
from bots.lichess.start_position import GO_LETTERS, StartPosition

PASS = "pass"  # noqa: S105
DEAD_STONES = "ss:"  # before the squares of the dead stones that both players agreed on
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_DROP = re.compile(r"[a-zA-Z]@([a-z])([1-9]\d?)", re.ASCII)
_STAY = re.compile(r"([a-z][1-9]\d?)\1", re.ASCII)
_SQUARE = re.compile(r"([a-z])([1-9]\d?)", re.ASCII)


def read_go(moves: Sequence[str], _start: StartPosition, size: int) -> list[str]:
    """Returns moves such as "s@d4" and "pass" as vertices; "ss:" is no move of a player.

    >>> read_go(["s@i9", "pass", "ss:a1,b2"], StartPosition(), 9)
    ['J9', 'pass']
    """
    return [
        PASS if move == PASS else _vertex(*_drop(move, size))
        for move in moves
        if not move.startswith(DEAD_STONES)
    ]


def write_go(move: str, _moves: Sequence[str], _start: StartPosition, _size: int) -> str:
    """Returns a vertex as "s@" and its point.

    >>> write_go("J9", [], StartPosition(), 9), write_go("pass", [], StartPosition(), 9)
    ('s@i9', 'pass')
    """
    if move.lower() == PASS:
        return PASS
    return f"s@{point_of(move)}"


def point_of(vertex: str) -> str:
    """Returns a vertex as the server's name of the point, whose letters include i.

    >>> point_of("J9")
    'i9'
    """
    if vertex[:1].upper() not in GO_LETTERS:
        raise WireError(f"no vertex: {vertex[:20]!a}")
    return f"{_LETTERS[GO_LETTERS.index(vertex[0].upper())]}{vertex[1:]}"


def read_othello(moves: Sequence[str], _start: StartPosition, size: int) -> list[str]:
    """Returns moves such as "P@d3" as squares, whose ranks count from the top; "d3d3" is a pass.

    >>> read_othello(["P@e3", "d4d4"], StartPosition(), 8)
    ['e6', 'pass']
    """
    return [PASS if _STAY.fullmatch(move) else _flipped(*_drop(move, size), size) for move in moves]


def write_othello(move: str, moves: Sequence[str], start: StartPosition, size: int) -> str:
    """Returns a square as "P@" and its place; a pass as the disc that stays.

    >>> write_othello("e6", [], StartPosition(), 8), write_othello("pass", [], StartPosition(), 8)
    ('P@e3', 'd4d4')
    """
    if move.lower() != PASS:
        match = _SQUARE.fullmatch(move.lower())
        if match is None:
            raise WireError(f"no square: {move[:20]!a}")
        return f"P@{_flipped(_LETTERS.index(match[1]), int(match[2]) - 1, size)}"
    board = FlipelloBoard(size)
    for number, each in enumerate(moves):
        if not _STAY.fullmatch(each):
            board.place((start.first_to_move + number) % 2, _drop(each, size))
    x, y = board.pass_square((start.first_to_move + len(moves)) % 2)
    return f"{_LETTERS[x]}{y + 1}" * 2


def read_chess(moves: Sequence[str], start: StartPosition, _size: int) -> list[str]:
    """Returns moves of chess, castling as the king's two steps.

    >>> read_chess("e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 e1h1".split(), StartPosition(), 8)[-1]
    'e1g1'
    """
    return list(_chess_moves(moves, start, is_chess960=False))


def read_chess960(moves: Sequence[str], start: StartPosition, _size: int) -> list[str]:
    """Returns moves of Chess960, castling as the king that takes its rook.

    >>> read_chess960("e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 e1g1".split(), StartPosition(), 8)[-1]
    'e1h1'
    """
    return list(_chess_moves(moves, start, is_chess960=True))


def write_chess(move: str, _moves: Sequence[str], _start: StartPosition, _size: int) -> str:
    """Returns the move as it is: the server takes both notations of castling."""
    return move


def _chess_moves(moves: Sequence[str], start: StartPosition, *, is_chess960: bool) -> Iterator[str]:
    pieces = ChessPieces(start.fen)
    for move in moves:
        yield pieces.play(move, is_chess960=is_chess960)


def _drop(move: str, size: int) -> tuple[int, int]:
    """Returns file and rank, from 0, of a move such as "s@d4"."""
    match = _DROP.fullmatch(move)
    if match is not None:
        x, y = _LETTERS.index(match[1]), int(match[2]) - 1
        if x < size and y < size:
            return x, y
    raise WireError(f"no move on a board of {size}: {move[:40]!a}")


def _vertex(x: int, y: int) -> str:
    return f"{GO_LETTERS[x]}{y + 1}"


def _flipped(x: int, y: int, size: int) -> str:
    return f"{_LETTERS[x]}{size - y}"
