"""Long work of the core, during which Ctrl-C is heard."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TypeVar

T = TypeVar("T")

STOPPING_SECONDS = 0.3  # for work that is told to stop; then it is left behind


def nothing() -> None:
    """Does nothing."""


def interruptible(work: Callable[[], T], stop: Callable[[], None] = nothing) -> T:
    """Returns what the work comes to, done in a thread; raises what it raises.

    The main thread hears signals only in Python. An exception of a signal goes on after
    `stop`, which tells the work to end.
    """
    one = ThreadPoolExecutor(1)
    working = one.submit(work)
    one.shutdown(wait=False)
    try:
        return working.result()
    except BaseException:
        stop()
        wait([working], STOPPING_SECONDS)
        raise
