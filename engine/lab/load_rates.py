"""The rates of one board with nothing else under way: the bare network, and games searched alone.

Rates are per second of this process's processor time.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.games.evaluator import Evaluator
from engine.games.position import Position
from engine.games.table import Board
from engine.lab.speed import evaluation_speed
from engine.search.search import Search
from engine.search.tree import new_cache
from engine.values import Limit

CACHED = 2**16  # evaluations of a lone search
WINDOW = 6  # consecutive moves of a game, searched with the tree kept


@dataclass(frozen=True, slots=True)
class LoneRates:
    """Work a processor second of one search alone."""

    visits: float
    evaluations: float


def bare_rate(evaluator: Evaluator, positions: Sequence[Position], seconds: float) -> float:
    """Returns the evaluations a processor second of the network alone."""
    began, worked = time.perf_counter(), time.process_time()
    rate = evaluation_speed(evaluator, positions, seconds)
    return rate * (time.perf_counter() - began) / (time.process_time() - worked)


def lone_rates(
    evaluator: Evaluator,
    board: Board,
    records: Sequence[Sequence[int]],
    *,
    playouts: int,
    seconds: float,
    rng: np.random.Generator,
) -> LoneRates:
    """Returns the rates of one search that follows parts of recorded games, drawn at random.

    records: the moves of each game. playouts: of each search. Each part is searched from scratch.
    The rates are 0 without a move.
    """
    played = [record for record in records if record]
    if not played:
        return LoneRates(0.0, 0.0)
    search = Search(evaluator, cache=new_cache(evaluator.network.game, CACHED))
    lengths = np.array([len(record) for record in played], np.float64)
    visits = evaluations = 0
    end, worked = time.perf_counter() + seconds, time.process_time()
    while not visits or time.perf_counter() < end:
        record = played[rng.choice(len(played), p=lengths / lengths.sum())]
        first = int(rng.integers(len(record)))
        position = board.start()
        for move in record[:first]:
            position.play(move)
        search.set_position(position)
        before = search.tree.rows_evaluated
        for move in record[first : first + WINDOW]:
            visits += search.run(Limit(playouts=playouts)).playouts
            position.play(move)
            if position.is_over:
                break
            search.set_position(position, [move])
        evaluations += search.tree.rows_evaluated - before
    worked = time.process_time() - worked
    return LoneRates(visits / worked, evaluations / worked)


def drawn_positions(board: Board, count: int, rng: np.random.Generator) -> list[Position]:
    """Returns positions after random moves, from the start to a third of the board filled."""
    positions: list[Position] = []
    while len(positions) < count:
        position = board.start()
        for _ in range(int(rng.integers(board.width * board.height // 3))):
            moves = [move for move in position.legal_moves() if move != position.pass_move]
            if moves:
                position.play(int(rng.choice(moves)))
        if not position.is_over:
            positions.append(position)
    return positions
