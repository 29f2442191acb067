"""What the search proves, against the exact solvers."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine._core import Connect4Solver, OthelloSolver, SearchSettings
from engine.games.position import Position
from engine.games.table import GAMES
from engine.search.search import Restriction, Search
from engine.values import Limit, Report
from tests.support.stand_in import StandInEvaluator

SOLVERS: dict[str, Any] = {"connect4": Connect4Solver(16), "othello": OthelloSolver(16)}


def late(game: str, size: tuple[int, int], seed: int, empties: int) -> Position:
    """An unfinished game played at random up to so many empty cells."""
    rng = random.Random(seed)
    while True:
        position = GAMES[game].new_position(*size)
        while not position.is_over and int((position.stones == 0).sum()) > empties:
            position.play(rng.choice(position.legal_moves()))
        if not position.is_over:
            return position


def searched(game: str, position: Position, visits: int, **settings: float | bool) -> Report:
    chosen = SearchSettings()
    for name, value in settings.items():
        setattr(chosen, name, value)
    search = Search(StandInEvaluator(game=game), chosen, seed=3)
    search.set_position(position)
    return search.run(Limit(visits=visits))


def win_rate_of(score: int) -> float:
    return 0.5 + 0.5 * ((score > 0) - (score < 0))


def check(game: str, position: Position, report: Report) -> bool:
    """Whether the root was proven; everything known must agree with the solver."""
    scores = dict(SOLVERS[game].solve_moves(position))
    best = max(scores.values())
    for move in report.moves:
        if move.bounds is not None:
            assert move.bounds.low <= scores[move.move] <= move.bounds.high
        if move.bounds is not None and move.bounds.exact is not None and move.visits > 0:
            assert move.score_lead == move.bounds.exact
            assert move.win_rate == move.lcb == win_rate_of(move.bounds.exact)
    bounds = report.root.bounds
    if bounds is None or bounds.exact is None:
        return False
    assert bounds.exact == best
    assert report.best is not None
    assert scores[report.best.move] == best
    assert report.root.score_lead == best
    assert report.root.win_rate == win_rate_of(best)
    return True


CASES = [
    ("connect4", (7, 6), 8, 300),
    ("connect4", (7, 6), 14, 300),
    ("connect4", (7, 6), 20, 600),
    ("connect4", (5, 4), 12, 300),
    ("othello", (8, 8), 8, 300),
    ("othello", (8, 8), 12, 600),
    ("othello", (6, 6), 12, 600),
]


@pytest.mark.parametrize(("game", "size", "empties", "visits"), CASES)
@pytest.mark.parametrize("graph", [True, False])
def test_the_search_never_contradicts_the_solver(
    game: str, size: tuple[int, int], empties: int, visits: int, graph: bool
) -> None:
    proven = 0
    for seed in range(12 if game == "othello" else 30):
        position = late(game, size, seed, empties)
        report = searched(game, position, visits, use_graph_search=graph)
        proven += check(game, position, report)
    assert proven > 5


@pytest.mark.parametrize("game", sorted(SOLVERS))
def test_a_proven_search_stops(game: str) -> None:
    position = late(game, GAMES[game].usual_sizes[0], 5, 6)
    report = searched(game, position, 100_000)
    assert check(game, position, report)
    assert report.root.visits < 100_000


def test_mirrored_root_moves_are_proven_too() -> None:
    position = GAMES["connect4"].new_position(4, 4)
    for column in (0, 3, 0, 3, 3, 0, 0, 3):
        position.play(column)
    for pruning in (True, False):
        report = searched("connect4", position, 2000, root_symmetry_pruning=pruning)
        assert check("connect4", position, report)


def test_a_restriction_never_proves_what_only_other_moves_reach() -> None:
    """Bounds stay those of the position, whatever may be searched of it."""
    for seed in range(20):
        position = late("connect4", (7, 6), seed, 10)
        scores = dict(SOLVERS["connect4"].solve_moves(position))
        worst = min(scores, key=lambda move: scores[move])
        until = [0 if move == worst else 99 for move in range(7)]
        only = Restriction(black=until) if position.to_move == 0 else Restriction(white=until)
        search = Search(StandInEvaluator(game="connect4"), SearchSettings(), seed=3)
        search.set_position(position)
        report = search.run(Limit(visits=200), restriction=only)
        assert [move.move for move in report.moves] == [worst]
        bounds = report.root.bounds
        assert bounds is None or bounds.low <= max(scores.values()) <= bounds.high


def test_a_search_of_the_next_position_keeps_its_proofs() -> None:
    for seed in range(10):
        position = late("connect4", (7, 6), seed, 12)
        search = Search(StandInEvaluator(game="connect4"), SearchSettings(), seed=3)
        search.set_position(position)
        while not position.is_over:
            report = search.run(Limit(visits=300))
            check("connect4", position, report)
            assert report.best is not None
            position.play(report.best.move)
            search.set_position(position)
