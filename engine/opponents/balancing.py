"""How a game comes out after each move, and the draw among the moves that keeps it even.

Knows chances by kinds of opponents, and probabilities that moves naturally have. Does not know
where the chances come from (engine.opponents.balancing_controller).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.opponents.posterior import Grid

LOOSE = 0.05  # by which a chance may miss what is wanted at the cost of half a nat of divergence
# Newton's method: steps, error, share of a step.
MOST_STEPS, SETTLED, SHORTEST = 30, 1e-4, 1e-3


@dataclass(frozen=True, slots=True, eq=False)
class Balancing:
    """What is known of a position's moves, and what is wanted of the draw among them."""

    chances: Grid  # [moves, kinds] of our winning, the game being kept even from there on
    kinds: Grid  # [kinds] how much each counts; their sum is 1
    nearness: (
        Grid  # [moves] how much each is liked for how near it leads to what is wanted, in nats
    )
    least: float  # of the chance that the draw is to have, with every kind
    most: float

    def preferred(self, natural: Grid) -> Grid:
        """[moves] probabilities near natural ones, by which a game is won as often as wanted.

        natural: [moves]; a move that has no chance there keeps none.
        """
        near = natural * np.exp(self.nearness - self.nearness[natural > 0].max())
        return evened(near / near.sum(), self.chances, self.kinds, self.least, self.most)

    def gap(self, drawn: Grid) -> float:
        """How far the chances expected of moves drawn so are from wanted ones, over all kinds."""
        expected = drawn @ self.chances
        return float(self.kinds @ np.abs(np.clip(expected, self.least, self.most) - expected))


def evened(natural: Grid, chances: Grid, kinds: Grid, least: float, most: float) -> Grid:
    """[moves] the probabilities p by which every kind's expected chance comes near least..most.

    natural: [moves], their sum is 1; chances: [moves, kinds]; kinds: how much each counts.
    They make KL(p | natural) + sum over kinds of share * distance^2 / (2 LOOSE^2) least, so that
    p = natural * exp(chances @ slopes): Newton's method finds the slopes.
    """
    stiff = kinds / LOOSE**2

    def drawn(slopes: Grid) -> Grid:
        odds = chances @ slopes
        found: Grid = natural * np.exp(odds - odds[natural > 0].max())
        found /= found.sum()
        return found

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
