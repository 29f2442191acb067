from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.games.table import Board
from engine.strength.elo_scale import EloScale, elo_scale_of, guessed_scale
from engine.strength.rating_ladder import guessed, ladder_for
from engine.strength.settings_curve import knots_of
from tests.support.stand_in import description_of

ONE = EloScale((0.0, 100.0, 200.0), (0.0, 150.0, 400.0))
OTHER = EloScale((-100.0, 0.0, 400.0), (-50.0, 0.0, 800.0))
NETWORK = description_of("go")


@pytest.mark.parametrize(
    ("elo", "moved"),
    [(0.0, 0.0), (75.0, 100.0), (150.0, 200.0), (400.0, 400.0), (420.0, 440.0), (-10.0, -5.0)],
)
def test_an_elo_moves_by_the_place_of_its_play(elo: float, moved: float) -> None:
    """Beyond an end a step of Elo is a step of places."""
    assert ONE.moved(np.array([elo]), OTHER) == pytest.approx([moved])
    assert OTHER.moved(np.array([moved]), ONE) == pytest.approx([elo])


def test_elo_beyond_both_ends_are_as_far_from_them() -> None:
    assert ONE.moved(np.array([700.0]), replace(ONE, elos=(0.0, 1.0, 2.0))) == pytest.approx([302])


def test_scales_of_other_curves_leave_elo_as_they_are() -> None:
    elos = np.array([-5.0, 80.0])
    assert ONE.moved(elos, replace(OTHER, has_engine=True)).tolist() == [-5.0, 80.0]


def test_a_ladder_of_guesses_has_the_curves_own_elo() -> None:
    board = Board("go", 19, 19)
    scale = elo_scale_of(guessed(board, NETWORK))
    assert scale == guessed_scale(board, has_engine=False)
    assert scale.elos == tuple(knot.elo for knot in knots_of(board))


@pytest.mark.parametrize("name", ["go9", "go13", "connect4", "othello8", "darkchess", "chess"])
def test_every_bundled_ladder_has_a_scale(name: str) -> None:
    ladder = ladder_for(Board.of_name(name), NETWORK)
    scale = elo_scale_of(ladder)
    assert len(scale.places) > 2
    assert EloScale.from_json(scale.to_json()) == scale
    zero = scale.places_at(np.array([0.0]))
    assert zero == pytest.approx([0.0], abs=0.1)


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"places": [0], "elos": [1], "has_engine": False},
        {"places": [0, 0], "elos": [1, 2], "has_engine": False},
        {"places": [0, 1], "elos": [2, 1], "has_engine": False},
        {"places": [0, 1], "elos": [1], "has_engine": False},
        {"places": [0, float("nan")], "elos": [1, 2], "has_engine": False},
        {"places": [0, "x"], "elos": [1, 2], "has_engine": False},
    ],
)
def test_anything_else_is_no_scale(values: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"no scale of Elo|not finite|could not convert"):
        EloScale.from_json(values)
