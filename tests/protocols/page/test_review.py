"""The review of a finished game: its values, its dearest moves, and what people would play."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games.evaluator import Evaluator
from engine.games.table import Board
from engine.networks.human_policy import HumanPolicy
from protocols.page.judged_game import DearMove, JudgedPosition, dearest
from tests.support.page_talk import PageTalk, StandInSource, line_of
from tests.support.stand_in import StandInEvaluator


class WithPeople(StandInSource):
    """A source with a network of human moves."""

    def human_policy_on(self, board: Board, /) -> HumanPolicy | None:
        evaluator: Evaluator = StandInEvaluator(game=board.game)
        return HumanPolicy(evaluator)


def positions(*values: float) -> list[JudgedPosition]:
    return [
        JudgedPosition(number % 2, value, 10 * (value - 0.5)) for number, value in enumerate(values)
    ]


def test_the_dearest_moves_are_those_that_lose_the_most() -> None:
    game = positions(0.5, 0.49, 0.9, 0.35, 0.35, 0.31, 0.31)
    black = dearest(game, 0, None)
    assert [(move.number, move.kind) for move in black] == [(2, "blunder"), (4, "")]
    assert black[0].loss == pytest.approx(0.55)
    assert black[0].points == pytest.approx(5.5)
    [white] = dearest(game, 1, None)
    assert (white.number, white.kind) == (1, "blunder")


def test_points_count_where_the_game_is_decided() -> None:
    game = [JudgedPosition(0, 0.0, -30.0), JudgedPosition(1, 0.0, -40.0)]
    assert dearest(game, 0, None) == [DearMove(0, 0.0, 10.0, "")]
    # Weak players lose as much without a mark, and no mark is worse in a decided game.
    assert [dearest(game, 0, factor)[0].kind for factor in (1.0, 4.0)] == ["inaccuracy", ""]


def test_a_game_without_losses_has_no_dear_move() -> None:
    assert dearest(positions(0.5, 0.5, 0.5), 0, 1.0) == []
    assert dearest([], 0, None) == []


@pytest.mark.parametrize(
    ("terms", "moves"),
    [
        ({"width": 5, "height": 5, "handicap": 0}, ["C3", "B2", "D4", "pass", "pass"]),
        ({"game": "othello", "width": 6, "height": 6}, ["c2", "b2", "b3"]),
        ({"game": "connect4"}, ["4", "1", "4", "1", "4", "1", "4"]),
    ],
    ids=["go", "othello", "connect4"],
)
def test_every_game_is_reviewed(terms: dict[str, Any], moves: list[str]) -> None:
    talk = PageTalk(source=WithPeople)
    state = talk.state("resume", **terms, moves=moves)
    assert talk.say("review")[0]["type"] == ("review" if state["phase"] == "over" else "error")
    if state["phase"] == "counting":
        state = talk.state("agree")
    elif state["phase"] != "over":
        state = talk.state("resign")
    review = talk.say("review")[-1]
    moves = [name for _, name in state["moves"]]
    assert review["done"] == review["total"] == len(moves) + 1
    assert len(review["values"]) == len(review["leads"]) == len(review["boards"]) == len(moves) + 1
    assert all(0 <= value <= 1 for value in review["values"])
    assert review["boards"][0].count(".") >= 21
    last = "".join(".xo"[cell] for row in state["board"] for cell in row)
    assert review["boards"][-1] == last
    for dear in review["dearest"]:
        assert dear["played"] == moves[dear["number"] - 1]
        assert dear["best"]
        assert 0 <= dear["people_share"] <= 1


def test_the_end_of_a_won_game_has_its_result() -> None:
    talk = PageTalk()
    talk.say("resume", game="connect4", moves=["4", "1", "4", "1", "4", "1", "4"])
    review = talk.say("review")[-1]
    assert review["values"][-1] == 1.0
    assert review["values"][-2] > 0.9, "the search finds a win in one"


def test_a_new_game_ends_a_review() -> None:
    talk = PageTalk()
    talk.say("resume", game="connect4", moves=["4", "1", "4", "1", "4", "1", "4"])
    talk.inbox.put([line_of("new")])
    assert talk.say("review") == []


def test_a_level_before_and_after_is_shown() -> None:
    talk = PageTalk()
    for _ in range(2):
        state = talk.state("new", game="connect4", strength="level:0")
        while state["phase"] == "yours":
            state = talk.state("move", at=state["legal"][0])
        review = talk.say("review")[-1]
    assert review["before"]["low"] < review["before"]["high"]
    assert review["after"] != review["before"]
