"""Dame on drawn boards: the fillable ones, and filling them before a pass."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from engine._core import GoPosition
from engine.games import go_ending
from engine.games.rules import RULE_SETS
from engine.opponents.tracker import of_stranger
from engine.personas import Persona, make_persona
from engine.play.move_choice import choose
from engine.play.steps.go import fill_dame
from engine.play.steps.methods import METHODS
from engine.play.steps.request import MoveRequest, Steps
from engine.search.search import Restriction, Search
from engine.strength.fixed_elo import FixedElo
from engine.values import Choice, Limit
from tests.support.diagrams import SEKI, position_of, rows_of
from tests.support.gtp_conversation import count_area
from tests.support.stand_in import StandInEvaluator, StandInSlot, description_of

# x and o are dead stones, + a dame for Black to fill, * one for White, # one for both.
BETWEEN_WALLS = """
. X . X O . O .
X X X X O O O O
. X . X O . O .
X X X X # O O O
. X . X O O O .
"""
ALL_FILLED = """
. X . X O . O .
X X X X O O O O
. X . X O . O .
X X o X O O . O
. X . X O . O .
"""
WIDE = """
. X . X * + O . O .
X X X X * + O O O O
. X . X * + O . O .
"""
CUT_OFF = """
. X . X X X X
X X X X o X X
. X X O # O O
X X O O O . O
. X O . O O O
"""
SELF_ATARI = """
. X O O O . O
X X # . O O O
. X O O O . O
X X O . O O O
. X O O O O O
"""
PLAYED = """
. X O . O X X X X
o X O O O O X X X
o X X X O X X X .
o X O O O X . . X
. X O O O O X X .
X X X X # O X X X
. X O O O O O X .
X X X O . O X X .
. o X O . O X . .
"""  # against GNU Go: with 50 visits a search would have passed here
# J9 takes a connection first, White's or Black's.
HANGING = """
. . . . X + X X .
. . . X X X O X O
. . . . . X O O *
X X X X X X O . .
O O O O O O O . .
. . . . . . . . .
O O O O O O O O O
. . . . . . . . .
. . . . . . . . .
"""
BOARDS = [BETWEEN_WALLS, ALL_FILLED, WIDE, CUT_OFF, SELF_ATARI, SEKI, PLAYED, HANGING]
FILLED_BY = ("+#", "*#")
OWNS = {"X": 1.0, "o": 1.0, "O": -1.0, "x": -1.0}


def drawn(board: str, to_move: int, rules: str = "chinese") -> GoPosition:
    plain = "".join("." if cell in "+*#" else cell.upper() for cell in board)
    return position_of(plain, RULE_SETS[rules], to_move=to_move)


def ownership(board: str) -> NDArray[np.float32]:
    """Returns Black's ownership, [H, W] float32."""
    return np.array([[OWNS.get(cell, 0.0) for cell in row] for row in rows_of(board)], np.float32)


def dame_of(board: str, to_move: int) -> list[int]:
    cells = [cell for row in rows_of(board) for cell in row]
    return [at for at, cell in enumerate(cells) if cell in FILLED_BY[to_move]]


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("to_move", [0, 1])
def test_dame_are_found(board: str, to_move: int) -> None:
    position = drawn(board, to_move)
    assert go_ending.dame_moves(position, ownership(board)) == dame_of(board, to_move)


def test_dame_gain_nothing_under_territory_scoring() -> None:
    position = drawn(BETWEEN_WALLS, 0, "japanese")
    assert go_ending.dame_moves(position, ownership(BETWEEN_WALLS)) == []


def would_pass(slot: StandInSlot, row: int) -> None:
    """Fills a row with a policy for passing."""
    count_area(slot, row)
    slot.policy[row] -= 9.0
    slot.policy[row, -1] = 9.0


PASSES = StandInEvaluator(would_pass)


def turn_of(position: GoPosition, persona: Persona, visits: int) -> MoveRequest[Any]:
    tracker = of_stranger(MoveRequest(position, Limit(visits=1)).board, description_of("go"))
    rng = np.random.default_rng(3)
    return MoveRequest(position, Limit(visits=visits), persona=persona, tracker=tracker, rng=rng)


@pytest.mark.parametrize("text", ["full", "even:95%", "level:2500"])
@pytest.mark.parametrize("board", [BETWEEN_WALLS, ALL_FILLED])
@pytest.mark.parametrize("passed", [False, True])
def test_all_dame_are_filled_before_a_pass(text: str, board: str, passed: bool) -> None:
    position = drawn(board, int(passed))
    if passed:
        position.play(position.pass_move)
    search = Search(PASSES, seed=5)
    search.set_position(position)
    before = search.run(Limit(visits=1)).root.position_hash
    choice = choose(search, turn_of(position, make_persona(text, "go"), visits=2))
    expected = dame_of(board, 0) or [position.pass_move]
    assert [choice.move] == expected, choice.reason
    assert search.run(Limit(visits=1)).root.position_hash == before


def test_a_pass_is_answered_by_a_dame_if_one_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also for a persona with a worthless move in mind, in place of a pass by etiquette."""
    position = drawn(BETWEEN_WALLS, 1)
    position.play(position.pass_move)
    worthless: Steps[Any] = Steps(before_search=(lambda *_: Choice(0, "fills an eye"),))
    monkeypatch.setitem(METHODS, FixedElo, worthless)
    search = Search(PASSES, seed=5)
    search.set_position(position)
    choice = choose(search, turn_of(position, make_persona("level:0", "go"), visits=20))
    assert [choice.move] == dame_of(BETWEEN_WALLS, 0)
    assert choice.reason == "It fills a dame before passing."


def test_a_restriction_to_passing_is_obeyed() -> None:
    position = drawn(BETWEEN_WALLS, 0)
    search = Search(PASSES, seed=5)
    search.set_position(position)
    passing = Choice(position.pass_move, "a pass")
    turn = turn_of(position, make_persona("full", "go"), visits=2)
    choice = fill_dame(search, turn, passing)
    assert choice is not None
    assert [choice.move] == dame_of(BETWEEN_WALLS, 0)
    only = Restriction(black=[1] * position.pass_move + [0])
    assert fill_dame(search, replace(turn, restriction=only), passing) is None
