"""The softmax strength index: moves drawn by their visits, and an index that follows results.

[SSA]: Wu, Wu, Liu, Guei, Wei, On Strength Adjustment for MCTS-Based Programs, AAAI 2019; Liu, Wu,
Guei, Wei, Strength Adjustment and Assessment for MCTS-Based Programs, IEEE CIM 15(3), 2020. Knows
numbers. Does not know games, nor who counted the visits.

Where the papers leave something open, we have:
- Between games the step begins at the papers' 0.375, shrinks by STEP_FACTOR a game and stays at
  LEAST_STEP: fifteen games of one result still move the index by 3, beyond its linear range of
  -2 to 2, and after many games it wavers by some 50 Elo. A draw changes the step alone.
- Within a game the index is shifted by WITHIN_GAIN times the log odds against us, of the running
  win rate: the mean of our own views at our turns, each turn back weighing RUNNING_SHARE of the
  one after it. At even odds nothing is shifted, at 88% by -1.5.
- A move that was never visited has no N_i to take a power of. Where R_th = 0 keeps it, it counts as
  UNVISITED visits.
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
MOST = 4.0  # the adjusted index stays within -MOST and MOST; beyond hardly anything changes
FIRST_STEP = 0.375  # dz
STEP_FACTOR = 0.9
LEAST_STEP = 0.075
WITHIN_GAIN = 0.75  # of the index, a nat of log odds
RUNNING_SHARE = 0.5
SUREST = 0.98  # win rates are taken as no nearer to 0 or 1
UNVISITED = 0.5
AS_INFINITE = 1e6  # an index beyond this plays as an infinite one


@dataclass(frozen=True, slots=True)
class Softmax:
    """Play by a strength index, fixed or adjusted."""

    index: float = 0.0  # z; where it is adjusted, not looked at
    threshold: float = USUAL_THRESHOLD  # R_th: a smaller share of the most visits is out
    between_games: bool = False  # z is what the results with this opponent made of it
    within_game: bool = False  # z follows the win rate

    @classmethod
    def read(cls, text: str) -> Self:
        """A fixed index by its text, "Z" or "Z:R_TH"; ValueError quotes what is none."""
        index, colon, threshold = text.partition(":")
        try:
            told = cls(float(index), float(threshold) if colon else USUAL_THRESHOLD)
        except ValueError:
            told = cls(math.nan)
        if math.isnan(told.index) or not 0 <= told.threshold <= 1:
            raise ValueError(
                f"{text!r} is no strength index, or threshold of 0..1 behind it: -0.5 or inf:0"
            )
        return told


@dataclass(frozen=True, slots=True)
class IndexState:
    """The index that one opponent's results have led to."""

    index: float = 0.0  # z of the next game
    step: float = FIRST_STEP  # dz: by which its result changes it

    def after_game(self, points: float) -> IndexState:
        """The state after a game in which we had 1 (won), 0.5 or 0 points."""
        index = self.index - (2 * points - 1) * self.step
        return IndexState(bounded(index), max(self.step * STEP_FACTOR, LEAST_STEP))

    def with_change(self, before: IndexState, after: IndexState) -> IndexState:
        """The state after what led from `before` to `after` as well."""
        index = bounded(self.index + after.index - before.index)
        return IndexState(index, min(self.step, after.step))

    def to_json(self) -> dict[str, float]:
        """The state as plain numbers; from_json reads them."""
        return {"index": self.index, "step": self.step}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """What to_json wrote. ValueError where it is something else."""
        try:
            index, step = float(data["index"]), float(data["step"])
        except (LookupError, TypeError, ValueError, OverflowError) as error:
            raise ValueError(f"not the state of a strength index: {data!r}") from error
        if not (math.isfinite(index) and 0 <= step <= MOST):
            raise ValueError(f"not the state of a strength index: {data!r}")
        return cls(bounded(index), step)


def bounded(index: float) -> float:
    """The index, within -MOST and MOST."""
    return min(max(index, -MOST), MOST)


def probabilities(visits: Sequence[float], index: float, threshold: float) -> Numbers:
    """[moves] P(i) = N_i^z / sum of N_j^z, over moves with N_i >= R_th N_1; 0 for the others.

    index: z; an infinite one takes the most visited moves alone, or the least visited of the kept.
    ValueError where nothing was visited.
    """
    counted = np.asarray(visits, np.float64)
    most = counted.max(initial=0.0)
    if most <= 0:
        raise ValueError(f"no visits to choose by: {list(visits)!r}")
    kept = np.flatnonzero(counted >= threshold * most)
    logs = np.log(np.maximum(counted[kept], UNVISITED) / most)
    if abs(index) > AS_INFINITE:
        wanted = logs.max() if index > 0 else logs.min()
        powers = (logs == wanted).astype(np.float64)
    else:
        powers = index * logs
        powers = np.exp(powers - powers.max())
    chances = np.zeros(len(counted))
    chances[kept] = powers / powers.sum()
    return chances


def running_win_rate(views: Sequence[float]) -> float:
    """The running mean of our win rates at our turns, the present one last."""
    weights = RUNNING_SHARE ** np.arange(len(views), dtype=np.float64)[::-1]
    return float(weights @ np.asarray(views, np.float64) / weights.sum())


def within_game(index: float, views: Sequence[float]) -> float:
    """The index of this move, by our win rates at our turns of this game, the present one last."""
    rate = min(max(running_win_rate(views), 1 - SUREST), SUREST)
    return bounded(index - WITHIN_GAIN * math.log(rate / (1 - rate)))
