"""Standard input and output as raw bytes: the only place that writes a protocol to stdout.

Knows file descriptors 0 and 1. Does not know any protocol: who reads and writes is passed in.
Importing it stays light, because `sparring gtp` does so before it joins a running engine.
"""

from __future__ import annotations

import os

CHUNK = 65536
STDIN = 0
STDOUT = 1
STDERR = 2

_protocol = STDOUT  # where `write` writes


def claim() -> None:
    """Keeps stdout for `write` alone: what anything else prints there goes to stderr from now on.

    Once in a process, before libraries are loaded that may print.
    """
    global _protocol  # noqa: PLW0603 - a process has one stdout
    _protocol = os.dup(STDOUT)
    os.dup2(STDERR, STDOUT)


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
        view = view[os.write(_protocol, view) :]
