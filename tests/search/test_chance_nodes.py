"""Chance nodes of the search: solved values, the tree after a flip, lines up to a flip."""

from __future__ import annotations

import random
from functools import cache

import pytest

from engine._core import DarkChessPosition, EinsteinPosition, SolvedDarkChess
from engine.games.chance import drawn, is_complete, outcomes
from engine.games.dark_chess import new_position
from engine.games.einstein import STEPS, write_action
from engine.networks.rollout_evaluator import RolloutEvaluator
from engine.search.dark_chess_solution import action_values
from engine.search.search import Search, SearchSettings
from engine.values import Limit, Report


@cache
def pawns() -> SolvedDarkChess:
    return SolvedDarkChess(new_position(2, 4, "PPPP"))


def searched(position: DarkChessPosition, visits: int) -> Search:
    search = Search(RolloutEvaluator("darkchess"), seed=1)
    search.set_position(position)
    search.run(Limit(visits=visits))
    return search


def late(seed: int, hidden: int) -> DarkChessPosition:
    """A position of random play with so many face-down pieces, and a flip among its moves."""
    rng = random.Random(seed)
    while True:
        position = new_position(2, 4, "PPPP")
        while not position.is_over and sum(position.pool) > hidden:
            position.play(drawn(position, rng.choice(position.legal_moves()), rng.randrange))
        if not position.is_over:
            return position


def test_the_value_of_a_flip_is_the_mean_of_its_outcomes_by_their_probabilities() -> None:
    for seed in range(4):
        position = late(seed, 3)
        flips = [move for move in position.legal_moves() if not is_complete(position, move)]
        by_move = {stats.move: stats for stats in searched(position, 5000).report().moves}
        for flip in flips:
            if by_move[flip].visits < 50:
                continue
            mean, total = 0.0, 0
            for played, weight in outcomes(position, flip):
                search, after = searched(position, 5000), position.copy()
                after.play(played)
                search.set_position(after, [played])
                mean += weight * (1 - search.report().root.win_rate)
                total += weight
            assert by_move[flip].win_rate == pytest.approx(mean / total, abs=1e-6)


def test_chosen_moves_lose_little_by_the_solved_values() -> None:
    losses = []
    for seed in range(12):
        position = late(seed, 3)
        best = searched(position, 5000).report().best
        exact = action_values(pawns(), position)
        assert best is not None
        losses.append(float(max(exact.values()) - exact[best.move]))
    # Random moves lose .7 on average.
    assert sum(losses) / len(losses) < 0.1


def test_visits_of_outcomes_follow_the_exact_probabilities() -> None:
    """Each outcome's tree keeps its share of the flip's visits, up to a few."""
    position = late(2, 4)
    for seed in range(3):
        flip = next(move for move in position.legal_moves() if not is_complete(position, move))
        visits = []
        for played, _ in outcomes(position, flip):
            search = searched(position, 3000 + seed)
            of_flip = next(stats.visits for stats in search.report().moves if stats.move == flip)
            after = position.copy()
            after.play(played)
            search.set_position(after, [played])
            visits.append((search.visits, of_flip))
        total = sum(weight for _, weight in outcomes(position, flip))
        for (kept, of_flip), (_, weight) in zip(visits, outcomes(position, flip), strict=True):
            # Another way to the same position may have more visits.
            assert kept >= of_flip * weight / total - 4


def test_a_line_ends_with_its_first_flip() -> None:
    position = late(1, 4)
    report = searched(position, 2000).report()
    for stats in report.moves:
        board = position.copy()
        for number, move in enumerate(stats.pv):
            if not is_complete(board, move):
                assert number == len(stats.pv) - 1
                break
            board.play(move)


def of_pieces(*pieces: tuple[int, int], die: int) -> EinsteinPosition:
    """Red to move with this die; pieces: (color * 6 + number - 1, cell)."""
    position = EinsteinPosition()
    position.setup([*pieces, (12 + die - 1, -1)], 0)
    return position


def searched_einstein(position: EinsteinPosition, visits: int, **settings: float) -> Report:
    chosen = SearchSettings()
    for name, value in settings.items():
        setattr(chosen, name, value)
    search = Search(RolloutEvaluator("einstein"), chosen, seed=1)
    search.set_position(position)
    search.run(Limit(visits=visits))
    return search.report()


def exact_win_rate(position: EinsteinPosition, known: dict[int, float]) -> float:
    """The win rate of the side to move under best play, by the whole game tree."""
    if position.is_over:
        return float(position.winner == position.to_move)
    if position.network_hash not in known:
        known[position.network_hash] = max(
            exact_win_rate_after(position, move, known) for move in position.legal_moves()
        )
    return known[position.network_hash]


def exact_win_rate_after(position: EinsteinPosition, move: int, known: dict[int, float]) -> float:
    """The mover's win rate after a move: the mean over the dice of the next side."""
    shares = []
    for played, _ in position.outcomes(move):
        after = position.copy()
        after.play(played)
        shares.append(1 - exact_win_rate(after, known))
    return sum(shares) / len(shares)


@pytest.mark.parametrize(
    "pieces",
    [
        [(0, 6), (6, 18)],
        [(0, 12), (1, 11), (6, 17), (9, 23)],
        [(0, 6), (2, 8), (8, 16)],
        [(0, 11), (3, 8), (7, 18), (10, 22)],
    ],
)
def test_values_of_einstein_are_those_of_the_whole_tree(pieces: list[tuple[int, int]]) -> None:
    position, known = of_pieces(*pieces, die=1), dict[int, float]()
    report = searched_einstein(position, 6000)
    assert report.root.win_rate == pytest.approx(exact_win_rate(position, known), abs=0.2)
    assert report.best is not None
    best = exact_win_rate_after(position, report.best.move, known)
    assert best == pytest.approx(exact_win_rate(position, known), abs=0.01)


def test_a_search_may_visit_all_placings() -> None:
    report = searched_einstein(EinsteinPosition(), 1000, cpuct_exploration=1e6)
    assert len([stats for stats in report.moves if stats.visits]) == 720
    assert float(report.policy[STEPS:].sum()) == pytest.approx(1, abs=1e-3)


def test_a_win_of_einstein_is_played() -> None:
    best = searched_einstein(of_pieces((0, 18), (1, 17), (6, 20), die=1), 200).best
    assert best is not None
    assert write_action(best.move) == "d2-e1"


def test_equal_seeds_search_alike() -> None:
    position = new_position(4, 8)
    one, other = (searched(position, 500).report() for _ in range(2))
    assert [(stats.move, stats.visits) for stats in one.moves] == [
        (stats.move, stats.visits) for stats in other.moves
    ]
