"""The pass that ends a game of Go: never while it loses points, by whatever persona and rules.

The network is a stand-in: whoever has more area wins, and a pass is what it likes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from engine.games.position import Position
from engine.games.rules import RULE_SETS
from engine.games.table import read_vertex, write_vertex
from engine.personas import make_persona
from engine.play.move_choice import choose
from engine.play.steps.methods import METHODS
from engine.play.steps.request import MoveRequest, Steps
from engine.search.search import Search
from engine.values import Choice, Limit
from tests.support.diagrams import position_of
from tests.support.gtp_conversation import (
    OPPONENT,
    OPPONENT_AREA,
    OWN,
    OWN_AREA,
    count_area,
)
from tests.support.stand_in import StandInEvaluator, StandInSlot

# Black has the left, White the right; the stone at C2 is in Black's territory.
DEAD_STONE = """
. X . X O . O .
X X X X O O O O
. X . X O . O .
X X O X O O O .
. X . X O . O .
"""
# The same without it, but White takes four stones at D5 or saves a hole in the wall.
OPEN_WALL = """
. X . X O . O .
X X X X O O O O
. X . . . . O .
X X . X . O O .
. X . X O . O .
"""
# Nothing is left to play for.
SETTLED = """
. X . X O . O .
X X X X O O O O
. X . X O . O .
X X . X O O O .
. X . X O . O .
"""
CAPTURES = {"C1", "C3"}


def would_pass() -> Any:
    """The steps of a persona that always wants to pass."""
    return Steps(before_search=(lambda _, turn: Choice(turn.position.pass_move, "had enough"),))


def move_of(
    board: str,
    rules: str,
    monkeypatch: pytest.MonkeyPatch,
    *,
    passed: bool,
    evaluate: Callable[[StandInSlot, int], None] = count_area,
    komi: float = 0.0,
    name: str = "level:0",
) -> str:
    """The vertex that a weak persona plays as Black after all, or "pass"."""
    persona = make_persona(name, "go")
    monkeypatch.setitem(METHODS, type(persona.strength), would_pass())
    position: Position = position_of(board, RULE_SETS[rules], komi=komi, to_move=int(passed))
    if passed:
        position.play(position.pass_move)
    search = Search(StandInEvaluator(evaluate), seed=5)
    search.set_position(position)
    turn = MoveRequest(position, Limit(visits=2), persona=persona, rng=np.random.default_rng(3))
    move = choose(search, turn).move
    assert move is not None
    return write_vertex(move, position.width, position.height)


@pytest.mark.parametrize("passed", [False, True])
@pytest.mark.parametrize("rules", ["chinese", "japanese", "aga", "tromp-taylor"])
def test_dead_stones_are_captured_where_they_would_count(
    rules: str, passed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = move_of(DEAD_STONE, rules, monkeypatch, passed=passed)
    assert played in (CAPTURES if rules == "tromp-taylor" else {"pass"})


@pytest.mark.parametrize("passed", [False, True])
@pytest.mark.parametrize("rules", ["chinese", "aga", "tromp-taylor"])
def test_a_pass_waits_while_points_are_left(
    rules: str, passed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = move_of(OPEN_WALL, rules, monkeypatch, passed=passed)
    assert played != "pass"
    assert read_vertex(played, 8, 5) in {at + 8 * row for row in (2, 3) for at in (2, 3, 4, 5)}


@pytest.mark.parametrize(
    ("rules", "komi", "passed", "answer"),
    [
        ("chinese", -20.5, True, "pass"),
        ("japanese", -20.5, True, "pass"),
        ("chinese", -20.5, False, "a move"),  # White has not passed
        ("chinese", 0.5, True, "a move"),  # White would win by its next move
        ("tromp-taylor", -20.5, True, "a move"),  # all stones count as they stand
    ],
)
def test_an_even_player_that_is_ahead_answers_a_pass_by_a_pass(
    rules: str, komi: float, passed: bool, answer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = move_of(OPEN_WALL, rules, monkeypatch, passed=passed, komi=komi, name="even")
    assert (played if played == "pass" else "a move") == answer


def like_home(slot: StandInSlot, row: int) -> None:
    """Counts the area, errs by 0.8 points for each stone in it, and likes to play there."""
    count_area(slot, row)
    planes = slot.spatial[row].astype(np.float32)
    own, theirs = planes[OWN] * planes[OWN_AREA], planes[OPPONENT] * planes[OPPONENT_AREA]
    stones = float(own.sum() - theirs.sum())
    slot.policy[row, :-1] += 8 * planes[OWN_AREA].ravel()
    slot.misc[row, 2] += 0.8 * stones / 20


@pytest.mark.parametrize("passed", [False, True])
def test_no_error_of_an_evaluation_fills_own_territory(
    passed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = move_of(SETTLED, "chinese", monkeypatch, passed=passed, evaluate=like_home)
    assert played == "pass"
