"""The writes of several tasks in one transaction, with one wait for the disk."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from bots.mqtt.request_store import RequestStore, StoreFileError


class GroupCommit:
    """Joins the writes of tasks. For one event loop."""

    def __init__(self, store: RequestStore) -> None:
        self._store = store
        self._waiting: list[tuple[Callable[[], None], asyncio.Future[None]]] = []

    async def write(self, work: Callable[[], None]) -> None:
        """Returns once the work is on the disk.

        Raises StoreFileError if the group is not, and whatever else the work raises.
        """
        loop = asyncio.get_running_loop()
        written: asyncio.Future[None] = loop.create_future()
        self._waiting.append((work, written))
        if len(self._waiting) == 1:
            loop.call_soon(self._commit)
        await written

    def _commit(self) -> None:
        group, self._waiting = self._waiting, []
        failures = self._failures([work for work, _ in group])
        for (_, written), failure in zip(group, failures, strict=True):
            if written.done():
                continue
            if failure is None:
                written.set_result(None)
            else:
                written.set_exception(failure)

    def _failures(self, works: Sequence[Callable[[], None]]) -> list[Exception | None]:
        """Writes all works, or none of them where the disk fails, and returns the error of each.

        Where a work raises another error, each work has a transaction of its own: the others are
        written.
        """
        try:
            with self._store.together():
                for work in works:
                    work()
        except StoreFileError as error:
            return [StoreFileError(str(error)) for _ in works]
        except Exception as error:
            if len(works) == 1:
                return [error]
            return [failure for work in works for failure in self._failures([work])]
        return [None] * len(works)
