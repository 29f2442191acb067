"""A running engine under faults: floods, vanished clients, a full disk, a broken store, an end."""

from __future__ import annotations

import json
import os
import resource
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.protocols.server.conftest import COMMAND, Serving
from tests.support.paths import ROOT
from tests.support.tcp_talk import TcpTalk

CONNECTIONS = 1000
GAMES = (("boardsize 9",), ("set_game othello",), ("set_game connect4",), ("boardsize 19",))


def descriptors(serving: Any) -> int:
    return len(os.listdir(f"/proc/{serving.process.pid}/fd"))  # noqa: PTH208


def state(serving: Any) -> dict[str, Any]:
    values: dict[str, Any] = json.loads(serving.command("status", "--json", text="").stdout)
    return values


def eventually(condition: Callable[[], bool], seconds: float = 30.0) -> None:
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.1)


def test_a_thousand_connections_leave_nothing_behind(serving: Any) -> None:
    with TcpTalk(serving.gtp_port) as player:
        assert player.say("name") == "= Sparring"
        before, memory = descriptors(serving), state(serving)["memory_bytes"]
        for number in range(CONNECTIONS):
            with socket.create_connection(("127.0.0.1", serving.gtp_port), timeout=30) as client:
                if number % 3 == 0:
                    client.sendall(b"genmo")  # gone in the middle of a line
                elif number % 3 == 1:
                    client.sendall(b"name\nlist_com")
        eventually(lambda: len(state(serving)["sessions"]) == 1)
        eventually(lambda: descriptors(serving) <= before + 2)
        assert state(serving)["memory_bytes"] < memory + 64 * 2**20
        assert player.say("protocol_version") == "= 2"


def test_many_games_at_once_are_played_without_an_error(serving: Any) -> None:
    wrong: list[str] = []

    def play(number: int) -> None:
        with TcpTalk(serving.gtp_port) as talk:
            lines = [*GAMES[number % 4], "sparring-persona full", "kata-set-param maxVisits 2"]
            for line in (*lines, *["genmove b", "genmove w"] * 4):
                answer = talk.say(line)
                if not answer.startswith("="):
                    wrong.append(f"{line}: {answer}")

    players = [threading.Thread(target=play, args=(number,)) for number in range(32)]
    for player in players:
        player.start()
    for player in players:
        player.join(120)
    assert not any(player.is_alive() for player in players)
    assert wrong == []


def test_an_end_under_load_is_quick_and_orderly(serve: Callable[..., Any], network: Path) -> None:
    serving = serve(network)
    talks = [TcpTalk(serving.gtp_port) for _ in range(8)]
    for talk in talks:
        talk.say("sparring-persona full")
        talk.send("kata-set-param maxVisits 1000000")
        talk.send("genmove b")
    begun = time.monotonic()
    serving.process.send_signal(signal.SIGTERM)
    assert serving.process.wait(30) == 0
    assert time.monotonic() - begun < 20
    for talk in talks:
        talk.close()
    assert "Traceback" not in serving.log.read_text()
    assert not serving.socket.exists()


@pytest.mark.parametrize("fault", ["full disk", "broken store"])
def test_a_game_goes_on_without_its_store(
    fault: str, network: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "data" / "sparring"
    data.mkdir(parents=True)
    monkeypatch.setenv("XDG_DATA_HOME", str(data.parent))
    if fault == "broken store":
        (data / "opponents.sqlite3").write_bytes(b"garbage" * 1000)
    path = tmp_path / "s.sock"
    engine = subprocess.Popen(
        [*COMMAND, "serve", f"--network={network}", f"--socket={path}"],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
        # No file may have a byte: writing fails as on a full disk.
        preexec_fn=(lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)))  # noqa: PLW1509
        if fault == "full disk"
        else None,
    )
    try:
        eventually(path.exists, 60)
        text = "set_game connect4\nplay b 4\ngenmove w\nplay b 4\ngenmove w\nshowboard\nquit\n"
        done = subprocess.run(
            [*COMMAND, "gtp", f"--socket={path}", "--opponent=Ann"],
            cwd=ROOT, input=text, capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
    finally:
        engine.send_signal(signal.SIGTERM)
        _, log = engine.communicate(timeout=60)
    assert done.returncode == 0
    assert done.stdout.count("\n\n") == 7
    assert not [line for line in done.stdout.splitlines() if line.startswith("?")]
    assert engine.returncode == 0
    if fault == "full disk":
        assert log.count("games cannot be saved for a restart: ") == 1
        assert "File too large" in log
    assert "opponents" in log
    assert "Traceback" not in log


def test_a_client_that_never_reads_holds_up_nobody(serving: Serving) -> None:
    with socket.create_connection(("127.0.0.1", serving.gtp_port), timeout=30) as deaf:
        deaf.setblocking(False)
        sent = 0
        until = time.monotonic() + 20
        while time.monotonic() < until:
            try:
                sent += deaf.send(b"list_commands\n" * 1000)
            except BlockingIOError:
                break  # the engine reads no more of its lines
        assert sent > 0
        with TcpTalk(serving.gtp_port) as talk:
            begun = time.monotonic()
            assert talk.say("name") == "= Sparring"
            assert time.monotonic() - begun < 10
