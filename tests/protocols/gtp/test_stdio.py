"""Standard output carries the protocol and nothing else."""

from __future__ import annotations

import subprocess
import sys

from tests.support.paths import ROOT

SCRIPT = """
import os
from protocols.server import stdio
stdio.claim()
print("a library's greeting", flush=True)
os.write(1, b"another's\\n")
stdio.write(stdio.read())
"""


def test_what_others_print_goes_to_stderr() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=ROOT, input=b"= \n\n", capture_output=True, check=True
    )
    assert done.stdout == b"= \n\n"
    assert done.stderr == b"a library's greeting\nanother's\n"
