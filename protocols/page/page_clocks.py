"""The clocks of a game on the page, one for each color.

The person's clock runs from the moment the page has the turn until its move arrives, from the
person's second move on. It stands still while the engine is down or the page is away: a page that
comes back brings the clocks with it. All times are in seconds.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from engine.errors import SettingError
from engine.games.clock import Clock, GameProgress, TimeControl, limit_for
from engine.games.game import Game

LAG_SECONDS = 0.5  # of a move on its way: the person's clock does not pay for them
MOST_MAIN, MOST_PERIOD, MOST_PERIODS = 24 * 3600.0, 3600.0, 100

NO_CLOCK = TimeControl()

Left = tuple[float, float, int]  # main time left, of the overtime period, number of periods


def control_of(
    main: float | None, period: float | None, periods: int, increment: float | None
) -> TimeControl:
    """Returns the time control of a message's fields; without a main time there is none.

    Raises SettingError on an impossible one.
    """
    if main is None:
        return NO_CLOCK
    period, increment = period or 0.0, increment or 0.0
    is_possible = (
        0 <= main <= MOST_MAIN
        and 0 <= period <= MOST_PERIOD
        and 0 <= increment <= MOST_PERIOD
        and periods <= MOST_PERIODS
        and (period > 0) == (periods > 0)
        and main + period > 0
    )
    if not is_possible or (periods and increment):
        raise SettingError("no such clock: a main time, and periods or an increment")
    if periods:
        return TimeControl.byoyomi(main, period, periods)
    return TimeControl.fischer(main, increment)


def seconds_left(clock: Clock) -> float:
    """Returns the time until the clock's end: of main time and of all periods left."""
    if clock.in_overtime:
        return clock.period + clock.control.period * max(0, clock.periods - 1)
    return clock.main + clock.control.period * clock.control.periods


def left_of(clock: Clock) -> Left:
    """Returns the time left as the page has it."""
    if clock.in_overtime:
        return 0.0, clock.period, clock.periods
    return clock.main, clock.control.period, clock.control.periods


def clock_with(control: TimeControl, left: Left) -> Clock:
    """Returns a clock of this control with the time left; the inverse of left_of."""
    main, period, periods = left
    if main > 0 or not control.periods:
        return replace(Clock.start(control), main=main)
    return Clock(
        control,
        main=0.0,
        in_overtime=True,
        period=min(period, control.period),
        periods=max(1, min(periods, control.periods)),
        stones=control.stones,
    )


class PageClocks:
    """Both clocks of one game. Used by one thread.

    left: of color 0 and 1, as a page brings them back; None: full clocks.
    """

    def __init__(
        self,
        control: TimeControl,
        person: int,
        left: Sequence[Left] | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._person = person
        self._now = now
        self._began: float | None = None  # the person's turn; None: its clock stands
        self._clocks = [Clock.start(control)] * 2
        if left is not None and not self.is_unlimited:
            self._clocks = [clock_with(control, each) for each in left]

    @property
    def is_unlimited(self) -> bool:
        """Whether the game has no clock."""
        return self._clocks[0].unlimited

    @property
    def is_running(self) -> bool:
        """Whether the person's clock runs."""
        return self._began is not None

    def begin_turn(self) -> None:
        """Starts the person's clock; a running one goes on."""
        if self._began is None and not self.is_unlimited:
            self._began = self._now()

    def end_turn(self) -> None:
        """Stops the person's clock after its move."""
        if self._began is not None:
            spent = self._spent()
            self._clocks[self._person] = self._clocks[self._person].after_move(spent)
            self._began = None

    def excuse(self, seconds: float) -> None:
        """Gives time back to a running clock, for an answer that the person waited for."""
        if self._began is not None:
            self._began += seconds

    def has_person_lost(self) -> bool:
        """Whether the person's running clock has ended."""
        return self._began is not None and self._spent() >= seconds_left(self._clocks[self._person])

    def after_engine(self, seconds: float) -> bool:
        """Takes the time of the engine's move; returns whether its clock has ended."""
        engine = 1 - self._person
        has_lost = seconds >= seconds_left(self._clocks[engine])
        self._clocks[engine] = self._clocks[engine].after_move(seconds)
        return has_lost

    def engine_seconds(self, game: Game) -> float:
        """Returns the time for the engine's next move; infinite without a clock."""
        progress = GameProgress(
            game.position.move_number, game.width * game.height, game.kind.ends_when_full
        )
        limit = limit_for(self._clocks[1 - self._person], progress, lag=LAG_SECONDS)
        return math.inf if limit.least_seconds is None else limit.least_seconds

    def left(self) -> list[Left] | None:
        """Returns the time left of color 0 and 1, now; None without a clock."""
        if self.is_unlimited:
            return None
        left = [left_of(clock) for clock in self._clocks]
        if self._began is not None:
            left[self._person] = left_of(_running(self._clocks[self._person], self._spent()))
        return left

    def _spent(self) -> float:
        """Returns the seconds of the person's turn, without the lag."""
        began = self._now() if self._began is None else self._began
        return max(0.0, self._now() - began - LAG_SECONDS)


def _running(clock: Clock, seconds: float) -> Clock:
    """Returns the clock so many seconds into a turn, without the increment or a full period."""
    if not clock.in_overtime:
        if seconds < clock.main or not clock.control.periods:
            return replace(clock, main=max(0.0, clock.main - seconds))
        seconds, clock = seconds - clock.main, clock.entering_overtime(0.0)
    left, period = max(0.0, seconds_left(clock) - seconds), clock.control.period
    periods = max(1, math.ceil(left / period))
    return replace(clock, period=left - period * (periods - 1), periods=periods)
