"""The writes of several tasks in one transaction, with one wait for the disk."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from bots.mqtt.request_store import RequestStore, StoreFileError


class GroupCommit:
    """Joins the writes of tasks. For one event loop."""

    def __init__(self, store: RequestStore) -> None:
        self._store = store
        self._waiting: list[tuple[Callable[[], None], asyncio.Future[None]]] = []

    async def write(self, work: Callable[[], None]) -> None:
        """Returns once the work is on the disk; raises StoreFileError if the group is not."""
        loop = asyncio.get_running_loop()
        written: asyncio.Future[None] = loop.create_future()
        self._waiting.append((work, written))
        if len(self._waiting) == 1:
            loop.call_soon(self._commit)
        await written

    def _commit(self) -> None:
        group, self._waiting = self._waiting, []
        failure: StoreFileError | None = None
        try:
            with self._store.together():
                for work, _ in group:
                    work()
        except StoreFileError as error:
            failure = error
        for _, written in group:
            if written.done():
                continue
            if failure is None:
                written.set_result(None)
            else:
                written.set_exception(StoreFileError(str(failure)))
