"""Worker processes of one machine; they end with their parent, however it ends.

A task is any function. Only the parent handles interrupts, because a terminal sends Ctrl-C to all
of them.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process, resource_tracker
from multiprocessing.process import BaseProcess
from types import FrameType
from typing import Any, NoReturn, Self, TypeVar

T = TypeVar("T")


class ProcessPool:
    """Worker processes, each begun by `begin(*arguments)`. For the main thread, in a `with`."""

    def __init__(
        self, processes: int, begin: Callable[..., None], arguments: tuple[Any, ...]
    ) -> None:
        self._processes = processes
        self._begin = begin, arguments
        self._pool: ProcessPoolExecutor | None = None  # within the block
        self._before: Any = signal.SIG_DFL  # the former handler of SIGTERM

    def __enter__(self) -> Self:
        """Makes the pool, and makes SIGTERM end the block like an exception."""
        try:
            resource_tracker.ensure_running()  # Python 3.11 begins it and then lets interrupts in
            # An executor that an interrupt leaves half made would never free its semaphores.
            with interrupts_held():
                self._before = signal.signal(signal.SIGTERM, _leave)
                self._pool = ProcessPoolExecutor(
                    self._processes,
                    get_context("spawn"),
                    initializer=_begin,
                    initargs=self._begin,
                )
        except BaseException as error:
            self.__exit__(type(error))
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Ends the processes: after an exception at once, else after their current tasks."""
        with interrupts_held():
            if kind is not None:
                for process in active_children():
                    process.kill()
            if self._pool is not None:
                self._pool.shutdown(cancel_futures=True)
            signal.signal(signal.SIGTERM, self._before)

    def submit(self, task: Callable[..., T], *arguments: object) -> Future[T]:
        """Returns the future result of the task for the arguments, computed in a process."""
        with interrupts_held():
            return self._executor.submit(task, *arguments)

    def map(self, task: Callable[[Any], T], items: Sequence[Any], together: int) -> Iterator[T]:
        """Yields the task's result for each item in order; `together` items travel at a time."""
        # Not the executor's own map: it cancels its tasks at an interrupt, and the executor of
        # Python 3.11 fails on a cancelled task when its processes are killed.
        with interrupts_held():
            parts = [
                self._executor.submit(_each, task, items[first : first + together])
                for first in range(0, len(items), together)
            ]
        return (result for part in parts for result in part.result())

    @property
    def _executor(self) -> ProcessPoolExecutor:
        if self._pool is None:
            raise ValueError("a pool works within its block")
        return self._pool


class WorkerProcesses:
    """The processes of some work, each begun by `begin(*arguments)`; one alone is this process."""

    def __init__(
        self, processes: int, begin: Callable[..., None], arguments: tuple[Any, ...]
    ) -> None:
        self._begin = begin, arguments
        self.pool = ProcessPool(processes, begin, arguments) if processes > 1 else None

    def __enter__(self) -> Self:
        """Starts the processes."""
        if self.pool is None:
            begin, arguments = self._begin
            begin(*arguments)
        else:
            self.pool.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:  # noqa: ANN401 - as contextlib has it
        """Ends the processes as ProcessPool does."""
        if self.pool is not None:
            self.pool.__exit__(*error)


def _each(task: Callable[[Any], T], items: Sequence[Any]) -> list[T]:
    return [task(item) for item in items]


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Delays Ctrl-C to the end of the block; processes begun in the block never receive it."""
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
    """Ends this process after its parent's end, even by a kill: its work would be lost."""
    parent.join()
    os._exit(1)
