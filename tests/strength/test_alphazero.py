"""AlphaZero of AlphaDDA's paper as settings."""

from __future__ import annotations

import pytest

from engine._core import SearchSettings
from engine.games.table import Board
from engine.strength.alphazero import PLAIN, plain_search, playouts
from engine.training.alphazero.recipes import ALPHADDA


def test_the_search_is_plain() -> None:
    settings = plain_search()
    assert settings.cpuct_exploration == 1.25
    assert settings.root_epsilon == SearchSettings().root_epsilon == 0
    for name, value in PLAIN.items():
        assert getattr(settings, name) == value


@pytest.mark.parametrize("name", ALPHADDA)
def test_it_plays_with_the_playouts_that_it_learned_with(name: str) -> None:
    recipe = ALPHADDA[name]
    board = Board(recipe.game, recipe.width, recipe.height)
    assert playouts(board) == recipe.play["visits"]
    assert recipe.search == {**PLAIN, "root_epsilon": 0.2}
