"""The controller's side of GTP.

The client reads replies and the text of analysis lines. Moves are the engine's words, of any game.
Every wait has a limit; an engine that dies, stays silent or breaks the form of a reply is lost, and
EngineLostError names the cause.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.util.engine_process import EngineProcess, EngineRefusedError

INTERRUPT = "protocol_version"  # any line ends an analysis; every engine answers this one
ANALYSIS_FLAGS = frozenset({"pv", "pvVisits", "pvEdgeVisits"})  # keys with a list after them
INFO_SECTIONS = frozenset({"info", "rootInfo", "ownership", "ownershipStdev"})


@dataclass(frozen=True, slots=True)
class Info:
    """One section of an analysis line: a candidate move, or the root (move is empty)."""

    move: str
    values: dict[str, str]  # values as written: "visits" -> "20", "winrate" -> "0.48" or "4801"
    pv: tuple[str, ...] = ()

    @property
    def visits(self) -> int:
        """The visits of the move; 0 if the engine reports none."""
        return int(float(self.values.get("visits", "0")))


def parse_analysis(line: str) -> tuple[Info, ...]:
    """Returns the sections of one analysis line, candidates and root, in the order written.

    Ownership and visits along a variation are skipped. A line without sections gives ().
    """
    words = line.split()
    starts = [place for place, word in enumerate(words) if word in INFO_SECTIONS]
    infos = []
    for start, end in pairwise([*starts, len(words)]):
        if words[start] in {"info", "rootInfo"}:
            infos.append(_section(words[start + 1 : end]))
    return tuple(infos)


def _section(words: list[str]) -> Info:
    lists = {word: place for place, word in enumerate(words) if word in ANALYSIS_FLAGS}
    plain = words[: min(lists.values(), default=len(words))]
    values = dict(zip(plain[::2], plain[1::2], strict=False))
    pv: tuple[str, ...] = ()
    if "pv" in lists:
        later = [place for place in lists.values() if place > lists["pv"]]
        pv = tuple(words[lists["pv"] + 1 : min(later, default=len(words))])
    return Info(values.pop("move", ""), values, pv)


def root_visits(line: str) -> int | None:
    """Returns the root's visits from an analysis line, else their sum over the candidates.

    None for any other line.
    """
    sections = parse_analysis(line)
    if not sections:
        return None
    for section in sections:
        if not section.move:
            return section.visits
    return sum(section.visits for section in sections)


def own_gtp(*options: str) -> list[str]:
    """Returns the words of the command `sparring gtp` of this installation."""
    return [sys.executable, "-m", "protocols.cli", "gtp", *options]


class GtpClient(EngineProcess):
    """A running GTP engine. A refusal raises EngineRefusedError with the text after `?`."""

    def __init__(self, command: str | Sequence[str], *, seconds: float = 60.0) -> None:
        super().__init__(command, seconds=seconds)
        self._commands: frozenset[str] | None = None

    def ask(self, command: str, *, seconds: float | None = None) -> str:
        """Returns the reply to `command`, without its sign.

        Raises EngineRefusedError and EngineLostError. seconds: the longest time for the whole
        reply; None: the engine's own limit.
        """
        return "\n".join(self.stream(command, seconds=seconds)).strip()

    def ask_all(self, commands: Sequence[str], *, seconds: float | None = None) -> list[str]:
        """Returns the replies to `commands`; writes them all before it reads the first.

        Raises EngineRefusedError for the first refused command, after all replies are read.
        """
        for command in commands:
            self.write(command)
        replies = []
        refusal: EngineRefusedError | None = None
        for command in commands:
            try:
                reply = self._reply(self._reader(command, seconds))
                replies.append("\n".join(reply).strip())
            except EngineRefusedError as error:
                refusal = refusal or error
        if refusal is not None:
            raise refusal
        return replies

    def stream(self, command: str, *, seconds: float | None = None) -> Iterator[str]:
        """Yields the reply's lines as they come, the first without its sign.

        Raises as ask() does. A caller that leaves the iteration early leaves the rest unread.
        """
        self.write(command)
        yield from self._reply(self._reader(command, seconds))

    def analyze(
        self, command: str, run_seconds: float, *, seconds: float | None = None
    ) -> Iterator[str]:
        """Yields the lines of an open-ended analysis and interrupts it after `run_seconds`.

        seconds: time for the engine to stop after that.
        """
        self.write(command)
        end = time.monotonic() + run_seconds
        interrupted = False

        def read() -> str:
            nonlocal interrupted
            if not interrupted:
                line = self.next_line(command, end) if time.monotonic() < end else None
                if line is not None:
                    return line
                interrupted = True
                self.write(INTERRUPT)
            return self.line(command, end + self.limit(seconds))

        yield from filter(None, self._reply(read))
        if interrupted:
            list(self._reply(self._reader(INTERRUPT, seconds)))

    @property
    def commands(self) -> frozenset[str]:
        """The names of the engine's commands; asked once."""
        if self._commands is None:
            self._commands = frozenset(self.ask("list_commands").split())
        return self._commands

    def _reader(self, command: str, seconds: float | None) -> Callable[[], str]:
        deadline = time.monotonic() + self.limit(seconds)
        return lambda: self.line(command, deadline)

    def _reply(self, read: Callable[[], str]) -> Iterator[str]:
        """Yields the lines of the next reply; lines before its sign are dropped."""
        line = read()
        while not line.startswith(("=", "?")):
            line = read()
        refused = line.startswith("?")
        first = line[1:].strip()
        rest = iter(read, "")
        if refused:
            raise EngineRefusedError("\n".join([first, *rest]).strip())
        yield first
        yield from rest
