"""The controller's side of GTP: starts an engine from its command line and asks it things.

Knows processes, lines, replies, time limits and the text of analysis lines. Does not know any
game: moves are the words the engine says. Every wait has a limit; an engine that dies, stays
silent or answers without a reply's form is lost, and EngineLostError says how.
"""

from __future__ import annotations

import contextlib
import os
import queue
import shlex
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import IO, Literal

QUIT_SECONDS = 5.0
INTERRUPT = "protocol_version"  # any line ends an analysis; every engine answers this one
STDERR_LINES = 50  # kept
ANALYSIS_FLAGS = frozenset({"pv", "pvVisits", "pvEdgeVisits"})  # keys with a list behind them
INFO_SECTIONS = frozenset({"info", "rootInfo", "ownership", "ownershipStdev"})

Loss = Literal["absent", "crashed", "hung"]


class EngineRefusedError(Exception):
    """The engine answered a command with `?`; the text is its message."""


class EngineLostError(Exception):
    """The engine could not be started, died, or did not answer in time; it is of no more use."""

    def __init__(self, how: Loss, text: str) -> None:
        super().__init__(text)
        self.how = how


@dataclass(frozen=True, slots=True)
class Info:
    """One section of an analysis line: a candidate move, or the root (move is empty)."""

    move: str
    values: dict[str, str]  # as written: "visits" -> "20", "winrate" -> "0.48" or "4801"
    pv: tuple[str, ...] = ()

    @property
    def visits(self) -> int:
        """How often the search went there; 0 where the engine does not say."""
        return int(float(self.values.get("visits", "0")))


def parse_analysis(line: str) -> tuple[Info, ...]:
    """The sections of one analysis line, candidates and root in the order written.

    Ownership and visits along a variation are skipped. A line without sections gives ().
    """
    words = line.split()
    starts = [place for place, word in enumerate(words) if word in INFO_SECTIONS]
    found = []
    for start, end in pairwise([*starts, len(words)]):
        if words[start] in {"info", "rootInfo"}:
            found.append(_section(words[start + 1 : end]))
    return tuple(found)


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
    """Visits of the root that an analysis line tells, else their sum over the candidates.

    None for a line that is no analysis.
    """
    sections = parse_analysis(line)
    if not sections:
        return None
    for section in sections:
        if not section.move:
            return section.visits
    return sum(section.visits for section in sections)


class GtpEngine:
    """A running engine. One thread may use it at a time; close() it, or use it in a `with`.

    command: a command line as a shell would split it, or its words. Raises EngineLostError
    ("absent") where that program cannot be started.
    """

    def __init__(self, command: str | Sequence[str], *, seconds: float = 60.0) -> None:
        self.words = shlex.split(command) if isinstance(command, str) else list(command)
        self.seconds = seconds  # the longest silence allowed when a call does not say
        self.stderr: deque[str] = deque(maxlen=STDERR_LINES)  # the latest; callers may take some
        self.last_words = ""  # the last line on stderr that said something
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._commands: frozenset[str] | None = None
        if not self.words:
            raise EngineLostError("absent", "an empty command line starts no engine")
        try:
            self.process = subprocess.Popen(
                self.words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # so that what a wrapper script started ends with it
            )
        except OSError as error:
            raise EngineLostError("absent", f"{self.words[0]!r}: {error.strerror}") from error
        self._input, output, errors = map(
            _piped, (self.process.stdin, self.process.stdout, self.process.stderr)
        )
        self._readers = [
            threading.Thread(target=self._read_output, args=(output,), daemon=True),
            threading.Thread(target=self._read_errors, args=(errors,), daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    def __enter__(self) -> GtpEngine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read_output(self, output: IO[bytes]) -> None:
        with output:
            for line in output:
                text = line.decode("utf-8", errors="replace")
                self._lines.put(text.replace("\r", "").rstrip("\n"))
        self._lines.put(None)

    def _read_errors(self, errors: IO[bytes]) -> None:
        with errors:
            for line in errors:
                text = line.decode("utf-8", errors="replace").rstrip()
                self.stderr.append(text)
                self.last_words = text or self.last_words

    # Asking

    def ask(self, command: str, *, seconds: float | None = None) -> str:
        """The reply to `command`, without its sign; raises EngineRefusedError, EngineLostError.

        seconds: the longest the whole reply may take; the engine's own limit when None.
        """
        return "\n".join(self.stream(command, seconds=seconds)).strip()

    def ask_all(self, commands: Sequence[str], *, seconds: float | None = None) -> list[str]:
        """The replies to `commands`, all written before the first is read.

        Raises EngineRefusedError for the first that was refused, after reading them all.
        """
        for command in commands:
            self._write(command)
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
        """Lines of the reply to `command` as they come, the first without its sign.

        Raises as ask() does. Leaving the iteration early leaves the rest of the reply unread.
        """
        self._write(command)
        yield from self._reply(self._reader(command, seconds))

    def analyze(
        self, command: str, run_seconds: float, *, seconds: float | None = None
    ) -> Iterator[str]:
        """Lines of an open-ended analysis, which is interrupted after `run_seconds`.

        seconds: how long the engine may take to stop after that.
        """
        self._write(command)
        end = time.monotonic() + run_seconds
        interrupted = False

        def read() -> str:
            nonlocal interrupted
            if not interrupted:
                line = self._next(command, end) if time.monotonic() < end else None
                if line is not None:
                    return line
                interrupted = True
                self._write(INTERRUPT)
            return self._line(command, end + self._limit(seconds))

        yield from filter(None, self._reply(read))
        if interrupted:
            list(self._reply(self._reader(INTERRUPT, seconds)))

    @property
    def commands(self) -> frozenset[str]:
        """The names of the commands the engine lists; asked once."""
        if self._commands is None:
            self._commands = frozenset(self.ask("list_commands").split())
        return self._commands

    # Lines

    def _limit(self, seconds: float | None) -> float:
        return self.seconds if seconds is None else seconds

    def _write(self, command: str) -> None:
        if "\n" in command:
            raise ValueError(f"a command is one line, not {command!r}")
        try:
            self._input.write(command.encode() + b"\n")
            self._input.flush()
        except (OSError, ValueError) as error:  # ValueError: closed before
            raise self._crashed(command) from error

    def _reader(self, command: str, seconds: float | None) -> Callable[[], str]:
        deadline = time.monotonic() + self._limit(seconds)
        return lambda: self._line(command, deadline)

    def _reply(self, read: Callable[[], str]) -> Iterator[str]:
        """Lines of the next reply; what comes before its sign belongs to nobody."""
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

    def _line(self, command: str, deadline: float) -> str:
        line = self._next(command, deadline)
        if line is None:
            raise EngineLostError("hung", f"no reply to {command!r} in time")
        return line

    def _next(self, command: str, deadline: float) -> str | None:
        """The next line the engine says; None when it says none before `deadline`."""
        try:
            line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            return None
        if line is None:
            self._lines.put(None)
            raise self._crashed(command)
        return line

    def _crashed(self, command: str) -> EngineLostError:
        self._readers[1].join(timeout=1.0)
        try:
            code: object = self.process.wait(timeout=1.0)
        except subprocess.TimeoutExpired:
            code = "none yet"
        last = f"; it last said {self.last_words!r}" if self.last_words else ""
        return EngineLostError("crashed", f"ended at {command!r}, exit code {code}{last}")

    # The process

    def memory(self) -> int:
        """Resident memory of the engine's process, bytes; 0 where the system does not tell."""
        return resident_memory(self.process.pid)

    def close(self) -> None:
        """Asks the engine to quit, and ends it by force when it does not; safe to call twice."""
        if self.process.poll() is None:
            try:
                self._write("quit")
                self.process.wait(timeout=QUIT_SECONDS)
            except (EngineLostError, subprocess.TimeoutExpired):
                pass
        self.kill()

    def kill(self) -> None:
        """Ends the engine at once, with all it started."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            self.process.kill()
        self.process.wait()
        for reader in self._readers:
            reader.join(timeout=1.0)
        with contextlib.suppress(OSError):  # what was not written any more has nobody to read it
            self._input.close()


def _piped(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise TypeError("the process was started without a pipe")
    return stream


def resident_memory(pid: int | None = None) -> int:
    """Resident memory of process `pid`, or of this one, bytes; 0 where the system does not tell."""
    try:
        text = Path(f"/proc/{pid or 'self'}/status").read_text()
    except OSError:
        return 0
    rows = [line.split() for line in text.splitlines() if line.startswith("VmRSS:")]
    return int(rows[0][1]) * 1024 if rows else 0
