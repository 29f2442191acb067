"""Fixtures of the tests that listen on sockets."""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import ExitStack

import pytest


@pytest.fixture
def unused_ports() -> Callable[[int], int]:
    """A function: the first of `count` TCP ports in a row that are free on 127.0.0.1."""

    def find(count: int) -> int:
        for _ in range(100):
            with ExitStack() as stack:
                first = stack.enter_context(socket.socket())
                first.bind(("127.0.0.1", 0))
                port: int = first.getsockname()[1]
                try:
                    for index in range(1, count):
                        other = stack.enter_context(socket.socket())
                        other.bind(("127.0.0.1", port + index))
                except (OSError, OverflowError):
                    continue
                return port
        pytest.skip("no free TCP ports in a row")

    return find
