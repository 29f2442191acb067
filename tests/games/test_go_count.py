"""The count of games of Go, on drawn boards and hand-made reports."""

from __future__ import annotations

import numpy as np
import pytest

from engine._core import GoPosition
from engine.games import go_count
from engine.games.rules import RULE_SETS
from engine.values import Report
from tests.support.diagrams import SEKI, position_of
from tests.support.go_reports import C2, FINISHED, OWNERS, passed_twice, report_of


@pytest.mark.parametrize("to_move", [0, 1])
@pytest.mark.parametrize(
    ("rules", "score", "searches"),
    [
        ("tromp-taylor", 0, 0),  # C2 is in pass-alive territory: dead without a search
        ("chinese", 0, 1),
        ("japanese", 8 - 7, 1),  # territory and a prisoner
    ],
)
def test_a_finished_game_is_counted(rules: str, score: float, searches: int, to_move: int) -> None:
    position = passed_twice(position_of(FINISHED, RULE_SETS[rules], to_move=to_move))
    searched = []

    def search(shown: GoPosition, _visits: int) -> Report:
        searched.append(shown)
        return report_of(shown, OWNERS)

    status = go_count.judge(position, search)
    assert np.flatnonzero(status.dead).tolist() == [C2]
    assert status.black_score == score
    assert len(searched) == searches
    assert not any(shown.is_over for shown in searched)


def test_prisoners_and_passes_count_under_territory_scoring() -> None:
    position = position_of(FINISHED, RULE_SETS["japanese"], komi=0.5)
    position.play(2 * 8 + 2)
    position.play(position.pass_move)
    position.play(4 * 8 + 2)  # captures C2: two moves in Black's own territory
    passed_twice(position)
    status = go_count.judge(position, lambda shown, _: report_of(shown, OWNERS))
    assert position.captured == (0, 1)
    assert status.black_score == 8 - 7 - 2 - 0.5


def test_tromp_taylor_counts_all_stones_outside_pass_alive_territory() -> None:
    board = """
    . X . O .
    O X . O .
    . X . O .
    """
    owners = """
    X X . O O
    X X . O O
    X X . O O
    """
    for rules, dead, score in (("tromp-taylor", [], 3 - 7), ("new-zealand", [5], 0)):
        position = passed_twice(position_of(board, RULE_SETS[rules]))
        status = go_count.judge(position, lambda shown, _: report_of(shown, owners))
        assert np.flatnonzero(status.dead).tolist() == dead
        assert status.black_score == score


# The dame in the middle are unfilled. A1 is dead; in the last one a white stone is in atari.
UNFILLED = """
. . X . O .
. . X . O .
. . X O . O
. X . X O .
O X X . O O
"""
# The stones beside J9 connect at F9 and J7, therefore all territory counts.
HANGING = """
. . . . X . X X .
. . . X X X O X O
. . . . . X O O .
X X X X X X O . .
O O O O O O O . .
. . . . . . . . .
O O O O O O O O O
. . . . . . . . .
. . . . . . . . .
"""
# A seki at the bottom left: connected at D1, Black has one liberty.
FALSE_EYES = """
. O O O O O O .
O X X X X O O O
X X . X O O . O
O O O X X O O O
. X X . X O . O
"""
# The same: connected at A1 and C1 too, Black has but the one eye E2.
NO_SECOND_EYE = """
. X . X . X O . .
X X X X X X O O O
O O O O X X O . O
O . O X O O O O .
. O O X X X O O O
X O X X . X O . O
. X . X . X O . .
"""


@pytest.mark.parametrize(
    ("board", "dead", "score"),
    [
        (UNFILLED, [24], 9 + 1 - 4),  # a prisoner too
        (SEKI, [], 0),  # two eyes each outside, and none of those in the seki
        (HANGING, [], 14 - 33),
        (FALSE_EYES, [], 0 - 4),
        (NO_SECOND_EYE, [], 3 - 7),
    ],
)
def test_unfilled_dame_cost_no_territory(board: str, dead: list[int], score: float) -> None:
    position = position_of(board, RULE_SETS["japanese"], komi=0.5)
    taken = np.zeros(position.stones.shape, np.bool_)
    taken.flat[dead] = True
    played = int((position.stones == 1).sum()) - int((position.stones == 2).sum())
    assert go_count.score_without_dead(position, taken) == score - 0.5
    assert position.white_bonus == 0.5 + played, "stones set up count as moves"


def test_an_unfilled_dame_is_no_area() -> None:
    board = FINISHED.replace("X X O X O O . O", "X X O X . O . O")
    position = passed_twice(position_of(board, RULE_SETS["chinese"], komi=0.5))
    status = go_count.judge(position, lambda shown, _: report_of(shown, OWNERS))
    assert status.black_score == 20 - 19 - 0.5


def test_handicap_compensation_is_counted_once() -> None:
    position = GoPosition(5, 5, RULE_SETS["chinese"], 0.5)
    position.setup([(0, 6), (0, 8)])
    position.to_move = 1
    passed_twice(position)
    status = go_count.judge(
        position, lambda shown, _: report_of(shown, "\n".join(["X X X X X"] * 5))
    )
    assert status.black_score == 25 - 0.5 - 2


@pytest.mark.parametrize(
    ("komi", "lead", "score"),
    [(7.5, 3.2, 3.5), (7.5, -0.2, -0.5), (7.0, 3.2, 3.0), (7.0, 0.2, 0.0), (-6.5, 0.9, 0.5)],
)
def test_an_unfinished_game_is_estimated_to_a_possible_score(
    komi: float, lead: float, score: float
) -> None:
    position = position_of(FINISHED, RULE_SETS["tromp-taylor"], komi=komi)
    status = go_count.judge(position, lambda shown, _: report_of(shown, OWNERS, lead=lead))
    assert status.black_score == score


def test_a_chain_dies_by_its_average_or_its_worst_point() -> None:
    position = position_of(". . . .\n. X X .\n. . . .", RULE_SETS["chinese"])
    for worst, best, dies in ((0.1, 0.2, True), (0.5, 0.1, False), (-0.7, 1.0, True)):
        ownership = np.zeros((3, 4), np.float32)
        ownership[1, 1:3] = worst, best
        assert go_count.dead_stones(position, ownership).any() == dies


@pytest.mark.parametrize(("black", "white"), [(-0.4, 0.1), (0.1, 0.3), (-0.9, -0.2)])
def test_the_deader_chain_of_two_side_by_side_dies(black: float, white: float) -> None:
    position = position_of(". . . .\n. X O .\n. . . .", RULE_SETS["chinese"])
    ownership = np.zeros((3, 4), np.float32)
    ownership[1, 1:3] = black, white
    dead = go_count.dead_stones(position, ownership)
    assert np.flatnonzero(dead).tolist() == [5 if black < -white else 6]


def test_stones_taken_still_count_in_a_position_without_its_past() -> None:
    position = GoPosition(5, 5, RULE_SETS["japanese"], 6.5)
    for move in (12, 13, 6):
        position.play(move)
    fresh = go_count.without_history(position, position.to_move)
    assert fresh.white_bonus == position.white_bonus == 7.5
