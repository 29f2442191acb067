"""The winner of a game, by a search independent of the clock and of earlier searches."""

from __future__ import annotations

import pytest

from engine._core import GoPosition
from engine.games.rules import RULE_SETS
from engine.games.table import GAMES
from engine.networks.runtime import load_evaluator
from engine.play.networks import bundled_network
from engine.play.session import Session
from engine.search.judging import judge, points_of
from engine.search.search import Search
from tests.support.diagrams import position_of
from tests.support.stand_in import StandInEvaluator


def game_without_result() -> GoPosition:
    """A game whose whole board came back under simple ko."""
    position = GoPosition(2, 2, RULE_SETS["chinese"], 0.5)
    for move in (2, 1, 3, 0, 2, 3, 2, 0, 3, 1, 2, 3, 2):
        position.play(move)
    assert position.is_no_result
    return position


def test_a_game_without_a_result_is_a_draw() -> None:
    unfinished = GAMES["connect4"].new_position(4, 4)
    assert points_of(StandInEvaluator(game="connect4"), "connect4", unfinished, 0) == 0.5
    void = game_without_result()
    assert judge(StandInEvaluator(), "go", void).black_score == 0
    assert points_of(StandInEvaluator(), "go", void, 0) == 0.5


def test_the_result_does_not_depend_on_earlier_searches() -> None:
    """A slow clock changes nothing either: a session limits its search by visits alone."""
    evaluator = StandInEvaluator()
    statuses = []
    for searched in (False, True):
        session = Session(Search(evaluator, seed=int(searched)), now=iter(range(10**9)).__next__)
        session.start_over((5, 5))
        for move in (12, 7, 11, 18, 13, 25, 25):
            if searched:
                session.ponder(iter([False] * 20 + [True] * 10**6).__next__)
            session.play(session.game.position.to_move, move)
        statuses.append(session.final_status())
    assert statuses[0].black_score == statuses[1].black_score
    assert (statuses[0].dead == statuses[1].dead).all()


# Ends of games whose stones the bundled network by itself takes for dead.
A_SEKI_OF_TEN = """
. . X O O X X X .
X X X O O O X O O
X O O . O X X X O
X X O O O X X O O
X O O O O X X X .
O X O O O X O X X
. X O . O X O X X
. X X O O O O O X
O . X X O O X X X
"""
A_SHAPE_OF_FOUR = """
. X O O O X . . .
O X X O X X . . .
O O . O X . X . .
X O O O O X . X X
X X O X O O X X O
X X X X O X X O O
. X O X X O O O .
. . . O X O . O X
. . . X X X O O O
"""
A_SEKI_OF_THREE = """
O O O O O X . O .
X X O . O . X O O
X X X O O O O X O
O X X X X X X X X
O O O X . . . X .
. O X X . . . . .
. O O X X . . . .
. . X O X X . . .
. O O O O X . . .
"""


@pytest.mark.parametrize(
    ("board", "to_move", "alive"),
    [(A_SEKI_OF_TEN, 1, "J8"), (A_SHAPE_OF_FOUR, 1, "A8"), (A_SEKI_OF_THREE, 0, "G8")],
)
def test_play_goes_on_where_the_network_is_in_doubt(board: str, to_move: int, alive: str) -> None:
    position = position_of(board, RULE_SETS["chinese"], komi=7.5, to_move=to_move)
    for _ in range(2):
        position.play(position.pass_move)
    status = judge(load_evaluator(bundled_network()), "go", position)
    column, row = "ABCDEFGHJ".index(alive[0]), 9 - int(alive[1])
    assert status.alive[row, column]
