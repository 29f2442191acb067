"""Standard input and output as raw bytes: the only module that writes a protocol to stdout.

Its import stays light: `sparring gtp` imports it before it joins a running engine.
"""

from __future__ import annotations

import os

CHUNK = 65536
STDIN = 0
STDOUT = 1
STDERR = 2

_protocol = STDOUT  # file descriptor of `write`


def claim() -> None:
    """Keeps stdout for `write` alone, and sends every other print to stderr from now on.

    Called once in a process, before it loads libraries.
    """
    global _protocol  # noqa: PLW0603 - a process has one stdout
    _protocol = os.dup(STDOUT)
    os.dup2(STDERR, STDOUT)


def read() -> bytes:
    """Waits for input and returns its bytes; empty at the end of input."""
    try:
        return os.read(STDIN, CHUNK)
    except OSError:
        return b""


def write(data: bytes) -> None:
    """Writes all of `data`; raises BrokenPipeError once the reader has closed."""
    view = memoryview(data)
    while view:
        view = view[os.write(_protocol, view) :]
