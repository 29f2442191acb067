"""Connections of one protocol before their client's first line, limited in time and number.

At the limit, a new connection closes the one with the longest wait. A flood of silent connections
therefore keeps out no speaking client.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class SilentConnections:
    """The deadlines of the silent connections. For the event loop's thread."""

    def __init__(self, most: int) -> None:
        self._most = most  # connections
        self._deadlines: deque[asyncio.Timeout] = deque()  # the longest wait first

    @asynccontextmanager
    async def wait(self, seconds: float) -> AsyncIterator[None]:
        """Limits the wait inside; raises TimeoutError after it, or for a newer connection."""
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
