"""The time settings of a game, by the names of OGS. All values are in seconds or counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bots.fields import integer, mapping, number, one_of, wrong
from bots.game_setup import NO_LIMIT, OnlineTimeControl

CORRESPONDENCE = "correspondence"
SPEEDS = ("blitz", "rapid", "live", CORRESPONDENCE)
_SPEEDS_BY_NAME = {speed: speed for speed in SPEEDS}


@dataclass(frozen=True, slots=True)
class TimeSystem:
    """The fields of one time system, and the time control that they make."""

    seconds: tuple[str, ...]  # fields in seconds
    control: Callable[[Mapping[str, float]], OnlineTimeControl]
    counts: tuple[str, ...] = ()  # fields that are whole numbers from 1 on


def _fischer(fields: Mapping[str, float]) -> OnlineTimeControl:
    return OnlineTimeControl.fischer(
        fields["initial_time"], fields["time_increment"], fields["max_time"]
    )


def _byoyomi(fields: Mapping[str, float]) -> OnlineTimeControl:
    periods = int(fields["periods"])
    return OnlineTimeControl.byoyomi(fields["main_time"], fields["period_time"], periods)


def _canadian(fields: Mapping[str, float]) -> OnlineTimeControl:
    stones = int(fields["stones_per_period"])
    return OnlineTimeControl.canadian(fields["main_time"], fields["period_time"], stones)


SYSTEMS: dict[str, TimeSystem] = {
    "fischer": TimeSystem(("initial_time", "time_increment", "max_time"), _fischer),
    "byoyomi": TimeSystem(("main_time", "period_time"), _byoyomi, ("periods",)),
    "canadian": TimeSystem(("main_time", "period_time"), _canadian, ("stones_per_period",)),
    "simple": TimeSystem(
        ("per_move",), lambda fields: OnlineTimeControl.each_move(fields["per_move"])
    ),
    "absolute": TimeSystem(
        ("total_time",), lambda fields: OnlineTimeControl.absolute(fields["total_time"])
    ),
    "none": TimeSystem((), lambda _: NO_LIMIT),
}


@dataclass(frozen=True, slots=True)
class OgsTimeSettings:
    """The time settings of one game."""

    system: str  # a key of SYSTEMS
    speed: str  # one of SPEEDS
    fields: Mapping[str, float]  # by the names of the system
    control: OnlineTimeControl


def read_time_settings(value: object) -> OgsTimeSettings:
    """Reads the settings of a challenge or of a game. Raises WireError on impossible ones."""
    data = mapping(value, "time_control")
    name = one_of(data.get("system"), "system", {name: name for name in SYSTEMS})
    usual_speed = CORRESPONDENCE if name == "none" else "live"
    speed = one_of(data.get("speed", usual_speed), "speed", _SPEEDS_BY_NAME)
    system = SYSTEMS[name]
    fields: dict[str, float] = {}
    for key in system.seconds:
        fields[key] = number(data.get(key), key)
        if fields[key] < 0:
            raise wrong(key, "a time from 0 on", data.get(key))
    for key in system.counts:
        fields[key] = integer(data.get(key), key)
        if fields[key] < 1:
            raise wrong(key, "a number from 1 on", data.get(key))
    return OgsTimeSettings(name, speed, fields, system.control(fields))
