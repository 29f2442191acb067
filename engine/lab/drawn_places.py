"""Positions to measure on, drawn by a seed: moves of a network's policy from the empty board."""

from __future__ import annotations

import numpy as np

from engine.games.evaluator import Evaluator
from engine.games.table import write_vertex
from engine.lab.speed import BenchPosition
from engine.networks.raw import evaluate_each
from engine.values import Floats

LATEST = 0.6  # moves of the latest position, as a share of the board's points
Draw = np.random.Generator


def drawn_places(evaluator: Evaluator, size: int, count: int, seed: int) -> list[BenchPosition]:
    """Returns positions at `count` stages of a game, opening first.

    The moves have the policy's probabilities; nobody passes. The seed names the positions of one
    network, backend and precision.
    """
    rng = np.random.default_rng([seed, size])
    stages = (np.arange(count) + rng.random(count)) / count
    lengths = [round(stage * LATEST * size * size) for stage in stages]
    places = [BenchPosition(size, ()) for _ in lengths]
    positions = [place.position() for place in places]
    growing = list(range(count))
    while growing := [n for n in growing if len(places[n].moves) < lengths[n]]:
        outputs = evaluate_each(evaluator, [positions[n] for n in growing])
        for number, output in zip(list(growing), outputs, strict=True):
            move = drawn_move(output.policy, rng)
            if move is None:
                lengths[number] = 0
                continue
            positions[number].play(move)
            vertex = write_vertex(move, size, size)
            places[number] = BenchPosition(size, (*places[number].moves, vertex))
    return places


def drawn_move(policy: Floats, rng: Draw) -> int | None:
    """Returns a move with the policy's probability, but the last one, the pass; None without any.

    policy: [moves], NaN for an illegal move.
    """
    chances = np.nan_to_num(policy[:-1].astype(np.float64))
    if chances.sum() <= 0:
        return None
    return int(rng.choice(len(chances), p=chances / chances.sum()))
