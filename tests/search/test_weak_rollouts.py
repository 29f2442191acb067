"""Rollouts of weak players: their win rates of a position, and their repeatability."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from engine._core import Connect4Position, weak_wins
from engine.games.table import GAMES, Board
from engine.search.weak_rollouts import UNKNOWN, WEAK_ROLLOUTS, weak_win_rates
from tests.support.late_positions import connect4_late, othello_late


def exact_share(position: Any) -> float:
    """The win rate of the side to move under uniformly random play, by the whole game tree."""
    if position.is_over:
        return 0.5 if position.winner < 0 else float(position.winner == position.to_move)
    shares = []
    for move in position.legal_moves():
        after = position.copy()
        after.play(move)
        share = exact_share(after)
        shares.append(share if after.to_move == position.to_move else 1 - share)
    return sum(shares) / len(shares)


@pytest.mark.parametrize("position", [connect4_late(), othello_late()], ids=["connect4", "othello"])
def test_careless_games_are_won_as_often_as_all_games_say(position: Any) -> None:
    assert not position.is_over
    exact = exact_share(position)
    assert 0 < exact < 1
    assert weak_wins(position, greed=0.0, games=4000, seed=1) == pytest.approx(exact, abs=0.035)


def test_greedy_rollouts_complete_four_and_random_ones_may_not() -> None:
    position = Connect4Position()
    for column in (0, 6, 0, 6, 0, 6):
        position.play(column)
    greedy, careless = weak_win_rates(position, "connect4")
    # With 2,000 seeds 0.97 +- 0.02, at least 0.86, and 0.58 +- 0.06, 0.34 to 0.78.
    assert greedy > 0.84
    assert 0.3 < careless < 0.83


@pytest.mark.parametrize(("game", "seed"), list(product(sorted(GAMES.keys() - {"chess"}), (1, 2))))
def test_games_end_and_are_the_same_again(game: str, seed: int) -> None:
    position: Any = GAMES[game].new_position(*GAMES[game].usual_sizes[0])
    shares = [weak_wins(position, greed=1.0, games=20, seed=seed) for _ in range(2)]
    assert shares[0] == shares[1]
    assert 0 <= shares[0] <= 1
    # Two seeds may come to the same share of 20 games; hardly eight of them.
    others = {weak_wins(position, greed=1.0, games=20, seed=seed + more) for more in range(1, 8)}
    assert others != {shares[0]}


def test_careless_games_of_dark_chess_leave_the_memory_alone() -> None:
    """There are 352 moves on 4x8; with the sanitizers a smaller buffer stops here."""
    start: Any = Board("darkchess", 4, 8).start()
    assert 0.2 < weak_wins(start, greed=0.0, games=20, seed=1) < 0.8


def test_in_go_and_in_a_finished_game_nothing_is_known() -> None:
    assert weak_win_rates(Board("go", 9, 9).start(), "go") == UNKNOWN
    finished = connect4_late()
    while not finished.is_over:
        finished.play(finished.legal_moves()[0])
    assert weak_win_rates(finished, "connect4") == UNKNOWN
    assert set(WEAK_ROLLOUTS) == set(GAMES) - {"go", "darkchess", "chess"}


def test_no_games_are_an_error() -> None:
    with pytest.raises(ValueError, match="games"):
        weak_wins(Connect4Position(), greed=0.0, games=0, seed=1)
