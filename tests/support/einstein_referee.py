"""A slow and obvious referee of EinStein würfelt nicht, from the rules' text; it shares no code.

A side's pieces are a dictionary from number to (column, row), row 1 at the bottom. Moves are texts.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

RED_CORNER = ["a5", "b5", "c5", "a4", "b4", "a3"]
BLUE_CORNER = ["e1", "d1", "c1", "e2", "d2", "e3"]


def at(square: str) -> tuple[int, int]:
    return "abcde".index(square[0]) + 1, int(square[1])


def name(cell: tuple[int, int]) -> str:
    return " abcde"[cell[0]] + str(cell[1])


@dataclass(frozen=True)
class EinsteinGame:
    red: tuple[tuple[int, tuple[int, int]], ...] | None = None
    blue: tuple[tuple[int, tuple[int, int]], ...] | None = None
    turn: str = "red"
    die: int = 0
    won_by: str = ""

    def moves(self) -> Iterator[str]:
        """All legal moves with all of their dice."""
        if self.won_by:
            return
        if self.red is None or self.blue is None:
            for numbers in itertools.permutations("123456"):
                text = "".join(numbers)
                yield from [text] if self.red is None else (f"{text}({d})" for d in range(1, 7))
            return
        own = dict(self.red if self.turn == "red" else self.blue)
        if self.die in own:
            numbers_to_move = [self.die]
        else:
            lower, higher = [n for n in own if n < self.die], [n for n in own if n > self.die]
            numbers_to_move = ([max(lower)] if lower else []) + ([min(higher)] if higher else [])
        step = 1 if self.turn == "red" else -1
        for number in numbers_to_move:
            column, row = own[number]
            for across, down in ((step, 0), (0, step), (step, step)):
                end = (column + across, row - down)
                if not (1 <= end[0] <= 5 and 1 <= end[1] <= 5):
                    continue
                text = f"{name((column, row))}-{name(end)}"
                if self.play(text).won_by:
                    yield text
                else:
                    yield from (f"{text}({d})" for d in range(1, 7))

    def play(self, text: str) -> EinsteinGame:
        die = int(text[-2]) if text.endswith(")") else 0
        if self.red is None:
            placed = tuple((int(n), at(s)) for n, s in zip(text, RED_CORNER, strict=True))
            return EinsteinGame(placed, None, "blue")
        if self.blue is None:
            placed = tuple((int(n), at(s)) for n, s in zip(text[:6], BLUE_CORNER, strict=True))
            return EinsteinGame(self.red, placed, "red", die)
        start, end = at(text[:2]), at(text[3:5])
        red = {n: cell for n, cell in self.red if cell != end}
        blue = {n: cell for n, cell in self.blue if cell != end}
        own = red if self.turn == "red" else blue
        own |= {n: end for n, cell in own.items() if cell == start}
        won = ""
        if not red or not blue or end == (at("e1") if self.turn == "red" else at("a5")):
            won = self.turn
        return EinsteinGame(
            tuple(sorted(red.items())), tuple(sorted(blue.items())),
            "blue" if self.turn == "red" else "red", die, won,
        )  # fmt: skip


def count(game: EinsteinGame, moves: int) -> int:
    """Sequences of so many moves, each die a move of its own."""
    if moves == 0:
        return 1
    return sum(count(game.play(move), moves - 1) for move in game.moves())
