"""The rates of one board with nothing else under way: the bare network, and one search.

Rates are evaluations a second of this process's processor time.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Sequence

import numpy as np

from engine._core import EvaluationCache
from engine.games.evaluator import Evaluator
from engine.games.position import Position
from engine.games.table import Board
from engine.lab.load_report import BoardRates
from engine.lab.speed import evaluation_speed
from engine.search.search import Search
from engine.values import Limit

CACHED = 2**16  # evaluations of a lone search
SEARCH_SECONDS = 0.5  # of one position


def board_rates(evaluator: Evaluator, positions: Sequence[Position], seconds: float) -> BoardRates:
    """Returns the rates of a board, each measured for so many seconds."""
    began, worked = time.perf_counter(), time.process_time()
    rate = evaluation_speed(evaluator, positions, seconds)
    bare = rate * (time.perf_counter() - began) / (time.process_time() - worked)
    return BoardRates(bare, lone_rate(evaluator, positions, seconds))


def lone_rate(evaluator: Evaluator, positions: Sequence[Position], seconds: float) -> float:
    """Returns evaluations a processor second of one search after the other."""
    search = Search(evaluator, cache=EvaluationCache(CACHED))
    end, worked, evaluations = time.perf_counter() + seconds, time.process_time(), 0
    for position in itertools.cycle(positions):
        search.set_position(position)
        before = search.tree.rows_evaluated
        search.run(Limit(max_seconds=min(SEARCH_SECONDS, seconds)))
        evaluations += search.tree.rows_evaluated - before
        if time.perf_counter() >= end:
            break
    return max(1, evaluations) / (time.process_time() - worked)


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
