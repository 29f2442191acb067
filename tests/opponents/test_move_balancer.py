"""The draw among moves that keeps a game even: the optimum that it is said to be."""

from __future__ import annotations

import numpy as np
import pytest

from engine.opponents.elo_grid import Grid
from engine.opponents.move_balancer import LOOSE, tilted

KINDS_APART = ((0.99, 0.01), (0.01, 0.99))


def test_a_move_is_no_less_natural_than_it_takes() -> None:
    natural = np.array([0.6, 0.3, 0.1])
    one = np.ones(1)
    # Where all lead to the target win rate all stay as likely as they were.
    assert tilted(natural, np.full((3, 1), 0.5), one, 0.5, 0.6) == pytest.approx(natural)
    # Among those that lead to the same win rate the more natural one stays the likelier.
    win_rates = np.array([[0.9], [0.9], [0.2]])
    found = tilted(natural, win_rates, one, 0.5, 0.6)
    assert found[0] == pytest.approx(2 * found[1])
    assert found @ win_rates == pytest.approx(0.6, abs=0.01)


def test_every_kind_of_opponent_gets_an_even_game_if_possible() -> None:
    natural = np.full(3, 1 / 3)
    # The first move is good against one kind, the second against the other, the third bad.
    win_rates = np.array([[1.0, 0.2], [0.0, 0.8], [0.1, 0.1]])
    found = tilted(natural, win_rates, np.array([0.5, 0.5]), 0.5, 0.5)
    assert found @ win_rates == pytest.approx(0.5, abs=0.02)
    # Who counts for little is given less heed where both can't be had.
    apart = np.array([[0.5, 0.9], [0.1, 0.5]])
    likely = [tilted(np.full(2, 0.5), apart, np.array(k), 0.5, 0.5)[0] for k in KINDS_APART]
    assert likely[0] > 0.9
    assert likely[1] < 0.1


def test_moves_are_as_little_apart_from_natural_ones_as_the_win_rates_are_worth() -> None:
    """The optimum by the definition of tilted: no draw near it is better."""
    rng = np.random.default_rng(1)
    for _ in range(20):
        natural, kinds = rng.dirichlet(np.ones(5)), rng.dirichlet(np.ones(4))
        win_rates = rng.random((5, 4))
        found = tilted(natural, win_rates, kinds, 0.45, 0.55)
        least = cost(found, natural, win_rates, kinds)
        for _ in range(50):
            other = 0.98 * found + 0.02 * rng.dirichlet(np.ones(5))
            assert cost(other, natural, win_rates, kinds) >= least


def cost(moves: Grid, natural: Grid, win_rates: Grid, kinds: Grid) -> float:
    expected = moves @ win_rates
    missed = np.clip(expected, 0.45, 0.55) - expected
    return float(moves @ np.log(moves / natural) + kinds @ missed**2 / (2 * LOOSE**2))


@pytest.mark.parametrize(("win_rates", "nearest"), [([0.1, 0.2], 1), ([0.9, 0.8], 1)])
def test_where_no_move_leads_to_the_target_the_nearest_is_likely(
    win_rates: list[float], nearest: int
) -> None:
    found = tilted(np.full(2, 0.5), np.array([win_rates]).T, np.ones(1), 0.5, 0.5)
    assert found.argmax() == nearest
    assert found[nearest] > 0.95
