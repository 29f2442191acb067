"""Clocks: the time left, the time budget, and no loss on time."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.games.clock import Clock, GameProgress, Overhead, TimeControl, limit_for, pace

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
    seconds = limit_for(clock, GameProgress(moves_played, area), lag=LAG).seconds
    assert seconds is not None
    return seconds


def test_no_limit_gives_no_limit() -> None:
    limit = limit_for(Clock.start(TimeControl()), GameProgress(0, 361), lag=LAG)
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
def test_the_pace_is_a_moves_time_in_a_game_to_a_full_board(
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
        limit = limit_for(clock, GameProgress(moves_played, area), lag=LAG)
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
def test_any_time_stated_by_a_controller_gives_a_limit(
    control: TimeControl, seconds: float, stones: int, moves_played: int, area: int
) -> None:
    clock = Clock.start(control).stated(seconds, stones)
    limit = limit_for(clock, GameProgress(moves_played, area), lag=LAG)
    assert limit.seconds is not None
    assert limit.max_seconds is not None
    assert 0 <= limit.seconds <= limit.max_seconds
    assert math.isfinite(limit.max_seconds)
    limit_for(clock.after_move(limit.seconds), GameProgress(moves_played, area), lag=LAG)


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
    clock = Clock.start(TimeControl.byoyomi(300, 30, 3)).stated(30, 3)
    assert aim(clock, 200) == 29
    assert aim(clock.stated(30, 1), 200) == 28  # the last one: twice the lag


def test_time_left_counts_periods_under_byoyomi_and_moves_under_canadian() -> None:
    byoyomi = Clock.start(TimeControl.byoyomi(300, 30, 5)).stated(12, 4)
    assert (byoyomi.periods, byoyomi.stones, byoyomi.period) == (4, 1, 12)
    canadian = Clock.start(TimeControl.canadian(300, 30, 5)).stated(12, 4)
    assert (canadian.periods, canadian.stones, canadian.period) == (1, 4, 12)
    main = byoyomi.stated(100, 0)
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


def test_a_capped_clock_spends_time_above_its_cap() -> None:
    control = TimeControl.fischer(60, 10, main_cap=60)
    assert aim(Clock.start(control)) >= 9


def played_out(
    control: TimeControl,
    turns: int,
    *,
    area: int,
    least: float = 0.02,
    beside: float = 0.0,
    lost: float = 0.001,
    whole_seconds: bool = False,
) -> float:
    """Returns the seconds of main time after so many own turns; a controller states the clock.

    least: seconds of a move at any aim; beside: seconds of a move beyond its aim; lost: seconds a
    move taken off by the controller alone.
    """
    clock, overhead = Clock.start(control), Overhead()
    for turn in range(turns):
        stated = replace(clock, main=math.floor(clock.main)) if whole_seconds else clock
        overhead = overhead.after_statement(stated)
        progress = GameProgress(2 * turn, area, ends_when_full=area < 81)
        limit = limit_for(stated, progress, lag=LAG, overhead=overhead)
        aimed = limit.least_seconds or 0.0
        spent = max(aimed + beside, least)
        overhead = overhead.after_move(stated, aimed, spent)
        clock = clock.after_move(spent + lost)
        assert clock.period > 0 if clock.in_overtime else clock.main > 0, f"turn {turn + 1}"
    return clock.main


# Area of the board, own turns of a usual game, own turns of a long one.
GAMES = {
    "19x19": (361, 135, 189),
    "13x13": (169, 65, 91),
    "9x9": (81, 30, 42),
    "othello": (64, 30, 30),
    "connect4": (42, 21, 21),
}
# Seconds of a hurried move, seconds beyond an aim, seconds taken off by the controller.
COSTS = {
    "full": (0.012, 0.005, 0.001),
    "even": (0.024, 0.010, 0.001),
}


@pytest.mark.parametrize("costs", COSTS.values(), ids=COSTS.keys())
@pytest.mark.parametrize("main", [10, 60, 600, 1800])
@pytest.mark.parametrize(("area", "usual", "long"), GAMES.values(), ids=GAMES.keys())
def test_little_main_time_is_left_when_a_usual_game_ends(
    area: int, usual: int, long: int, main: float, costs: tuple[float, float, float]
) -> None:
    control = TimeControl(main=main)
    least, beside, lost = costs
    for turns, most in ((usual, 0.15), (long, 1.0)):
        left = played_out(control, turns, area=area, least=least, beside=beside, lost=lost)
        assert left < most * main


@pytest.mark.parametrize(("main", "most"), [(60, 0.15), (600, 0.15), (10, 0.27)])
@pytest.mark.parametrize(("area", "usual", "long"), GAMES.values(), ids=GAMES.keys())
def test_a_controller_may_state_whole_seconds(
    area: int, usual: int, long: int, main: float, most: float
) -> None:
    control = TimeControl(main=main)
    for turns, share in ((usual, most), (long, 1.0)):
        left = played_out(control, turns, area=area, least=0.024, beside=0.01, whole_seconds=True)
        assert left < share * main


SHORT = {
    "10 s absolute": (TimeControl(main=10), 150),
    "1 s byo-yomi": (TimeControl.byoyomi(0, 1, 1), 250),
    "0.5 + 0.1": (TimeControl.fischer(0.5, 0.1), 250),
    "1 + 0.1": (TimeControl.fischer(1, 0.1), 250),
    "5 + 1 x 5": (TimeControl.byoyomi(5, 1, 5), 250),
    "2 s for 25": (TimeControl.canadian(0, 2, 25), 250),
}


@pytest.mark.parametrize(("control", "turns"), SHORT.values(), ids=SHORT.keys())
@pytest.mark.parametrize("lost", [0.005, 0.02])
def test_short_times_hold_on_19x19(control: TimeControl, turns: int, lost: float) -> None:
    played_out(control, turns, area=361, lost=lost, least=0.03)


@pytest.mark.parametrize("main", [0.5, 1.0])
def test_short_main_time_with_an_increment_is_a_reserve(main: float) -> None:
    control = TimeControl.fischer(main, 0.1)
    assert played_out(control, 135, area=361, least=0.024, beside=0.01) > 0.3


def test_one_slow_move_does_not_hurry_the_next_ones() -> None:
    clock = Clock.start(TimeControl(main=600))
    before = aim(clock)
    overhead = Overhead().after_move(clock, 1.0, 2.0)
    after = limit_for(clock, GameProgress(0, 361), lag=LAG, overhead=overhead).seconds
    assert after is not None
    assert after > 0.9 * before


def test_time_taken_off_by_a_controller_is_expected_again() -> None:
    clock = Clock.start(TimeControl(main=60))
    overhead = Overhead()
    for _ in range(50):  # aim 0.5 s; 0.6 s measured here, 0.8 s by the controller
        overhead = overhead.after_move(clock, 0.5, 0.6)
        clock = replace(clock, main=clock.main - 0.8)
        overhead = overhead.after_statement(clock)
    assert overhead.seconds == pytest.approx(0.1)
    assert overhead.mean == pytest.approx(0.3, rel=0.1)
    later = overhead.after_statement(replace(clock, main=5.0))
    assert later == overhead  # without a move in between
    gained = overhead.after_move(clock, 0.5, 0.5).after_statement(replace(clock, main=60.0))
    assert 0 <= gained.mean < overhead.mean  # it may give time back
