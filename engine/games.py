"""The games that can be played: sizes, rules, and how a move is written and read.

GAMES is the table; a game is a row. A move is a policy index, y * width + x with y = 0 the top row,
and in Go pass = width * height. Nothing here knows a position.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from engine._core import GoRules
from engine.rules import RULE_SETS

COLUMNS = "ABCDEFGHJKLMNOPQRST"  # I is left out, as on every Go board
_VERTEX = re.compile(r"([A-HJ-T])([1-9]\d?)", re.ASCII)
_PAIR = re.compile(r"\(\s*(\d{1,2})\s*,\s*(\d{1,2})\s*\)", re.ASCII)


def read_vertex(text: str, width: int, height: int) -> int:
    """The move that a Go vertex names: "D4", "pass", or "(x,y)" from the top left, in any case.

    ValueError quotes a text that names no point of the board.
    """
    word = text.strip().upper()
    if word == "PASS":
        return width * height
    if match := _VERTEX.fullmatch(word):
        x, y = COLUMNS.index(match[1]), height - int(match[2])
    elif match := _PAIR.fullmatch(word):
        x, y = int(match[1]), int(match[2])
    else:
        raise ValueError(f"{text!r} is not a move: a vertex such as D4, or pass")
    if not (0 <= x < width and 0 <= y < height):
        raise ValueError(f"{text!r} is not on the {width}x{height} board")
    return y * width + x


def write_vertex(move: int, width: int, height: int) -> str:
    """The move as a Go vertex: "D4", or "pass". ValueError where the board has no such move."""
    if not 0 <= move <= width * height:
        raise ValueError(f"{move!r} is not a move of a {width}x{height} board")
    if move == width * height:
        return "pass"
    return f"{COLUMNS[move % width]}{height - move // width}"


@dataclass(frozen=True, slots=True)
class GameKind:
    """One game: what may be asked of it and how its moves are spelt."""

    title: str
    colors: tuple[str, str]  # names of color 0, who moves first, and 1
    smallest: int  # edge length, in points
    largest: int
    usual_sizes: tuple[int, ...]  # the first is the default
    rectangular: bool  # width and height may differ
    rule_sets: Mapping[str, GoRules]  # the first is the default
    read_move: Callable[[str, int, int], int]  # (text, width, height) -> move, or ValueError
    write_move: Callable[[int, int, int], str]  # (move, width, height) -> text

    def fits(self, width: int, height: int) -> bool:
        """Whether the game can be played on that board."""
        within = all(self.smallest <= size <= self.largest for size in (width, height))
        return within and (self.rectangular or width == height)


GAMES: dict[str, GameKind] = {
    "go": GameKind(
        title="Go",
        colors=("Black", "White"),
        smallest=2,
        largest=19,
        usual_sizes=(19, 13, 9),
        rectangular=True,
        rule_sets=RULE_SETS,
        read_move=read_vertex,
        write_move=write_vertex,
    ),
}
