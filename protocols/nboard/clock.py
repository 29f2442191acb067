"""The clock of an NBoard game: GGF's TI less the times of the moves."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping

from engine.formats.ggf import GgfMove
from engine.games.clock import Clock, TimeControl

SMALLEST = 0.1  # seconds always left: the GUI ends the game on time
_TIME = re.compile(r"(?:(?:([0-9]{1,4}):)?([0-9]{1,4}):)?([0-9]{1,6}(?:\.[0-9]{0,6})?)", re.ASCII)


def read_time(text: str) -> float | None:
    """Returns the seconds of "15:00", "1:00:00" or "30"; None if it is no time."""
    found = _TIME.fullmatch(text.strip())
    if found is None:
        return None
    hours, minutes, seconds = (float(part or 0) for part in found.groups())
    return 3600 * hours + 60 * minutes + seconds


def time_control(properties: Mapping[str, str], color: int) -> TimeControl | None:
    """Returns a color's control by TB or TW, else TI, written main/increment/grace.

    None without a readable one. The grace period stays unused.
    """
    text = properties.get(("TB", "TW")[color], properties.get("TI", ""))
    main, _, rest = text.partition("/")
    seconds = read_time(main)
    if seconds is None or seconds <= 0:
        return None
    increment = read_time(rest.partition("/")[0].partition(",")[0])
    return TimeControl.fischer(seconds, increment or 0.0)


def clock_of(properties: Mapping[str, str], moves: Iterable[GgfMove], color: int) -> Clock | None:
    """Returns the clock of a color after these moves; None without a control."""
    control = time_control(properties, color)
    if control is None:
        return None
    own = [made.seconds or 0.0 for made in moves if made.color == color]
    left = control.main + control.increment * len(own) - math.fsum(own)
    return Clock(control, main=max(left, SMALLEST))
