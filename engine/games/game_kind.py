"""The row of a game in the table of games: its names, sizes, start position and text of moves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.games.chance import Deal
from engine.games.position import Position


@dataclass(frozen=True, slots=True)
class GameKind:
    """One game. A row of chance also has a deal; its `read_move` and `write_move` take outcomes."""

    title: str
    colors: tuple[str, str]  # names of colors 0, the first to move, and 1
    sizes: str  # the possible sizes in words
    fits: Callable[[int, int], bool]  # (width, height) -> whether the size is possible
    usual_sizes: tuple[tuple[int, int], ...]  # widths and heights; the first is the default
    new_position: Callable[[int, int], Position]  # (width, height) -> the start, usual rules
    read_move: Callable[[str, int, int], int]  # (text, width, height) -> move, or ValueError
    write_move: Callable[[int, int, int], str]  # (move, width, height) -> text
    move_count: Callable[[int, int], int]  # (width, height) -> the number of policy indices
    write_size: Callable[[int, int], str]  # (width, height) -> the size in a board's name
    has_ownership: bool  # each cell belongs to a color in the end
    ends_when_full: bool  # each move fills a cell, so a game has at most as many moves as cells
    by_columns: bool  # a move is a column and there is no pass
    usual_height: Callable[[int], int]  # width -> height of a board named by its width alone
    # (width, height, symmetry) -> the image of each move; None: that of a move's cell or column
    move_images: Callable[[int, int, int], list[int]] | None = None
    deal: Deal | None = None  # the chance of one game; None in a game without chance
