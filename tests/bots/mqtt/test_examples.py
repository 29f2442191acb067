"""The examples of the documents work as they stand."""

from __future__ import annotations

import asyncio
import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bots.mqtt.schema import fault_in
from tests.bots.mqtt.board_client import BoardClient
from tests.bots.mqtt.conftest import Serve
from tests.bots.mqtt.messages import checked
from tests.bots.mqtt.mosquitto import Mosquitto
from tests.support.free_ports import free_ports
from tests.support.paths import ROOT

BOARD = ROOT / "docs" / "mqtt" / "smart_board.py"
PAGE = ROOT / "docs" / "mqtt" / "spectator.html"
GUIDE = ROOT / "docs" / "bots.md"
NODE = ("node", "--experimental-websocket")
# Stands in for a browser: one WebSocket, and the page's own script.
BROWSER = """
const part = () => ({replaceChildren() {}, append() {}, prepend() {}, setAttribute() {},
  set textContent(value) { console.log(value); }});
const element = () => Object.defineProperties({children: [part(), part(), part()]},
  Object.getOwnPropertyDescriptors(part()));
globalThis.document = {getElementById: element, querySelector: element, createElement: element,
  createElementNS: element};
globalThis.location = {search: process.argv[2], hostname: ""};
const shown = JSON.parse;
JSON.parse = (text) => { console.log(`state ${text}`); return shown(text); };
setTimeout(() => process.exit(0), 3000);
"""


def sections() -> str:
    """The guide's part on MQTT."""
    return GUIDE.read_text().partition("\n## MQTT\n")[2].partition("\n## ")[0]


def test_the_smart_board_plays_a_game(broker: Mosquitto, serve: Serve) -> None:
    serve(broker.port).serves()
    done = subprocess.run(
        [sys.executable, str(BOARD), f"127.0.0.1:{broker.port}", "connect4"],
        input="4\nd9\n" + "".join(f"{column}\n" for column in [*range(1, 8)] * 6),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    lines = done.stdout.splitlines()
    assert "no: " in done.stdout
    assert lines[6].startswith("engine: ")
    assert re.fullmatch(r"result: ([BW]\+\w+|0)", lines[-1])


def test_the_requests_of_the_guide_keep_to_the_schema() -> None:
    requests = re.findall(r"-m '(\{.*?\})'", sections())
    assert len(requests) >= 2
    for each in requests:
        content = json.loads(each)
        assert fault_in(content, content["type"]) == ""


def test_the_lines_for_mosquitto_pub_get_their_reply(broker: Mosquitto, serve: Serve) -> None:
    if shutil.which("mosquitto_pub") is None:
        pytest.skip("needs mosquitto_pub")
    commands = re.findall(r"^(mosquitto_(?:pub|sub) (?:.*\\\n)*.*)", sections(), re.MULTILINE)
    rows = [shlex.split(command.split("  #")[0]) for command in commands]
    listen = next(row for row in rows if any("clients" in word for word in row) and "sub" in row[0])
    ask = next(row for row in rows if "pub" in row[0] and "start" in row[-1])
    serve(broker.port).serves()

    async def test() -> str:
        port = ("-p", str(broker.port))
        hearing = await asyncio.create_subprocess_exec(
            *(*listen, *port, "-C", "1", "-W", "30"), stdout=asyncio.subprocess.PIPE
        )
        await asyncio.sleep(0.5)
        await (await asyncio.create_subprocess_exec(*ask, *port)).wait()
        return (await hearing.communicate())[0].decode()

    reply = asyncio.run(test())
    assert checked(reply[reply.index("{") :], "reply")["ok"]


def has_node() -> bool:
    """Whether node has a WebSocket."""
    if shutil.which("node") is None:
        return False
    asked = subprocess.run([*NODE, "-e", "new WebSocket"], capture_output=True, check=False)
    return b"is not defined" not in asked.stderr and b"bad option" not in asked.stderr


@pytest.mark.skipif(not has_node(), reason="needs node with a WebSocket")
def test_the_spectators_page_reads_the_states(broker_folder: Path, serve: Serve) -> None:
    web_port = free_ports()
    web = Mosquitto(broker_folder, f"listener {web_port} 127.0.0.1", "protocol websockets")
    try:
        serve(web.port).serves()

        async def start() -> str:
            async with BoardClient(web.port, "board") as client:
                result = await client.result("start", board="othello8", genmove=True, color="white")
                game: str = result["state"]["game"]
                return game

        game = asyncio.run(start())
        script = PAGE.read_text().partition("<script>")[2].partition("</script>")[0]
        file = broker_folder / "page.js"
        file.write_text(BROWSER + script)
        done = subprocess.run(
            [*NODE, str(file), f"?broker=ws://127.0.0.1:{web_port}"],
            capture_output=True,
            text=True,
            timeout=30,
            check=True,
        )
        lines = done.stdout.splitlines()
        assert any(line.endswith("sparring/games/+/state") for line in lines)
        states = [
            checked(line[6:], "game_state") for line in lines if line.startswith('state {"type')
        ]
        assert [state["game"] for state in states] == [game]
        assert "othello8, 1 moves, last " in done.stdout
        assert "somebody" in done.stdout
    finally:
        web.stop()
