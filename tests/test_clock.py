"""Clocks: what is left, how long to think, never losing on time."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.clock import Clock, TimeControl, limit_for, pace

LAG = 1.0
CONTROLS = {
    "absolute": TimeControl(main=60),
    "canadian": TimeControl.canadian(60, 30, 10),
    "canadian from the start": TimeControl.canadian(0, 30, 5),
    "byoyomi": TimeControl.byoyomi(60, 10, 3),
    "byoyomi, many periods": TimeControl.byoyomi(0, 5, 30),
    "byoyomi, one period": TimeControl.byoyomi(0, 5, 1),
    "fischer": TimeControl.fischer(60, 5),
    "fischer capped": TimeControl.fischer(60, 5, main_cap=65, move_cap=20),
}


def aim(clock: Clock, moves_played: int = 0, area: int = 361) -> float:
    seconds = limit_for(clock, moves_played=moves_played, board_area=area, lag=LAG).seconds
    assert seconds is not None
    return seconds


def test_no_limit_gives_no_limit() -> None:
    limit = limit_for(Clock.start(TimeControl()), moves_played=0, board_area=361, lag=LAG)
    assert limit.seconds is None
    assert limit.max_seconds is None


@pytest.mark.parametrize(
    ("control", "seconds"),
    [
        (TimeControl(), math.inf),
        (TimeControl(main=320), 10),
        (TimeControl.fischer(320, 5), 15),
        (TimeControl.fischer(320, 5, move_cap=8), 8),
        (TimeControl.byoyomi(320, 30, 3), 40),
        (TimeControl.canadian(0, 300, 25), 12),
    ],
)
def test_the_pace_is_what_each_move_has_if_the_board_is_filled(
    control: TimeControl, seconds: float
) -> None:
    assert pace(control, 64) == seconds


def test_canadian_special_cases_of_gtp() -> None:
    assert Clock.start(TimeControl.canadian(0, 1, 0)).unlimited
    assert TimeControl.canadian(300, 0, 0) == TimeControl(main=300)


@pytest.mark.parametrize("control", CONTROLS.values(), ids=CONTROLS.keys())
@pytest.mark.parametrize("use", ["seconds", "max_seconds"])
@pytest.mark.parametrize("area", [49, 81, 361])
def test_whole_games_are_never_lost_on_time(control: TimeControl, use: str, area: int) -> None:
    clock = Clock.start(control)
    for moves_played in range(0, 3 * area, 2):
        limit = limit_for(clock, moves_played=moves_played, board_area=area, lag=LAG)
        assert limit.seconds is not None
        assert limit.max_seconds is not None
        assert 0 <= limit.seconds <= limit.max_seconds <= control.move_cap
        clock = clock.after_move(getattr(limit, use))
        assert clock.main > 0 or clock.in_overtime
        assert clock.period > 0 or not clock.in_overtime
        assert clock.in_overtime or clock.main <= control.main_cap


@given(
    control=st.sampled_from(list(CONTROLS.values())),
    seconds=st.floats(-10, 1e6),
    stones=st.integers(0, 100000),
    moves_played=st.integers(0, 5000),
    area=st.integers(4, 361),
)
def test_whatever_a_controller_says_is_survived(
    control: TimeControl, seconds: float, stones: int, moves_played: int, area: int
) -> None:
    clock = Clock.start(control).told(seconds, stones)
    limit = limit_for(clock, moves_played=moves_played, board_area=area, lag=LAG)
    assert limit.seconds is not None
    assert limit.max_seconds is not None
    assert 0 <= limit.seconds <= limit.max_seconds
    assert math.isfinite(limit.max_seconds)
    limit_for(clock.after_move(limit.seconds), moves_played=moves_played, board_area=area, lag=LAG)


def test_the_middle_game_gets_more_than_opening_and_end() -> None:
    clock = Clock.start(TimeControl(main=600))
    shares = []
    for moves_played in range(0, 250, 2):
        seconds = aim(clock, moves_played)
        shares.append(seconds)
        clock = clock.after_move(seconds)
    assert max(shares[40:70]) > 1.3 * shares[0]
    assert max(shares[40:70]) > 1.3 * shares[-1]


def test_a_byoyomi_period_is_used_but_for_the_lag() -> None:
    clock = Clock.start(TimeControl.byoyomi(300, 30, 3)).told(30, 3)
    assert aim(clock, 200) == 29
    assert aim(clock.told(30, 1), 200) == 28  # the last one: twice the lag


def test_time_left_counts_periods_under_byoyomi_and_moves_under_canadian() -> None:
    byoyomi = Clock.start(TimeControl.byoyomi(300, 30, 5)).told(12, 4)
    assert (byoyomi.periods, byoyomi.stones, byoyomi.period) == (4, 1, 12)
    canadian = Clock.start(TimeControl.canadian(300, 30, 5)).told(12, 4)
    assert (canadian.periods, canadian.stones, canadian.period) == (1, 4, 12)
    main = byoyomi.told(100, 0)
    assert (main.main, main.in_overtime, main.periods) == (100, False, 5)


def test_own_accounting_follows_the_rules_of_each_control() -> None:
    clock = Clock.start(TimeControl.byoyomi(10, 30, 3))
    clock = clock.after_move(15)  # main time over, 5 s into the first period: it renews
    assert (clock.in_overtime, clock.period, clock.periods) == (True, 30, 3)
    clock = clock.after_move(35)  # one period lost
    assert (clock.period, clock.periods) == (30, 2)
    clock = Clock.start(TimeControl.canadian(0, 30, 2)).after_move(20)
    assert (clock.period, clock.stones) == (10, 1)
    assert Clock.start(TimeControl.fischer(10, 5, main_cap=12)).after_move(1).main == 12


def test_a_capped_clock_spends_what_it_could_not_keep() -> None:
    control = TimeControl.fischer(60, 10, main_cap=60)
    assert aim(Clock.start(control)) >= 9
