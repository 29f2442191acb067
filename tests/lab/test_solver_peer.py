from __future__ import annotations

import shlex
import sys

import pytest

from engine.lab.solver_peer import PeerError, SolvingPeer


def command(code: str, *words: str) -> str:
    return shlex.join([sys.executable, "-S", "-c", code, *words])


WORK = """
import sys, time
lines = open(sys.argv[1]).readlines() if len(sys.argv) > 1 else sys.stdin.readlines()
while time.process_time() < 0.1 + 0.2 * len(lines):
    pass
print(f"{1000 * len(lines)} nodes in 1 s (77 nodes/s)")
"""


@pytest.mark.parametrize("words", [(), ("{}",)], ids=["on stdin", "in a file"])
def test_the_time_for_the_positions_alone_is_reported(words: tuple[str, ...]) -> None:
    found = SolvingPeer(command(WORK, *words), patience=60).solve(["f5", "f5d6"])
    assert found.nodes == 2000
    assert 0.3 < found.seconds < 0.5


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("no-such-solver", "'no-such-solver'"),
        (command("import sys; sys.exit('out of memory')"), "ended with 1: 'out of memory"),
        (command("import time; time.sleep(60)"), "timed out"),
        ("", "empty"),
    ],
)
def test_a_peer_that_fails_is_reported(words: str, told: str) -> None:
    with pytest.raises(PeerError, match=told):
        SolvingPeer(words, patience=1)
