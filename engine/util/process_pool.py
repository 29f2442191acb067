"""Processes of this machine that work for one, and that end with it whatever ends it.

Knows how they are started and ended. Does not know what they do. Interrupts are the starting
process's alone: a terminal sends Ctrl-C to all of them.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.process import BaseProcess
from types import FrameType
from typing import Any, NoReturn, Self, TypeVar

T = TypeVar("T")


class ProcessPool:
    """Processes, each begun by `begin(*arguments)`. For the main thread, in a `with`."""

    def __init__(
        self, processes: int, begin: Callable[..., None], arguments: tuple[Any, ...]
    ) -> None:
        self._pool = ProcessPoolExecutor(
            processes, get_context("spawn"), initializer=_begin, initargs=(begin, arguments)
        )
        self._before: Any = None  # what SIGTERM did

    def __enter__(self) -> Self:
        """From now on SIGTERM ends the block as an exception does."""
        self._before = signal.signal(signal.SIGTERM, _leave)
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Ends the processes: after an exception at once, else when what they began is done."""
        with interrupts_held():
            if kind is not None:
                for process in active_children():
                    process.kill()
            self._pool.shutdown(cancel_futures=True)
            signal.signal(signal.SIGTERM, self._before)

    def submit(self, task: Callable[..., T], *arguments: object) -> Future[T]:
        """Returns the task's result for the arguments, computed in a process."""
        with interrupts_held():
            return self._pool.submit(task, *arguments)

    def map(self, task: Callable[[Any], T], items: Sequence[Any], together: int) -> Iterator[T]:
        """Yields the task's result for each item in their order, so many sent at a time."""
        with interrupts_held():
            return self._pool.map(task, items, chunksize=together)


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Keeps Ctrl-C waiting until the end of the block, and for good from processes begun in it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _leave(number: int, _frame: FrameType | None) -> NoReturn:
    raise SystemExit(128 + number)


def _begin(begin: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    if parent := parent_process():
        threading.Thread(target=_die_after, args=(parent,), daemon=True).start()
    begin(*arguments)


def _die_after(parent: BaseProcess) -> None:
    """Ends this process when its parent is gone, killed too: nobody would take its work."""
    parent.join()
    os._exit(1)
