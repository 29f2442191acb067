"""Fits the margin model to games of Go that were kept even against players of known Elo.

Penalized maximum likelihood of the margins by Fisher scoring. The share and the variances are
fitted by their logarithms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engine.opponents.margin_model import (
    CLASSES,
    LEAST_OPEN,
    MarginModel,
    guessed,
    log_densities,
    sided,
)
from engine.opponents.move_likelihood import basis
from engine.opponents.score_model import ScoreModel
from engine.util.elo import POINTS_PER_LOG_ODDS
from engine.values import Standing

Values = NDArray[np.float64]

# Standard deviations of the penalties: of the values from the guess, and of the gain and the
# logarithm of the spread from one class to the next.
SHARE_DEVIATION, GAIN_DEVIATION, SPREAD_DEVIATION = 0.5, 300.0, 1.0
GAIN_STEP, SPREAD_STEP = 300.0, 0.7
LOCATION_INFORMATION = 1 / 3  # of a logistic variable about its location, in units of its scale
SCALE_INFORMATION = (np.pi**2 + 3) / 9  # about the logarithm of its scale
MOST_STEPS, HALVINGS = 60, 12
SETTLED = 1e-4
# The least rise of the strength less the gain from one class to the next, as a share of the
# strength's.
LEAST_RISE = 0.25


@dataclass(frozen=True, slots=True)
class MarginSample:
    """A game kept even, with its margin."""

    level_elo: float  # engine.opponents.margin_model.game_level of the start levels
    strength_elo: float  # of the opponent
    first: Standing  # ours, before our first move
    margin: float  # our points less the opponent's


def fit_margin_model(samples: Sequence[MarginSample], model: ScoreModel) -> MarginModel:
    """Returns the margin model with the best prediction of the games; the guess without games.

    model: of the same ladder, for the log odds of the start; the deviation of its gain stays.
    """
    start = replace(guessed(), gain_deviation=model.gain_deviation)
    if not samples:
        return start
    games = _Games(samples, model)
    first = np.concatenate(([np.log(start.share)], start.gain, np.log(start.spread)))
    penalty, values = _penalty(), first
    score = games.log_likelihood(values)
    for _ in range(MOST_STEPS):
        slope, information = games.slope(values)
        gradient = slope - penalty @ (values - first)
        step = np.linalg.solve(information + penalty, gradient)
        for _ in range(HALVINGS):
            moved = _rising(values + step, model)
            apart = moved - first
            better = games.log_likelihood(moved) - 0.5 * float(apart @ penalty @ apart)
            if better >= score:
                break
            step = step / 2
        settled = np.abs(moved - values).max() < SETTLED
        values, score = moved, better
        if settled:
            break
    return replace(_model(values), gain_deviation=model.gain_deviation)


def _model(values: Values) -> MarginModel:
    """Returns the model of these values: log share, gains, log spreads."""
    count = len(CLASSES)
    return MarginModel(
        share=float(np.exp(values[0])),
        gain=values[1 : 1 + count],
        spread=np.exp(values[1 + count :]),
    )


def _rising(values: Values, model: ScoreModel) -> Values:
    """Returns the values with gains that leave a stronger opponent stronger."""
    count = len(CLASSES)
    strengths = CLASSES * model.highest_elo
    met = strengths - values[1 : 1 + count]
    rises = np.maximum(np.diff(met), LEAST_RISE * np.diff(strengths))
    rising = np.concatenate(([met[0]], met[0] + np.cumsum(rises)))
    rising += (met - rising).mean()
    moved = values.copy()
    moved[1 : 1 + count] = strengths - rising
    return moved


def _penalty() -> NDArray[np.float64]:
    """Returns [values, values] the precision of the values around the guess."""
    count = len(CLASSES)
    steps = np.diff(np.eye(count), axis=0)
    penalty = np.zeros((1 + 2 * count, 1 + 2 * count))
    penalty[0, 0] = SHARE_DEVIATION**-2
    gains, spreads = slice(1, 1 + count), slice(1 + count, None)
    penalty[gains, gains] = np.eye(count) / GAIN_DEVIATION**2 + steps.T @ steps / GAIN_STEP**2
    penalty[spreads, spreads] = (
        np.eye(count) / SPREAD_DEVIATION**2 + steps.T @ steps / SPREAD_STEP**2
    )
    return penalty


class _Games:
    """The samples as arrays."""

    def __init__(self, samples: Sequence[MarginSample], model: ScoreModel) -> None:
        levels = np.array([sample.level_elo for sample in samples])
        self._margins = np.array([sample.margin for sample in samples])
        strengths = np.array([sample.strength_elo for sample in samples])
        self._classes = basis(model.rank(levels), CLASSES)  # [games, classes] of our level
        self._theirs = basis(model.rank(strengths), CLASSES)  # [games, classes] of the opponent
        still_open = np.array([sample.first.open_points for sample in samples])
        self._open = np.maximum(still_open, LEAST_OPEN)
        self._odds = np.array(
            [
                float(
                    model.log_odds(sample.level_elo, np.array([sample.strength_elo]), sample.first)[
                        0
                    ]
                )
                for sample in samples
            ]
        )  # without the gain

    def _parts(self, values: Values) -> tuple[Values, Values, Values]:
        """Returns [games] the scales, the log odds, and the margins' distances in scales."""
        model = _model(values)
        scales = sided(np.sqrt((self._classes @ model.spread) * self._open), self._margins)
        odds = self._odds + (self._theirs @ model.gain) / POINTS_PER_LOG_ODDS
        return scales, odds, self._margins / scales - model.share * odds

    def log_likelihood(self, values: Values) -> float:
        """Returns the log likelihood of all margins."""
        return float(np.logaddexp(*self._log_densities(values)).sum())

    def _log_densities(self, values: Values) -> tuple[Values, Values]:
        """Returns [games] both parts of the margins' log densities."""
        scales, odds, _ = self._parts(values)
        odds_kept = _model(values).share * odds
        return log_densities(self._margins, odds_kept, scales, self._open)

    def slope(self, values: Values) -> tuple[Values, NDArray[np.float64]]:
        """Returns the gradient [values] and the expected information [values, values]."""
        model = _model(values)
        scales, odds, apart = self._parts(values)
        by_play, by_winner = self._log_densities(values)
        shares = np.exp(by_play - np.logaddexp(by_play, by_winner))  # [games] decided by play
        signs = np.sign(self._margins)
        surprises = signs / (1 + np.exp(signs * model.share * odds))  # [games] of the winner
        by_scale = (
            0.5 * self._classes * model.spread / (self._classes @ model.spread)[:, None]
        )  # of the log scale
        located = np.concatenate(
            (
                (-model.share * odds)[:, None],
                -model.share * self._theirs / POINTS_PER_LOG_ODDS,
                -by_scale * (self._margins / scales)[:, None],
            ),
            axis=1,
        )
        scaled = np.zeros_like(located)
        scaled[:, -len(CLASSES) :] = by_scale
        shifts = located.copy()
        shifts[:, -len(CLASSES) :] = 0.0
        gradient = -(shares * np.tanh(apart / 2)) @ located - shares @ scaled
        gradient -= ((1 - shares) * surprises) @ shifts
        information = LOCATION_INFORMATION * shifts.T @ shifts
        information += SCALE_INFORMATION * scaled.T @ scaled
        return gradient, information
