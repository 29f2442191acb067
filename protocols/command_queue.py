"""The queue of a client's commands, read during a search too.

A line ends the search, is answered at once or waits; the protocol decides by its urgency. No
threads: the search polls the inbox.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from enum import Enum, auto
from typing import Protocol

from protocols.lines import LONGEST_LINE, line_bytes

# Limits of the lines read ahead; further lines stay in the inbox.
MOST_LINES = 1000
MOST_BYTES = 2 * LONGEST_LINE


class Urgency(Enum):
    """The treatment of a line during a search."""

    LATER = auto()  # handled after the search
    THINK = auto()  # the same, and starts a search itself
    AT_ONCE = auto()  # answered during the search
    STOP = auto()  # ends the last search requested before it, and is handled then
    STOP_ALL = auto()  # ends all searches requested before it


class Input(Protocol):
    """A source of lines, such as an inbox."""

    def take(self) -> str | None:
        """Waits for the next line and returns it; None at the end of input."""

    def waiting(self) -> bool:
        """Whether a line waits or the input has ended."""

    def abandoned(self) -> bool:
        """Whether the client has gone."""


class CommandQueue:
    """The lines of one client, read during and between searches.

    urgency: returns the urgency of a line. at_once: answers lines of urgency AT_ONCE.
    """

    def __init__(
        self, inbox: Input, urgency: Callable[[str], Urgency], at_once: Callable[[str], None]
    ) -> None:
        self._inbox = inbox
        self._urgency = urgency
        self._at_once = at_once
        self._heard: deque[str] = deque()
        self._held = 0  # bytes of the lines read ahead
        self._ended = False
        self._stopped = False  # the present search
        self._stop_heard = False  # for any search
        self._think_heard = False

    def next(self) -> str | None:
        """Waits for the next line and returns it; None at the end of input."""
        self._stopped = self._stop_heard = self._think_heard = False
        if not self._heard:
            return None if self._ended else self._inbox.take()
        line = self._heard.popleft()
        self._held -= line_bytes(line)
        for later in self._heard:
            self._note(self._urgency(later))
        return line

    def interrupted(self) -> bool:
        """Whether the present search should end: by a line, or because the client has gone."""
        while not self._ended and self._has_room() and self._inbox.waiting():
            line = self._inbox.take()
            if line is None:
                self._ended = True
            else:
                self._hear(line)
        return self._stopped or self._inbox.abandoned()

    def interrupted_or_ended(self) -> bool:
        """The same for a search without limits: the end of input ends it too."""
        ended = self.interrupted() or self._stop_heard or self._ended
        return ended or not self._has_room()  # else lines would be read without bound

    def wait(self) -> None:
        """Waits for a line of urgency STOP or STOP_ALL, or for the end of input."""
        while not self.interrupted_or_ended():
            line = self._inbox.take()
            if line is None:
                self._ended = True
            else:
                self._hear(line)

    def _has_room(self) -> bool:
        return len(self._heard) < MOST_LINES and self._held < MOST_BYTES

    def _hear(self, line: str) -> None:
        urgency = self._urgency(line)
        if urgency is Urgency.AT_ONCE and not self._heard:  # else it would overtake others
            self._at_once(line)
            return
        self._heard.append(line)
        self._held += line_bytes(line)
        self._note(urgency)

    def _note(self, urgency: Urgency) -> None:
        """Applies a waiting line to the present search."""
        if urgency is Urgency.STOP_ALL or (urgency is Urgency.STOP and not self._think_heard):
            self._stopped = True
        self._stop_heard = self._stop_heard or urgency in {Urgency.STOP, Urgency.STOP_ALL}
        self._think_heard = self._think_heard or urgency is Urgency.THINK
