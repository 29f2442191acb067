"""An engine that speaks a line protocol: start, write, read with a time limit, end.

An engine can be lost in three ways: it is absent, crashes or hangs. The clients of GTP, UGI and
NBoard interpret the lines.
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
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Literal, Self

QUIT_SECONDS = 5.0
STDERR_LINES = 50  # the latest lines are stored
LONGEST_LINE = 2**20  # bytes; a longer one is read in pieces
LONGEST_QUOTE = 80  # characters of a command in messages

Loss = Literal["absent", "crashed", "hung"]


class EngineRefusedError(Exception):
    """The engine refused a command; the text is its message."""


class EngineLostError(Exception):
    """The engine did not start, died, or did not answer in time; it is of no more use."""

    def __init__(self, how: Loss, text: str) -> None:
        super().__init__(text)
        self.how = how


class EngineProcess:
    """A running engine for one thread at a time; close() it, or use it in a `with`.

    command: a command line, split as a shell splits it, or its words. Raises EngineLostError
    ("absent") if the program does not start.
    """

    def __init__(self, command: str | Sequence[str], *, seconds: float = 60.0) -> None:
        self.words = shlex.split(command) if isinstance(command, str) else list(command)
        self.seconds = seconds  # the longest silence, unless a call names its own
        # the latest lines; callers may remove some
        self.stderr: deque[str] = deque(maxlen=STDERR_LINES)
        self.last_words = ""  # the last line on stderr with text, or the last warning
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        if not self.words:
            raise EngineLostError("absent", "an empty command line starts no engine")
        try:
            self.process = subprocess.Popen(
                self.words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # children of a wrapper script end with it
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

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read_output(self, output: IO[bytes]) -> None:
        with output:
            while line := output.readline(LONGEST_LINE):
                text = line.decode("utf-8", errors="replace")
                self._lines.put(text.replace("\r", "").rstrip("\n"))
        self._lines.put(None)

    def _read_errors(self, errors: IO[bytes]) -> None:
        with errors:
            while line := errors.readline(LONGEST_LINE):
                text = line.decode("utf-8", errors="replace").rstrip()
                self.stderr.append(text)
                self.last_words = text or self.last_words

    def limit(self, seconds: float | None) -> float:
        """Returns `seconds`, or the engine's own longest silence in seconds for None."""
        return self.seconds if seconds is None else seconds

    # Lines

    def write(self, command: str) -> None:
        """Writes one line; raises EngineLostError at the engine's end, ValueError for two lines."""
        if "\n" in command:
            raise ValueError(f"a command is one line, not {command!r}")
        try:
            self._input.write(command.encode() + b"\n")
            self._input.flush()
        except (OSError, ValueError) as error:  # ValueError: closed before
            raise self.crashed(command) from error

    def line(self, command: str, deadline: float) -> str:
        """Returns the next line of an answer; raises EngineLostError after `deadline`."""
        line = self.next_line(command, deadline)
        if line is None or time.monotonic() > deadline:  # late lines may come without end
            text = f"no reply to {shown(command)} in time{self._last_said()}"
            raise EngineLostError("hung", text)
        return line

    def next_line(self, command: str, deadline: float) -> str | None:
        """Returns the engine's next line; None if none comes before `deadline`."""
        try:
            line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            return None
        if line is None:
            self._lines.put(None)
            raise self.crashed(command)
        return line

    def crashed(self, command: str) -> EngineLostError:
        """Returns the error for an engine that ended, with its exit code."""
        self._readers[1].join(timeout=1.0)
        try:
            code: object = self.process.wait(timeout=1.0)
        except subprocess.TimeoutExpired:
            code = "none yet"
        text = f"ended at {shown(command)}, exit code {code}{self._last_said()}"
        return EngineLostError("crashed", text)

    def _last_said(self) -> str:
        return f"; it last said {self.last_words!r}" if self.last_words else ""

    # The process

    def memory(self) -> int:
        """Returns the resident memory of the engine's process in bytes; 0 if it is unknown."""
        return resident_memory(self.process.pid)

    def processor_seconds(self) -> float:
        """Returns the processor time of the engine's process so far; 0 if it is unknown."""
        try:
            # the name, in brackets, may hold spaces; 14 and 15 are user and system time
            words = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    def close(self) -> None:
        """Asks the engine to quit, then ends it by force after QUIT_SECONDS; safe to call twice."""
        if self.process.poll() is None:
            try:
                self.write("quit")
                self.process.wait(timeout=QUIT_SECONDS)
            except (EngineLostError, subprocess.TimeoutExpired):
                pass
        self.kill()

    def kill(self) -> None:
        """Ends the engine and its children at once."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            self.process.kill()
        self.process.wait()
        for reader in self._readers:
            reader.join(timeout=1.0)
        with contextlib.suppress(OSError):  # unwritten bytes have no reader any more
            self._input.close()


def shown(command: str) -> str:
    """Returns the command as messages quote it; long ones are cut."""
    return repr(command if len(command) <= LONGEST_QUOTE else command[:LONGEST_QUOTE] + "...")


def _piped(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise TypeError("the process was started without a pipe")
    return stream


def resident_memory(pid: int | None = None) -> int:
    """Returns the resident memory of a process in bytes; 0 if the system does not report it.

    pid: None for this process.
    """
    try:
        text = Path(f"/proc/{pid or 'self'}/status").read_text()
    except OSError:
        return 0
    rows = [line.split() for line in text.splitlines() if line.startswith("VmRSS:")]
    return int(rows[0][1]) * 1024 if rows else 0
