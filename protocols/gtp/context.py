"""What a GTP command has at hand: the session, the reply it is making, and what waits.

Knows no command.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from engine.games import write_vertex
from engine.session import Session
from protocols.gtp.arguments import vertex
from protocols.gtp.codec import Command, Reply


class Inbox(Protocol):
    """What the conversation asks of its input."""

    def waiting(self) -> bool:
        """Whether a further line has come or the input has ended."""

    def wait(self) -> None:
        """Returns as soon as `waiting` is true."""

    def abandoned(self) -> bool:
        """Whether nobody is there any more to read an answer."""


@dataclass
class Context:
    """The surroundings of the commands of one conversation."""

    session: Session
    inbox: Inbox
    name: str  # what the command `name` answers
    folder: Path | None  # where relative paths of loadsgf and printsgf begin; None: no files
    commands: Mapping[str, Handler]
    reply: Reply  # to the command under way
    quitting: bool = False

    def vertex(self, word: str) -> int:
        """The move that a word names on the present board; raises GtpError."""
        return vertex(word, self.session.width, self.session.height)

    def vertex_name(self, move: int) -> str:
        """A move of the present board as GTP writes it."""
        return write_vertex(move, self.session.width, self.session.height)

    def vertex_names(self, moves: tuple[int, ...]) -> str:
        """Moves as GTP writes them, separated by spaces."""
        return " ".join(map(self.vertex_name, moves))


Handler = Callable[[Context, Command], str]
