"""Dark chess in the core against a slow referee, against published facts and board pictures."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from engine._core import DarkChessPosition, distinct_positions, perft
from engine.games.chance import drawn, outcomes
from engine.games.dark_chess import (
    PIECES,
    SETS_2X4,
    USUAL_MATERIAL,
    counts_of,
    new_position,
    picture,
    read_action,
    set_up,
    write_action,
)
from tests.support.dark_chess_referee import DarkGame, new_dark_game

GAMES = [(2, 4, material, seed) for material in SETS_2X4 for seed in range(4)]
GAMES += [(4, 8, USUAL_MATERIAL, seed) for seed in range(6)]


def written(position: DarkChessPosition, move: int) -> str:
    return write_action(move, position.width, position.height)


def same_picture(game: DarkGame) -> str:
    w = game.width
    rows = ["".join(game.cells[i : i + w]) for i in range(0, len(game.cells), w)]
    pool = "".join(sorted(game.pool, key=PIECES.index))
    return "\n".join([*rows, f"{game.color} {pool}".strip()])


@pytest.mark.parametrize(("width", "height", "material", "seed"), GAMES)
def test_random_play_agrees_with_the_referee(
    width: int, height: int, material: str, seed: int
) -> None:
    """Actions, outcomes with their weights, boards and results of whole games."""
    rng = random.Random(seed)
    limit, repetitions = rng.choice([(40, 3), (12, 0), (0, 2), (60, 4)])
    position = new_position(width, height, material, quiet_limit=limit, repetitions=repetitions)
    game = new_dark_game(width, height, material, quiet_limit=limit, repetitions=repetitions)
    while True:
        assert picture(position) == same_picture(game)
        result = game.result()
        assert position.is_over == (result is not None)
        if result is not None:
            winner = position.winner
            color = "draw" if winner < 0 else ("red", "black")[position.color_of_player(winner)]
            assert color == result
            return
        moves = {written(position, move): move for move in position.legal_moves()}
        assert moves.keys() == game.actions()
        text = rng.choice(sorted(moves))
        spelled = {written(position, m): weight for m, weight in outcomes(position, moves[text])}
        assert spelled == game.outcomes(text)
        move = drawn(position, moves[text], rng.randrange)
        assert position.is_legal(move)
        position.play(move)
        game = game.play(written(position, move))


def referee_perft(game: DarkGame, moves: int) -> int:
    if moves == 0:
        return 1
    if game.result() is not None:
        return 0
    return sum(
        referee_perft(game.play(played), moves - 1)
        for action in game.actions()
        for played in game.outcomes(action)
    )


# Sequences of moves from the start, each outcome a move of its own, and distinct boards.
PERFT = {
    (2, 4, "PPPP"): [1, 16, 224, 2728, 28800],
    (2, 4, "KGCP"): [1, 64, 3136, 113280, 2877696],
    (4, 8, USUAL_MATERIAL): [1, 448, 192448],
}
DISTINCT = {
    (2, 4, "PPPP"): [1, 16, 168, 824],
    (2, 4, "KGCP"): [1, 64, 2464, 35328],
    (4, 8, USUAL_MATERIAL): [1, 448, 144832],
}
MOST_COUNTED = 5000  # sequences that the referee counts


@pytest.mark.parametrize(("width", "height", "material"), PERFT)
def test_sequences_of_moves_are_counted(width: int, height: int, material: str) -> None:
    position = new_position(width, height, material)
    expected = PERFT[width, height, material]
    assert [perft(position, moves) for moves in range(len(expected))] == expected
    game = new_dark_game(width, height, material)
    for moves, count in enumerate(expected):
        if count <= MOST_COUNTED:
            assert referee_perft(game, moves) == count
    distinct = DISTINCT[width, height, material]
    assert distinct_positions(position, len(distinct) - 1) == distinct


def test_the_first_flip_gives_its_color_to_the_player() -> None:
    for piece in range(14):
        position = new_position(4, 8)
        assert position.color_of_player(0) == -1
        position.play(position.with_outcome(5, piece))
        assert position.color_of_player(0) == piece // 7
        assert position.color_of_player(1) == 1 - piece // 7
        assert position.to_move == 1


def test_a_flip_needs_its_outcome() -> None:
    position = new_position(4, 8)
    assert position.is_legal(3)
    with pytest.raises(ValueError, match="move 3 needs its outcome"):
        position.play(3)
    position.play(position.with_outcome(3, 0))
    with pytest.raises(ValueError, match="illegal move"):
        position.play(position.with_outcome(4, 0))  # the only red king is on the board
    with pytest.raises(ValueError, match="is no flip"):
        position.with_outcome(40, 0)


def test_outcomes_are_drawn_by_their_weights() -> None:
    position = new_position(2, 4, "KGGM")
    rng = random.Random(1)
    seen = Counter(drawn(position, 0, rng.randrange) for _ in range(8000))
    for played, weight in outcomes(position, 0):
        assert abs(seen[played] - weight * 1000) < 150
    assert sum(seen.values()) == 8000


# Boards, and the moves of the color to move in them.
PICTURES = [
    # The cannon jumps over pieces of any color, face-down ones too, onto face-up ones alone.
    ("----\n----\n----\nk--X\nX---\nC-Pg\n----\n---p\nred Pp", "a3-a5 a3-b3 a3-a2 c3-c4 c3-b3 c3-c2"
     " d5(?) a4(?) a3-d3"),
    # No pawn captures a cannon, no king a pawn; a pawn captures the king.
    ("----\n----\n-p--\n-K--\n----\n--Pk\n--c-\n----\nred",
     "b5-a5 b5-c5 b5-b4 c3-b3 c3-c4 c3-d3"),
    # A cannon captures nothing by a step, and is captured by a knight.
    ("----\n----\nCp--\n----\n----\n--Nc\n----\n----\nred",
     "a6-a7 a6-a5 c3-b3 c3-c4 c3-c2 c3-d3"),
]  # fmt: skip


@pytest.mark.parametrize(("board", "moves"), PICTURES)
def test_moves_in_pictures(board: str, moves: str) -> None:
    position = new_position(4, 8)
    set_up(position, board)
    assert picture(position) == board
    assert {written(position, move) for move in position.legal_moves()} == set(moves.split())


# Boards of finished games and the winner.
ENDS = [
    ("K-\n--\n--\n--\nblack", 0),
    ("K-\n--\n--\n--\nred", 0),
    ("gK\nK-\n--\n--\nblack", 0),  # the guard captures no king, and has no free cell
    ("pK\nK-\n--\n--\nred", -1),  # free cells
]


@pytest.mark.parametrize(("board", "winner"), ENDS)
def test_ends_in_pictures(board: str, winner: int) -> None:
    position = new_position(2, 4, "KKGG" if board[0] == "g" else "KGGM")
    if "p" in board:
        position = new_position(2, 4, "KKPP")
    set_up(position, board)
    assert (position.is_over, position.winner) == (winner >= 0, winner)


def test_quiet_moves_and_repetitions_draw() -> None:
    shuffle = ["a4-b4", "a1-b1", "b4-a4", "b1-a1"]
    for rules, expected in (((40, 3), 8), ((40, 2), 4), ((5, 3), 5), ((0, 0), 12)):
        position = new_position(2, 4, "KGGM", quiet_limit=rules[0], repetitions=rules[1])
        set_up(position, "K-\n--\n--\ng-\nred")
        played = 0
        while not position.is_over and played < 12:
            position.play(read_action(shuffle[played % 4], 2, 4))
            played += 1
        assert played == expected
        assert position.winner == -1


@pytest.mark.parametrize(
    ("stones", "to_move"),
    [
        ([(0, 0), (1, 0)], 0),  # a cell twice
        ([(0, 0), (0, 1)], 0),  # two kings
        ([(14, 0)], 0),  # a face-down cell without a piece
        ([(0, -1)], 0),  # an unrevealed piece without a cell
    ],
)
def test_impossible_boards_are_refused(stones: list[tuple[int, int]], to_move: int) -> None:
    position = new_position(4, 8)
    before = position.graph_hash
    with pytest.raises(ValueError, match="pieces set up twice"):
        position.setup(stones, to_move)
    assert position.graph_hash == before


def test_impossible_materials_are_refused() -> None:
    with pytest.raises(ValueError, match="15 pieces a side on 32 cells"):
        new_position(4, 8, USUAL_MATERIAL[1:])
    with pytest.raises(ValueError, match="'KQ' is no material"):
        counts_of("KQ")


def test_the_planes_show_each_kind() -> None:
    position = new_position(2, 4, "KGCP")
    set_up(position, "Kc\nX-\n-p\n--\nblack G")
    planes, globals_ = position.features()
    assert planes[3].tolist() == [[0, 0], [1, 0], [0, 0], [0, 0]]
    assert planes[4 + 5].tolist() == [[0, 1], [0, 0], [0, 0], [0, 0]]  # own cannon
    assert planes[4 + 6].tolist() == [[0, 0], [0, 0], [0, 1], [0, 0]]  # own pawn
    assert planes[11].tolist() == [[1, 0], [0, 0], [0, 0], [0, 0]]  # the opponent's king
    assert planes[4:].sum() == 3
    assert np.flatnonzero(globals_).tolist() == [0, 2 + 7 + 1]  # the guard is the opponent's
