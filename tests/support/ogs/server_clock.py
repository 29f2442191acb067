"""The clocks of a game as a server keeps them: it counts from move to move and states the times.

It is written apart from the bot's arithmetic, so that each checks the other. Times are in
milliseconds of the server, times left in seconds.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

State = dict[str, Any]

FULL: dict[str, Callable[[State], State | None]] = {
    "fischer": lambda tc: {"thinking_time": tc["initial_time"], "skip_bonus": False},
    "byoyomi": lambda tc: {
        "thinking_time": tc["main_time"],
        "periods": tc["periods"],
        "period_time": tc["period_time"],
    },
    "canadian": lambda tc: {
        "thinking_time": tc["main_time"],
        "moves_left": tc["stones_per_period"],
        "block_time": tc["period_time"],
    },
    "simple": lambda tc: {},
    "absolute": lambda tc: {"thinking_time": tc["total_time"]},
    "none": lambda tc: None,
}


def seconds_left(control: State, state: State | None) -> float:
    """Returns the seconds that a player may think before the loss on time."""
    system = control["system"]
    if state is None:
        return math.inf
    if system == "simple":
        return float(control["per_move"])
    left = float(state["thinking_time"])
    if system == "byoyomi":
        left += state["periods"] * control["period_time"]
    if system == "canadian":
        left += state["block_time"]
    return left


def used(control: State, state: State | None, seconds: float) -> State | None:
    """Returns a player's time after a move of so many seconds."""
    if state is None or control["system"] == "simple":
        return state
    state = dict(state)
    over = max(0.0, seconds - state["thinking_time"])
    state["thinking_time"] = max(0.0, state["thinking_time"] - seconds)
    match control["system"]:
        case "fischer":
            more = state["thinking_time"] + control["time_increment"]
            state["thinking_time"] = min(more, control["max_time"])
        case "byoyomi":
            state["periods"] -= int(over // control["period_time"])
        case "canadian" if state["thinking_time"] <= 0:
            state["block_time"] -= over
            state["moves_left"] -= 1
            if state["moves_left"] <= 0:
                state["moves_left"] = control["stones_per_period"]
                state["block_time"] = control["period_time"]
    return state


class ServerClock:
    """The clocks of one game."""

    def __init__(self, control: State, players: tuple[int, int], to_move: int, now: float) -> None:
        self.control = control
        self.players = players  # identities of Black and White
        self.times = [FULL[control["system"]](control), FULL[control["system"]](control)]
        self.to_move = to_move
        self.last_move = now
        self.is_started = False
        self.pause_control: dict[str, Any] = {}
        self.paused_since = 0.0

    def elapsed(self, now: float) -> float:
        """Returns the seconds used by the player to move."""
        if not self.is_started:
            return 0.0
        return max(0.0, (self.paused_since if self.pause_control else now) - self.last_move) / 1000

    def press(self, color: int, next_to_move: int, now: float) -> None:
        """Counts a move of this color."""
        if self.is_started:
            self.times[color] = used(self.control, self.times[color], self.elapsed(now))
        self.is_started = True
        self.set_turn(next_to_move, now)

    def set_turn(self, to_move: int, now: float) -> None:
        """Begins a turn; an earlier turn's time is not counted."""
        self.to_move, self.last_move = to_move, now
        if self.pause_control:
            self.paused_since = now

    def loser(self, now: float) -> int | None:
        """Returns the color that has lost on time."""
        left = seconds_left(self.control, self.times[self.to_move]) - self.elapsed(now)
        return self.to_move if left < 0 else None

    def pause(self, reason: str, value: object, now: float) -> None:
        """Stops the clocks."""
        if not self.pause_control:
            self.paused_since = now
        self.pause_control[reason] = value

    def resume(self, reason: str, now: float) -> None:
        """Lets the clocks run again once no reason is left, without the time of the pause."""
        if self.pause_control.pop(reason, None) is not None and not self.pause_control:
            self.last_move += now - max(self.paused_since, self.last_move)

    def message(self, game_id: int, now: float, *, is_pause_stated: bool) -> State:
        """Returns the clock as the server sends it."""
        left = seconds_left(self.control, self.times[self.to_move])
        expires = self.last_move + left * 1000
        message: State = {
            "game_id": game_id,
            "title": "Friendly Match",
            "black_player_id": self.players[0],
            "white_player_id": self.players[1],
            "current_player": self.players[self.to_move],
            "last_move": self.last_move,
            "now": now,
        }
        if not math.isinf(expires):
            message["expiration"] = expires
        for name, state in zip(("black_time", "white_time"), self.times, strict=True):
            if state is not None:
                message[name] = state or int(self.last_move + self.control["per_move"] * 1000)
        if not self.is_started:
            message["start_mode"] = True
            message["expiration"] = self.last_move + 300_000
        if is_pause_stated or self.pause_control:
            message["pause"] = {
                "paused": bool(self.pause_control),
                "paused_since": self.paused_since,
                "pause_control": dict(self.pause_control),
            }
        return message
