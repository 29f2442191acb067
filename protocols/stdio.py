"""Standard input and output as raw bytes: the only place that writes a protocol to stdout.

Knows file descriptors 0 and 1. Does not know any protocol: who reads and writes is passed in.
Importing it stays light, because `sparring gtp` does so before it joins a running engine.
"""

from __future__ import annotations

import os

CHUNK = 65536
STDIN = 0
STDOUT = 1


def read() -> bytes:
    """The bytes that are there, waiting for the first; empty at the end of input."""
    try:
        return os.read(STDIN, CHUNK)
    except OSError:
        return b""


def write(data: bytes) -> None:
    """Writes all of `data`; raises BrokenPipeError when nobody reads any more."""
    view = memoryview(data)
    while view:
        view = view[os.write(STDOUT, view) :]
