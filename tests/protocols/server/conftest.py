"""Fixtures of the tests that listen on sockets and start processes."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine.errors import SettingError
from engine.play.networks import bundled_network
from tests.support.paths import ROOT

COMMAND = [sys.executable, "-m", "protocols.cli"]


class Serving:
    """A `sparring serve` process and what reaches it."""

    def __init__(self, folder: Path, network: Path, *arguments: str) -> None:
        self.log = folder / "serve.log"
        self.socket = folder / "sparring.sock"
        self.environment = {**os.environ, "SPARRING_SOCKET": str(self.socket)}
        ports = ["--gtp-port=0", "--websocket-port=0"]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [*COMMAND, "serve", f"--network={network}", *ports, *arguments],
                cwd=ROOT,
                env=self.environment,
                stderr=log,
            )
        self.gtp_port = self.logged_port(r"GTP at \S+ port (\d+)\D")
        self.websocket_port = self.logged_port(r"analysis at wss?://\S+:(\d+),")

    def logged_port(self, pattern: str) -> int:
        """The number of the first port that its log tells by this pattern: the system chose it."""
        until = time.monotonic() + 120
        while (found := re.search(pattern, self.log.read_text())) is None:
            assert self.process.poll() is None, self.log.read_text()
            assert time.monotonic() < until, self.log.read_text()
            time.sleep(0.05)
        return int(found[1])

    def command(self, *arguments: str, text: str) -> subprocess.CompletedProcess[str]:
        """What `sparring` with these arguments answers to `text` on its stdin."""
        return subprocess.run(
            [*COMMAND, *arguments],
            cwd=ROOT,
            env=self.environment,
            input=text,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    def client(self, *arguments: str) -> subprocess.Popen[str]:
        """A running `sparring` with these arguments, by pipes in place of its streams."""
        return subprocess.Popen(
            [*COMMAND, *arguments],
            cwd=ROOT,
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def logged(self, text: str, *, seconds: float = 30.0) -> None:
        """Waits until the log has this text."""
        until = time.monotonic() + seconds
        while text not in self.log.read_text():
            assert time.monotonic() < until, self.log.read_text()
            time.sleep(0.02)

    def stop(self) -> int:
        """Its exit code after SIGTERM."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(30)


@pytest.fixture(scope="module")
def network(request: pytest.FixtureRequest) -> Path:
    """The network that comes with Sparring, or else the reference network."""
    try:
        return bundled_network()
    except SettingError:
        found: Path = request.getfixturevalue("katago_model")
        return found


@pytest.fixture(scope="module")
def serving(network: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A running `sparring serve`."""
    serving = Serving(tmp_path_factory.mktemp("serve"), network)
    yield serving
    if serving.process.poll() is None:
        serving.stop()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Serving]]:
    """A function: a running `sparring serve` with the network of this file, and more options."""
    started: list[Serving] = []

    def start(network: Path, *arguments: str) -> Serving:
        started.append(Serving(tmp_path, network, *arguments))
        return started[-1]

    yield start
    for serving in started:
        if serving.process.poll() is None:
            serving.stop()
