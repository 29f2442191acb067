"""Hang-ups: notices closed connections without reading from them.

The event loop reads a connection only while its inbox has room. A client may close its end
meanwhile. One epoll object watches all connections and costs nothing while they stay open.
"""

from __future__ import annotations

import asyncio
import select
from contextlib import suppress


class HangUps:
    """The connections watched by one event loop. For its thread."""

    def __init__(self) -> None:
        self._epoll = select.epoll()
        self._waiting: dict[int, asyncio.Future[None]] = {}  # by file descriptor

    async def wait(self, descriptor: int) -> None:
        """Returns once the other end of a socket sends no more; raises OSError."""
        loop = asyncio.get_running_loop()
        self._epoll.register(descriptor, select.EPOLLRDHUP | select.EPOLLONESHOT)
        future = self._waiting[descriptor] = loop.create_future()
        loop.add_reader(self._epoll.fileno(), self._notice)
        try:
            await future
        finally:
            # A newer socket may have the descriptor of a closed one.
            if self._waiting.get(descriptor) is future:
                del self._waiting[descriptor]
                with suppress(OSError):
                    self._epoll.unregister(descriptor)
            if not self._waiting:
                loop.remove_reader(self._epoll.fileno())

    def _notice(self) -> None:
        for descriptor, _ in self._epoll.poll(0):
            future = self._waiting.get(descriptor)
            if future is not None and not future.done():
                future.set_result(None)
