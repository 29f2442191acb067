"""Luck in a judged game of chance, told apart from skill.

A move of chance has an expected value: the mean of its outcomes' values by their exact weights. The
move gives away the value before it less this mean. Its luck is the value of the outcome that came
less the same mean. Each outcome has a search of its own with equal visits, the one that came too:
the luck of a move has the mean 0, whatever the judge's errors are. A draw is half a game.

The luck explains a game and measures no strength. In 4x8 dark chess the result less the luck varies
more than the result alone (docs/measurements.md): no report shows it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class ChanceJudgement:
    """The judgement of one move with several outcomes; values of color 0, 0..1."""

    expected: float  # before the outcome
    came: float  # after the outcome that came

    def luck(self, color: int) -> float:
        """Returns the luck of a color: above 0 where the outcome is better than the mean."""
        return signed(self.came - self.expected, color)


def signed(change: float, color: int) -> float:
    """Returns a change of color 0's value for a color."""
    return change if color == 0 else -change


def value_after(
    values: Sequence[float], chance: Mapping[int, ChanceJudgement], number: int
) -> float:
    """Returns color 0's value after a move, before its outcome by chance. number: from 0."""
    return chance[number].expected if number in chance else values[number + 1]


def luck_of(chance: Mapping[int, ChanceJudgement], color: int) -> float:
    """Returns the luck of a color in one game, by both sides' moves, in games."""
    return sum(each.luck(color) for each in chance.values())


def noise_of(values: Sequence[float], chance: Mapping[int, ChanceJudgement]) -> float | None:
    """Returns the standard deviation of one search's value, from two searches of a position.

    None with fewer than two such positions. The end of a game has no search.
    """
    last = len(values) - 1
    changes = [
        values[number + 1] - each.came for number, each in chance.items() if number + 1 < last
    ]
    return float(np.sqrt(np.mean(np.square(changes)) / 2)) if len(changes) > 1 else None
