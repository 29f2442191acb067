"""Learns Othello's linear evaluation (engine/core/othello/othello_linear.h) from its own games.

Each round plays games by the evaluation of the round before, the first by a guess, and fits all
stages of the game anew, from the last to the first: a stage's weights stay near those of the next
stage, unless games contradict them. There is no network.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from engine._core import (
    add_piece_values,
    add_piece_weights,
    othello_pattern_shape,
    othello_pieces,
    othello_shared_states,
    play_othello_samples,
)
from engine.networks.othello_weights import UNIT
from engine.util.interruptible import interruptible

Weights = NDArray[np.int16]  # [stages, states + counts]
Reals = NDArray[np.float64]

WIN_SCALES = tuple(0.5 * 1.1**step for step in range(40))  # 0.5 to about 20 discs
UNKNOWN_DEVIATION = 20.0  # discs, of a stage without samples


@dataclass(frozen=True)
class PatternSettings:
    """The amount and the settings of learning."""

    size: int = 8
    games: int = 20_000  # a round
    depth: int = 3  # plies of a move's search
    exact_empties: int = 9  # with at most so many empty cells the best moves are played
    overlap: int = 2  # discs of overlap between neighbouring stages
    # Samples of a weight at half of its full size: the variance of a game's score over that of a
    # weight.
    caution: float = 30.0
    steps: int = 40  # of the conjugate gradients


@dataclass(frozen=True)
class PatternSamples:
    """Positions with their games' scores, for the side to move."""

    own: NDArray[np.uint64]
    other: NDArray[np.uint64]
    score: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.score)

    @property
    def discs(self) -> NDArray[np.int64]:
        """Discs on the board, of both colors, [samples] int64."""
        result: NDArray[np.int64] = np.bitwise_count(self.own | self.other).astype(np.int64)
        return result

    def where(self, chosen: NDArray[np.bool_]) -> PatternSamples:
        """Returns the samples of a mask [samples]."""
        return PatternSamples(self.own[chosen], self.other[chosen], self.score[chosen])


def play(
    settings: PatternSettings, weights: Weights | None, seed: int, games: int
) -> PatternSamples:
    """Returns samples from games by `weights`, or by a guess for None.

    `weights`: [stages, states + counts] int16.
    """
    work = partial(
        play_othello_samples,
        settings.size,
        weights,
        games=games,
        seed=seed,
        depth=settings.depth,
        exact_empties=settings.exact_empties,
    )
    own, other, score = interruptible(work)
    return PatternSamples(own, other, score)


class _Stage:
    """The samples of one stage as a sparse matrix: a row a sample, a column a shared weight."""

    def __init__(self, settings: PatternSettings, samples: PatternSamples) -> None:
        shape = othello_pattern_shape(settings.size)
        pieces, counts = othello_pieces(settings.size, samples.own, samples.other)
        self.counts = counts.astype(np.float64)
        self.pieces = np.ascontiguousarray(othello_shared_states(settings.size)[pieces])
        self.states = shape["states"]
        self.width = shape["states"] + shape["counts"]

    def times(self, weights: Reals) -> Reals:
        """Returns each sample's sum of weights, [samples] float64."""
        scores = self.counts @ weights[self.states :]
        add_piece_weights(self.pieces, weights, scores)
        return scores

    def gathered(self, rows: Reals) -> Reals:
        """Returns each weight's sum of rows: the transposed matrix times `rows` [samples]."""
        sums = np.zeros(self.width)
        add_piece_values(self.pieces, rows, sums)
        sums[self.states :] = self.counts.T @ rows
        return sums

    def frequency(self) -> Reals:
        """Returns the diagonal of the normal equations, [weights] float64."""
        result = self.gathered(np.ones(len(self.pieces)))
        result[self.states :] = (self.counts**2).sum(axis=0)
        return result


def fit_stage(settings: PatternSettings, samples: PatternSamples, near: Reals) -> Reals:
    """Returns the best weights [weights] for the samples' scores, with a penalty away from `near`.

    Ridge regression by conjugate gradients, scaled by each weight's frequency.
    """
    stage = _Stage(settings, samples)
    scale = 1.0 / (stage.frequency() + settings.caution)
    weights = np.zeros(stage.width)
    residual = stage.gathered(samples.score - stage.times(near))
    scaled = scale * residual
    direction = scaled.copy()
    size = residual @ scaled
    for _ in range(settings.steps):
        image = stage.gathered(stage.times(direction)) + settings.caution * direction
        step = size / (direction @ image)
        weights += step * direction
        residual -= step * image
        scaled = scale * residual
        size, before = residual @ scaled, size
        direction = scaled + size / before * direction
    return near + weights


def fit(settings: PatternSettings, samples: PatternSamples) -> Weights:
    """Returns the weights of every stage, [stages, states + counts] int16."""
    shape = othello_pattern_shape(settings.size)
    stages, width = shape["stages"], shape["states"] + shape["counts"]
    result = np.zeros((stages, width))
    near = np.zeros(width)
    discs = samples.discs
    for stage in reversed(range(stages)):
        first = 4 + stage * shape["stage_discs"]
        last = first + shape["stage_discs"] - 1
        chosen = (discs >= first - settings.overlap) & (discs <= last + settings.overlap)
        near = fit_stage(settings, samples.where(chosen), near)
        result[stage] = near
    shared = np.append(othello_shared_states(settings.size), np.arange(shape["states"], width))
    return np.clip(np.round(result[:, shared] / UNIT), -32768, 32767).astype(np.int16)


def stages_of(settings: PatternSettings, samples: PatternSamples) -> NDArray[np.int64]:
    """Returns the stage of each sample, [samples] int64."""
    shape = othello_pattern_shape(settings.size)
    stages: NDArray[np.int64] = np.minimum(
        (samples.discs - 4) // shape["stage_discs"], shape["stages"] - 1
    )
    return stages


def predicted(settings: PatternSettings, weights: Weights, samples: PatternSamples) -> Reals:
    """Returns the evaluation of each sample in discs, [samples] float64."""
    shape = othello_pattern_shape(settings.size)
    stages = stages_of(settings, samples)
    pieces, counts = othello_pieces(settings.size, samples.own, samples.other)
    scores = np.zeros(len(samples))
    for stage in range(shape["stages"]):
        rows = stages == stage
        of_stage = weights[stage].astype(np.float64) * UNIT
        of_rows = counts[rows].astype(np.float64) @ of_stage[shape["states"] :]
        add_piece_weights(np.ascontiguousarray(pieces[rows]), of_stage, of_rows)
        scores[rows] = of_rows
    return np.clip(scores, -(settings.size**2), settings.size**2)


def joined(*several: PatternSamples) -> PatternSamples:
    """Returns the samples of all."""
    return PatternSamples(
        np.concatenate([samples.own for samples in several]),
        np.concatenate([samples.other for samples in several]),
        np.concatenate([samples.score for samples in several]),
    )


def deviations(settings: PatternSettings, weights: Weights, samples: PatternSamples) -> list[float]:
    """Returns the root mean square distance of score and evaluation in each stage, in discs.

    `weights`: [stages, states + counts] int16.
    """
    stages = stages_of(settings, samples)
    errors = samples.score - predicted(settings, weights, samples)
    return [_root_mean_square(errors[stages == stage]) for stage in range(len(weights))]


def win_scales(settings: PatternSettings, weights: Weights, samples: PatternSamples) -> list[float]:
    """Returns each stage's disc scale with the likeliest win probabilities.

    `weights`: [stages, states + counts] int16.
    """
    stages = stages_of(settings, samples)
    scores = predicted(settings, weights, samples)
    wins = np.sign(samples.score) / 2 + 0.5
    return [
        min(WIN_SCALES, key=lambda scale: _surprise(scores[chosen] / scale, wins[chosen]))
        for chosen in (stages == stage for stage in range(len(weights)))
    ]


def _root_mean_square(errors: Reals) -> float:
    return float(np.sqrt(np.mean(errors**2))) if len(errors) else UNKNOWN_DEVIATION


def _surprise(odds: Reals, wins: Reals) -> float:
    """Returns the mean of -log(probability of the result).

    Exp(odds) to 1 is the probability of a win.
    """
    if not len(odds):
        return 0.0
    return float(np.mean(np.logaddexp(0.0, odds) - wins * odds))
