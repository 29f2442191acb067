"""Othello and Connect4 in the core: against slow referees, and where rules are easily got wrong."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from engine._core import Connect4Position, OthelloPosition
from engine.games.position import Position
from engine.games.table import GAMES
from tests.support.diagrams import drawing_of, rows_of, stones_of
from tests.support.line_referees import start_of

SIZES = [
    *(("othello", size, size) for size in (4, 6, 8, 10)),
    *(("connect4", *size) for size in [(7, 6), (4, 4), (5, 4), (6, 5), (8, 7), (9, 6), (12, 4)]),
    ("connect4", 4, 15),
]


def othello(diagram: str, to_move: int = 0) -> OthelloPosition:
    position = OthelloPosition(len(rows_of(diagram)))
    position.setup(stones_of(diagram), to_move)
    return position


def connect4(diagram: str, to_move: int = 0) -> Connect4Position:
    rows = rows_of(diagram)
    position = Connect4Position(len(rows[0]), len(rows))
    position.setup(stones_of(diagram), to_move)
    return position


def cells_of(position: Position) -> tuple[int, ...]:
    return tuple(position.stones.ravel().tolist())


@pytest.mark.parametrize(("game", "width", "height"), SIZES)
def test_random_games_agree_with_the_referee(game: str, width: int, height: int) -> None:
    rng = random.Random(f"{game} {width}x{height}")
    for _ in range(40 if width < 8 else 15):
        position = GAMES[game].new_position(width, height)
        referee = start_of(game, width, height)
        assert cells_of(position) == referee.cells
        while moves := referee.legal_moves():
            assert position.legal_moves() == moves
            assert not position.is_over
            move = rng.choice(moves)
            position.play(move)
            referee = referee.play(move)
            assert cells_of(position) == referee.cells
            assert position.to_move == referee.to_move - 1
            if game == "othello":
                assert position.black_score == referee.score()
        score = referee.score()
        assert position.is_over
        assert position.legal_moves() == []
        assert position.black_score == score
        assert position.winner == (-1 if score == 0 else int(score < 0))


START_8 = """
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . . O X . . .
. . . X O . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
"""
AFTER_F5_D6_C3 = """
. . . . . . . .
. . . . . . . .
. . X . . . . .
. . . X X . . .
. . . O X X . .
. . . O . . . .
. . . . . . . .
. . . . . . . .
"""


def test_othello_starts_as_everywhere() -> None:
    assert drawing_of(OthelloPosition().stones) == START_8.strip()
    assert OthelloPosition().to_move == 0


def test_a_known_othello_opening() -> None:
    position = OthelloPosition()
    for word in ("f5", "d6", "c3"):
        position.play(GAMES["othello"].read_move(word, 8, 8))
    assert drawing_of(position.stones) == AFTER_F5_D6_C3.strip()
    assert position.black_score == 3


# A move in the middle flips along all eight lines, up to the longest; lines without an own end, and
# lines that the edge cuts off, stay.
STAR = """
. . X . X . X .
. . . O O O . .
X O O O . O O X
. . O O O O . .
. O . O O . O .
O . . O O . . O
. . . O O . . .
. . . X . . . .
"""
STAR_AFTER_E3 = """
. . X . X . X .
. . . X X X . .
X X X X X X X X
. . O O O O . .
. O . O O . O .
O . . O O . . O
. . . O O . . .
. . . X . . . .
"""


def test_flips_run_along_every_line_to_an_own_disc() -> None:
    position = othello(STAR)
    position.play(GAMES["othello"].read_move("e3", 8, 8))
    assert drawing_of(position.stones) == STAR_AFTER_E3.strip()


WALLED = """
O X X .
X X X X
X X X X
X X X X
"""
PASSING = """
X O . .
. . . .
. . . .
. . . .
"""


def test_passing_is_legal_only_where_it_is_the_only_move() -> None:
    position = othello(PASSING, to_move=1)
    assert position.legal_moves() == [16]
    assert position.is_legal(16)
    assert not position.is_legal(16, 0)
    position.play(16)
    assert (position.to_move, position.move_number) == (0, 1)
    assert position.legal_moves() == [2]
    with pytest.raises(ValueError, match="illegal move 16"):
        position.play(16)


def test_the_game_ends_when_neither_can_move_and_the_winner_takes_the_empty_cells() -> None:
    before = othello(WALLED, to_move=1)
    assert not before.is_over
    assert before.black_score == 13
    position = othello(WALLED.replace("O", "X"))
    assert position.is_over
    assert (position.winner, position.black_score) == (0, 16)
    drawn = othello("X X . .\n. . . .\n. . . .\n. . O O")
    assert (drawn.is_over, drawn.winner, drawn.black_score) == (True, -1, 0)


@pytest.mark.parametrize(
    ("diagram", "to_move", "column"),
    [
        (". . . .\n. . . .\n. . . .\nX X X .", 0, 3),
        (". . . .\n. . . .\n. . . .\nX X . X", 0, 2),
        (". . . .\nX . . .\nX . . .\nX . . .", 0, 0),
        (". . . .\nO . . X\nO . X O\nO X O O", 1, 0),
        (". . . .\n. . X O\n. X O O\nX O O X", 0, 3),
        ("X . . .\nO X . .\nO O . .\nX O O X", 0, 2),
    ],
)
def test_four_in_a_line_win(diagram: str, to_move: int, column: int) -> None:
    position = connect4(diagram, to_move=to_move)
    assert not position.is_over
    position.play(column)
    assert position.is_over
    assert position.winner == to_move


# Four bits in a row that lie in two columns, or at both ends of a row, are no line.
@pytest.mark.parametrize(
    "diagram",
    [
        "X . . .\nX O . .\nO X . .\nO X O .",
        "X O . .\nX O O .\nO X X .\nO X X O",
        ". . . . . . .\n. . . . . . .\n. . . . . . .\n. . . . . . .\nX X X O . . .\nO O O X X X .",
    ],
)
def test_no_line_runs_over_an_edge(diagram: str) -> None:
    assert connect4(diagram).winner == -1
    assert connect4(diagram, to_move=1).winner == -1


@pytest.mark.parametrize(
    ("moves", "score"),
    [
        ("0 1 0 1 0 1 0", 18),  # with the fourth disc of 21: 22 - 4
        ("0 1 0 1 0 1 6 1", -18),
        ("0 1 0 1 0 1", 0),
    ],
)
def test_connect4_scores_are_higher_the_earlier_the_win(moves: str, score: int) -> None:
    position = Connect4Position()
    for move in moves.split():
        position.play(int(move))
    assert position.black_score == score


@pytest.mark.parametrize(
    ("position", "stones"),
    [
        (OthelloPosition(), [(0, 3), (1, 3)]),
        (Connect4Position(), [(0, 41), (1, 41)]),
        (Connect4Position(), [(0, 34)]),  # nothing below it
        (Connect4Position(), [(c, 35 - 7 * row + 3 * c) for c in (0, 1) for row in range(4)]),
    ],
)
def test_boards_that_cannot_be_are_refused(
    position: Position, stones: list[tuple[int, int]]
) -> None:
    before = position.copy()
    with pytest.raises(ValueError, match="set up twice"):
        position.setup(stones)
    assert position.is_same(before)


def test_set_up_boards_know_that_they_are_over() -> None:
    won = connect4(". . . .\nX . . .\nX O . O\nX O . O")
    assert not won.is_over
    won = connect4("X . . .\nX O . .\nX O . .\nX O . .", to_move=0)
    assert (won.is_over, won.winner, won.legal_moves()) == (True, 0, [])
    assert won.black_score == 5


@pytest.mark.parametrize(
    ("make", "fault"),
    [
        (lambda: OthelloPosition(7), "7 is none of"),
        (lambda: OthelloPosition(12), "12 is none of"),
        (lambda: Connect4Position(3, 6), "3x6"),
        (lambda: Connect4Position(8, 8), "8x8"),
        (lambda: OthelloPosition().play(65), "move 65"),
        (lambda: OthelloPosition().play(0), "illegal move 0 "),
        (lambda: Connect4Position().play(7), "move 7"),
        (lambda: Connect4Position().is_legal(0, 2), "color 2"),
        (lambda: Connect4Position().features(2), "symmetry 2"),
        (lambda: OthelloPosition().setup([(0, 64)]), "cell 64"),
        (lambda: OthelloPosition().setup([(3, 0)]), "color 3"),
        (lambda: OthelloPosition().setup([], 2), "color 2"),
    ],
)
def test_what_can_not_be_is_refused_by_name(make: Callable[[], object], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        make()
