"""A real broker for the tests, and the service as a process of its own."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.support.free_ports import free_ports
from tests.support.paths import ROOT

MOSQUITTO = shutil.which("mosquitto", path=f"{os.defpath}:/usr/sbin:/usr/local/sbin")


class Mosquitto:
    """A broker with a persistent store. lines: of its configuration, after the usual ones."""

    def __init__(self, folder: Path, *lines: str, port: int | None = None) -> None:
        assert MOSQUITTO is not None
        folder.mkdir(exist_ok=True)
        self.port = port or free_ports()
        self.log = folder / "mosquitto.log"
        self.configuration = folder / "mosquitto.conf"
        usual = [
            *(f"listener {self.port} 127.0.0.1", *lines),
            *("persistence true", f"persistence_location {folder}/"),
            *("autosave_on_changes true", "autosave_interval 1"),
            *("max_queued_messages 0", f"user {os.environ.get('USER', 'root')}"),
            *("log_type all", f"log_dest file {self.log}"),
        ]
        if not any(line.startswith(("password_file", "allow_anonymous")) for line in lines):
            usual.append("allow_anonymous true")
        self.configuration.write_text("\n".join(usual) + "\n")
        self.start()

    def start(self) -> None:
        """Starts it, and waits until it listens."""
        assert MOSQUITTO is not None
        self.process = subprocess.Popen([MOSQUITTO, "-c", str(self.configuration)])
        until = time.monotonic() + 20
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            assert self.process.poll() is None, self.log.read_text()
            assert time.monotonic() < until
            time.sleep(0.02)

    def replies(self) -> int:
        """The number of replies that it got from services; a repetition counts."""
        reply = re.compile(r"Received PUBLISH from sparring-\w+ \(.*'sparring/clients/")
        return len(reply.findall(self.log.read_text(errors="replace")))

    def stop(self, number: int = signal.SIGTERM) -> None:
        """Ends it by a signal."""
        self.process.send_signal(number)
        self.process.wait(20)


class Served:
    """The service in a process of its own, and its log."""

    def __init__(self, folder: Path, port: int, name: str = "e1", **settings: Any) -> None:
        self.folder = folder / name
        self.folder.mkdir(exist_ok=True)
        self.log = self.folder / "log"
        broker = {"host": "127.0.0.1", "port": port, **settings.pop("broker", {})}
        values = {"name": name, "data_folder": str(self.folder), "broker": broker}
        self._text = json.dumps({**values, "will_delay_seconds": 0, **settings})
        self.start()

    def start(self) -> None:
        """Starts it."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tests.bots.mqtt.serve_process", self._text],
                cwd=ROOT,
                stderr=log,
            )

    def logged(self, text: str, *, times: int = 1, seconds: float = 60.0) -> None:
        """Waits until the log has this text so often."""
        until = time.monotonic() + seconds
        while self.log.read_text().count(text) < times:
            assert time.monotonic() < until, self.log.read_text()
            time.sleep(0.02)

    def serves(self, times: int = 1) -> None:
        """Waits until it has connected so often."""
        self.logged("mqtt: serves", times=times)

    def replies(self) -> int:
        """The number of stored replies; the service has ended."""
        with closing(sqlite3.connect(self.folder / "mqtt-e1.sqlite3")) as database:
            row = database.execute("SELECT count(*) FROM requests WHERE reply IS NOT NULL")
            number: int = row.fetchone()[0]
            return number

    def metric(self, name: str) -> float:
        """A metric at the end of the last process; 0 where nothing was counted."""
        for line in (self.folder / "metrics.txt").read_text().splitlines():
            if line.startswith(f"{name} "):
                return float(line.rpartition(" ")[2])
        return 0.0

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Ends it by a signal; returns its exit code."""
        self.process.send_signal(number)
        return self.process.wait(30)
