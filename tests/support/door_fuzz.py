"""Fuzzes every door of a running engine through its sockets.

    python -m tests.support.door_fuzz --minutes 10 --seed 1

The doors are the Unix socket, the GTP port and the WebSocket port; behind them GTP, NBoard, UGI,
analysis, the page and the greeting. Each conversation sends lines of its protocol, of other
protocols and of none, cut anywhere; some clients leave in the middle of a line, and some never
read. $SPARRING_CORE names a core with sanitizers (`make fuzz`).

The engine must live, answer a well-behaved client throughout, log no internal error, and end in
order. Prints the conversations, lines and bytes of each door, and the faults; returns 1 with any.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from tests.support.door_words import MAKERS, greeting, line_of
from tests.support.free_ports import free_ports
from tests.support.paths import ROOT

PROGRAM = "from protocols.cli.main import main; import sys; sys.exit(main())"
SANITIZED = "import tests.support.sanitized_core; "
START_SECONDS, ANSWER_SECONDS, END_SECONDS = 180.0, 60.0, 120.0
MOST_LINES = 12
FAULTS = re.compile(
    r"Traceback|internal error|AddressSanitizer|runtime error|Fatal Python|terminate called"
)


@dataclass
class DoorCounts:
    """The traffic of one door."""

    conversations: int = 0
    lines: int = 0
    sent: int = 0  # bytes
    received: int = 0  # bytes


@dataclass
class Fuzz:
    """The engine under test, and what has been sent to it."""

    folder: Path
    ports: tuple[int, int]  # of GTP and of WebSockets
    rng: random.Random
    doors: dict[str, DoorCounts] = field(default_factory=dict)

    @property
    def socket_path(self) -> Path:
        """The path of the Unix socket."""
        return self.folder / "s.sock"

    def start(self) -> subprocess.Popen[bytes]:
        """Starts the engine and waits until it answers."""
        program = (SANITIZED if "SPARRING_CORE" in os.environ else "") + PROGRAM
        own = {"XDG_DATA_HOME": str(self.folder), "XDG_CONFIG_HOME": str(self.folder)}
        words = [
            *(sys.executable, "-c", program, "serve", f"--socket={self.socket_path}"),
            *(f"--gtp-port={self.ports[0]}", f"--websocket-port={self.ports[1]}"),
            *("--move-visits=20", "--move-seconds=1", "--query-positions=20"),
        ]
        with (self.folder / "log").open("wb") as log:
            process = subprocess.Popen(words, cwd=ROOT, stderr=log, env=os.environ | own)
        until = time.monotonic() + START_SECONDS
        while True:
            with suppress(OSError, ValueError):
                self.check_alive()
                return process
            if process.poll() is not None or time.monotonic() > until:
                raise OSError((self.folder / "log").read_text())
            time.sleep(0.1)

    def check_alive(self) -> None:
        """Plays a move as a well-behaved client; raises OSError and ValueError without answers."""
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(ANSWER_SECONDS)
            client.connect(str(self.socket_path))
            client.sendall(
                b'{"protocol":"gtp","options":{"game":"connect4","visits":2}}\n'
                b"1 name\n2 genmove b\n3 quit\n"
            )
            said = b""
            while b"\n=3" not in said:
                data = client.recv(1 << 16)
                if not data:
                    raise ValueError(said.decode(errors="replace"))
                said += data
        if not re.search(rb"\n=1 Sparring\n\n=2 [1-7]\n", said):
            raise ValueError(said.decode(errors="replace"))

    # ---- Conversations

    def converse(self) -> None:
        """Holds one conversation at a random door."""
        door = self.rng.choice(list(DOORS))
        row = self.doors.setdefault(door, DoorCounts())
        row.conversations += 1
        protocol = self.rng.choice(list(MAKERS))
        with suppress(OSError, WebSocketException):
            DOORS[door](self, protocol, row)

    def lines(self, protocol: str, row: DoorCounts, *, is_user: bool | None) -> list[bytes]:
        """Returns the lines of a conversation, each with its end. is_user: None: no greeting."""
        lines = [line_of(self.rng, protocol) for _ in range(self.rng.randrange(1, MOST_LINES))]
        if is_user is not None and self.rng.random() < 0.95:
            lines.insert(0, greeting(self.rng, protocol, is_user=is_user).encode())
        row.lines += len(lines)
        row.sent += sum(map(len, lines))
        return [line + b"\n" for line in lines]

    def stream(self, client: socket.socket, lines: list[bytes], row: DoorCounts) -> None:
        """Sends the lines in random pieces and reads for a moment, or not at all."""
        data = b"".join(lines)
        if self.rng.random() < 0.2:
            data = data[: self.rng.randrange(len(data))]  # gone in the middle of a line
        reads = self.rng.random() < 0.9
        client.settimeout(self.rng.choice([0.05, 0.3, 2.0]))
        size = self.rng.choice([1, 7, 100, 1 << 16])
        for start in range(0, min(len(data), 300 * size), size):
            client.sendall(data[start : start + size])
        client.sendall(data[300 * size :])
        if self.rng.random() < 0.5:
            client.shutdown(socket.SHUT_WR)
        while reads and (answer := client.recv(1 << 16)):
            row.received += len(answer)

    def through_unix(self, protocol: str, row: DoorCounts) -> None:
        """Speaks through the Unix socket, as a program of the user."""
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(self.socket_path))
            self.stream(client, self.lines(protocol, row, is_user=True), row)

    def through_gtp(self, protocol: str, row: DoorCounts) -> None:
        """Speaks through the GTP port, with a greeting or without one."""
        is_user = False if self.rng.random() < 0.6 else None
        with socket.create_connection(("127.0.0.1", self.ports[0])) as client:
            self.stream(client, self.lines(protocol, row, is_user=is_user), row)

    def through_websocket(self, protocol: str, row: DoorCounts) -> None:
        """Speaks frames of text and of bytes through the WebSocket port."""
        path = "/play" if protocol == "page" else "/"
        is_user = False if protocol not in {"page", "analysis"} else None
        with connect(f"ws://127.0.0.1:{self.ports[1]}{path}", open_timeout=30) as client:
            for line in self.lines(protocol, row, is_user=is_user):
                text = line.decode(errors="replace")
                client.send(text if self.rng.random() < 0.9 else line)
                with suppress(TimeoutError):
                    row.received += len(client.recv(self.rng.choice([0.0, 0.05, 0.5])))

    def through_http(self, _protocol: str, row: DoorCounts) -> None:
        """Sends a spoiled handshake to the WebSocket port."""
        lines = [
            b"GET /" + self.rng.choice([b"", b"play", b"page.js", b"../x", b"%00"]) + b" HTTP/1.1",
            b"Host: " + self.rng.choice([b"127.0.0.1", b"localhost", b"evil.example", b"\xff"]),
            b"Upgrade: websocket",
            b"Connection: Upgrade",
            b"Sec-WebSocket-Version: 13",
            b"Sec-WebSocket-Key: " + self.rng.choice([b"x", b"A" * 24, b"A" * 22 + b"=="]),
            b"",
            self.rng.randbytes(self.rng.randrange(40)),
        ]
        if self.rng.random() < 0.5:
            lines[self.rng.randrange(6)] = self.rng.randbytes(self.rng.randrange(60))
        row.lines += len(lines)
        data = b"\r\n".join(lines)
        row.sent += len(data)
        with socket.create_connection(("127.0.0.1", self.ports[1])) as client:
            client.settimeout(1.0)
            client.sendall(data)
            row.received += len(client.recv(1 << 16))


DOORS: dict[str, Callable[[Fuzz, str, DoorCounts], None]] = {
    "unix": Fuzz.through_unix,
    "gtp port": Fuzz.through_gtp,
    "websocket": Fuzz.through_websocket,
    "http": Fuzz.through_http,
}


def run(minutes: float, seed: int, folder: Path) -> tuple[Fuzz, list[str]]:
    """Fuzzes for so many minutes; returns the traffic and the faults."""
    fuzz = Fuzz(folder, (free_ports(), free_ports()), random.Random(seed))
    faults: list[str] = []
    process = fuzz.start()
    until, conversations = time.monotonic() + 60 * minutes, 0
    while time.monotonic() < until and process.poll() is None:
        fuzz.converse()
        conversations += 1
        if conversations % 50 == 0:
            try:
                fuzz.check_alive()
            except (OSError, ValueError) as error:
                faults.append(f"after {conversations} conversations: {error}")
    if process.poll() is not None:
        faults.append(f"the engine ended with code {process.returncode}")
    else:
        process.send_signal(signal.SIGTERM)
        try:
            code = process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            code = process.wait()
        faults += [f"the engine ended with code {code}"] if code else []
    log = (folder / "log").read_text(errors="replace").splitlines()
    faults += [line for line in log if FAULTS.search(line)]
    return fuzz, faults


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=time.time_ns() % 10**6)
    parser.add_argument("--log", type=Path, help="keeps the engine's log here")
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        fuzz, faults = run(options.minutes, options.seed, Path(folder))
        if options.log is not None:
            options.log.write_bytes((Path(folder) / "log").read_bytes())
    print(f"seed {options.seed}, core {os.environ.get('SPARRING_CORE', 'as installed')}")
    for name, row in fuzz.doors.items():
        print(f"{name}: {json.dumps(vars(row))}")
    print("\n".join(faults[:50]) or "no fault")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
