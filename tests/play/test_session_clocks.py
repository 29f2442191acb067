"""The clocks of a session, and the limits of its moves."""

from __future__ import annotations

import pytest

from engine.games.clock import TimeControl
from engine.games.position import Position
from engine.personas import make_persona
from engine.play import move_choice
from engine.play.session import Session
from engine.play.session_settings import Budget, SessionSettings
from engine.play.steps.request import MoveRequest
from engine.search.search import Search
from engine.values import Choice, Limit
from tests.support.gtp_conversation import count_area
from tests.support.sessions import session_of
from tests.support.stand_in import StandInEvaluator


def test_no_time_left_still_gives_a_move() -> None:
    session = session_of(visits=None)
    session.clocks.restart(TimeControl(main=10))
    session.clocks.set_left(0, -2, 0)
    assert session.genmove(0).move is not None


def test_what_moves_cost_beside_what_is_aimed_at_is_kept_back() -> None:
    session = session_of()
    session.clocks.restart(TimeControl(main=3))
    aimed = session.limit(0).seconds
    assert aimed is not None
    session.take(0, Choice(7, "quick"), seconds=aimed)
    left = session.clocks[0].main
    session.play(1, 8)
    before = session.limit(0).seconds
    session.clocks.set_left(0, left - 0.3, 0)  # lost on the way
    after = session.limit(0).seconds
    assert before is not None
    assert after is not None
    assert after < 0.8 * before


def test_the_clock_runs_down_by_the_engine_s_own_moves() -> None:
    times = iter(range(0, 1000, 3))
    search = Search(StandInEvaluator(count_area))
    settings = SessionSettings(budget=Budget(max_visits=4))
    session = Session(search, settings, now=lambda: float(next(times)))
    session.clocks.restart(TimeControl(main=60))
    session.genmove(0)
    assert session.clocks[0].main == 57
    assert session.clocks[1].main == 60
    session.start_over()
    assert session.clocks[0].main == 60


@pytest.mark.parametrize(
    ("budget", "control", "limit"),
    [
        (Budget(), TimeControl(), Limit(seconds=5.0, max_seconds=5.0)),
        (Budget(visits=7), TimeControl(), Limit(visits=7)),
        (Budget(max_visits=7), TimeControl(), Limit(visits=7, most_visits=7)),
        (Budget(visits=7, max_visits=3), TimeControl(), Limit(visits=3, most_visits=3)),
        (Budget(max_seconds=2), TimeControl(), Limit(max_seconds=2)),
        (Budget(max_seconds=2), TimeControl(main=1e6), Limit(seconds=2, max_seconds=2)),
        (Budget(max_playouts=9, max_seconds=1), TimeControl(), Limit(playouts=9, max_seconds=1)),
    ],
)
def test_limits_from_settings_and_clock(budget: Budget, control: TimeControl, limit: Limit) -> None:
    session = Session(Search(StandInEvaluator()), SessionSettings(budget=budget))
    session.clocks.restart(control)
    assert session.limit(0) == limit


def test_judging_the_opponent_is_part_of_a_moves_time(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = [0.0]

    def look(*_: object, **__: object) -> tuple[object, None]:
        seconds[0] += 0.3
        return session.opponent_model.tracker, None

    def choose(_search: Search, turn: MoveRequest[Position]) -> Choice:
        limits.append(turn.limit)
        return Choice(3, "a test")

    limits: list[Limit] = []
    monkeypatch.setattr("engine.opponents.opponent_model.judge_last_move", look)
    monkeypatch.setattr(move_choice, "choose", choose)
    budget = Budget(max_visits=9, max_seconds=1.0)
    settings = SessionSettings(budget=budget, persona=make_persona("even", "go"))
    session = Session(Search(StandInEvaluator()), settings, now=lambda: seconds[0])
    session.genmove(0)
    assert limits == [Limit(visits=9, most_visits=9, max_seconds=0.7)]
