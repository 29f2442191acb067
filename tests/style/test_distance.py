"""Distances of moves from the opponent's last one, and their factors, game by game."""

from __future__ import annotations

import numpy as np
import pytest

from engine.games.position import Position
from engine.games.table import GAMES
from engine.style.distance import distances, near_weights, places
from tests.support.played_games import positions_of

SIZES = {"go": (13, 13), "othello": (8, 8), "connect4": (7, 6)}


def game(name: str, *moves: str) -> list[Position]:
    """The positions after these moves on the usual board, in Go 13x13."""
    return positions_of(name, SIZES[name], moves)


def by_move(name: str, values: np.ndarray | None, *moves: str) -> list[float]:
    assert values is not None
    position = game(name)[0]
    kind = GAMES[name]
    return [float(values[kind.read_move(m, position.width, position.height)]) for m in moves]


def test_method_b_in_go() -> None:
    """Euclidean distances to White's D4, Black having a stone three lines off."""
    weights = near_weights("go", game("go", "D7", "D4"))
    assert by_move("go", weights, "E5", "F4", "G4", "H4", "J4", "K4", "L4", "M13", "pass") == [
        1.50, 1.50, 1.25, 1.00, 0.75, 0.50, 0.25, 0.10, 1.0,
    ]  # fmt: skip
    assert by_move("go", weights, "F5", "G7") == [1.25, 0.75]  # sqrt 5 and sqrt 18


@pytest.mark.parametrize(
    "moves",
    [("D8", "D4"), ("K10", "D4"), (), ("D7", "pass"), ("D4",)],
    ids=["four lines off", "far off", "nothing was played", "a pass", "no stone of its own"],
)
def test_method_b_changes_nothing_where_the_opponent_has_gone_elsewhere(
    moves: tuple[str, ...],
) -> None:
    assert near_weights("go", game("go", *moves)) is None


def test_in_othello_near_is_where_discs_were_turned() -> None:
    positions = game("othello", "f5", "f6")  # turns e5
    found = distances("othello", positions)
    asked = ("f7", "c4", "b2", "a1", "pass")
    assert by_move("othello", found, *asked) == [1, 2, 3, 4, np.inf]
    weights = near_weights("othello", positions)
    assert by_move("othello", weights, *asked) == [1.5, 1.0, 0.5, 0.25, 1.0]
    assert near_weights("othello", positions[:2]) is not None


def test_in_connect4_near_is_where_the_disc_would_come_to_lie() -> None:
    positions = game("connect4", "4", "4", "4", "4", "1", "4")
    found = distances("connect4", positions)
    # The fifth disc of column 4 lies above; in column 1 the next would be the second.
    assert by_move("connect4", found, "4", "3", "1", "7") == [1, 4, 3, 4]
    weights = near_weights("connect4", positions)
    assert by_move("connect4", weights, "4", "3", "1") == [1.5, 0.5, 1.0]


@pytest.mark.parametrize("name", sorted(SIZES))
def test_moves_lie_where_they_put_their_stones(name: str) -> None:
    position = game(name)[-1]
    where = places(name, position)
    for move in position.legal_moves():
        after = position.copy()
        after.play(move)
        y, x = np.nonzero((position.stones == 0) & (after.stones != 0))
        if move == position.pass_move:
            assert np.isnan(where[move]).all()
        else:
            assert where[move].tolist() == [x[0], y[0]]
