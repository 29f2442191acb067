"""The cost of an opponent model: timed turns, their summary, and `sparring lab cost`."""

from __future__ import annotations

import json

import numpy as np
import pytest

from engine.errors import UsageError
from engine.games.table import Board
from engine.lab.cost import CLOCKS, CostTable, MoveCost, TimedMove, cost
from engine.networks.human_policy import HumanPolicy
from engine.opponents.opponent_store import OpponentName, TransientStore
from engine.opponents.tracker import guessed_without_people
from protocols.cli.main import dispatch
from tests.support.stand_in import StandInEvaluator

BOARD = Board("connect4", 7, 6)


def test_what_turns_come_to_is_a_ratio_of_sums() -> None:
    turns = [TimedMove(np.array([1.0, 2.0]), np.array([1.5, 2.2])) for _ in range(5)]
    turns.append(TimedMove(np.array([5.0, 10.0]), np.array([5.5, 11.0])))
    told = MoveCost(100, turns, judged=4).values()
    wall, processor = (told[clock] for clock in CLOCKS)
    assert wall["ratio"] == pytest.approx(13 / 10)
    assert processor["ratio"] == pytest.approx(1.1)
    assert wall["plain_seconds"] == pytest.approx(10 / 6)
    low, high = wall["interval"]
    assert 1.1 <= low < 1.3 < high <= 1.5
    assert (told["visits"], told["turns"], told["judged"]) == (100, 6, 4)


def test_one_session_knows_its_opponent_and_the_other_nobody() -> None:
    memory = TransientStore()
    table = CostTable(BOARD, StandInEvaluator(game="connect4"), memory, visits=40, seed=3)
    games = []
    found = cost(table, 2, 6, lambda: games.append(1))
    assert len(games) == 2
    assert 6 < len(found.turns) <= 12
    assert all((turn.plain > 0).all() and (turn.watching > 0).all() for turn in found.turns)
    assert 0 < found.judged < len(found.turns)
    known = memory.recall(OpponentName("somebody"), BOARD)
    assert known is not None
    plain, watching = table.sides
    assert plain.game.moves == watching.game.moves
    assert plain.opponent_model.tracker is None
    assert watching.opponent_model.tracker is not None


def test_a_turn_that_only_recalls_the_opponent_is_not_judged() -> None:
    evaluator = StandInEvaluator(game="connect4")
    table = CostTable(BOARD, evaluator, TransientStore(), visits=40, seed=3)
    assert len(table.play(0, 1)) == 1  # our move comes first: there is nothing to judge
    assert table.judged == 0
    assert table.sides[1].opponent_model.tracker is not None
    assert len(table.play(1, 2)) == 2
    assert table.judged == 1  # at the first move there is no tree to judge by


def test_the_sessions_have_the_human_policy_that_a_users_session_has() -> None:
    human = HumanPolicy(StandInEvaluator(game="connect4"))
    evaluator = StandInEvaluator(game="connect4")
    table = CostTable(BOARD, evaluator, TransientStore(), visits=40, seed=3, human=human)
    assert [session.human_policy() for session in table.sides] == [human, human]


def test_moves_of_go_are_judged_by_tables_that_read_the_human_policy(
    capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    guessed_without_people.cache_clear()
    words = ["lab", "cost", "go9", "--visits", "16", "--games=1", "--turns=4", "--quiet", "--json"]
    assert dispatch(words) == 0
    assert json.loads(capsys.readouterr().out)[0]["judged"] > 0
    assert not [each for each in caplog.records if "by a guess" in each.getMessage()]


def test_the_command_shows_a_row_for_each_number_of_visits(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["lab", "cost", "connect4", "--visits", "8", "16", "--games=1", "--turns=3", "--quiet"]
    assert dispatch([*words, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [each["visits"] for each in told] == [8, 16]
    assert dispatch(words) == 0
    _, heads, *rows = capsys.readouterr().out.splitlines()
    assert [row.split()[0] for row in rows] == ["8", "16"]
    assert all(clock in heads for clock in CLOCKS)


def test_what_cannot_be_measured_is_said() -> None:
    with pytest.raises(UsageError, match="no network of Chess"):
        dispatch(["lab", "cost", "chess"])
