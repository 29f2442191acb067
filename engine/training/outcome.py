"""Fits the tables of outcomes to games whose players' Elo is known.

Knows numpy and what Outcome is made of; not how the games were played. A logistic regression,
penalised toward guessed tables, by Newton's method.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.strength.outcome import CLASSES, PHASES, Outcome, Standing, guessed, terms_of

TOWARD_GUESS = 4.0  # weight of a table's distance from the guess, squared
LEAD_SCALE = 10.0  # the same distance is less for a point of lead than for a unit of log odds
LEAST_APART = 0.05  # a stronger level always wins a little more
MOST_STEPS = 50


@dataclass(frozen=True, slots=True)
class Seen:
    """One position of a game whose players' Elo is known, and how the game ended."""

    level_elo: float  # of the side whose view it is
    strength_elo: float  # of the other
    standing: Standing
    points: float  # of that side in the end: 1, 0.5 or 0
    weight: float = 1.0  # of the position beside others


def fit_outcome(
    positions: Sequence[Seen], lowest_elo: float, highest_elo: float, *, weight: float = 0.2
) -> Outcome:
    """The tables that foretell the games best.

    weight: what one position counts, for those of a game tell of one result. ValueError without.
    """
    if not positions:
        raise ValueError("outcomes are fitted to positions, of which there are none")
    start = guessed(lowest_elo, highest_elo)
    rows = np.concatenate([_row(seen, start.classes) for seen in positions])
    points = np.array([seen.points for seen in positions])
    weights = weight * np.array([seen.weight for seen in positions])
    first = np.concatenate((start.apart, start.lead, start.rate.ravel()))
    free = np.flatnonzero(_changing())
    values = first.copy()
    scale = np.concatenate(
        (np.ones(len(PHASES)), np.full(len(PHASES), LEAD_SCALE**2), np.ones(start.rate.size))
    )
    penalty = TOWARD_GUESS * scale[free]
    for _ in range(MOST_STEPS):
        chances = 1 / (1 + np.exp(-(rows @ values)))
        gradient = rows[:, free].T @ (weights * (points - chances))
        gradient -= penalty * (values - first)[free]
        spread = weights * chances * (1 - chances)
        curvature = (rows[:, free] * spread[:, None]).T @ rows[:, free] + np.diag(penalty)
        step = np.linalg.solve(curvature, gradient)
        values[free] += step * min(1.0, 1.0 / max(np.abs(step).max(), 1e-12))
        if np.abs(step).max() < 1e-5:
            break
    return _tables(values, lowest_elo, highest_elo)


def _row(seen: Seen, classes: tuple[float, float]) -> NDArray[np.float64]:
    return terms_of(
        np.array([seen.level_elo]), np.array([seen.strength_elo]), seen.standing, classes
    )


def _changing() -> NDArray[np.bool_]:
    """Which values may change: at the start of a game all are Elo's."""
    apart = np.arange(len(PHASES)) > 0
    rate = np.repeat(apart, len(CLASSES))
    return np.concatenate((apart, apart, rate))


def _tables(values: NDArray[np.float64], lowest_elo: float, highest_elo: float) -> Outcome:
    count = len(PHASES)
    return Outcome(
        lowest_elo=lowest_elo,
        highest_elo=highest_elo,
        apart=np.maximum(values[:count], LEAST_APART),
        lead=values[count : 2 * count],
        rate=values[2 * count :].reshape(count, len(CLASSES)),
    )
