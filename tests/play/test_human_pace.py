"""Thinking as long as a person: longer for hard moves, and never past the clock."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.games.clock import TimeControl
from engine.personas import make_persona
from engine.play.human_pace import difficulty, thinking_seconds
from engine.play.session import Session
from engine.play.session_settings import Budget, SessionSettings
from engine.search.search import Search
from engine.values import Limit
from tests.support.gtp_conversation import count_area
from tests.support.stand_in import StandInEvaluator

PACED = Budget(delay_seconds=2.0, most_delay_seconds=30.0)


def mean_seconds(budget: Budget, limit: Limit, hard: float) -> float:
    rng = np.random.default_rng(1)
    return float(np.mean([thinking_seconds(budget, limit, hard, rng) for _ in range(500)]))


def test_torn_people_and_those_who_disagree_with_the_search_think_longer() -> None:
    sure = np.array([1.0, 0.0, -1.0, 0.0])
    torn = np.array([0.4, 0.35, -1.0, 0.25])
    many = np.full(200, 1 / 200)
    assert difficulty(sure, 0) == difficulty(sure, None) == pytest.approx(0.2)
    assert difficulty(sure, 0) < difficulty(torn, 0) < difficulty(torn, 3) < difficulty(many, 0)
    assert difficulty(sure, 1) > difficulty(sure, 0)
    assert difficulty(np.array([-1.0, 0.0]), 1) == pytest.approx(0.2)


def test_without_a_clock_a_usual_move_takes_the_seconds_asked_for() -> None:
    assert mean_seconds(PACED, Limit(visits=9), 1.0) == pytest.approx(2.0, rel=0.1)
    assert mean_seconds(PACED, Limit(visits=9), 0.2) == pytest.approx(0.4, rel=0.1)
    assert mean_seconds(replace(PACED, most_delay_seconds=0.1), Limit(), 9.0) == 0.1
    assert mean_seconds(Budget(), Limit(), 1.0) == 0.0  # off unless asked for


@pytest.mark.parametrize("planned", [0.5, 5.0, 40.0])
def test_a_clock_scales_the_time_and_no_move_exceeds_its_plan(planned: float) -> None:
    limit = Limit(seconds=planned, max_seconds=2 * planned)
    budget = replace(PACED, most_delay_seconds=1e9)
    assert mean_seconds(budget, limit, 0.2) == pytest.approx(0.4 * planned * 0.2, rel=0.1)
    rng = np.random.default_rng(2)
    times = [thinking_seconds(budget, limit, 2.0, rng) for _ in range(300)]
    assert max(times) == planned
    assert min(times) < 0.5 * planned
    hurried = Limit(seconds=0.05, max_seconds=0.05)
    assert thinking_seconds(budget, hurried, 2.0, rng) == 0.0


class VirtualClock:
    """Time that passes by sleeping, and a little by itself at each look."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.slept = 0.0

    def now(self) -> float:
        self.seconds += 0.0005
        return self.seconds

    def sleep(self, seconds: float) -> None:
        assert seconds > 0
        self.seconds += seconds
        self.slept += seconds


def session_on(clock: VirtualClock, budget: Budget) -> Session:
    persona = make_persona("level:300", "go")
    session = Session(
        Search(StandInEvaluator(count_area), now=clock.now),
        SessionSettings(budget=budget, persona=persona),
        seed=3,
        now=clock.now,
        sleep=clock.sleep,
    )
    session.start_over((7, 7))
    return session


CONTROLS = {
    "absolute": TimeControl(main=30),
    "little": TimeControl(main=3),
    "fischer": TimeControl.fischer(10, 1),
    "byoyomi": TimeControl.byoyomi(5, 3, 2),
    "canadian": TimeControl.canadian(5, 20, 10),
}


@pytest.mark.parametrize("control", CONTROLS.values(), ids=list(CONTROLS))
def test_no_game_is_lost_on_time(control: TimeControl) -> None:
    clock = VirtualClock()
    session = session_on(clock, replace(PACED, delay_seconds=20.0, lag_seconds=0.2))
    session.clocks.restart(control)
    for _ in range(60):
        before = clock.seconds
        session.genmove(0)
        spent = clock.seconds - before
        left = session.clocks[0]
        assert left.main > 0 or (left.in_overtime and left.period > 0), spent
        moves = [m for m in session.game.position.legal_moves() if m != 49]
        if session.game.position.is_over or not moves:
            break
        session.play(1, moves[0])
    assert clock.slept > 1.0  # the engine waited, and did so by its own plan


def test_the_wait_ends_when_the_client_stops_it() -> None:
    clock = VirtualClock()
    session = session_on(clock, replace(PACED, delay_seconds=20.0))
    session.genmove(0, stop=lambda: clock.slept > 0.5)
    assert 0.5 < clock.slept < 0.7


def test_a_gui_gets_its_move_at_once() -> None:
    clock = VirtualClock()
    session_on(clock, Budget()).genmove(0)
    assert clock.slept == 0.0
