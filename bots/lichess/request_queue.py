"""One request at a time, urgent ones first, and a full stop after an answer 429."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from itertools import count
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RatePolicy:
    """The waiting after an answer 429, in seconds.

    Lichess asks for "a full minute before resuming API usage". The wait doubles with each further
    429 in a row.
    """

    least: float = 60.0
    most: float = 600.0

    def wait(self, limits_in_a_row: int, retry_after: float | None) -> float:
        """Returns the wait after the n-th 429 in a row; retry_after: the server's own wish.

        >>> [RatePolicy().wait(n, None) for n in (1, 2, 3, 9)], RatePolicy().wait(1, 75)
        ([60.0, 120.0, 240.0, 600.0], 75)
        """
        doubled = min(self.most, self.least * 2.0 ** min(limits_in_a_row - 1, 20))
        return max(doubled, retry_after or 0.0)


class RequestQueue:
    """Lets one request run at a time. A request may be urgent: it goes before those that wait."""

    def __init__(
        self,
        policy: RatePolicy,
        clock: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._policy = policy
        self._clock = clock
        self._sleep = sleep
        self._is_busy = False
        self._waiting: list[tuple[bool, int, asyncio.Future[None]]] = []  # a heap
        self._numbers = count()
        self._limits_in_a_row = 0
        self.resumes_at = 0.0  # time of the clock; no request begins before

    @property
    def waits(self) -> bool:
        """Whether requests wait for the end of a limit."""
        return self._clock() < self.resumes_at

    def limited(self, retry_after: float | None) -> float:
        """Takes an answer 429 and returns the seconds until the next request."""
        self._limits_in_a_row += 1
        wait = self._policy.wait(self._limits_in_a_row, retry_after)
        self.resumes_at = max(self.resumes_at, self._clock() + wait)
        return wait

    def answered(self) -> None:
        """Takes an answer other than 429: the next wait is the shortest again."""
        self._limits_in_a_row = 0

    async def run(self, request: Callable[[], Awaitable[T]], *, is_urgent: bool = False) -> T:
        """Runs a request once no other runs and no limit holds; returns its result."""
        await self._enter(is_urgent=is_urgent)
        try:
            while (wait := self.resumes_at - self._clock()) > 0:
                await self._sleep(wait)
            return await request()
        finally:
            self._leave()

    async def _enter(self, *, is_urgent: bool) -> None:
        if not self._is_busy:
            self._is_busy = True
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (not is_urgent, next(self._numbers), turn))
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._leave()
            raise

    def _leave(self) -> None:
        """Gives the turn to the next request that waits."""
        while self._waiting:
            _, _, turn = heapq.heappop(self._waiting)
            if not turn.done():
                turn.set_result(None)
                return
        self._is_busy = False
