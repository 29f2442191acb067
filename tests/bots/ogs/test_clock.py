from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.fields import WireError
from bots.game_clocks import PlayerClock
from bots.ogs.clock import OgsClock, OgsPause, StoredTime, clock_after, read_clock
from bots.ogs.time_settings import read_time_settings
from tests.support.ogs.server_clock import FULL, ServerClock, State, seconds_left

FISCHER: State = {"system": "fischer", "initial_time": 120, "time_increment": 30, "max_time": 300}
BYOYOMI: State = {"system": "byoyomi", "main_time": 600, "period_time": 30, "periods": 5}
CANADIAN: State = {
    "system": "canadian",
    "main_time": 600,
    "period_time": 180,
    "stones_per_period": 10,
}
SIMPLE: State = {"system": "simple", "per_move": 60}
ABSOLUTE: State = {"system": "absolute", "total_time": 900}
NONE: State = {"system": "none", "speed": "correspondence"}
LIMITED = (FISCHER, BYOYOMI, CANADIAN, SIMPLE, ABSOLUTE)


@pytest.mark.parametrize(
    ("control", "stored", "elapsed", "expected"),
    [
        (FISCHER, StoredTime(100), 40, PlayerClock(60)),
        (FISCHER, StoredTime(100), 400, PlayerClock(0)),
        (ABSOLUTE, StoredTime(900), 0.5, PlayerClock(899.5)),
        (BYOYOMI, StoredTime(600, periods=5), 40, PlayerClock(560)),
        (BYOYOMI, StoredTime(10, periods=5), 15, PlayerClock(25, 5)),
        (BYOYOMI, StoredTime(0, periods=3), 65, PlayerClock(25, 1)),
        (BYOYOMI, StoredTime(0, periods=3), 95, PlayerClock(0, 1)),
        (CANADIAN, StoredTime(600, stones=10, block=180), 599, PlayerClock(1)),
        (CANADIAN, StoredTime(10, stones=10, block=180), 30, PlayerClock(160, 10)),
        (CANADIAN, StoredTime(0, stones=4, block=50), 20, PlayerClock(30, 4)),
        (SIMPLE, StoredTime(), 45, PlayerClock(15, 1)),
    ],
)
def test_time_left_in_each_system(
    control: State, stored: StoredTime, elapsed: float, expected: PlayerClock
) -> None:
    assert clock_after(read_time_settings(control), stored, elapsed) == expected


@pytest.mark.parametrize(
    ("control", "text"),
    [
        (FISCHER, "fischer-capped 120 30 300 -1"),
        (BYOYOMI, "byoyomi 600 30 5"),
        (CANADIAN, "canadian 600 180 10"),
        (SIMPLE, "byoyomi 0 60 1"),
        (ABSOLUTE, "absolute 900"),
        (NONE, "none"),
    ],
)
def test_settings_reach_the_engine(control: State, text: str) -> None:
    assert read_time_settings(control).control.text == text


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        {"system": "hourglass"},
        {"system": ["fischer"]},
        BYOYOMI | {"main_time": -1},
        BYOYOMI | {"periods": 0},
        BYOYOMI | {"periods": 2.5},
        FISCHER | {"time_increment": math.nan},
        FISCHER | {"time_increment": "soon"},
        FISCHER | {"speed": "glacial"},
    ],
)
def test_bad_settings_are_refused(value: object) -> None:
    with pytest.raises(WireError):
        read_time_settings(value)


def test_nobody_is_on_the_clock_without_a_limit() -> None:
    clock = read_clock({"current_player": 1, "last_move": 0})
    assert clock.players(read_time_settings(NONE), 0, 10_000) is None


def test_clocks_stand_before_the_first_move_and_in_a_pause() -> None:
    running = OgsClock(7, 1_000_000.0, StoredTime(100), StoredTime(100))
    assert running.elapsed(1_005_000) == 5
    assert replace(running, is_waiting_for_start=True).elapsed(1_005_000) == 0
    paused = replace(running, pause=OgsPause(frozenset({"weekend"}), 1_002_000))
    assert paused.elapsed(1_900_000) == 2
    assert (paused.is_running, paused.is_paused) == (False, False)
    assert replace(paused, pause=OgsPause(frozenset({"paused"}), 0)).is_paused
    assert running.is_running
    assert not replace(running, pause=OgsPause()).is_paused


def test_a_clock_without_a_pause_keeps_that_of_the_last_one() -> None:
    paused = OgsClock(7, 0, StoredTime(), StoredTime(), OgsPause(frozenset({"paused"}), 5))
    unsaid = replace(paused, pause=None)
    assert unsaid.after(paused).is_paused
    assert not replace(paused, pause=OgsPause()).after(paused).is_paused


def test_a_pause_has_its_reasons_and_its_player() -> None:
    control = {"paused": {"pausing_player_id": 5, "pauses_left": 3}, "vacation-5": True}
    fields = {"paused": True, "paused_since": 1_600_000_000, "pause_control": control}
    pause = read_clock({"current_player": 1, "last_move": 0, "pause": fields}).pause
    assert pause == OgsPause(frozenset({"paused", "vacation-5"}), 1_600_000_000_000, 5)


@pytest.mark.parametrize("control", LIMITED)
@given(
    moves=st.lists(st.floats(0.01, 100), max_size=40),
    last=st.floats(0, 100),
    pauses=st.sets(st.integers(0, 40)),
)
def test_the_bot_agrees_with_the_servers_clock(
    control: State, moves: list[float], last: float, pauses: set[int]
) -> None:
    """Plays moves of drawn lengths; at each one the bot reads what the server's clock has left."""
    now = 1_700_000_000_000.0
    server = ServerClock(control, (5, 6), 0, now)
    settings = read_time_settings(control)
    for index, seconds in enumerate([*moves, last]):
        now += seconds * 1000
        if index in pauses:
            server.pause("paused", {"pausing_player_id": 5}, now)
            now += 3_600_000
            server.resume("paused", now)
        if server.loser(now) is not None:
            return
        stated = read_clock(server.message(1, now, is_pause_stated=True))
        players = stated.players(settings, server.to_move, now)
        assert players is not None
        left = seconds_left(control, server.times[server.to_move]) - server.elapsed(now)
        assert total(control, players[server.to_move]) == pytest.approx(left, abs=0.01)
        server.press(server.to_move, 1 - server.to_move, now)


def total(control: State, clock: PlayerClock) -> float:
    """Returns the seconds until the loss on time that a clock stands for."""
    if control["system"] == "byoyomi":
        more = clock.stones - 1 if clock.stones else 5
        return float(clock.seconds + more * control["period_time"])
    if control["system"] == "canadian" and not clock.stones:
        return float(clock.seconds + control["period_time"])
    return clock.seconds


def test_every_system_has_a_full_clock() -> None:
    assert set(FULL) == {control["system"] for control in (*LIMITED, NONE)}
