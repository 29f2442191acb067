"""The clocks of a game on OGS. Server times are in milliseconds, times left in seconds.

The server states the time of each player as it was at the last move. The time left now follows
from it, as in computeNewPlayerClock of online-go/goban. The module does not measure time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from bots.fields import integer, mapping, number, truth
from bots.game_clocks import PlayerClock
from bots.ogs.time_settings import OgsTimeSettings

SECONDS_BEFORE = 2_000_000_000  # the server once stated pauses in seconds; no such millisecond
Fields = Mapping[str, float]  # of the time settings
PLAYER_PAUSE = "paused"  # the name of a pause by a player
PLAYERS_PAUSES = {PLAYER_PAUSE, "moderator_paused"}


@dataclass(frozen=True, slots=True)
class StoredTime:
    """The time of one player at the last move, in seconds."""

    main: float = 0.0
    periods: int = 0  # byoyomi: periods left
    stones: int = 0  # canadian: moves to make in the block
    block: float = 0.0  # canadian: time left in the block


@dataclass(frozen=True, slots=True)
class OgsPause:
    """A pause of the clocks; without reasons the clocks run."""

    reasons: frozenset[str] = frozenset()
    since_ms: float = 0.0  # server time
    player_id: int | None = None  # the player who paused, where a player did


@dataclass(frozen=True, slots=True)
class OgsClock:
    """Both clocks as the server states them."""

    current_player_id: int
    last_move_ms: float  # server time
    black: StoredTime
    white: StoredTime
    pause: OgsPause | None = None  # None: unchanged since the last statement
    is_waiting_for_start: bool = False  # nobody's clock runs before the first move
    expiration_ms: float = math.inf  # server time of the loss on time, or of the start's end

    @property
    def is_paused(self) -> bool:
        """Whether somebody stopped the game. At weekends and in vacations moves are welcome."""
        return self.pause is not None and bool(self.pause.reasons & PLAYERS_PAUSES)

    @property
    def is_running(self) -> bool:
        """Whether the clock of the player to move runs."""
        is_stopped = self.pause is not None and bool(self.pause.reasons)
        return not is_stopped and not self.is_waiting_for_start

    def after(self, earlier: OgsClock | None) -> OgsClock:
        """Returns the clock with the pause of an earlier statement, where this one has none."""
        if self.pause is not None or earlier is None:
            return self
        return replace(self, pause=earlier.pause)

    def elapsed(self, now_ms: float) -> float:
        """Returns the seconds that the player to move has used since the last move."""
        if self.is_waiting_for_start:
            return 0.0
        until = now_ms
        if self.pause is not None and self.pause.reasons:
            until = self.pause.since_ms
        return max(0.0, until - self.last_move_ms) / 1000

    def players(
        self, settings: OgsTimeSettings, to_move: int, now_ms: float
    ) -> tuple[PlayerClock, PlayerClock] | None:
        """Returns Black's and White's time at a server time; None without a limit.

        to_move: the color of this turn.
        """
        if settings.system == "none":
            return None
        used = self.elapsed(now_ms)
        black, white = (0.0, used) if to_move else (used, 0.0)
        return clock_after(settings, self.black, black), clock_after(settings, self.white, white)


def clock_after(settings: OgsTimeSettings, stored: StoredTime, elapsed: float) -> PlayerClock:
    """Returns a player's time so many seconds after the last move. There must be a limit."""
    return _CLOCKS[settings.system](settings.fields, stored, elapsed)


def _main_time(_: Fields, stored: StoredTime, elapsed: float) -> PlayerClock:
    return PlayerClock(max(0.0, stored.main - elapsed))


def _byoyomi(fields: Fields, stored: StoredTime, elapsed: float) -> PlayerClock:
    main, period = stored.main - elapsed, fields["period_time"]
    if main > 0:
        return PlayerClock(main)
    used = int(-main // period) if period else stored.periods
    if used >= stored.periods:
        return PlayerClock(0.0, 1)
    return PlayerClock(period + main + used * period, stored.periods - used)


def _canadian(_: Fields, stored: StoredTime, elapsed: float) -> PlayerClock:
    main = stored.main - elapsed
    if main > 0:
        return PlayerClock(main)
    return PlayerClock(max(0.0, stored.block + main), max(stored.stones, 1))


def _simple(fields: Fields, _: StoredTime, elapsed: float) -> PlayerClock:
    return PlayerClock(max(0.0, fields["per_move"] - elapsed), 1)


_CLOCKS: dict[str, Callable[[Fields, StoredTime, float], PlayerClock]] = {
    "fischer": _main_time,
    "absolute": _main_time,
    "byoyomi": _byoyomi,
    "canadian": _canadian,
    "simple": _simple,
}


def read_clock(value: object) -> OgsClock:
    """Reads a clock of the server. Raises WireError on values of the wrong kind."""
    data = mapping(value, "clock")
    expiration = data.get("expiration")
    return OgsClock(
        current_player_id=integer(data.get("current_player"), "current_player"),
        last_move_ms=number(data.get("last_move", 0), "last_move"),
        black=_stored(data.get("black_time"), "black_time"),
        white=_stored(data.get("white_time"), "white_time"),
        pause=read_pause(data.get("pause")),
        is_waiting_for_start=truth(data.get("start_mode"), "start_mode"),
        expiration_ms=math.inf if expiration is None else number(expiration, "expiration"),
    )


def read_pause(value: object) -> OgsPause | None:
    """Reads a pause; None where the server states none."""
    if value is None:
        return None
    data = mapping(value, "pause")
    if not truth(data.get("paused"), "paused"):
        return OgsPause()
    control = mapping(data.get("pause_control") or {}, "pause_control")
    since = number(data.get("paused_since") or 0, "paused_since")
    return pause_of(control, since * 1000 if since < SECONDS_BEFORE else since)


def pause_of(control: Mapping[str, Any], since_ms: float) -> OgsPause:
    """Returns the pause of a pause_control; its keys are the reasons."""
    reasons = frozenset(str(reason) for reason, value in control.items() if value)
    by_player = control.get(PLAYER_PAUSE)
    player = by_player.get("pausing_player_id") if isinstance(by_player, dict) else None
    return OgsPause(reasons, since_ms, player if isinstance(player, int) else None)


def _stored(value: object, name: str) -> StoredTime:
    """Returns a player's time; a bare number (simple time) and nothing (no limit) say nothing."""
    if value is None or isinstance(value, (int, float)):
        return StoredTime()
    data = mapping(value, name)
    return StoredTime(
        main=max(0.0, number(data.get("thinking_time", 0), "thinking_time")),
        periods=max(0, integer(data.get("periods") or 0, "periods")),
        stones=max(0, integer(data.get("moves_left") or 0, "moves_left")),
        block=max(0.0, number(data.get("block_time") or 0, "block_time")),
    )
