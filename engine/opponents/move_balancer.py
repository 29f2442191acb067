"""A draw among a position's moves with a wanted chance of winning, as near as possible to natural.

Knows chances by kinds of opponents, and natural probabilities of moves. Does not know the source of
the chances (engine.opponents.balance_controller).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.opponents.posterior import Grid

LOOSE = 0.05  # an expected chance this far from its range costs half a nat of divergence
# Newton's method: steps, error, share of a step.
MOST_STEPS, SETTLED, SHORTEST = 30, 1e-4, 1e-3


@dataclass(frozen=True, slots=True, eq=False)
class MoveBalancer:
    """The chances after each move of a position, and the range that the draw aims at."""

    chances: Grid  # [moves, kinds] of our winning, the game being kept even from there on
    kinds: Grid  # [kinds] weights, sum 1
    nearness: Grid  # [moves] bonus in nats for a standing near the wanted one
    least: float  # the range of the expected chance, alike for every kind
    most: float

    def probabilities(self, natural: Grid) -> Grid:
        """Returns [moves] probabilities near `natural` with an expected chance of least..most.

        natural: [moves] probabilities. A move of natural probability 0 keeps 0.
        """
        near = natural * np.exp(self.nearness - self.nearness[natural > 0].max())
        return tilted(near / near.sum(), self.chances, self.kinds, self.least, self.most)

    def gap(self, probabilities: Grid) -> float:
        """Returns the mean distance over all kinds of the expected chance from least..most.

        probabilities: [moves] of the draw.
        """
        expected = probabilities @ self.chances
        return float(self.kinds @ np.abs(np.clip(expected, self.least, self.most) - expected))


def tilted(natural: Grid, chances: Grid, kinds: Grid, least: float, most: float) -> Grid:
    """Returns [moves] probabilities p, with every kind's expected chance near least..most.

    natural: [moves], sum 1. chances: [moves, kinds]. kinds: [kinds] weights. p minimizes
    KL(p | natural) + sum over kinds of weight * distance^2 / (2 LOOSE^2). It is an exponential
    tilt, p = natural * exp(chances @ slopes); Newton's method finds the slopes.
    """
    stiff = kinds / LOOSE**2

    def drawn(slopes: Grid) -> Grid:
        odds = chances @ slopes
        moves: Grid = natural * np.exp(odds - odds[natural > 0].max())
        moves /= moves.sum()
        return moves

    def missed(slopes: Grid) -> Grid:
        expected = drawn(slopes) @ chances
        wrong: Grid = stiff * (np.clip(expected, least, most) - expected) - slopes
        return wrong

    slopes = np.zeros(len(kinds))
    for _ in range(MOST_STEPS):
        wrong = missed(slopes)
        if np.abs(wrong).max() < SETTLED:
            break
        moves = drawn(slopes)
        expected = moves @ chances
        outside = (expected < least) | (expected > most)
        around = chances - expected
        spread = (around * moves[:, None]).T @ around
        step = np.linalg.solve(np.eye(len(kinds)) + (stiff * outside)[:, None] * spread, wrong)
        share = 1.0
        while (
            share > SHORTEST and np.abs(missed(slopes + share * step)).max() >= np.abs(wrong).max()
        ):
            share /= 2
        slopes = slopes + share * step
    return drawn(slopes)
