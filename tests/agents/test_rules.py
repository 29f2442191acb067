"""What the agents' tables and rules say, checked by hand."""

from __future__ import annotations

from collections import Counter

import pytest

from engine import _core
from engine._core import Connect4Position, GoPosition, GoRules, OthelloPosition
from tests.support.agents.plain import PLACES, ROXANNE, table
from tests.support.agents.positions import new, set_up

# Black to move may play a1, c1, e1, g1, a3, c3 and more: rows of Roxanne by hand.
CORNER = """
. o x . . . . .
. . . . . . . .
. . . . . . . .
. . . x o . . .
. . . o x . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
"""


def test_roxanne_takes_the_corner() -> None:
    position = set_up(new("othello8"), CORNER)
    assert 0 in position.legal_moves()
    found = _core.tasteful_move(position, "roxanne", 1)
    assert (found.move, found.value) == (0, 5)


def test_roxanne_values_every_square() -> None:
    for move, value in enumerate(table(ROXANNE).ravel()):
        y, x = divmod(move, 8)
        towards = 1 if x < 4 else -1  # the disc to flip, and beyond it an own one: the only move
        position = OthelloPosition(8)
        position.setup([(1, y * 8 + x + towards), (0, y * 8 + x + 2 * towards)])
        assert position.legal_moves() == [move]
        assert _core.tasteful_move(position, "roxanne", 1).value == value


@pytest.mark.parametrize(("size", "row"), [(4, "5 1"), (6, "5 1 3"), (10, "5 1 3 3 3")])
def test_roxanne_on_other_boards(size: int, row: str) -> None:
    for x, value in enumerate(row.split()):
        towards = 1 if x < size - 2 else -1
        position = OthelloPosition(size)
        position.setup([(1, x + towards), (0, x + 2 * towards)])
        assert _core.tasteful_move(position, "roxanne", 1).value == int(value)


def test_scores_are_discs_after_the_move() -> None:
    position = set_up(
        new("othello8"),
        """
        . o o o x . . .
        . . . . . . . .
        . o x . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        """,
    )
    assert position.legal_moves() == [0, 16]
    assert _core.tasteful_move(position, "most_discs", 1).move == 0
    assert _core.tasteful_move(position, "fewest_discs", 1).move == 16


@pytest.mark.parametrize("taste", ["most_discs", "fewest_discs", "roxanne"])
def test_ties_are_broken_evenly(taste: str) -> None:
    position = OthelloPosition(8)
    counts = Counter(_core.tasteful_move(position, taste, seed).move for seed in range(1000))
    assert sorted(counts) == position.legal_moves()
    assert all(200 < count < 300 for count in counts.values())


def test_minimax_breaks_ties_evenly() -> None:
    position = OthelloPosition(8)
    counts = Counter(_core.liang_minimax(position, 3, True, seed).move for seed in range(1000))
    assert all(200 < counts[move] < 300 for move in position.legal_moves())


@pytest.mark.parametrize("size", [6, 8])
def test_alphadda_values_every_square(size: int) -> None:
    start = OthelloPosition(size).stones.ravel()  # whose four discs cancel out
    assert _core.alphadda_evaluation(OthelloPosition(size), 1) == 0
    for square, value in enumerate(table(PLACES[size]).ravel()):
        stones = [(int(s) - 1, i) for i, s in enumerate(start) if s and i != square]
        changed = 2 if start[square] == 2 else 0 if start[square] == 1 else 1
        for to_move, sign in ((0, 1), (1, -1)):
            position = OthelloPosition(size)
            position.setup([*stones, (0, square)], to_move)
            assert _core.alphadda_evaluation(position, 1) == sign * changed * value
            assert _core.alphadda_evaluation(position, 2) == sign * changed


def test_alphadda_plays_othello_on_two_sizes() -> None:
    for size in (4, 10):
        with pytest.raises(ValueError, match=f"not {size}x{size}"):
            _core.alphadda_minimax(OthelloPosition(size), 1)


# Runs of two and three, whether they have room or not; a run of three holds none of two.
CONNECTIONS = [
    ("xx.....", 100, 2),
    ("xxx....", 10_000, 4),
    ("xx.x...", 100, 2),
    ("xxoo...", 0, 0),
    ("xxxo.oo", 9_900, 2),
    ("x.o.x.o", 0, 0),
]


@pytest.mark.parametrize(("row", "first", "second"), CONNECTIONS)
def test_connections_of_a_row(row: str, first: int, second: int) -> None:
    position = set_up(new("connect4"), "......." * 5 + row)
    assert _core.alphadda_evaluation(position, 1) == first
    assert _core.alphadda_evaluation(position, 2) == second


def test_connections_in_every_direction() -> None:
    picture = """
    .......
    .......
    .......
    ..x....
    .xx....
    xoo....
    """  # a diagonal of three, an upright of two, a row of two; White has a row of two
    picture = picture.replace(" ", "")
    position = set_up(new("connect4"), picture)
    # Also x at b2 and c3 with a1: one diagonal of three. Falling diagonals: none of two.
    assert _core.alphadda_evaluation(position, 1) == 10_000 + 100 + 100 - 100
    position = set_up(new("connect4"), picture, to_move=1)
    assert _core.alphadda_evaluation(position, 1) == -(10_000 + 100)


def test_a_won_game_is_worth_r_cubed() -> None:
    position = set_up(new("connect4"), "......." * 5 + "xxxx...", to_move=1)
    assert position.is_over
    assert _core.alphadda_evaluation(position, 1) == -1_000_000
    assert _core.alphadda_evaluation(position, 2) == -8


def test_minimax_takes_a_win_and_prevents_one() -> None:
    for to_move in (0, 1):
        position = set_up(new("connect4"), "......." * 5 + "xxx....", to_move)
        assert _core.alphadda_minimax(position, 1).move == 3


def test_othello_is_searched_to_the_end_in_the_last_six_moves() -> None:
    ends = deeper = 0
    for seed in range(60):
        position = new("othello6")
        while not position.is_over:
            empties = int((position.stones == 0).sum())
            value = _core.alphadda_minimax(position, 1).value
            if empties <= 6:
                ends += 1
                assert value in (-1000, 0, 1000)
            deeper += empties > 6 and value not in (-1000, 0, 1000)
            position.play(_core.random_move(position, seed).move)
    assert ends > 200
    assert deeper > 200


def test_random_is_even() -> None:
    position = Connect4Position()
    counts = Counter(_core.random_move(position, seed).move for seed in range(1400))
    assert all(140 < counts[column] < 260 for column in range(7))


@pytest.mark.parametrize("seed", range(5))
def test_random_go_fills_no_eye_and_ends(seed: int) -> None:
    position = GoPosition(9, 9, GoRules())
    while not position.is_over:
        move = _core.random_move(position, seed).move
        board = position.stones
        if move != position.pass_move:
            y, x = divmod(move, 9)
            around = [board[j, i] for j, i in ((y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1))
                      if 0 <= j < 9 and 0 <= i < 9]  # fmt: skip
            if all(stone == position.to_move + 1 for stone in around):
                diagonals = [(j, i) for j in (y - 1, y + 1) for i in (x - 1, x + 1)]
                inside = [board[j, i] for j, i in diagonals if 0 <= j < 9 and 0 <= i < 9]
                hostile = sum(stone == 2 - position.to_move for stone in inside)
                assert hostile >= (2 if len(inside) == 4 else 1), "an eye was filled"
        position.play(move)
        assert position.move_number < 1000
    assert (position.stones == 0).sum() < 40


def test_first_move_is_the_first() -> None:
    assert _core.first_move(OthelloPosition(8)).move == OthelloPosition(8).legal_moves()[0]
    position = Connect4Position()
    for _ in range(6):
        position.play(0)
    assert _core.first_move(position).move == 1
    assert _core.first_move(GoPosition(9, 9, GoRules())).move == 0


def test_a_pass_is_played_where_it_must_be() -> None:
    position = set_up(new("othello4"), "xo.. .... .... ....", to_move=1)
    assert position.legal_moves() == [position.pass_move]
    for think in (
        _core.first_move,
        lambda p: _core.random_move(p, 1),
        lambda p: _core.tasteful_move(p, "roxanne", 1),
        lambda p: _core.liang_minimax(p, 2, True, 1),
        lambda p: _core.liang_tree_search(p, 10, 1),
        lambda p: _core.alphadda_tree_search(p, 20, 1),
        lambda p: _core.worst_move(p, 1),
    ):
        assert think(position).move == position.pass_move


def test_a_game_that_is_over_has_no_move() -> None:
    position = set_up(new("connect4"), "......." * 5 + "xxxx...", to_move=1)
    with pytest.raises(ValueError, match="over"):
        _core.random_move(position, 1)
