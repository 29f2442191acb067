"""The one-ply heuristic: the effects it counts, and those beyond it."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from engine._core import (
    Connect4Position,
    GoPosition,
    OthelloPosition,
    one_ply_heuristic,
    random_move,
)
from engine.games.chance import drawn
from engine.games.rules import RULE_SETS
from engine.games.table import GAMES, read_vertex, write_vertex
from tests.support.diagrams import position_of


@pytest.mark.parametrize("game", [game for game in GAMES if game != "chess"])
def test_it_looks_at_what_random_play_takes_from(game: str) -> None:
    position: Any = GAMES[game].new_position(*GAMES[game].usual_sizes[-1])
    for number in range(60):
        if position.is_over:
            break
        likes = one_ply_heuristic(position)
        assert likes.dtype == np.float32
        assert likes.shape == (position.move_count,)
        taken = {random_move(position, seed).move for seed in range(20)}
        assert taken <= set(np.flatnonzero(np.isfinite(likes)))
        assert set(np.flatnonzero(np.isfinite(likes))) <= set(position.legal_moves())
        rng = random.Random(number)
        position.play(drawn(position, random_move(position, number).move, rng.randrange))


def connect4(moves: str) -> Connect4Position:
    position = Connect4Position()
    for column in moves:
        position.play(int(column) - 1)
    return position


# By columns from 1: the moves so far, then a column that is liked more than another.
CONNECT4 = {
    "four in a row": ("112233", 4, 5),
    "four rather than keeping the opponent from it": ("71727355", 4, 1),
    "keeping the opponent from four": ("172737", 4, 5),
    "three with room rather than two": ("4455", 3, 7),
    "the middle": ("", 4, 1),
}


@pytest.mark.parametrize(("moves", "liked", "other"), CONNECT4.values(), ids=list(CONNECT4))
def test_connect4(moves: str, liked: int, other: int) -> None:
    likes = one_ply_heuristic(connect4(moves))
    assert likes[liked - 1] > likes[other - 1] + 0.2


def test_connect4_does_not_see_what_a_move_makes_possible() -> None:
    # Column 4 lets Yellow complete a row above it; a glance still finds the middle pleasant.
    position = connect4("1122135323")
    assert not position.is_over
    risky, quiet = one_ply_heuristic(position)[3], one_ply_heuristic(position)[6]
    position.play(3)
    assert np.isfinite([risky, quiet]).all()
    assert risky > quiet


def othello(discs: dict[str, int]) -> OthelloPosition:
    position = OthelloPosition(8)
    stones = [(color, GAMES["othello"].read_move(at, 8, 8)) for at, color in discs.items()]
    position.setup(stones, 0)
    return position


def test_othello_flips_corners_and_edges() -> None:
    # Black may flip one on d1 (an edge), two on e5, one on a1 (a corner), one on f8's like inside.
    position = othello(
        {"c1": 1, "b1": 0, "b2": 1, "c3": 0, "e4": 1, "e3": 1, "e2": 0, "g5": 1, "g4": 0}
    )
    likes = one_ply_heuristic(position)

    def liked(square: str) -> float:
        return float(likes[GAMES["othello"].read_move(square, 8, 8)])

    assert liked("a1") > liked("d1") > liked("e5") > liked("g6")
    assert np.isneginf(liked("h8"))


GO = """
    . . . . . . .
    . X . . . . .
    . O . . X . .
    . X . . O X .
    . . . . X . .
    . . . . . . .
    O . . . . . .
"""


def go_likes(to_move: int) -> dict[str, float]:
    position = position_of(GO, RULE_SETS["tromp-taylor"], to_move=to_move)
    likes = one_ply_heuristic(position)
    return {write_vertex(move, 7, 7): float(likes[move]) for move in position.legal_moves()}


def test_go_takes_saves_and_attacks_stones() -> None:
    # The white stone on E4 has one liberty, those on B5 and A1 have two.
    black, white = go_likes(0), go_likes(1)
    assert black["D4"] == max(black.values())
    assert white["D4"] > white["D6"] + 0.5
    assert black["C5"] > black["D6"] + 0.3
    assert white["D5"] == pytest.approx(white["D6"])
    assert black["G3"] < black["D6"] - 0.3  # the first line
    assert np.isneginf(black["pass"])


def test_go_shuns_self_atari() -> None:
    before = go_likes(1)["G5"]
    position = position_of(GO, RULE_SETS["tromp-taylor"])
    position.play(read_vertex("F5", 7, 7), 0)
    position.play(read_vertex("G4", 7, 7), 0)  # leaves a white stone on G5 one liberty
    position.play(read_vertex("A7", 7, 7), 0)
    position.to_move = 1
    assert float(one_ply_heuristic(position)[read_vertex("G5", 7, 7)]) < before - 1.0


def test_go_plays_near_the_last_move() -> None:
    position = GoPosition(9, 9, RULE_SETS["tromp-taylor"], 7.0)
    position.play(read_vertex("C3", 9, 9))
    likes = one_ply_heuristic(position)
    near, far = (float(likes[read_vertex(text, 9, 9)]) for text in ("C4", "G7"))
    assert near > far + 0.5


def test_go_leaves_its_eyes_and_passes_then() -> None:
    position = position_of(
        """
        . X . X .
        X X X X X
        O O O O O
        . O O . O
        O O O O O
        """,
        RULE_SETS["tromp-taylor"],
        to_move=1,
    )
    # White's eyes are A2 and D2; of Black's three White may play in none.
    assert np.flatnonzero(np.isfinite(one_ply_heuristic(position))).tolist() == [position.pass_move]
