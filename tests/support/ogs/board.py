"""The board of a game on the stand-in for OGS: its terms, turns, stones, and points as letters.

The rules are the engine's.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from engine._core import GoPosition
from engine.games.handicap import fixed
from engine.games.rules import parse_rules

LETTERS = "abcdefghijklmnopqrstuvwxyz"
RULES = {
    "chinese": "chinese-ogs",
    "japanese": "japanese",
    "korean": "korean",
    "aga": "aga",
    "nz": "new-zealand",
    "ing": "koPOSITIONALscoreAREAtaxNONEsui1whbN",
}
FREE_PLACEMENT = {"chinese", "ing", "nz"}


class Refused(Exception):  # noqa: N818 -- an answer of the server, not a failure of the program
    """The server refuses a command of a player."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The settings of a game, as a challenge has them."""

    width: int
    height: int
    time_control: dict[str, Any]
    rules: str = "chinese"
    komi: float = 7.5
    handicap: int = 0
    is_ranked: bool = False
    is_scored_by_players: bool = False  # the players remove dead stones, not the server
    is_undo_counted: bool = True  # requests to take back are objects with a count


class OnlineBoard:
    """The board, which a game has as its base."""

    wanted: Wanted
    moves: list[tuple[int, float]]

    def _set_up(self) -> None:
        wanted = self.wanted
        rules = parse_rules(RULES[wanted.rules])
        self.position = GoPosition(wanted.width, wanted.height, rules, wanted.komi)
        self.is_free = wanted.rules in FREE_PLACEMENT and wanted.handicap > 1
        self.placed: list[int] = []
        if wanted.handicap > 1 and not self.is_free:
            self.placed = fixed(wanted.width, wanted.height, wanted.handicap)
            self.position.setup([(0, cell) for cell in self.placed], 1)
        self.base = self.position.copy()
        self.base_moves = 0
        self.captured_before = (0, 0)

    def _replay(self) -> None:
        """Plays the moves that are left again."""
        self.position = self.base.copy()
        for index in range(self.base_moves, len(self.moves)):
            self.position.play(self.moves[index][0], self.color_at(index))

    # ---- Turns

    def color_at(self, index: int) -> int:
        free = self.wanted.handicap if self.is_free else 0
        if index < free:
            return 0
        first = 1 if self.placed or free else 0
        return first ^ ((index - free) & 1)

    @property
    def to_move(self) -> int:
        return self.color_at(len(self.moves))

    # ---- Stones

    @property
    def captured(self) -> tuple[int, int]:
        """Stones of Black and of White taken off the board."""
        now, before = self.position.captured, self.captured_before
        return before[0] + now[0], before[1] + now[1]

    def settled_dead(self) -> set[int]:
        """Returns the stones inside the other side's pass-alive territory."""
        area, stones = self.position.pass_alive(), self.position.stones
        cells = range(stones.size)
        return {
            cell
            for cell in cells
            if stones.flat[cell] and area.flat[cell] == (-1 if stones.flat[cell] == 1 else 1)
        }

    # ---- Points

    @property
    def pass_move(self) -> int:
        return self.wanted.width * self.wanted.height

    def point_of(self, move: int) -> tuple[int, int]:
        if move == self.pass_move:
            return -1, -1
        y, x = divmod(move, self.wanted.width)
        return x, y

    def move_of(self, letters: object) -> int:
        if letters == "..":
            return self.pass_move
        cells = self.cells_of(letters)
        if len(cells) != 1:
            raise Refused(f"Bad move {letters!r}")
        return cells.pop()

    def cells_of(self, letters: object) -> set[int]:
        if not isinstance(letters, str) or len(letters) % 2:
            raise Refused(f"Bad points {letters!r}")
        cells = set()
        for at in range(0, len(letters), 2):
            x, y = LETTERS.find(letters[at]), LETTERS.find(letters[at + 1])
            if not (0 <= x < self.wanted.width and 0 <= y < self.wanted.height):
                raise Refused(f"Bad points {letters!r}")
            cells.add(y * self.wanted.width + x)
        return cells

    def letters_of(self, cells: Collection[int]) -> str:
        points = (self.point_of(cell) for cell in sorted(cells))
        return "".join(LETTERS[x] + LETTERS[y] for x, y in points)
