"""The games of the terminal: their boards as text, and a person's moves with reasons of refusal.

BOARDS is the table; a game is a row. A person writes a move without its outcome: the piece or the
die is drawn.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine._core import DarkChessPosition, EinsteinPosition
from engine.errors import SettingError
from engine.games import dark_chess, einstein
from engine.games.table import GAMES, Board

SIDES = ("Red", "Black")  # of dark chess, by color
_DARK_CHESS = re.compile(r"([a-h][1-9])(?:\s*-?\s*([a-h][1-9])|\s*\(\?\))?", re.ASCII)
_EINSTEIN = re.compile(r"([a-e][1-5])\s*-?\s*([a-e][1-5])|([1-6]{6})", re.ASCII)
_OUTCOME = re.compile(r"\([^?]\)$")


class WrongMoveError(ValueError):
    """A text that is no legal move; the message is the reason."""


@dataclass(frozen=True, slots=True)
class TerminalBoard:
    """One game in the terminal. The functions take positions of the game."""

    rows: Callable[[Any], list[str]]  # the board, the top row first
    turn: Callable[[Any, int], str]  # (position, person's color) -> a sentence on the turn
    read: Callable[[str, Any], int]  # (text, position) -> legal move, or WrongMoveError
    moves: str  # the spelling of moves, for the person


def refuse_outcome(text: str) -> None:
    """Raises WrongMoveError on a move that names its outcome."""
    if _OUTCOME.search(text):
        raise WrongMoveError("the outcome is drawn here: leave the brackets out")


def read_dark_chess(text: str, position: DarkChessPosition) -> int:
    """Returns the legal move of a text such as "b3", "a4-a5" or "a4 a5"."""
    refuse_outcome(text)
    match = _DARK_CHESS.fullmatch(text.lower())
    if match is None:
        raise WrongMoveError(f"{text!r} is no move: write b3 for a flip, a4-a5 for a step")
    word = f"{match[1]}-{match[2]}" if match[2] else f"{match[1]}(?)"
    try:
        move = dark_chess.read_action(word, position.width, position.height)
    except ValueError as error:
        raise WrongMoveError(str(error)) from error
    if not position.is_legal(move):
        raise WrongMoveError(_dark_chess_fault(move, position))
    return move


def _dark_chess_fault(move: int, position: DarkChessPosition) -> str:
    """Returns the reason why a move of dark chess is illegal."""
    size = position.width, position.height
    start, end = dark_chess.ends_of(move, *size)
    pieces = position.pieces.ravel()
    letters = [*dark_chess.PIECES, dark_chess.FACE_DOWN, dark_chess.EMPTY]  # the last one for -1
    first, second = (dark_chess.write_cell(cell, *size) for cell in (start, end))
    hidden, kinds = len(dark_chess.PIECES), len(dark_chess.KINDS)
    own, here, there = position.color_of_player(position.to_move), pieces[start], pieces[end]
    faults = (
        (start == end, f"{first} holds no face-down piece"),
        (here < 0, f"{first} is empty"),
        (here == hidden, f"the piece on {first} is face down: write {first} to flip it"),
        (
            here // kinds != own,
            f"the {letters[here]} on {first} is not yours: you are {SIDES[own]}",
        ),
        (there == hidden, f"the piece on {second} is face down and cannot be taken"),
        (there >= 0 and there // kinds == own, f"your own {letters[there]} stands on {second}"),
        (there >= 0, f"the {letters[here]} on {first} cannot take the {letters[there]} there"),
    )
    far = f"{first}-{second} is no step to a square beside it"
    return next((text for is_fault, text in faults if is_fault), far)


def dark_chess_turn(position: DarkChessPosition, person: int) -> str:
    """Returns the person's side, and the pieces that are still face down."""
    color = position.color_of_player(person)
    side = "The first flip gives the colors." if color < 0 else f"You are {SIDES[color]}"
    if color >= 0:
        side += " (capital letters)." if color == 0 else " (small letters)."
    pool = zip(dark_chess.PIECES, position.pool, strict=True)
    hidden = "".join(letter * count for letter, count in pool)
    return f"{side} Face down: {hidden or 'none'}."


def read_einstein(text: str, position: EinsteinPosition) -> int:
    """Returns the legal move of a text such as "a5-b4", "a5 b4" or the placing "123456"."""
    refuse_outcome(text)
    match = _EINSTEIN.fullmatch(text.lower())
    if match is None:
        raise WrongMoveError(f"{text!r} is no move: write a5-b4 for a step, 123456 for a placing")
    try:
        move = einstein.read_action(match[3] or f"{match[1]}-{match[2]}")
    except ValueError as error:
        raise WrongMoveError(str(error)) from error
    if not position.is_legal(move):
        raise WrongMoveError(_einstein_fault(move, position))
    return move


def _einstein_fault(move: int, position: EinsteinPosition) -> str:
    """Returns the reason why a move of EinStein is illegal."""
    if position.is_placing:
        return "the pieces are placed first: write six numbers, as in 123456"
    if move >= einstein.STEPS:
        return "the pieces are placed already"
    name = GAMES["einstein"].colors[position.to_move]
    start, _ = einstein.ends_of(move)
    if start in position.movable():
        return f"{name} moves {'right, down' if position.to_move == 0 else 'left, up'} or both"
    may = " or ".join(einstein.write_cell(cell) for cell in position.movable())
    return f"the die is {position.die}: the piece on {may} moves"


def einstein_turn(position: EinsteinPosition, person: int) -> str:
    """Returns the person's color, and the die of the side to move."""
    name = GAMES["einstein"].colors[person]
    goal = einstein.write_cell(24 if person == 0 else 0)
    words = f"You are {name} and go to {goal}."
    return words if position.is_over else f"{words} {einstein.next_action(position)}"


BOARDS: dict[str, TerminalBoard] = {
    "darkchess": TerminalBoard(
        dark_chess.rows,
        dark_chess_turn,
        read_dark_chess,
        "b3 flips a piece, a4-a5 is a step or a capture",
    ),
    "einstein": TerminalBoard(
        einstein.rows,
        einstein_turn,
        read_einstein,
        "a5-b4 is a step; 123456 places the pieces from the corner, row by row",
    ),
}
NAMES = ("darkchess", "darkchess2x4", "einstein")


def board_named(name: str) -> Board:
    """Returns the board of a name; raises SettingError for a game that has a page instead."""
    word = name.strip().lower()
    if word not in NAMES:
        raise SettingError(f"no game {name!r} in the terminal: one of {', '.join(NAMES)}")
    return Board.of_name(word)
