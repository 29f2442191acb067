"""The clocks of the page: the time of each player, losses on time, and games that come back."""

from __future__ import annotations

import math
from typing import Any

import pytest

from engine.errors import SettingError
from engine.games.clock import Clock, TimeControl
from engine.games.game import Game
from engine.games.game_settings import PlainSettings
from protocols.page.page_clocks import (
    LAG_SECONDS,
    NO_CLOCK,
    PageClocks,
    clock_with,
    control_of,
    left_of,
    seconds_left,
)
from tests.support.page_talk import PageTalk

WEAK: dict[str, Any] = {"game": "connect4", "strength": "level:0"}


class Watch:
    """A clock on the wall that a test sets."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


def clocks(control: TimeControl, watch: Watch) -> PageClocks:
    return PageClocks(control, 0, now=watch)


@pytest.mark.parametrize(
    ("fields", "control"),
    [
        ((None, 30.0, 3, None), NO_CLOCK),
        ((60.0, None, 0, 2.0), TimeControl.fischer(60, 2)),
        ((60.0, 10.0, 3, None), TimeControl.byoyomi(60, 10, 3)),
        ((0.0, 10.0, 3, 0.0), TimeControl.byoyomi(0, 10, 3)),
    ],
)
def test_fields_name_a_control(fields: Any, control: TimeControl) -> None:
    assert control_of(*fields) == control


@pytest.mark.parametrize(
    "fields",
    [
        (0.0, None, 0, None),
        (-1.0, None, 0, None),
        (1e5, None, 0, None),
        (60.0, 10.0, 0, None),
        (60.0, None, 3, None),
        (60.0, 10.0, 3, 2.0),
        (60.0, 10.0, 101, None),
        (60.0, None, 0, -1.0),
        (math.nan, None, 0, None),
    ],
)
def test_impossible_clocks_are_refused(fields: Any) -> None:
    with pytest.raises(SettingError, match="no such clock"):
        control_of(*fields)


def test_the_persons_clock_runs_in_its_turn_alone() -> None:
    watch = Watch()
    own = clocks(TimeControl.fischer(60, 2), watch)
    watch.seconds += 50
    assert own.left() == [(60, 0, 0), (60, 0, 0)], "it has not begun"
    own.begin_turn()
    watch.seconds += 10 + LAG_SECONDS
    own.begin_turn()
    assert own.left() == [(50, 0, 0), (60, 0, 0)]
    own.end_turn()
    assert own.left() == [(52, 0, 0), (60, 0, 0)], "the increment comes after the move"
    assert not own.after_engine(5)
    assert own.left() == [(52, 0, 0), (57, 0, 0)]


def test_periods_are_lost_one_by_one() -> None:
    watch = Watch()
    own = clocks(TimeControl.byoyomi(20, 10, 3), watch)
    own.begin_turn()
    expected = {19: (1, 10, 3), 25: (0, 5, 3), 31: (0, 9, 2), 44: (0, 6, 1), 50: (0, 0, 1)}
    for seconds, left in expected.items():
        watch.seconds = 100 + LAG_SECONDS + seconds
        assert own.left()[0] == pytest.approx(left)  # type: ignore[index]
        assert own.has_person_lost() == (seconds >= 50)
    watch.seconds = 100 + LAG_SECONDS + 31
    own.end_turn()
    assert own.left()[0] == (0, 10, 2), "a move in time fills its period again"  # type: ignore[index]


def test_time_for_an_answer_is_given_back() -> None:
    watch = Watch()
    own = clocks(TimeControl.fischer(5, 0), watch)
    own.begin_turn()
    watch.seconds += 20
    own.excuse(18)
    assert not own.has_person_lost()


@pytest.mark.parametrize("control", [TimeControl.fischer(60, 2), TimeControl.byoyomi(30, 10, 3)])
@pytest.mark.parametrize("spent", [0, 10, 35, 45])
def test_the_time_left_makes_the_same_clock_again(control: TimeControl, spent: float) -> None:
    clock = Clock.start(control).after_move(spent)
    again = clock_with(control, left_of(clock))
    assert seconds_left(again) == seconds_left(clock)
    assert left_of(again) == left_of(clock)


def test_the_engine_hurries_on_a_low_clock() -> None:
    game = Game.new(PlainSettings("connect4"))
    watch = Watch()
    assert PageClocks(NO_CLOCK, 0, now=watch).engine_seconds(game) == math.inf
    much = clocks(TimeControl.fischer(600, 0), watch).engine_seconds(game)
    little = clocks(TimeControl.fischer(2, 0), watch).engine_seconds(game)
    assert much > 5
    assert little < 0.5


# ---- In the conversation


def begun(watch: Watch, **fields: Any) -> tuple[PageTalk, dict[str, Any]]:
    """A game with a clock, after the person's first move."""
    talk = PageTalk(now=watch)
    state = talk.state("new", **WEAK, **fields)
    assert not state["is_running"], "the first move has no clock"
    watch.seconds += 1000
    state = talk.state("move", at="4")
    assert state["is_running"]
    return talk, state


def test_a_late_move_loses_on_time() -> None:
    watch = Watch()
    talk, state = begun(watch, main=60, increment=2)
    assert state["clocks"][0] == [60, 0, 0]
    watch.seconds += 70
    state = talk.state("move", at="3")
    assert state["phase"] == "over"
    assert state["result"] == {"winner": 1, "text": "Yellow wins on time"}
    assert len(state["moves"]) == 2, "the late move is not played"
    assert talk.say("move", at="3")[0]["type"] == "error"
    assert talk.say("undo")[0]["type"] == "error"
    assert state["belief"]["games"] == 1
    assert talk.say("review")[-1]["finished"]
    [records] = talk.say("records")
    assert [(game["outcome"], game["result"]) for game in records["games"]] == [("lost", "W+T")]


def test_a_flag_is_checked() -> None:
    watch = Watch()
    talk, _ = begun(watch, main=60)
    watch.seconds += 30
    state = talk.state("flag")
    assert state["phase"] == "yours"
    assert state["clocks"][0] == [30 + LAG_SECONDS, 0, 0]
    watch.seconds += 31
    assert talk.state("flag")["phase"] == "over"


def test_a_hint_costs_no_time() -> None:
    watch = Watch()
    talk, _ = begun(watch, main=60)

    def slow_hint(*_arguments: object) -> None:
        watch.seconds += 1000

    talk.conversation.page_game.hint = slow_hint  # type: ignore[method-assign,assignment]
    assert talk.say("hint") == []
    assert talk.state("move", at="4")["phase"] == "yours"


def test_a_move_just_before_another_message_costs_its_time() -> None:
    talk = PageTalk(now=Watch())
    talk.say("new", **WEAK, main=60, increment=2)
    page_game = talk.conversation.page_game
    page_game.play("4")
    page_game.reply(lambda: True)
    assert page_game.clocks.left() == [(60, 0, 0), (60, 0, 0)], "no move, no increment"
    page_game.reply(lambda: len(page_game.game.moves) > 1)
    assert page_game.clocks.left() == [(60, 0, 0), (62, 0, 0)]


def test_no_time_passes_while_the_page_is_away() -> None:
    watch = Watch()
    talk, state = begun(watch, main=60, period=10, periods=3)
    moves = [name for _, name in state["moves"]]
    watch.seconds += 5000  # the engine is down
    later = PageTalk(talk.lobby, talk.memory, visitor=talk.visitor, now=watch)
    left = [[0, 7.5, 2], [55, 10, 3]]
    terms = state["terms"]
    assert (terms["main"], terms["period"], terms["periods"]) == (60, 10, 3)
    state = later.state("resume", **terms, moves=moves, clocks=left)
    assert state["clocks"] == left
    assert state["is_running"]
    watch.seconds += 6
    assert later.state("move", at="3")["clocks"][0] == [0, 10, 2]


def test_games_without_a_clock_have_none() -> None:
    talk = PageTalk()
    state = talk.state("new", **WEAK)
    assert (state["clocks"], state["is_running"]) == (None, False)
    assert "main" not in state["terms"]
    assert talk.state("move", at="4")["clocks"] is None
    assert talk.state("flag")["phase"] == "yours"


@pytest.mark.parametrize(
    "left", [[], [[1, 2, 3]], [[1, 2], [1, 2]], [[-1, 2, 3], [1, 2, 3]], [["1", 2, 3]] * 2, "no"]
)
def test_wrong_clocks_are_refused(left: Any) -> None:
    [error] = PageTalk().say("resume", moves=[], main=60, clocks=left)
    assert "wrong 'clocks'" in error["text"]


def test_the_file_names_a_loss_on_time() -> None:
    watch = Watch()
    for game, at, text in (("go", "E5", "RE[W+T]"), ("othello", "f5", "RE[-64.000:t]")):
        talk = PageTalk(now=watch)
        talk.say("new", game=game, strength="level:0", main=60)
        talk.say("move", at="f5" if game == "othello" else at)
        watch.seconds += 100
        assert talk.state("flag")["phase"] == "over"
        assert text in talk.say("download")[0]["text"]
