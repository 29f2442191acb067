"""Another program that solves positions, as a command: how long it takes over all of them.

Knows how its time is measured so that it can be compared with ours: processor time of its process,
less what it takes for no position at all. Does not know how it searches. Its output is read only
for the number of positions it says it has entered ("123 nodes").
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

PLACE = "{}"  # in a command: the path of a file with the positions; else they come on stdin
_NODES = re.compile(r"(\d+) nodes\b(?!/)")  # not those a second
IDLE_RUNS = 3  # the quickest is what the peer takes for no position
_TAIL = 400  # characters of output quoted when a peer fails


class PeerError(RuntimeError):
    """The other program could not be run or failed."""


@dataclass(frozen=True, slots=True)
class PeerTime:
    """What a peer took over all positions."""

    seconds: float  # of the processor
    nodes: int  # 0 where it does not say


def _children_seconds() -> float:
    """Processor time of all child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class SolvingPeer:
    """A command that solves the positions in a file, or on its standard input, a line each."""

    def __init__(self, command: str, *, patience: float) -> None:
        self.words = shlex.split(command)
        self._patience = patience  # seconds for all positions
        if not self.words:
            raise PeerError("the peer's command is empty")
        self._idle = min(self._run([]).seconds for _ in range(IDLE_RUNS))

    def solve(self, lines: Sequence[str]) -> PeerTime:
        """Its time for these positions; raises PeerError where it fails."""
        found = self._run(lines)
        return PeerTime(max(found.seconds - self._idle, 0.0), found.nodes)

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
