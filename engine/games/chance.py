"""Chance in games: the outcomes of a move, and the drawing of one.

A played move is a number with its outcome: move + move_count * (1 + outcome). A move without
chance is its own played move. Records, undo and replay hold played moves alone, and therefore need
no chance. Policies, masks and searches hold moves.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Protocol, runtime_checkable

import numpy as np

from engine.games.position import Position
from engine.util.type_test import TypeTest

# (position, legal move) -> the played move, with its outcome drawn.
Draw = Callable[[Position, int], int]
# seed -> a draw for one game; games of one seed have equal chance, whoever plays them.
Deal = Callable[[int], Draw]


@runtime_checkable
class ChancePosition(Protocol):
    """A position of a game of chance, beyond the interface of every position."""

    @property
    def played_move_count(self) -> int:
        """Played moves are 0..played_move_count - 1."""

    def outcomes(self, move: int) -> list[tuple[int, int]]:
        """Returns (played move, weight) of each outcome of a legal move; ValueError otherwise."""

    def without_outcome(self, move: int) -> int:
        """Returns the move, 0..move_count - 1, of a played move."""


is_of_chance: TypeTest[ChancePosition] = TypeTest(ChancePosition)


def outcomes(position: Position, move: int) -> list[tuple[int, int]]:
    """Returns (played move, weight) of each outcome of a legal move, in any game.

    The probability of an outcome is its share of the weights.
    """
    return position.outcomes(move) if is_of_chance(position) else [(move, 1)]


def drawn(position: Position, move: int, below: Callable[[int], int]) -> int:
    """Returns the played move of a legal move, its outcome drawn by the exact probabilities.

    below: a number to a uniformly random integer from 0 up to below it.
    """
    every = outcomes(position, move)
    if len(every) == 1:
        return every[0][0]
    skip = below(sum(weight for _, weight in every))
    for played, weight in every:
        skip -= weight
        if skip < 0:
            return played
    raise AssertionError("the weights have no sum")


def fair_draw(seed: int | None) -> Draw:
    """Returns a draw by the exact probabilities; seed: of its random numbers, None: any."""
    below = random.Random(seed).randrange  # noqa: S311 - no secret
    return lambda position, move: drawn(position, move, below)


def draw_by(rng: np.random.Generator) -> Draw:
    """Returns a draw by the exact probabilities and this generator."""
    return lambda position, move: drawn(position, move, lambda number: int(rng.integers(number)))


def is_complete(position: Position, move: int) -> bool:
    """Whether a legal move can be played as it is: it has its outcome, or needs none."""
    return move != without_outcome(position, move) or outcomes(position, move)[0][0] == move


def without_outcome(position: Position, move: int) -> int:
    """Returns the move, 0..move_count - 1, of a played move, in any game."""
    return position.without_outcome(move) if is_of_chance(position) else move
