"""The softmax strength index: moves drawn by their visits, and an index that follows results.

[SSA]: Wu, Wu, Liu, Guei, Wei, On Strength Adjustment for MCTS-Based Programs, AAAI 2019; Liu, Wu,
Guei, Wei, Strength Adjustment and Assessment for MCTS-Based Programs, IEEE CIM 15(3), 2020. The
functions take numbers only; engine.play.steps.softmax plays by them.

Our choices in cases that the papers leave open:
- Between games the step begins at the papers' 0.375, shrinks by STEP_FACTOR a game and stays at
  LEAST_STEP: fifteen games of one result still move the index by 3, beyond its linear range of -2
  to 2, and after many games it wavers by some 50 Elo. A draw changes only the step.
- Within a game the index shifts by WITHIN_GAIN times the log odds against us, of the running win
  rate: the mean of our own estimates at our turns, each turn weighing RUNNING_SHARE of the one
  after it. The shift is 0 at even odds and -1.5 at 88%.
- An unvisited move has no N_i to take a power of. If R_th = 0 admits it, it counts as UNVISITED
  visits.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

USUAL_THRESHOLD = 0.1  # R_th
MOST = 4.0  # bound of the adjusted index, either sign; beyond it play hardly changes
FIRST_STEP = 0.375  # dz
STEP_FACTOR = 0.9
LEAST_STEP = 0.075
WITHIN_GAIN = 0.75  # change of the index per nat of log odds
RUNNING_SHARE = 0.5
SUREST = 0.98  # bound of win rates, and of their complements
UNVISITED = 0.5
AS_INFINITE = 1e6  # an index beyond this plays like an infinite one


@dataclass(frozen=True, slots=True)
class Softmax:
    """Play by a strength index, fixed or adjusted."""

    index: float = 0.0  # z; unused if it is adjusted
    # R_th: moves with a smaller share of the most visits are dropped
    threshold: float = USUAL_THRESHOLD
    between_games: bool = False  # z follows the results against this opponent
    within_game: bool = False  # z follows the win rate

    @classmethod
    def read(cls, text: str) -> Self:
        """Parses a fixed index, "Z" or "Z:R_TH". Raises ValueError, quoting a wrong text."""
        index, colon, threshold = text.partition(":")
        try:
            softmax = cls(float(index), float(threshold) if colon else USUAL_THRESHOLD)
        except ValueError:
            softmax = cls(math.nan)
        if math.isnan(softmax.index) or not 0 <= softmax.threshold <= 1:
            raise ValueError(
                f"{text!r} is no strength index, or threshold of 0..1 behind it: -0.5 or inf:0"
            )
        return softmax


@dataclass(frozen=True, slots=True)
class IndexState:
    """The strength index against one opponent, after the results so far."""

    index: float = 0.0  # z of the next game
    step: float = FIRST_STEP  # dz: the change by the next result

    def after_game(self, points: float) -> IndexState:
        """Returns the state after a game of 1 (won), 0.5 or 0 points for us."""
        index = self.index - (2 * points - 1) * self.step
        return IndexState(bounded(index), max(self.step * STEP_FACTOR, LEAST_STEP))

    def with_change(self, before: IndexState, after: IndexState) -> IndexState:
        """Returns the state with the change from `before` to `after` added."""
        index = bounded(self.index + after.index - before.index)
        return IndexState(index, min(self.step, after.step))

    def to_json(self) -> dict[str, float]:
        """Returns the state as plain numbers for from_json."""
        return {"index": self.index, "step": self.step}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Builds the state of to_json's numbers. Raises ValueError for other values."""
        try:
            index, step = float(data["index"]), float(data["step"])
        except (LookupError, TypeError, ValueError, OverflowError) as error:
            raise ValueError(f"not the state of a strength index: {data!r}") from error
        if not (math.isfinite(index) and 0 <= step <= MOST):
            raise ValueError(f"not the state of a strength index: {data!r}")
        return cls(bounded(index), step)


def bounded(index: float) -> float:
    """Returns the index, clipped to -MOST..MOST."""
    return min(max(index, -MOST), MOST)


def probabilities(visits: Sequence[float], index: float, threshold: float) -> Numbers:
    """Probabilities P(i) = N_i^z / sum of N_j^z over moves with N_i >= R_th N_1, else 0: [moves].

    index: z. An infinite one takes only the most visited move, or the least visited one above the
    threshold. Raises ValueError without any visit.
    """
    counted = np.asarray(visits, np.float64)
    most = counted.max(initial=0.0)
    if most <= 0:
        raise ValueError(f"no visits to choose by: {list(visits)!r}")
    above = np.flatnonzero(counted >= threshold * most)
    logs = np.log(np.maximum(counted[above], UNVISITED) / most)
    if abs(index) > AS_INFINITE:
        extreme = logs.max() if index > 0 else logs.min()
        powers = (logs == extreme).astype(np.float64)
    else:
        powers = index * logs
        powers = np.exp(powers - powers.max())
    probabilities = np.zeros(len(counted))
    probabilities[above] = powers / powers.sum()
    return probabilities


def running_win_rate(views: Sequence[float]) -> float:
    """Returns the running mean of our win rates at our turns, oldest first."""
    weights = RUNNING_SHARE ** np.arange(len(views), dtype=np.float64)[::-1]
    return float(weights @ np.asarray(views, np.float64) / weights.sum())


def within_game(index: float, views: Sequence[float]) -> float:
    """Returns the index of this move, by our win rates at our turns of this game, oldest first."""
    rate = min(max(running_win_rate(views), 1 - SUREST), SUREST)
    return bounded(index - WITHIN_GAIN * math.log(rate / (1 - rate)))
