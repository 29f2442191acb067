"""A slow and obvious referee of Go, written from the rules' text and sharing nothing with the core.

It knows area rules: captures, suicide, the three ko rules by comparing whole boards, the end by
passes. A board is a tuple of 0 empty, 1 Black, 2 White, row by row from the top.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

EMPTY, BLACK, WHITE = 0, 1, 2
Cells = tuple[int, ...]


def neighbours(cell: int, width: int, height: int) -> list[int]:
    x, y = cell % width, cell // width
    around = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
    return [b * width + a for a, b in around if 0 <= a < width and 0 <= b < height]


def region(cells: Cells, start: int, width: int, height: int) -> tuple[set[int], set[int]]:
    """The connected cells of one content that hold `start`, and the contents that border them."""
    inside, border, waiting = {start}, set(), [start]
    while waiting:
        for cell in neighbours(waiting.pop(), width, height):
            if cells[cell] != cells[start]:
                border.add(cells[cell])
            elif cell not in inside:
                inside.add(cell)
                waiting.append(cell)
    return inside, border


def put(cells: Cells, cell: int, stone: int, width: int, height: int) -> Cells:
    """The board after the stone and its captures, the opponent's first, then its own."""
    board = list(cells)
    board[cell] = stone
    for color in (3 - stone, stone):
        for around in [*neighbours(cell, width, height), cell]:
            if board[around] == color:
                chain, border = region(tuple(board), around, width, height)
                if EMPTY not in border:
                    for dead in chain:
                        board[dead] = EMPTY
    return tuple(board)


@dataclass(frozen=True)
class Game:
    """A game so far; play() gives the game after."""

    width: int
    height: int
    ko: str  # SIMPLE, POSITIONAL, SITUATIONAL
    suicide: bool
    cells: Cells
    to_move: int = BLACK
    before: tuple[tuple[Cells, int], ...] = ()  # earlier boards and who was to move, oldest first
    since_pass: int = 0  # how many of these are of moves after the latest pass
    passed: tuple[tuple[Cells, int], ...] = ()  # boards in which someone passed, and who
    passes: int = 0  # running
    over: bool = False
    no_result: bool = False

    def after(self, cell: int) -> Cells:
        return put(self.cells, cell, self.to_move, self.width, self.height)

    def is_legal(self, cell: int) -> bool:
        if cell == len(self.cells):
            return True
        if self.cells[cell] != EMPTY:
            return False
        after = self.after(cell)
        if after[cell] == EMPTY and (not self.suicide or after == self.cells):
            return False
        known = (*self.before, (self.cells, self.to_move))
        if self.ko == "POSITIONAL":
            return after not in {cells for cells, _ in known}
        if self.ko == "SITUATIONAL":
            return (after, 3 - self.to_move) not in known
        return not (self.passes == 0 and self.before and after == self.before[-1][0])

    def legal_moves(self) -> list[int]:
        return [cell for cell in range(len(self.cells) + 1) if self.is_legal(cell)]

    def play(self, cell: int) -> Game:
        now = (self.cells, self.to_move)
        rest = replace(self, before=(*self.before, now), to_move=3 - self.to_move)
        if cell == len(self.cells):
            repeated = self.ko == "SIMPLE" and now in self.passed
            passes = self.passes + 1
            over = passes >= 2 or repeated
            passed = (*self.passed, now)
            return replace(rest, passes=passes, passed=passed, since_pass=0, over=over)
        cells, since = self.after(cell), self.since_pass + 1
        cycle = rest.before[len(rest.before) - since :] if self.ko == "SIMPLE" else ()
        void = cycle.count((cells, rest.to_move)) >= 2
        return replace(rest, cells=cells, passes=0, since_pass=since, over=void, no_result=void)

    def area_lead(self) -> int:
        """Black's stones and territory less White's, every stone counted as alive."""
        lead = {BLACK: 1, WHITE: -1}
        total = sum(lead.get(cell, 0) for cell in self.cells)
        for cell, stone in enumerate(self.cells):
            if stone == EMPTY:
                _, border = region(self.cells, cell, self.width, self.height)
                if len(border) == 1:
                    total += lead[border.pop()]
        return total


def new_game(width: int, height: int, *, ko: str, suicide: bool) -> Game:
    return Game(width, height, ko, suicide, (EMPTY,) * (width * height))
