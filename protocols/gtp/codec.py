"""GTP 2 lines: reads a command line, writes a reply.

The grammar is that of the GTP version 2 draft, sections 2 and 3: characters, ids, the blank line
that ends a reply. The commands are in other modules, and so are input and output.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

LARGEST_INTEGER = 2**31 - 1
QUOTED = 80  # characters of the input repeated in an error

# Everything that may not appear within a line; newlines and tabs are handled before.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]")
_ID = re.compile(r"[0-9]+(?![^ ])")


class GtpError(Exception):
    """A command fails; the text is the reply's message."""


@dataclass(frozen=True, slots=True)
class GtpCommand:
    """The parts of one command line."""

    id: str  # the id to echo; empty: the line has none
    name: str
    arguments: tuple[str, ...]

    @property
    def text(self) -> str:
        """The arguments as one text."""
        return " ".join(self.arguments)


def without_controls(text: str) -> str:
    """Returns the text with tabs as spaces, without other control characters."""
    return _CONTROL.sub("", text.replace("\t", " "))


def read(line: str) -> GtpCommand | None:
    """Returns the command on a line; None if there is nothing to answer.

    Nothing to answer: blank lines, comments, and a lone id, as GNU Go has it. Raises GtpError where
    the id is no 32-bit number.
    """
    text = without_controls(line).partition("#")[0].strip(" ")
    match = _ID.match(text)
    number = match.group() if match else ""
    words = text.removeprefix(number).split(" ")
    words = [word for word in words if word]
    if not words:
        return None
    if number and (len(number) > 10 or int(number) > LARGEST_INTEGER):
        raise GtpError(f"invalid id {quoted(number)}")
    return GtpCommand(number, words[0], tuple(words[1:]))


def quoted(text: str) -> str:
    """Returns the text in quotation marks for an error message, shortened if long."""
    return f"'{text}'" if len(text) <= QUOTED else f"'{text[:QUOTED]}...'"


def body(text: str) -> str:
    """Returns the text without empty lines, trailing spaces and control characters."""
    lines = (without_controls(line).rstrip() for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


class Reply:
    """The answer to one command, emitted at its end, or opened early and streamed."""

    def __init__(self, command_id: str, emit: Callable[[str], None]) -> None:
        self._id = command_id
        self._emit = emit
        self.opened = False
        self.done = False

    def open(self) -> None:
        """Emits the sign of success now; lines may follow."""
        self.opened = True
        self._emit(f"={self._id}\n")

    def line(self, text: str) -> None:
        """Emits one line of an opened reply; an empty text emits nothing."""
        if text:
            self._emit(f"{body(text)}\n")

    def whole(self, text: str) -> str:
        """Returns the whole reply of success, without the lines between."""
        text = body(text)
        if self.opened:
            return f"={self._id}\n{text}\n\n" if text else f"={self._id}\n\n"
        return f"={self._id} {text}\n\n"

    def succeed(self, text: str) -> None:
        """Emits the rest of the reply and its end."""
        self.done = True
        text = body(text)
        if self.opened:
            self._emit(f"{text}\n\n" if text else "\n")
        else:  # a space even before nothing, as GNU Go and KataGo write it
            self._emit(f"={self._id} {text}\n\n")

    def fail(self, message: str) -> None:
        """Emits a failure; of an opened reply, already a success, the end alone."""
        self.done = True
        self._emit("\n" if self.opened else f"?{self._id} {body(message)}\n\n")
