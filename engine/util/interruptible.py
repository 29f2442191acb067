"""Long work of the core, open to Ctrl-C."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TypeVar

T = TypeVar("T")

STOPPING_SECONDS = 0.3  # granted to stopped work; after it the work is abandoned


def nothing() -> None:
    """Does nothing."""


def interruptible(work: Callable[[], T], stop: Callable[[], None] = nothing) -> T:
    """Runs the work in a thread and returns its result; its exceptions pass on to the caller.

    The main thread handles signals only in Python code. A signal's exception is raised again after
    a call of `stop`, the work's own way to end early.
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
