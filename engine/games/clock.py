"""Time controls, clocks and the time budget of a move.

The budget follows from the clock, its periods and the usual length of a game on the board. The
module does not measure time: callers pass it. All times are in seconds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from engine.values import Limit

OVERHEAD_KEPT = 0.9  # decay per move of the largest overhead so far
MOST_OVERHEAD = 1.0  # seconds; a larger difference means a clock set anew
MEAN_MOVES = 8  # moves in the running mean of the overheads
RESERVED_PERIODS = 5  # overtime periods held in reserve; earlier ones are spent like main time
MAX_SHARE = 0.2  # largest share of the remaining main time for one move
# Lengths of games of Go as parts of the board: moves of both players, and fewest own turns to plan.
USUAL_GAME, LONG_GAME, FEWEST_TURNS = 0.68, 1.05, 0.08
LEAST_SEARCH = 0.01  # seconds of a search without any time left
LAG_SHARE = 0.05  # largest reserve for the lag, as a share of a usual game's time


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The time of each player for a game, in seconds. The default is no limit."""

    main: float = math.inf
    period: float = 0.0  # length of an overtime period
    periods: int = 0  # overtime periods; 0: none
    stones: int = 0  # moves to make in each period
    increment: float = 0.0  # added after each move
    main_cap: float = math.inf  # increments never raise the main time above this
    move_cap: float = math.inf  # longest time allowed for one move

    @classmethod
    def canadian(cls, main: float, period: float, stones: int) -> TimeControl:
        """Returns the control of Canadian overtime: main time, then `stones` moves every period.

        As in GTP's time_settings, no stones in a period above 0 means no limit at all; no stones
        and no period means main time only.
        """
        if stones == 0:
            return cls() if period > 0 else cls(main=main)
        return cls(main=main, period=period, periods=1, stones=stones)

    @classmethod
    def byoyomi(cls, main: float, period: float, periods: int) -> TimeControl:
        """Returns the control of byoyomi; a period is lost only when one move uses it up."""
        if periods == 0:
            return cls(main=main)
        return cls(main=main, period=period, periods=periods, stones=1)

    @classmethod
    def fischer(
        cls,
        main: float,
        increment: float,
        main_cap: float = math.inf,
        move_cap: float = math.inf,
    ) -> TimeControl:
        """Returns the control with an increment to the main time after each move, up to main_cap.

        move_cap: the longest time for one move.
        """
        return cls(main=main, increment=increment, main_cap=main_cap, move_cap=move_cap)


@dataclass(frozen=True, slots=True)
class Clock:
    """One player's time control and remaining time, in seconds."""

    control: TimeControl
    main: float  # main time left; slightly negative if the server says so
    in_overtime: bool = False
    period: float = 0.0  # time left in the current overtime period
    periods: int = 0  # overtime periods left, the current one included
    stones: int = 0  # moves to make in the current period

    @classmethod
    def start(cls, control: TimeControl) -> Clock:
        """Returns a full clock."""
        return cls(control, main=control.main, periods=control.periods)

    @property
    def unlimited(self) -> bool:
        """Whether there is no time limit."""
        return math.isinf(self.main) and not self.in_overtime

    def entering_overtime(self, seconds_over: float) -> Clock:
        """Returns the clock at the end of main time, so many seconds into overtime."""
        control = self.control
        return Clock(
            control,
            main=0.0,
            in_overtime=True,
            period=control.period - seconds_over,
            periods=control.periods,
            stones=control.stones,
        )

    def stated(self, seconds: float, stones: int) -> Clock:
        """Returns the clock as stated by a controller with GTP's time_left.

        seconds: the time left; stones: 0 means main time. With several periods of one stone,
        `stones` counts the periods left, as on KGS; otherwise the moves to make in the period.
        """
        control = self.control
        if stones == 0:
            return Clock(control, main=seconds, periods=control.periods)
        if control.periods > 1 and control.stones == 1:
            periods = min(stones, control.periods)
            return Clock(control, 0.0, in_overtime=True, period=seconds, periods=periods, stones=1)
        return Clock(control, 0.0, in_overtime=True, period=seconds, periods=1, stones=stones)

    def after_move(self, seconds: float) -> Clock:
        """Returns the clock after a move of so many seconds, if no controller states it."""
        if self.unlimited:
            return self
        control = self.control
        if not self.in_overtime:
            main = self.main - seconds
            if main > 0 or control.periods == 0:
                return replace(self, main=min(main + control.increment, control.main_cap))
            return self.entering_overtime(0.0).after_move(-main)
        period, periods = self.period - seconds, self.periods
        while period <= 0 and periods > 1:
            period, periods = period + control.period, periods - 1
        if self.stones > 1:
            return replace(self, period=period, periods=periods, stones=self.stones - 1)
        full = max(control.period, period)
        return replace(self, period=full, periods=periods, stones=max(control.stones, 1))


def pace(control: TimeControl, board_area: int) -> float:
    """Returns the mean seconds for a move in a game to a full board; infinite without a limit."""
    overtime = control.period / max(control.stones, 1) if control.periods else 0.0
    usual = control.main / (board_area / 2) + control.increment + overtime
    return min(usual, control.move_cap)


@dataclass(frozen=True, slots=True)
class GameProgress:
    """The number of moves played, and the size of the board."""

    moves_played: int  # number of moves by both players
    board_area: int  # cells
    ends_when_full: bool = False  # each move fills a cell; a game of Go may be longer

    @property
    def most_turns(self) -> float:
        """Own turns to plan for, enough to finish a long game in time."""
        left = LONG_GAME * self.board_area - self.moves_played
        if self.ends_when_full:
            return max(1.0, (self.board_area - self.moves_played) / 2)
        return max(left / 2, FEWEST_TURNS * self.board_area)

    def share(self, game_length: float, fewest_turns: float) -> float:
        """Returns the next move's share of the remaining time of the game, 0..1.

        game_length: moves of both players to plan for, per cell of the board. fewest_turns: the
        least number of own turns to plan for, per cell. Games of `ends_when_full` use neither.
        """
        area, played = self.board_area, self.moves_played
        if self.ends_when_full:
            last = max(area, played + 1)
        else:
            last = max(int(game_length * area + 15), int(played + 2 * (fewest_turns * area + 2)))
        turns = range(played, last, 2)
        return _effort(played / area) / sum(_effort(turn / area) for turn in turns)


@dataclass(frozen=True, slots=True)
class Overhead:
    """The time lost on a clock per move beyond the planned time, in seconds.

    A controller may state its clock in whole seconds. Each difference to it is then wrong by up to
    a second, and only their sum is of use.
    """

    seconds: float = 0.0  # overhead to expect of one move; a large one counts for several moves
    usual: float = 0.0  # running mean of the last moves, as measured here
    lost: float = 0.0  # sum of (time measured here - time stated by the controller)
    stated: int = 0  # number of clocks stated by the controller after a move
    expected_main: float | None = None  # main time after the last move, as measured here

    @property
    def mean(self) -> float:
        """The mean overhead of a move, the way to the controller and back included."""
        return self.usual + max(0.0, self.lost / (self.stated + MEAN_MOVES))

    def after_move(self, clock: Clock, planned: float, spent: float) -> Overhead:
        """Returns the overhead after a move; planned, spent: its seconds, as measured here."""
        excess = min(max(0.0, spent - planned), MOST_OVERHEAD)
        after = clock.after_move(spent)
        return replace(
            self,
            seconds=max(OVERHEAD_KEPT * self.seconds, excess),
            usual=self.usual + (excess - self.usual) / MEAN_MOVES,
            expected_main=None if after.in_overtime else after.main,
        )

    def after_statement(self, clock: Clock) -> Overhead:
        """Returns the overhead after the controller stated the clock."""
        if self.expected_main is None or clock.in_overtime:
            return replace(self, expected_main=None)
        lost = min(max(-MOST_OVERHEAD, self.expected_main - clock.main), MOST_OVERHEAD)
        return replace(self, lost=self.lost + lost, stated=self.stated + 1, expected_main=None)


NO_OVERHEAD = Overhead()


def limit_for(
    clock: Clock, progress: GameProgress, *, lag: float, overhead: Overhead = NO_OVERHEAD
) -> Limit:
    """Returns the limit of a move's search: the planned time as `seconds`, and `max_seconds`.

    lag: seconds reserved for the way to the server and back, once of main time and at every move of
    an overtime period. With less than twice the lag left, half the time left is used. overhead:
    reserved for this move, and in main time for each turn to come.
    """
    if clock.unlimited:
        cap = clock.control.move_cap
        return Limit() if math.isinf(cap) else Limit(max_seconds=_less_lag(cap, lag))
    clock = _settled(clock)
    if clock.in_overtime:
        planned, most = _overtime_budget(clock, lag, overhead)
    elif clock.control.periods > 0:
        planned, most = _main_before_overtime_budget(clock, progress, lag, overhead)
    else:
        planned, most = _main_budget(clock, progress, lag, overhead)
    most = min(most, _spendable(clock.control.move_cap, lag, overhead))
    return Limit(seconds=min(planned, most), max_seconds=most)


def _spendable(seconds: float, lag: float, overhead: Overhead) -> float:
    """Returns the usable part of a move's time, without lag and overhead."""
    return max(0.0, _less_lag(seconds, lag) - overhead.seconds)


def _less_lag(seconds: float, lag: float) -> float:
    return seconds - lag if seconds >= 2 * lag else seconds / 2


def _settled(clock: Clock) -> Clock:
    """Returns the clock with negative times moved into overtime, spare periods into main time."""
    control = clock.control
    if control.periods == 0:
        return clock
    if not clock.in_overtime and clock.main <= 0:
        clock = clock.entering_overtime(-clock.main)
    while clock.in_overtime and clock.period < 0 and clock.periods > 1:
        clock = replace(clock, period=clock.period + control.period, periods=clock.periods - 1)
    spare = clock.periods - RESERVED_PERIODS
    if spare <= 0:
        return clock
    if clock.in_overtime:
        main = clock.period + control.period * (spare - 1)
    else:
        main = clock.main + control.period * spare
    return Clock(control, main, periods=RESERVED_PERIODS)


def _effort(progress: float) -> float:
    """Returns the weight of a move's time at moves played / board area; the middle game peaks."""
    return 0.6 + 0.8 * math.exp(-(((progress - 0.3) / 0.22) ** 2))


def _main_budget(
    clock: Clock, progress: GameProgress, lag: float, overhead: Overhead
) -> tuple[float, float]:
    """Returns (planned, most) in seconds under absolute or increment time.

    Each turn to come has at least the increment or the cost of a hurried move. A long game's turns
    and the lag draw on one reserve, as both are rare. The rest is shared out.
    """
    increment, main = clock.control.increment, clock.main
    use_or_lose = max(0.0, min(main / 2, main + increment - clock.control.main_cap))
    most = _spendable(main, lag, overhead)
    if main <= increment:
        return max(use_or_lose, most), most
    least = max(increment, overhead.mean + LEAST_SEARCH)
    game_seconds = clock.control.main + increment * USUAL_GAME * progress.board_area / 2
    lag = min(lag, LAG_SHARE * game_seconds)
    reserve = max(lag, (least - increment) * progress.most_turns)
    excess = max(0.0, main - increment - reserve)
    share = excess * progress.share(USUAL_GAME, FEWEST_TURNS)
    if increment > 0:
        share = min(excess * progress.share(0.75, 0.05), share + 2 * increment)
    planned = max(use_or_lose, least - overhead.mean + share)
    return planned, min(most, increment + excess * MAX_SHARE)


def _main_before_overtime_budget(
    clock: Clock, progress: GameProgress, lag: float, overhead: Overhead
) -> tuple[float, float]:
    """Returns (planned, most) in seconds during main time with overtime to follow.

    As strength grows with the logarithm of time, the best pace is e times the overtime's. The pace
    is slower if it would use up the main time before the end of the middle game.
    """
    control, main = clock.control, clock.main
    pace = control.period / control.stones
    planned = main * progress.share(0.5, 0.02)
    planned = min(max(planned, math.e * pace / 1.75), math.e * pace)
    planned = max(planned, main * progress.share(USUAL_GAME, FEWEST_TURNS))
    if planned < 1.5 * pace and main < 1.5 * pace:
        planned = main + pace
    largest_overtime_move = control.period / (0.75 * control.stones + 0.25)
    most = largest_overtime_move + max(min(1.75 * largest_overtime_move, main), main * MAX_SHARE)
    most = min(most, main + largest_overtime_move)
    last_chance = clock.periods <= 1 and control.stones <= 1 and most > main
    lag = 2 * lag if last_chance else lag
    return _spendable(planned, lag, overhead), _spendable(most, lag, overhead)


def _overtime_budget(clock: Clock, lag: float, overhead: Overhead) -> tuple[float, float]:
    """Returns (planned, most) in seconds within an overtime period."""
    period, stones = clock.period, max(clock.stones, 1)
    lag = 2 * lag if clock.periods <= 1 and stones <= 1 else lag
    planned, most = period / stones, period / (0.75 * stones + 0.25)
    return _spendable(planned, lag, overhead), _spendable(most, lag, overhead)
