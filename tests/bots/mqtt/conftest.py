"""Fixtures with a real broker."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.bots.mqtt.mosquitto import MOSQUITTO, Mosquitto, Served

Serve = Callable[..., Served]


@pytest.fixture
def broker_folder(tmp_path: Path) -> Path:
    """The folder of a broker; the test is skipped without one."""
    if MOSQUITTO is None:
        pytest.skip("needs mosquitto, a broker")
    return tmp_path / "broker"


@pytest.fixture
def broker(broker_folder: Path) -> Iterator[Mosquitto]:
    """A running broker."""
    broker = Mosquitto(broker_folder)
    yield broker
    if broker.process.poll() is None:
        broker.stop()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """A function: the service at a port, in a process of its own."""
    started: list[Served] = []

    def start(port: int, name: str = "e1", **settings: Any) -> Served:
        started.append(Served(tmp_path, port, name, **settings))
        return started[-1]

    yield start
    for served in started:
        if served.process.poll() is None:
            served.stop(signal.SIGKILL)
