"""A `sparring serve` process for the tests of bots: it can be killed and started again."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from protocols.server.client import connect
from tests.support.paths import ROOT

COMMAND = (sys.executable, "-m", "protocols.cli")
START_SECONDS = 120


class EngineServer:
    """The process and its socket. Its data and configuration lie in a folder of their own."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder, self.socket = folder, folder / "engine.sock"
        self._options = options or ("--visits", "8", "--store", str(folder / "store.sqlite"))
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Starts it and waits until it answers at its socket."""
        environment = {**os.environ, "XDG_DATA_HOME": str(self.folder / "data")}
        with (self.folder / "serve.log").open("ab") as log:
            self._process = subprocess.Popen(
                [*COMMAND, "serve", "--socket", str(self.socket), *self._options],
                cwd=ROOT,
                env=environment,
                stdout=log,
                stderr=log,
            )
        until = time.monotonic() + START_SECONDS
        while (connection := connect(str(self.socket))) is None:
            assert self._process.poll() is None, self.log
            assert time.monotonic() < until, self.log
            time.sleep(0.05)
        connection.close()

    def kill(self) -> None:
        """Kills it without a warning."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(30)
            self._process = None

    @property
    def pid(self) -> int:
        """The process; 0 while there is none."""
        return 0 if self._process is None else self._process.pid

    @property
    def log(self) -> str:
        """Its log so far."""
        return (self.folder / "serve.log").read_text()
