"""Tasks in lanes: one after another within a lane, and so many at once in all."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable


class Lanes:
    """The tasks under way. most: waiting and running; workers: running at once."""

    def __init__(self, most: int, workers: int) -> None:
        self._most = most
        self._workers = asyncio.Semaphore(workers)
        self._tasks: set[asyncio.Task[None]] = set()
        self._last: dict[str, asyncio.Task[None]] = {}  # by lane

    def __len__(self) -> int:
        return len(self._tasks)

    async def room(self) -> int:
        """Waits for room, and returns the number of further tasks that fit in."""
        while len(self._tasks) >= self._most:
            await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
        return self._most - len(self._tasks)

    def add(self, lane: str, work: Callable[[], Awaitable[None]]) -> None:
        """Adds a task behind those of its lane."""
        task = asyncio.create_task(self._run(self._last.get(lane), work))
        self._tasks.add(task)
        self._last[lane] = task
        task.add_done_callback(lambda done: self._remove(lane, done))

    async def stop(self, seconds: float) -> None:
        """Lets the tasks finish for so long, then cancels them."""
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=seconds)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    async def _run(
        self, before: asyncio.Task[None] | None, work: Callable[[], Awaitable[None]]
    ) -> None:
        if before is not None:
            await asyncio.wait([before])
        async with self._workers:
            await work()

    def _remove(self, lane: str, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if self._last.get(lane) is task:
            del self._last[lane]
