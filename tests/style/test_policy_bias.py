"""Styles as factors on the policy: the published tables, and the qualities of the others."""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import Any

import numpy as np
import pytest

from engine.games.position import Position
from engine.games.table import GAMES
from engine.search.search import Search, SearchSettings
from engine.style.policy_bias import LEAST, MOST, POLICY_BIASES, Scene, Style, preferred, shares
from engine.values import Limit, MoveStats
from tests.support.played_games import positions_of
from tests.support.stand_in import StandInEvaluator

SIZES = {"go": (9, 9), "othello": (8, 8), "connect4": (7, 6)}


def game(name: str, *moves: str, size: tuple[int, int] | None = None) -> list[Position]:
    """The positions after these moves."""
    return positions_of(name, size or SIZES[name], moves)


def by_move(style: str, scene: Scene, *moves: str) -> list[float]:
    weights = Style.read(style).weights(scene)
    kind, position = GAMES[scene.game], scene.position
    return [float(weights[kind.read_move(m, position.width, position.height)]) for m in moves]


def scene_of(name: str, *moves: str, size: tuple[int, int] | None = None, **known: Any) -> Scene:
    return Scene(name, game(name, *moves, size=size), **known)


# Board, moves, and the factors of centre and of edge: for Go as published.
LINES: list[tuple[str, tuple[int, int], str, str, str]] = [
    ("go", (19, 19), "A1 B10 C3 D4 E15 F6 K10 pass",
     "0.25 0.25 0.5 1.5 1.75 2 2 1", "2 2 1.5 0.75 0.5 0.25 0.25 1"),
    ("go", (13, 13), "A1 B7 C3 D4 G7 pass", "0.5 0.5 0.5 2 2 1", "2 2 2 0.5 0.5 1"),
    ("go", (9, 9), "B5 C3 D4 E5", "0.25 0.5 2 2", "2 1.5 0.25 0.25"),
    ("go", (17, 19), "A1 D4 F6", "0.25 1.5 2", "2 0.75 0.25"),
    ("go", (11, 15), "C3 D4 F6", "0.5 2 2", "2 0.5 0.5"),
    ("othello", (8, 8), "a1 a4 b2 c3 d3 pass", "0.5 0.5 0.5 2 2 1", "2 2 0.5 0.5 0.5 1"),
    ("connect4", (7, 6), "1 2 3 4 5 6 7", "0.5 0.5 2 2 2 0.5 0.5", "2 2 0.5 0.5 0.5 2 2"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "size", "moves", "centre", "edge"), LINES)
def test_centre_and_edge_weigh_by_line(
    name: str, size: tuple[int, int], moves: str, centre: str, edge: str
) -> None:
    scene = scene_of(name, size=size)
    assert by_move("centre", scene, *moves.split()) == [float(word) for word in centre.split()]
    assert by_move("edge", scene, *moves.split()) == [float(word) for word in edge.split()]


def test_local_and_tenuki_go_by_the_distance_to_the_last_two_moves() -> None:
    scene = scene_of("go", "A1", "D9", "J1")  # White plays; the first move is forgotten
    moves = ("D8", "F1", "A2", "F4", "pass")
    assert by_move("local", scene, *moves) == [1.50, 1.25, 0.10, 0.75, 1.0]
    assert by_move("tenuki", scene, *moves) == [0.10, 0.25, 1.50, 0.75, 1.0]


@pytest.mark.parametrize("name", sorted(SIZES))
def test_at_the_beginning_of_a_game_nothing_is_local(name: str) -> None:
    scene = scene_of(name)
    assert set(Style("local").weights(scene)) == set(Style("tenuki").weights(scene)) == {1.0}


def test_an_optimist_wants_the_score_open_and_a_pessimist_settled() -> None:
    positions = game("go")
    search = Search(StandInEvaluator(), SearchSettings(), seed=1)
    search.set_position(positions[-1])
    report = search.run(Limit(visits=200))
    scene = Scene("go", positions, report=report)
    looked_at = [stats for stats in report.moves if stats.edge_visits > 1]
    openest = max(looked_at, key=lambda stats: stats.score_stdev).move
    surest = min(looked_at, key=lambda stats: stats.score_stdev).move
    for style, most, least in (("optimistic", openest, surest), ("pessimistic", surest, openest)):
        weights = Style(style).weights(scene)
        assert (weights[most], weights[least]) == (MOST, LEAST)
        assert (weights[[stats.move for stats in looked_at]] != 1).all()
        assert weights[positions[-1].pass_move] == 1
        assert weights[report.policy < 0].tolist() == [1.0] * int((report.policy < 0).sum())


# Black's chain of two has three liberties and an open fate, White's single stone is safe except for
# its one liberty; the stones at the top are settled.
FIGHT = ("E5", "E6", "D5", "D6", "C1", "A9", "C2", "A8")
OWNERS = {"E5": 0.0, "D5": 0.0, "E6": 0.5, "D6": 0.5, "C1": 1.0, "C2": 1.0, "A9": -1, "A8": -1}


def test_in_go_attack_and_defence_go_where_stones_are_in_doubt() -> None:
    ownership = np.zeros((9, 9), np.float32)
    read = GAMES["go"].read_move
    for text, owner in OWNERS.items():
        ownership.ravel()[read(text, 9, 9)] = owner
    scene = scene_of("go", *FIGHT, ownership=ownership)  # Black plays
    beside_own, beside_other, nowhere = by_move("defensive", scene, "E4", "E7", "J1")
    assert beside_own == MOST
    assert nowhere == LEAST
    assert by_move("offensive", scene, "E7", "E8", "E3", "B1") == [MOST, MOST, LEAST, LEAST]
    assert beside_other == MOST  # two steps from E5
    assert by_move("defensive", scene, "E8", "B1", "pass") == [LEAST, LEAST, 1.0]


def test_in_go_few_liberties_make_a_stone_weaker() -> None:
    ownership = np.zeros((9, 9), np.float32)
    scene = scene_of("go", "E5", "A1", "D5", "B9", ownership=ownership)
    # A1 has two liberties, B9 three.
    corner, top, nowhere = by_move("offensive", scene, "B1", "C9", "J5")
    assert corner == top == MOST
    assert nowhere == LEAST
    moves = ("E5", "B9", "D5", "F4", "D4", "F5", "C4", "F6", "C3")
    scene = scene_of("go", *moves, ownership=ownership)
    chain, lone = by_move("defensive", scene, "G5", "B8")
    assert chain < lone == MOST


def test_without_owners_go_knows_no_fights() -> None:
    with pytest.raises(TypeError):
        Style("offensive").weights(scene_of("go"))


def test_in_othello_attack_takes_replies_and_defence_hides_discs() -> None:
    scene = scene_of("othello", "f5", "d6", "c3")
    position = scene.position
    counted = {}
    for move in position.legal_moves():
        after = position.copy()
        after.play(move)
        counted[move] = len(after.legal_moves())
    weights = Style("offensive").weights(scene)
    assert {move for move in counted if weights[move] == MOST} == {
        move for move in counted if counted[move] == min(counted.values())
    }
    # g5 turns a row of two, all of it beside empty squares; the others turn one disc.
    assert by_move("defensive", scene, "g5", "d3", "f3", "f4") == [LEAST, MOST, MOST, MOST]


def test_in_connect4_attack_builds_lines_and_defence_blocks_them() -> None:
    # Red has a pair in the middle of the bottom row, Yellow three upon one another in column 7.
    scene = scene_of("connect4", "4", "7", "3", "7", "1", "7")
    assert by_move("offensive", scene, "2") == [MOST]
    assert by_move("defensive", scene, "7", "2") == [MOST, LEAST]
    assert by_move("offensive", scene, "7") == [LEAST]


def test_shares_are_between_the_least_and_the_most() -> None:
    """Neither an occupied point nor the pass has any part in it."""
    position = game("go", "A2", size=(2, 2))[-1]
    liking = np.array([7.0, 0.0, 1.0, 2.0, 9.0])
    assert shares(liking, position).tolist() == pytest.approx(
        [np.nan, 0, 0.5, 1, np.nan], nan_ok=True
    )
    liking[2] = np.nan
    assert shares(liking, position).tolist() == pytest.approx(
        [np.nan, 0, np.nan, 1, np.nan], nan_ok=True
    )
    for alike in (np.ones(5), np.full(5, np.nan)):
        assert np.isnan(shares(alike, position)).all()


def test_a_styles_force_is_a_power() -> None:
    scene = scene_of("go", size=(19, 19))
    assert by_move("centre:0.5", scene, "A1", "K10") == [0.5, pytest.approx(2**0.5)]
    assert set(Style("centre", 0.0).weights(scene)) == {1.0}
    assert Style.read("centre:0.5:0.1") == Style("centre", 0.5, 0.1)


def found(*rows: tuple[int, int, float]) -> list[MoveStats]:
    """Moves by number, visits and win rate; the other fields are irrelevant."""
    rest: dict[str, Any] = {
        field.name: 0 for field in fields(MoveStats) if field.default is MISSING
    }
    return [
        MoveStats(**rest | {"move": move, "edge_visits": visits, "win_rate": win_rate, "pv": ()})
        for move, visits, win_rate in rows
    ]


# Search results, the factor of move 1 and the price: the move to play.
PREFERRED = {
    "liked more than it is visited less": (((0, 40, 0.6), (1, 11, 0.59)), 4.0, 0.03, 1),
    "visited too little for that": (((0, 40, 0.6), (1, 9, 0.59)), 4.0, 0.03, 0),
    "worse than the price": (((0, 40, 0.6), (1, 30, 0.56)), 4.0, 0.03, 0),
    "worth a higher price": (((0, 40, 0.6), (1, 30, 0.56)), 4.0, 0.05, 1),
    "hardly known": (((0, 40, 0.6), (1, 3, 0.6)), 100.0, 0.03, 0),
    "all alike": (((0, 40, 0.6), (1, 40, 0.6)), 1.0, 0.03, 0),
    "the best of two liked ones": (((0, 40, 0.6), (1, 20, 0.6), (2, 25, 0.58)), 4.0, 0.03, 1),
}  # fmt: skip


@pytest.mark.parametrize("name", PREFERRED)
def test_a_cheap_move_of_the_style_is_played(name: str) -> None:
    rows, factor, price, played = PREFERRED[name]
    assert preferred(found(*rows), np.array([1.0, factor, 1.0]), price).move == played


@pytest.mark.parametrize("text", ["", "Centre", "centre:", "centre:x", "centre:-1", "edge:nan",
                                  "edge:5", "edge:1:2", "edge:1:0.1:1"])  # fmt: skip
def test_unreadable_texts_are_quoted(text: str) -> None:
    with pytest.raises(ValueError, match=repr(text)):
        Style.read(text)


def test_every_style_has_a_description() -> None:
    assert all(tendency.about for tendency in POLICY_BIASES.values())
