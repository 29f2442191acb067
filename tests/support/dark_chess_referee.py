"""A slow and obvious referee of dark chess, written from the rules' text; it shares no code.

A board is a tuple of letters, row by row from the top: "-" empty, "X" face down, capitals Red.
Moves and flips are texts: "a4-a5", "b3(n)".
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

RANKS = "KGMRNCP"
COLORS = ("red", "black")


def color_of(piece: str) -> str:
    return "red" if piece.isupper() else "black"


def may_capture_by_step(hunter: str, victim: str) -> bool:
    one, other = hunter.upper(), victim.upper()
    if one == "C":
        return False
    if one == "K":
        return other != "P"
    if one == "P":
        return other in "PK"
    return RANKS.index(one) <= RANKS.index(other)


@dataclass(frozen=True)
class DarkGame:
    """A game so far; play() returns the game after a move."""

    width: int
    height: int
    cells: tuple[str, ...]
    pool: tuple[str, ...]  # unrevealed pieces, sorted
    color: str = "unknown"  # to move
    moves: int = 0
    quiet: tuple[tuple[tuple[str, ...], str], ...] = ()  # boards since the last capture or flip
    quiet_limit: int = 40
    repetitions: int = 3

    def name(self, cell: int) -> str:
        return "abcdefgh"[cell % self.width] + str(self.height - cell // self.width)

    def cell(self, name: str) -> int:
        return (self.height - int(name[1])) * self.width + "abcdefgh".index(name[0])

    def line(self, cell: int, dx: int, dy: int) -> list[int]:
        """The cells from a cell in a direction, the nearest first."""
        x, y = cell % self.width, cell // self.width
        out: list[int] = []
        while True:
            x, y = x + dx, y + dy
            if not (0 <= x < self.width and 0 <= y < self.height):
                return out
            out.append(y * self.width + x)

    def owns(self, color: str, cell: int) -> bool:
        piece = self.cells[cell]
        return piece not in "-X" and color_of(piece) == color

    def targets(self, cell: int, color: str) -> set[int]:
        piece, enemy = self.cells[cell], COLORS[color == "red"]
        out = set()
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            line = self.line(cell, dx, dy)
            for near in line[:1]:
                victim = self.cells[near]
                if victim == "-":
                    out.add(near)
                if self.owns(enemy, near) and may_capture_by_step(piece, victim):
                    out.add(near)
            if piece in "Cc":
                standing = [each for each in line if self.cells[each] != "-"]
                if len(standing) >= 2 and self.owns(enemy, standing[1]):
                    out.add(standing[1])
        return out

    def actions(self, color: str | None = None) -> set[str]:
        """Moves, and flips with "?"."""
        side = color or self.color
        flips = {f"{self.name(i)}(?)" for i, piece in enumerate(self.cells) if piece == "X"}
        return flips | {
            f"{self.name(cell)}-{self.name(to)}"
            for cell in range(len(self.cells))
            if self.owns(side, cell)
            for to in self.targets(cell, side)
        }

    def outcomes(self, action: str) -> dict[str, int]:
        if not action.endswith("(?)"):
            return {action: 1}
        return {action.replace("?", piece): n for piece, n in Counter(self.pool).items()}

    def play(self, move: str) -> DarkGame:
        cells, pool = list(self.cells), list(self.pool)
        quiet = (*self.quiet, (self.cells, self.color))
        if "(" in move:
            piece = move[3]
            cells[self.cell(move[:2])] = piece
            pool.remove(piece)
            mover = color_of(piece) if self.color == "unknown" else self.color
            quiet = ()
        else:
            start, end = (self.cell(name) for name in move.split("-"))
            if cells[end] != "-":
                quiet = ()
            cells[start], cells[end] = "-", cells[start]
            mover = self.color
        color = "black" if mover == "red" else "red"
        return replace(self, cells=tuple(cells), pool=tuple(pool), color=color,
                       moves=self.moves + 1, quiet=quiet)  # fmt: skip

    def result(self) -> str | None:
        """A color, "draw", or None while the game goes on."""
        if self.color == "unknown":
            return None
        enemy = "black" if self.color == "red" else "red"
        left = [*self.pool, *(piece for piece in self.cells if piece not in "-X")]
        if not any(color_of(piece) == self.color for piece in left) or not self.actions():
            return enemy
        if not any(color_of(piece) == enemy for piece in left):
            return self.color
        if self.quiet_limit and len(self.quiet) >= self.quiet_limit:
            return "draw"
        if self.repetitions:
            now = self.quiet.count((self.cells, self.color)) + 1
            if now >= self.repetitions:
                return "draw"
        return None


def new_dark_game(
    width: int, height: int, material: str, *, quiet_limit: int = 40, repetitions: int = 3
) -> DarkGame:
    pool = tuple(sorted(material.upper() + material.lower()))
    start = DarkGame(width, height, ("X",) * len(pool), pool)
    return replace(start, quiet_limit=quiet_limit, repetitions=repetitions)
