"""Another solver, run as a command: its time for all positions.

For a fair comparison the time is the processor time of its process, less the time for no position
at all. The program's output is read only for the number of positions ("123 nodes").
"""

from __future__ import annotations

import re
import resource
import shlex
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

PLACE = "{}"  # in a command: the path of a file with the positions; without it they come on stdin
_NODES = re.compile(r"(\d+) nodes\b(?!/)")  # not nodes a second
IDLE_RUNS = 3  # the quickest is the peer's time for no position
_TAIL = 400  # characters of output quoted when a peer fails


class PeerError(RuntimeError):
    """The other program did not start, or failed."""


@dataclass(frozen=True, slots=True)
class PeerTime:
    """A peer's cost of all positions."""

    seconds: float  # processor time
    nodes: int  # 0 if it reports none


def _children_seconds() -> float:
    """Returns the processor time of all ended child processes, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class SolvingPeer:
    """A command for the positions in a file, or on its standard input, a line each."""

    def __init__(self, command: str, *, patience: float) -> None:
        self.words = shlex.split(command)
        self._patience = patience  # seconds for all positions
        if not self.words:
            raise PeerError("the peer's command is empty")
        self._idle = min(self._run([]).seconds for _ in range(IDLE_RUNS))

    def solve(self, lines: Sequence[str]) -> PeerTime:
        """Returns its time for these positions; raises PeerError for a failure."""
        measured = self._run(lines)
        return PeerTime(max(measured.seconds - self._idle, 0.0), measured.nodes)

    def _run(self, lines: Sequence[str]) -> PeerTime:
        with tempfile.TemporaryDirectory() as folder:
            path, out = Path(folder, "positions.txt"), Path(folder, "out.txt")
            path.write_text("".join(f"{line}\n" for line in lines))
            words = [word.replace(PLACE, str(path)) for word in self.words]
            before = _children_seconds()
            with path.open() as stdin, out.open("w") as stdout:
                try:
                    done = subprocess.run(
                        words, stdin=stdin, stdout=stdout, stderr=subprocess.STDOUT,
                        timeout=self._patience, check=False,
                    )  # fmt: skip
                except (OSError, subprocess.TimeoutExpired) as error:
                    raise PeerError(f"{words[0]!r}: {error}") from error
            seconds = _children_seconds() - before
            text = out.read_text(errors="replace")
        if done.returncode:
            raise PeerError(f"{words[0]!r} ended with {done.returncode}: {text[-_TAIL:]!r}")
        return PeerTime(seconds, sum(map(int, _NODES.findall(text))))
