"""What an engine hears while it thinks: lines that end it, lines answered at once, the others.

Knows in which order lines are handed out. Which line is which the protocol says. No threads: the
inbox is asked from within the search.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from enum import Enum, auto
from typing import Protocol

from protocols.lines import LONGEST_LINE, line_bytes

# Heard ahead; what comes after them stays in the inbox.
MOST_LINES = 1000
MOST_BYTES = 2 * LONGEST_LINE


class Urgency(Enum):
    """What is done with a line that comes while the engine thinks."""

    LATER = auto()  # handled when the thinking has ended
    THINK = auto()  # the same, and will be thought about itself
    AT_ONCE = auto()  # answered without ending it
    STOP = auto()  # ends the thinking that was asked for right before it, and is handled then
    STOP_ALL = auto()  # ends all thinking asked for before it


class Input(Protocol):
    """What is asked of the queue of lines."""

    def take(self) -> str | None:
        """The next line, waiting for it; None when there will be none."""

    def waiting(self) -> bool:
        """Whether a line waits or the input has ended."""

    def abandoned(self) -> bool:
        """Whether nobody is there any more to read an answer."""


class CommandQueue:
    """The lines of one client, heard while thinking as well as between.

    urgency: says what is done with a line. at_once: answers those that do not wait.
    """

    def __init__(
        self, inbox: Input, urgency: Callable[[str], Urgency], at_once: Callable[[str], None]
    ) -> None:
        self._inbox = inbox
        self._urgency = urgency
        self._at_once = at_once
        self._heard: deque[str] = deque()
        self._held = 0  # bytes of the lines heard
        self._ended = False
        self._stopped = False  # the present thinking
        self._stop_heard = False  # for whatever it was meant
        self._think_heard = False

    def next(self) -> str | None:
        """The next line to handle, waiting for it; None when there will be none."""
        self._stopped = self._stop_heard = self._think_heard = False
        if not self._heard:
            return None if self._ended else self._inbox.take()
        line = self._heard.popleft()
        self._held -= line_bytes(line)
        for later in self._heard:
            self._note(self._urgency(later))
        return line

    def interrupted(self) -> bool:
        """Whether what is being thought about should end: a line says so, or nobody reads."""
        while not self._ended and self._has_room() and self._inbox.waiting():
            line = self._inbox.take()
            if line is None:
                self._ended = True
            else:
                self._hear(line)
        return self._stopped or self._inbox.abandoned()

    def interrupted_or_ended(self) -> bool:
        """The same, the end of input included: for thinking that has no end of its own."""
        ended = self.interrupted() or self._stop_heard or self._ended
        return ended or not self._has_room()  # else lines would be heard without bound

    def wait(self) -> None:
        """Returns when a line has come that ends thinking, or none can."""
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
        """Notes what a line that waits means for the present thinking."""
        if urgency is Urgency.STOP_ALL or (urgency is Urgency.STOP and not self._think_heard):
            self._stopped = True
        self._stop_heard = self._stop_heard or urgency in {Urgency.STOP, Urgency.STOP_ALL}
        self._think_heard = self._think_heard or urgency is Urgency.THINK
