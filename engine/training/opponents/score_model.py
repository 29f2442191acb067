"""Fits the tables of Go's score model to games of players with known Elo.

A logistic regression, penalized toward the guessed tables, by Gauss-Newton steps. The variances are
fitted by their logarithms. The derivatives are differences: the model has a dozen values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from engine.opponents.move_likelihood import basis
from engine.opponents.score_model import CLASSES, PHASES, ScoreModel, guessed
from engine.training.opponents.win_model import BalanceSample
from engine.util.elo import POINTS_PER_LOG_ODDS

Values = NDArray[np.float64]

TOWARD_GUESS = 1.0  # weight of a value's distance from the guess, squared
MOST_STEPS = 60
MOST_STEP = 0.5  # the longest step of a value
SETTLED = 1e-4
APART = len(PHASES) - 1  # free values of `apart`; the first is fixed
DIFFERENCE = 1e-4


def fit_score_model(
    samples: Sequence[BalanceSample],
    lowest_elo: float,
    highest_elo: float,
    *,
    present: ScoreModel | None = None,
    weight: float = 0.2,
) -> ScoreModel:
    """Returns the tables with the best prediction of the games.

    present: the tables whose margins and leaning stay, as games kept even decide these; None: the
    guess. weight: of one position, as all positions of a game share one result. Raises ValueError
    without positions.
    """
    if not samples:
        raise ValueError("outcomes are fitted to positions, of which there are none")
    start = guessed(lowest_elo, highest_elo)
    if present is not None:
        start = replace(start, margins=present.margins, leaning=present.leaning)
    table = _Positions(samples, start)
    weights = weight * np.array([sample.weight for sample in samples])
    points = np.array([sample.points for sample in samples])
    first = _values(start)
    values = first.copy()
    for _ in range(MOST_STEPS):
        logits, slopes = table.logits(values), table.slopes(values)
        chances = 1 / (1 + np.exp(-logits))
        gradient = slopes.T @ (weights * (points - chances)) - TOWARD_GUESS * (values - first)
        spread = weights * chances * (1 - chances)
        curvature = (slopes * spread[:, None]).T @ slopes + TOWARD_GUESS * np.eye(len(values))
        step = np.clip(np.linalg.solve(curvature, gradient), -MOST_STEP, MOST_STEP)
        values = values + step
        values[:APART] = np.maximum(values[:APART], 0.0)
        if np.abs(step).max() < SETTLED:
            break
    return _model(values, start)


def _values(model: ScoreModel) -> Values:
    """Returns the free values of a model: `apart` after the start, logarithms of the variances."""
    variances = np.log([*model.spread, *model.free_spread, model.search, model.certain])
    return np.concatenate((model.apart[1:], variances))


def _model(values: Values, start: ScoreModel) -> ScoreModel:
    """Returns the model of these values."""
    variances = np.exp(values[APART:])
    return replace(
        start,
        apart=np.concatenate(([1.0], values[:APART])),
        spread=variances[: len(CLASSES)],
        free_spread=variances[len(CLASSES) : -2],
        search=float(variances[-2]),
        certain=float(variances[-1]),
    )


class _Positions:
    """The samples as arrays."""

    def __init__(self, samples: Sequence[BalanceSample], start: ScoreModel) -> None:
        levels = np.array([sample.level_elo for sample in samples])
        strengths = np.array([sample.strength_elo for sample in samples])
        steered = np.array([sample.steered for sample in samples])
        strengths = np.where(steered, start.balanced_strengths(strengths), strengths)
        standings = [sample.standing for sample in samples]
        # Balancing leaves only the share of the levels' effect.
        left = np.where(steered, start.level_share, 1.0)
        self.difference = left * (levels - strengths) / POINTS_PER_LOG_ODDS
        self.phases = basis([standing.phase for standing in standings], PHASES)
        self.classes = basis(start.rank((levels + strengths) / 2), CLASSES)
        self.lead = np.array([standing.lead for standing in standings])
        self.variance = np.array([standing.deviation**2 for standing in standings])
        self.open_points = np.array([standing.open_points for standing in standings])
        self.free_points = np.array([standing.free_points for standing in standings])

    def logits(self, values: Values) -> Values:
        """Returns [samples] the log odds of winning by a model's free values."""
        apart = self.phases @ np.concatenate(([1.0], values[:APART]))
        variances = np.exp(values[APART:])
        scale = variances[-1] + variances[-2] * self.variance
        scale += (self.classes @ variances[: len(CLASSES)]) * self.open_points
        scale += (self.classes @ variances[len(CLASSES) : -2]) * self.free_points
        logits: Values = self.difference * apart + self.lead / np.sqrt(scale)
        return np.clip(logits, -30.0, 30.0)

    def slopes(self, values: Values) -> Values:
        """Returns [samples, values] the derivatives of the log odds."""
        columns = []
        for index in range(len(values)):
            moved = values.copy()
            moved[index] += DIFFERENCE
            columns.append((self.logits(moved) - self.logits(values)) / DIFFERENCE)
        return np.stack(columns, axis=1)
