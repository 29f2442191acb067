"""`sparring bot`: the example, mistakes, the rehearsal, and a game until a signal."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bots.server_table import SERVERS
from engine.errors import UsageError
from protocols.cli.main import dispatch
from tests.support.bots.cgos_server import CgosStandIn
from tests.support.bots.engine_process import EngineServer
from tests.support.paths import ROOT


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[EngineServer]:
    """A running engine."""
    server = EngineServer(tmp_path)
    server.start()
    yield server
    server.kill()


class StandInThread:
    """A stand-in for CGOS in a thread of its own."""

    def __init__(self, games: int) -> None:
        self.server = CgosStandIn(games)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self.server.start(), self._loop).result(30)

    def stop(self) -> None:
        """Ends it."""
        asyncio.run_coroutine_threadsafe(self.server.stop(), self._loop).result(30)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(30)
        self._loop.close()


def configured(folder: Path, port: int, engine: Path) -> Path:
    secret = folder / "password"
    secret.write_text("secret")
    secret.chmod(0o600)
    file = folder / "cgos.toml"
    file.write_text(
        f'[engine]\nsocket = "{engine}"\nvisits = 4\npersona = "full"\n'
        f'[cgos]\nhost = "127.0.0.1"\nport = {port}\nname = "Tester"\n'
        f'password_file = "{secret}"\nboard_size = 9\n'
    )
    return file


def test_the_example_is_written_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "new" / "cgos.toml"
    assert dispatch(["bot", "cgos", "--example", "--output", str(path)]) == 0
    assert path.stat().st_mode & 0o777 == 0o600
    with pytest.raises(UsageError, match="there already"):
        dispatch(["bot", "cgos", "--output", str(path)])
    capsys.readouterr()
    assert dispatch(["bot", "cgos-9x9", "--example"]) == 0
    assert "[cgos]" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["kgs", "cgos9"])
def test_unknown_servers_are_refused(name: str) -> None:
    with pytest.raises(UsageError, match="no server"):
        dispatch(["bot", name, "--example"])


def test_a_missing_configuration_is_named() -> None:
    with pytest.raises(UsageError, match=r"cgos-nine\.toml"):
        dispatch(["bot", "cgos-nine"])


def test_the_rehearsal_does_not_log_in(
    engine: EngineServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stand_in = StandInThread(1)
    file = configured(tmp_path, stand_in.server.port, engine.socket)
    assert dispatch(["bot", "cgos", "--config", str(file), "--dry-run"]) == 0
    said = capsys.readouterr().out
    assert "no mistake" in said
    assert "persona full" in said
    assert "would log in as Tester" in said
    engine.kill()
    assert dispatch(["bot", "cgos", "--config", str(file), "--dry-run"]) == 1
    said = capsys.readouterr().out
    assert "start it by `sparring serve`" in said
    assert "would log in as Tester" in said
    stand_in.stop()
    assert stand_in.server.logins == 0


# Each bot's configuration of a server without a listener, and the name of the server in the report.
AWAY = {
    "cgos": (
        '[cgos]\nhost = "127.0.0.1"\nport = 1\nname = "Tester"\npassword_file = "{secret}"\n',
        "the server at 127.0.0.1:1",
    ),
    "ogs": (
        '[ogs]\nurl = "http://127.0.0.1:1"\nusername = "tester"\nkey_file = "{secret}"\n',
        "the server at http://127.0.0.1:1",
    ),
    "lichess": (
        '[server]\nname = "lichess"\nurl = "http://127.0.0.1:1"\ntoken_file = "{secret}"\n',
        "the server at http://127.0.0.1:1",
    ),
    "mqtt": (
        '[broker]\nhost = "127.0.0.1"\nport = 1\n[service]\nname = "e1"\n',
        "the broker at 127.0.0.1:1",
    ),
}


@pytest.mark.parametrize("name", AWAY)
def test_a_rehearsal_reports_a_server_that_is_away(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert set(AWAY) == set(SERVERS)
    secret, file = tmp_path / "secret", tmp_path / "bot.toml"
    secret.write_text("secret")
    secret.chmod(0o600)
    text, place = AWAY[name]
    engine = f'[engine]\nsocket = "{tmp_path}/none"\n'
    file.write_text(engine + text.format(secret=secret))
    assert dispatch(["bot", name, "--config", str(file), "--dry-run"]) == 1
    configuration, engine_line, server_line = capsys.readouterr().out.splitlines()
    assert configuration == "the configuration has no mistake"
    assert engine_line.startswith(f"the engine is away: no engine at {tmp_path}/none: ")
    assert server_line.startswith(f"{place} is away: ")


def test_the_program_plays_and_ends_at_a_signal(engine: EngineServer, tmp_path: Path) -> None:
    stand_in = StandInThread(2)
    file = configured(tmp_path, stand_in.server.port, engine.socket)
    log = tmp_path / "bot.log"
    command = ["bot", "cgos", "--config", str(file), "--log-to", str(log), "--log-format", "json"]
    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path / "data")}
    process = subprocess.Popen(
        [sys.executable, "-m", "protocols.cli", *command], cwd=ROOT, env=environment
    )
    until = time.monotonic() + 120
    while not stand_in.server.is_finished.is_set() and time.monotonic() < until:
        time.sleep(0.05)
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) == 0
    stand_in.stop()
    assert stand_in.server.wrong == []
    assert [game.result for game in stand_in.server.games].count("") == 0
    text = log.read_text()
    assert '"message": "stopping"' in text
    assert "secret" not in text
