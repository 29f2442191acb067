"""`sparring bot mqtt` with a real engine: games and queries while the engine restarts."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from protocols.cli.main import dispatch
from tests.bots.mqtt.board_client import BoardClient
from tests.bots.mqtt.mosquitto import Mosquitto
from tests.support.bots.engine_process import EngineServer
from tests.support.free_ports import free_ports
from tests.support.paths import ROOT


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[EngineServer]:
    """A running engine."""
    server = EngineServer(tmp_path)
    server.start()
    yield server
    server.kill()


def test_the_example_names_every_section(capsys: pytest.CaptureFixture[str]) -> None:
    assert dispatch(["bot", "mqtt", "--example"]) == 0
    said = capsys.readouterr().out
    for section in ("engine", "broker", "service", "limits", "connection"):
        assert said.count(f"\n[{section}]") == 1


async def play(port: int, engine: EngineServer) -> None:
    """A game of Connect4 and queries of Go, the engine killed in between."""
    async with asyncio.timeout(120), BoardClient(port, "board") as client:
        started = await client.result("start", board="connect4", opponent="Ann", persona="even")
        topic = started["requests"]
        game = {"game": started["state"]["game"], "token": started["token"]}
        state = started["state"]
        for column in (4, 4, 3):
            if column == 3:
                await asyncio.to_thread(engine.kill)
                late = asyncio.create_task(
                    client.result("play", topic, **game, move=str(column), genmove=True)
                )
                await asyncio.sleep(1)
                await asyncio.to_thread(engine.start)
                state = (await late)["state"]
            else:
                state = (
                    await client.result("play", topic, **game, move=str(column), genmove=True)
                )["state"]
        assert [color for color, _ in state["moves"]] == ["black", "white"] * 3
        assert (await client.result("chat", topic, **game, text="why?"))["text"]
        query = {"rules": "japanese", "boardXSize": 9, "boardYSize": 9, "moves": [["b", "E5"]]}
        query |= {"maxVisits": 4, "analyzeTurns": [0, 1]}
        answers = (await client.result("analyze", query=query))["answers"]
        assert [answer["rootInfo"]["currentPlayer"] for answer in answers] == ["B", "W"]
        refused = await client.ask("analyze", query={"moves": []})
        assert refused["error"]["code"] == "refused"
        assert "boardXSize" in refused["error"]["message"]


def test_it_serves_a_broker_until_a_signal(
    engine: EngineServer, broker: Mosquitto, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, log, port = tmp_path / "mqtt.toml", tmp_path / "bot.log", free_ports()
    file.write_text(
        f'[engine]\nsocket = "{engine.socket}"\n[service]\nname = "e1"\n'
        f'[broker]\nhost = "127.0.0.1"\nport = {broker.port}\n'
        f"[connection]\nmetrics_port = {port}\n"
    )
    words = ["bot", "mqtt", "--config", str(file)]
    assert dispatch([*words, "--dry-run"]) == 0
    said = capsys.readouterr().out
    assert "takes this client as sparring-e1" in said
    assert f"the engine at {engine.socket} is Sparring" in said
    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path / "data")}
    process = subprocess.Popen(
        [sys.executable, "-m", "protocols.cli", *words, "--log-to", str(log)],
        cwd=ROOT,
        env=environment,
    )
    until = time.monotonic() + 60
    while not log.exists() or "mqtt: serves" not in log.read_text():
        assert time.monotonic() < until
        time.sleep(0.05)
    asyncio.run(play(broker.port, engine))
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as page:
        metrics = page.read().decode()
    assert 'sparring_mqtt_requests_total{code="ok",type="play"} 3.0' in metrics
    assert "sparring_mqtt_connected 1.0" in metrics
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) == 0
    assert (tmp_path / "data" / "sparring" / "bots" / "mqtt-e1.sqlite3").exists()
