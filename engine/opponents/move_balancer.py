"""The move balancer: probabilities of a position's moves, for an expected win rate in a range.

The probabilities stay as near to the natural ones as the range allows. The win rates come from
engine.opponents.balance_controller.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.opponents.elo_grid import Grid

LOOSE = 0.05  # an expected win rate this far from its range costs half a nat of divergence
# Newton's method: the greatest number of steps, the accepted error, the least share of a step.
MOST_STEPS, SETTLED, SHORTEST = 30, 1e-4, 1e-3


@dataclass(frozen=True, slots=True, eq=False)
class MoveBalancer:
    """The win rates after each move, and the target range of the expected win rate."""

    win_rates: Grid  # [moves, kinds] our win rate after each move, with balancing to the end
    kinds: Grid  # [kinds] weights, sum 1
    nearness: Grid  # [moves] bonus in nats for a win rate near the target
    least: float  # lower end of the target range, the same for every kind
    most: float  # upper end of the target range

    def probabilities(self, natural: Grid) -> Grid:
        """Returns [moves] probabilities near `natural` with an expected win rate in least..most.

        natural: [moves] probabilities. A move of natural probability 0 keeps 0.
        """
        near = natural * np.exp(self.nearness - self.nearness[natural > 0].max())
        return tilted(near / near.sum(), self.win_rates, self.kinds, self.least, self.most)

    def gap(self, probabilities: Grid) -> float:
        """Returns the expected win rate's distance from least..most, the mean over all kinds.

        probabilities: [moves].
        """
        expected = probabilities @ self.win_rates
        return float(self.kinds @ np.abs(np.clip(expected, self.least, self.most) - expected))


def tilted(natural: Grid, win_rates: Grid, kinds: Grid, least: float, most: float) -> Grid:
    """Returns [moves] probabilities p, with every kind's expected win rate near least..most.

    natural: [moves], sum 1. win_rates: [moves, kinds]. kinds: [kinds] weights. p minimizes KL(p |
    natural) + sum over kinds of weight * distance^2 / (2 LOOSE^2). It is an exponential tilt, p =
    natural * exp(win_rates @ slopes); Newton's method finds the slopes.
    """
    stiff = kinds / LOOSE**2

    def drawn(slopes: Grid) -> Grid:
        odds = win_rates @ slopes
        moves: Grid = natural * np.exp(odds - odds[natural > 0].max())
        moves /= moves.sum()
        return moves

    def missed(slopes: Grid) -> Grid:
        expected = drawn(slopes) @ win_rates
        wrong: Grid = stiff * (np.clip(expected, least, most) - expected) - slopes
        return wrong

    slopes = np.zeros(len(kinds))
    for _ in range(MOST_STEPS):
        wrong = missed(slopes)
        if np.abs(wrong).max() < SETTLED:
            break
        moves = drawn(slopes)
        expected = moves @ win_rates
        outside = (expected < least) | (expected > most)
        around = win_rates - expected
        spread = (around * moves[:, None]).T @ around
        step = np.linalg.solve(np.eye(len(kinds)) + (stiff * outside)[:, None] * spread, wrong)
        share = 1.0
        while (
            share > SHORTEST and np.abs(missed(slopes + share * step)).max() >= np.abs(wrong).max()
        ):
            share /= 2
        slopes = slopes + share * step
    return drawn(slopes)
