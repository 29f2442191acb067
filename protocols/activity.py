"""One conversation as its operator sees it: its id in the log, its game, its commands.

A context variable holds the activity of the present thread or task.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from engine.search.meter import SearchMeter

log = logging.getLogger("sparring")

MOVE = "move"
ANALYSIS = "analysis"
COMMAND = "command"  # without a search
KINDS = (MOVE, ANALYSIS, COMMAND)


def _nothing(_kind: str, _seconds: float) -> None:
    """Does nothing."""


@dataclass(eq=False)
class Activity:
    """The activity of one conversation; its threads write it, and others read it."""

    protocol: str = ""
    client: str = ""  # "user", or the address of a guest
    id: str = field(default_factory=lambda: secrets.token_hex(4))
    begun: float = field(default_factory=time.time)  # seconds since 1970
    game: str = ""  # the name of the board, as "go19"
    moves: int = 0  # of the game under way
    persona: str = ""
    opponent: str = ""
    commands: int = 0
    errors: int = 0  # internal errors
    busy_since: float | None = None  # by time.monotonic; None: it waits for its client
    meter: SearchMeter = field(default_factory=SearchMeter)  # of its searches
    on_done: Callable[[str, float], None] = _nothing  # kind of KINDS, seconds

    @contextmanager
    def timed(self, kind: str, name: str) -> Iterator[None]:
        """Measures a command of a kind of KINDS, and logs it under its name."""
        started = self.busy_since = time.monotonic()
        try:
            yield
        finally:
            seconds = time.monotonic() - started
            self.busy_since = None
            self.commands += 1
            self.on_done(kind, seconds)
            log.debug("%s: %s in %.1f ms", self.protocol, name, 1000 * seconds)


CURRENT: ContextVar[Activity | None] = ContextVar("activity", default=None)


def current() -> Activity:
    """Returns the activity of this thread or task; a new one outside of all conversations."""
    return CURRENT.get() or Activity()
