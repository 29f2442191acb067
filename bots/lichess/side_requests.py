"""The requests of one game beside its stream: each a task of its own, some of them timed.

It knows neither the game nor the server.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from bots.fields import WireError
from bots.lichess.api_client import RequestRefusedError, UnreachableError

log = logging.getLogger(__name__)

FINISH_SECONDS = 10.0  # for the last requests of a game

Request = Callable[[], Awaitable[None]]


class SideRequests:
    """The requests under way of one game. A request that fails is logged and concerns no other."""

    def __init__(self, game: str) -> None:
        self._game = game
        self._requests: set[asyncio.Task[None]] = set()
        self._timers: dict[str, asyncio.Task[None]] = {}

    def begin(self, request: Request) -> None:
        """Begins a request."""
        task = asyncio.ensure_future(self.carry_out(request))
        self._requests.add(task)
        task.add_done_callback(self._requests.discard)

    async def carry_out(self, request: Request) -> None:
        """Carries a request out; logs its failure."""
        try:
            await request()
        except (RequestRefusedError, UnreachableError, WireError) as error:
            log.info("game %s: %s", self._game, error)

    def start_timer(self, name: str, work: Request, *, is_kept: bool = False) -> None:
        """Starts the work of a timer in place of the timer's last one; is_kept: unless it runs."""
        running = self._timers.get(name)
        if is_kept and running is not None and not running.done():
            return
        self.stop_timer(name)
        self._timers[name] = asyncio.ensure_future(self.carry_out(work))

    def stop_timer(self, name: str) -> None:
        """Stops a timer; one that does not run stays so."""
        task = self._timers.pop(name, None)
        if task is not None:
            task.cancel()

    async def finish(self) -> None:
        """Waits for the requests under way, for a limited time."""
        if self._requests:
            await asyncio.wait(self._requests, timeout=FINISH_SECONDS)

    def cancel(self) -> None:
        """Cancels all requests and timers."""
        for task in (*self._timers.values(), *self._requests):
            task.cancel()
