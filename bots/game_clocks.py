"""The clocks of an online game, as the server states them. Times are seconds of the bot's clock."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace

from bots.game_setup import GameSetup

SAMPLES = 20  # moves whose lag counts
MOST_LAG = 10.0  # seconds; a larger difference means a clock set anew


@dataclass(frozen=True, slots=True)
class PlayerClock:
    """One player's remaining time, as GTP's time_left has it."""

    seconds: float
    stones: int = 0  # 0: main time; periods left of byoyomi; moves left in a Canadian period


@dataclass(frozen=True, slots=True)
class GameClocks:
    """A reading of both clocks."""

    players: tuple[PlayerClock, PlayerClock]  # of Black, of White
    at: float  # time of the reading
    running: int | None = None  # color of the running clock; None: both stand

    def advanced(self, now: float) -> GameClocks:
        """Returns the clocks at a later time, in which the running one went on.

        >>> GameClocks((PlayerClock(60), PlayerClock(60)), at=5, running=1).advanced(7).players[1]
        PlayerClock(seconds=58, stones=0)
        """
        if self.running is None or now <= self.at:
            return replace(self, at=max(now, self.at))
        left = list(self.players)
        before = left[self.running]
        seconds = max(0.0, before.seconds - (now - self.at))
        left[self.running] = replace(before, seconds=seconds)
        return replace(self, players=(left[0], left[1]), at=now)


class LagMeter:
    """Measures the time that a move loses on its way to the server, and reserves it."""

    def __init__(self, least: float) -> None:
        self._least = least  # seconds reserved in any case
        self._samples: deque[float] = deque(maxlen=SAMPLES)

    def measured(self, seconds: float) -> None:
        """Takes one measurement in seconds; a negative one counts as 0, a huge one as none."""
        if seconds <= MOST_LAG:
            self._samples.append(max(0.0, seconds))

    def compare(
        self, before: GameClocks, after: GameClocks, sent_at: float, setup: GameSetup
    ) -> None:
        """Measures by our clock: its loss beyond the time used here; in main time alone.

        before: the last reading before our move; after: the first one behind it. sent_at: the time
        of the sending.
        """
        color = setup.color
        one, other = before.players[color], after.players[color]
        if before.running != color or one.stones or other.stones:
            return
        used = one.seconds - other.seconds + setup.time_control.increment
        self.measured(used - (sent_at - before.at))

    @property
    def latest(self) -> float:
        """The newest measurement in seconds; 0 without one."""
        return self._samples[-1] if self._samples else 0.0

    @property
    def reserve(self) -> float:
        """The seconds to reserve: the largest of the last measurements, and the least reserve."""
        return max(self._samples, default=0.0) + self._least
