"""Connections of one protocol that wait for their client's first line, bounded in time and number.

The newest connection always finds room: where there is none, the one that has waited longest is
closed. A flood of silent connections then keeps out no client that speaks.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class SilentConnections:
    """The deadlines of these connections. For the event loop's thread."""

    def __init__(self, most: int) -> None:
        self._most = most  # connections
        self._deadlines: deque[asyncio.Timeout] = deque()  # the longest wait first

    @asynccontextmanager
    async def wait(self, seconds: float) -> AsyncIterator[None]:
        """Bounds the wait inside; raises TimeoutError after `seconds`, or for one that is newer."""
        if len(self._deadlines) >= self._most:
            oldest = self._deadlines.popleft()
            if not oldest.expired():
                oldest.reschedule(asyncio.get_running_loop().time())
        async with asyncio.timeout(seconds) as deadline:
            self._deadlines.append(deadline)
            try:
                yield
            finally:
                if deadline in self._deadlines:
                    self._deadlines.remove(deadline)
