"""`sparring gtp` where what listens at the socket is busy, silent or something else."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from protocols.server import client
from tests.support.paths import ROOT


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (b"hello\n", "speaks something else"),
        (b"[1]\n", "speaks something else"),
        (b"[" * 60_000 + b"\n", "speaks something else"),
        (b"x" * (client.LONGEST_ANSWER + 1), "speaks something else"),
        (b"", "closed the connection without an answer"),
        (None, "gave no answer in 0.5 seconds"),
    ],
    ids=["text", "list", "deep", "long", "nothing", "silence"],
)
def test_a_strange_server_is_told_of(
    answer: bytes | None, error: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "GREETING_SECONDS", 0.5)
    ours, theirs = socket.socketpair()

    def pretend() -> None:
        with suppress(BrokenPipeError, ConnectionResetError):  # the client may not read to the end
            theirs.recv(1000)
            if answer is not None:
                theirs.sendall(answer)
                theirs.shutdown(socket.SHUT_WR)

    pretending = threading.Thread(target=pretend)
    pretending.start()
    with theirs:
        with ours, pytest.raises(client.LostError, match=error):
            client.greet(ours, "gtp", {})
        pretending.join()


def test_a_client_of_a_busy_engine_holds_its_own(tmp_path: Path) -> None:
    path = tmp_path / "s.sock"

    def pretend(listening: socket.socket) -> None:
        connection, _ = listening.accept()
        with connection:
            connection.recv(1000)
            refusal = {"error": "all 64 sessions are in use", "busy": True}
            connection.sendall(json.dumps(refusal).encode() + b"\n")

    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        listening.listen()
        threading.Thread(target=pretend, args=[listening]).start()
        done = subprocess.run(
            [sys.executable, "-m", "protocols.cli", "gtp", "--game", "connect4", "--store", "none"],
            cwd=ROOT,
            env={**os.environ, "SPARRING_SOCKET": str(path)},
            input="name\nquit\n",
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    assert done.stdout == "= Sparring\n\n= \n\n"
    assert "is busy (all 64 sessions are in use), so this one loads its own network" in done.stderr
    assert done.returncode == 0
