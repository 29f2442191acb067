"""Fits the tables of results to games of players with known Elo.

The fit is a logistic regression in numpy, penalised toward guessed tables, by Newton's method;
weights stay at their lower bounds (a better position never wins less). The games are played in
ladder_games, outside_players and balanced_games.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.opponents.move_likelihood import basis
from engine.opponents.win_model import CLASSES, PHASES, WinModel, guessed, log_odds
from engine.util.elo import POINTS_PER_LOG_ODDS
from engine.values import Standing

TOWARD_GUESS = 4.0  # weight of a table's distance from the guess, squared
LEAD_SCALE = 10.0  # the distance of a point of lead counts less than that of a unit of log odds
LEAST_APART = 0.05  # a stronger level always wins a little more
MOST_STEPS = 50
LEANING_GAIN = 2.0  # log odds for a point of a game, in a round
LEANING_GAMES = 8.0  # even games of each class, added to a round's
MOST_LEANING = 1.0  # log odds


@dataclass(frozen=True, slots=True)
class BalanceSample:
    """One position of a game between players of known Elo, with the game's result."""

    level_elo: float  # of the side with this view
    strength_elo: float  # of the other
    standing: Standing
    points: float  # of that side at the end: 1, 0.5 or 0
    weight: float = 1.0  # of the position beside others
    steered: bool = False  # whether that side kept the game even


def fit_win_model(
    positions: Sequence[BalanceSample],
    lowest_elo: float,
    highest_elo: float,
    *,
    weight: float = 0.2,
) -> WinModel:
    """Returns the tables with the best prediction of the games.

    weight: of one position, as all positions of a game share one result. Raises ValueError without
    positions.
    """
    if not positions:
        raise ValueError("outcomes are fitted to positions, of which there are none")
    start = guessed(lowest_elo, highest_elo)
    rows = np.concatenate([_row(sample, start) for sample in positions])
    points = np.array([sample.points for sample in positions])
    weights = weight * np.array([sample.weight for sample in positions])
    sizes = [start.apart.size, start.lead.size, start.rate.size, start.steering.size]
    first = np.concatenate((start.apart, start.lead, start.rate.ravel(), start.steering.ravel()))
    scale = np.repeat((1.0, LEAD_SCALE**2, 1.0, 1.0), sizes)
    least = np.repeat((LEAST_APART, 0.0, 0.0, -np.inf), sizes)
    fixed = ~_changing(start)
    values = first.copy()
    for _ in range(MOST_STEPS):
        chances = 1 / (1 + np.exp(-(rows @ values)))
        gradient = rows.T @ (weights * (points - chances)) - TOWARD_GUESS * scale * (values - first)
        spread = weights * chances * (1 - chances)
        curvature = (rows * spread[:, None]).T @ rows + np.diag(TOWARD_GUESS * scale)
        free = np.flatnonzero(~fixed & ((values > least) | (gradient > 0)))
        step = np.linalg.solve(curvature[np.ix_(free, free)], gradient[free])
        before = values.copy()
        values[free] += step * min(1.0, 1.0 / max(np.abs(step).max(), 1e-12))
        values = np.where(fixed, first, np.maximum(values, least))
        if np.abs(values - before).max() < 1e-5:
            break
    apart, lead, rate, steering = np.split(values, np.cumsum(sizes)[:-1])
    return WinModel(
        lowest_elo=lowest_elo,
        highest_elo=highest_elo,
        apart=apart,
        lead=lead,
        rate=rate.reshape(start.rate.shape),
        steering=steering.reshape(start.steering.shape),
        leaning=start.leaning,
    )


def leaned(
    leaning: NDArray[np.float64], tables: WinModel, games: Sequence[BalanceSample]
) -> NDArray[np.float64]:
    """Returns the leaning [classes] after games kept even by `leaning`, one position of each.

    It rises with more losses than wins, as fast as LEANING_GAIN.
    """
    shares = basis(tables.rank(np.array([sample.strength_elo for sample in games])), CLASSES)
    lost = 0.5 - np.array([sample.points for sample in games])
    raised: NDArray[np.float64] = leaning + LEANING_GAIN * (lost @ shares) / (
        shares.sum(axis=0) + LEANING_GAMES
    )
    return np.clip(raised, -MOST_LEANING, MOST_LEANING)


def _row(sample: BalanceSample, tables: WinModel) -> NDArray[np.float64]:
    """Returns the factors of apart, lead, rate and steering for a sample, [1, values]."""
    standing = sample.standing
    phases = basis([standing.phase], PHASES)[0]
    level = sample.strength_elo if sample.steered else sample.level_elo
    elos = np.array([(level + sample.strength_elo) / 2])
    both = phases[:, None] * basis(tables.rank(elos), CLASSES)[0]  # [phases, classes]
    apart = (level - sample.strength_elo) / POINTS_PER_LOG_ODDS * phases
    rate = log_odds(standing)[:, None, None] * both
    terms = (apart, standing.lead * phases, rate.ravel(), float(sample.steered) * both.ravel())
    return np.concatenate(terms)[None]


def _changing(start: WinModel) -> NDArray[np.bool_]:
    """Returns a mask of free values, [values]: at the start of a game all are Elo's."""
    later = np.arange(len(PHASES)) > 0
    tables = (start.rate, start.steering)
    by_class = [np.broadcast_to(later[:, None], table.shape).ravel() for table in tables]
    return np.concatenate((later, later, *by_class))
