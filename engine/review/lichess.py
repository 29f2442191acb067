"""Reviews of chess in Lichess's terms: win percent, accuracy, marks.

The formulas are Lichess's (scalachess WinPercent; lila AccuracyPercent and Advice). Lichess has its
centipawns from Stockfish. Here they come from the judge's expected result, by the formula of lc0 at
the time of Maia.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.review.marks import MoveMark

PAWN_FACTOR, PAWN_ANGLE = 90.0, 1.5637541897  # lc0: centipawns of wins less losses
MOST_CENTIPAWNS = 1000.0
CHANCE_SLOPE = 0.00368208  # by centipawn
FIRST_CENTIPAWNS = 15.0  # Lichess's evaluation of the start
# The accuracy of a move: SCALE * exp(-DECAY * lost percent) + SHIFT, and a bonus of 1.
ACCURACY_SCALE, ACCURACY_DECAY, ACCURACY_SHIFT = 103.1668100711649, 0.04354415386753951, -3.166924740191411  # fmt: skip  # noqa: E501
BONUS = 1.0  # for the error of the analysis
LEAST_WINDOW, MOST_WINDOW, WINDOW_SHARE = 2, 8, 10  # positions; a tenth of the moves
LEAST_WEIGHT, MOST_WEIGHT = 0.5, 12.0
LEAST_ACCURACY = 1.0  # in the harmonic mean
MARK_LOSSES = ((0.3, MoveMark.BLUNDER), (0.2, MoveMark.MISTAKE), (0.1, MoveMark.INACCURACY))

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class LichessReview:
    """One game in Lichess's terms."""

    win_percents: tuple[float, ...]  # White's, before each move and at the end
    accuracies: tuple[float, ...]  # of each move, 0..100
    marks: tuple[MoveMark | None, ...]  # of each move
    players: tuple[float | None, float | None]  # accuracy of White and Black; None without a move


def centipawns(value: float) -> float:
    """Returns the centipawns of White's expected result, at most MOST_CENTIPAWNS.

    >>> round(centipawns(0.5228)), centipawns(1.0), centipawns(0.0)
    (6, 1000.0, -1000.0)
    """
    pawns = PAWN_FACTOR * math.tan(PAWN_ANGLE * (2 * value - 1))
    return max(-MOST_CENTIPAWNS, min(MOST_CENTIPAWNS, pawns))


def winning_chance(pawns: float) -> float:
    """Returns the chance of White, -1..1, by centipawns."""
    return 2 / (1 + math.exp(-CHANCE_SLOPE * pawns)) - 1


def win_percent(pawns: float) -> float:
    """Returns White's win percent, 0..100, by centipawns."""
    return 50 + 50 * winning_chance(pawns)


def move_accuracy(before: float, after: float) -> float:
    """Returns the accuracy of a move, 0..100, by its side's win percent before and after it.

    >>> [round(move_accuracy(50, after)) for after in (60, 50, 40, 20)]
    [100, 100, 65, 26]
    """
    if after >= before:
        return 100.0
    fall = math.exp(-ACCURACY_DECAY * (before - after))
    return max(0.0, min(100.0, ACCURACY_SCALE * fall + ACCURACY_SHIFT + BONUS))


def mark_of_loss(loss: float) -> MoveMark | None:
    """Returns the mark of a move by the chance that it loses, on the scale of -1 to 1."""
    return next((mark for least, mark in MARK_LOSSES if loss >= least), None)


def lichess_review(values: Sequence[float], colors: Sequence[int]) -> LichessReview:
    """Returns a game in Lichess's terms.

    values: White's expected results, 0..1, before each move and at the end. colors: of the moves.
    """
    pawns = [centipawns(value) for value in values]
    percents = [win_percent(each) for each in pawns]
    accuracies, marks = list[float](), list[MoveMark | None]()
    for number, color in enumerate(colors):
        before, after = percents[number], percents[number + 1]
        if color:
            before, after = 100 - before, 100 - after
        accuracies.append(move_accuracy(before, after))
        marks.append(mark_of_loss((before - after) / 50))
    white, black = (player_accuracy(pawns[1:], colors, color) for color in (0, 1))
    return LichessReview(tuple(percents), tuple(accuracies), tuple(marks), (white, black))


def player_accuracy(pawns: Sequence[float], colors: Sequence[int], color: int) -> float | None:
    """Returns the accuracy of one player: the mean of a weighted and of a harmonic mean.

    pawns: White's centipawns after each move; the start has FIRST_CENTIPAWNS. colors: of the moves.
    Moves weigh by the spread of the win percents around them. None without a move of the color.
    """
    percents = np.array([win_percent(each) for each in (FIRST_CENTIPAWNS, *pawns)])
    own_percents = 100 - percents if color else percents
    own = [number for number, mover in enumerate(colors) if mover == color]
    if not own:
        return None
    accuracies = [move_accuracy(own_percents[number], own_percents[number + 1]) for number in own]
    weighted = float(np.average(accuracies, weights=_weights(percents)[own]))
    harmonic = len(own) / float(np.sum(1 / np.maximum(LEAST_ACCURACY, accuracies)))
    return (weighted + harmonic) / 2


def _weights(percents: Numbers) -> Numbers:
    """Returns [moves] the weight of each move. percents: [moves + 1]."""
    moves = len(percents) - 1
    size = max(LEAST_WINDOW, min(MOST_WINDOW, moves // WINDOW_SHARE))
    starts = [0] * (min(size, len(percents)) - 2) + list(range(max(1, len(percents) - size + 1)))
    spreads = [float(np.std(percents[start : start + size])) for start in starts[:moves]]
    return np.clip(spreads, LEAST_WEIGHT, MOST_WEIGHT)
