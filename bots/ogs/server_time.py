"""The server's clock and the way to it, measured by pings as online-go/goban does it."""

from __future__ import annotations

import time
from collections.abc import Callable

from bots.ogs.messages import Pong

FAR = 60_000.0  # milliseconds; a slower answer to a ping measures nothing


class ServerTime:
    """The latency of the line, and the difference of both clocks. Times are in milliseconds."""

    def __init__(self, wall_seconds: Callable[[], float] = time.time) -> None:
        self._wall_seconds = wall_seconds
        self.latency = 0.0  # to the server and back
        self.drift = 0.0  # our clock is so far ahead

    @property
    def local(self) -> float:
        """The time of our own clock."""
        return self._wall_seconds() * 1000

    @property
    def now(self) -> float:
        """The time of the server's clock."""
        return self.local - self.drift

    def ping(self) -> dict[str, float]:
        """Returns the data of a ping."""
        return {"client": self.local, "drift": self.drift, "latency": self.latency}

    def take(self, pong: Pong) -> bool:
        """Takes the answer to a ping; False where it measures nothing."""
        latency = self.local - pong.client_ms
        if not 0 <= latency <= FAR:
            return False
        self.latency = latency
        self.drift = self.local - latency / 2 - pong.server_ms
        return True
