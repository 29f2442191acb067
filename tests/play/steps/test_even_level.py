"""The level of an even game of chess: its Elo on the ladder, and its share of natural moves."""

from __future__ import annotations

import numpy as np
import pytest

from engine.play.steps.even_level import LEVELS_IN_EVEN_GAMES, elo_on_ladder, excess_at
from engine.style.naturalness import Excess, Floors

PROBABILITIES = np.array([0.2, 0.2, 0.6])  # of a flat level
EXCESS = Excess(
    Floors(0.05, 0.2, in_points=False),
    likely=np.array([0.6, 0.3, 0.02]),
    losses=np.full(3, np.nan),
    minimum_share=0.75,
)


def test_a_level_of_chess_is_stronger_in_even_games_than_on_the_ladder() -> None:
    places = LEVELS_IN_EVEN_GAMES
    assert all(on_ladder <= in_even_games for on_ladder, in_even_games in places)
    assert [elo_on_ladder(even, "chess") for _, even in places] == [place for place, _ in places]
    elos = [elo_on_ladder(elo, "chess") for elo in np.arange(-300.0, 3300.0, 50.0)]
    assert elos == sorted(elos)
    assert (elos[0], elos[-1]) == (-300.0, 3250.0)
    assert elo_on_ladder(1234.0, "go") == 1234.0


@pytest.mark.parametrize(
    ("game", "elo", "likeliest"),
    [("chess", 0.0, 2), ("chess", 1500.0, 0), ("chess", 2800.0, 2), ("go", 1500.0, 2)],
)
def test_near_people_a_level_of_chess_plays_only_moves_of_people(
    game: str, elo: float, likeliest: int
) -> None:
    excess = excess_at(EXCESS, elo, game)
    assert excess is not None
    drawn = excess.filtered(np.arange(3), PROBABILITIES)
    assert int(np.argmax(drawn)) == likeliest


def test_without_a_budget_there_is_no_excess() -> None:
    assert excess_at(None, 1500.0, "chess") is None
