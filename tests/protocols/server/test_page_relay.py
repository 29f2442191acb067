"""The page's files, its door and its relay to a running engine."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from protocols.page.messages import VERSION
from protocols.server.gateway import Gateway
from protocols.server.listeners import Addresses, listen
from protocols.server.local_engine import LocalEngineOptions, open_local_engine
from protocols.server.page_files import HEADERS, TABLE
from protocols.server.page_relay import PageRelay

Test = Callable[[str, AsyncExitStack], Awaitable[None]]
TOKEN = "sesame"  # noqa: S105 - of the test alone


def run(test: Test, folder: Path, *, is_running: bool = True) -> None:
    """Runs `test` with the page's address; its stack closes the engine's socket."""

    async def all_of_it() -> None:
        path = folder / "sparring.sock"
        options = LocalEngineOptions(store="none")
        with open_local_engine(options) as engine:
            gateway = Gateway(engine.pool, engine.protocols)
            async with AsyncExitStack() as listeners:
                if is_running:
                    await listen(gateway, Addresses(unix=path), listeners)
                relay = PageRelay(str(path), {"opponent": "Ann"}, TOKEN)
                async with relay.listen() as address:
                    stopping = AsyncExitStack()
                    stopping.push_async_callback(gateway.stop)
                    await test(address.partition("#")[0], stopping)
            await gateway.stop()

    asyncio.run(all_of_it())


def file_at(address: str, headers: dict[str, str] | None = None) -> tuple[int, dict[str, str]]:
    place = urlsplit(address)
    connection = HTTPConnection(place.netloc)
    connection.request("GET", address.partition(place.netloc)[2], headers=headers or {})
    answer = connection.getresponse()
    assert answer.status == 304 or answer.read()
    connection.close()
    return answer.status, dict(answer.headers)


def test_files_come_from_the_table_with_strict_headers(tmp_path: Path) -> None:
    async def test(address: str, _stopping: AsyncExitStack) -> None:
        for path in TABLE:
            status, headers = await asyncio.to_thread(file_at, address + path[1:])
            assert status == 200
            assert {name: headers[name] for name in HEADERS} == HEADERS
            tag = {"If-None-Match": headers["ETag"]}
            status, _ = await asyncio.to_thread(file_at, address + path[1:], tag)
            assert status == 304
        for path in (
            "index.html",
            "../server.py",
            "%2e%2e/page.py",
            "play",
            "page.js/",
            "//page.js",
        ):
            status, headers = await asyncio.to_thread(file_at, address + path)
            assert status == 404, path
            assert headers["X-Content-Type-Options"] == "nosniff"
        status, _ = await asyncio.to_thread(file_at, address, {"Host": "evil.example"})
        assert status == 403

    run(test, tmp_path, is_running=False)


async def said(browser: ClientConnection, name: str, /, **fields: Any) -> dict[str, Any]:
    """The first answer to a message."""
    await browser.send(json.dumps({"v": VERSION, "type": name, **fields}))
    answer: dict[str, Any] = json.loads(await browser.recv())
    return answer


def play_at(address: str, token: str = TOKEN) -> str:
    return f"ws://{urlsplit(address).netloc}/play?token={token}"


def test_a_browser_plays_through_the_relay(tmp_path: Path) -> None:
    async def test(address: str, stopping: AsyncExitStack) -> None:
        async with connect(play_at(address)) as browser:
            welcome = await said(browser, "hello")
            assert welcome["owner"]
            assert welcome["name"] == "Ann"
            state = await said(browser, "new", strength="level:0")
            assert state["phase"] == "yours"
            await said(browser, "move", at="E5")
            state = json.loads(await browser.recv())
            assert len(state["moves"]) == 2
            await stopping.aclose()
            with pytest.raises(ConnectionClosed) as raised:
                await browser.recv()
            assert raised.value.rcvd is not None
            assert raised.value.rcvd.code == 1012

    run(test, tmp_path)


def test_a_browser_is_sent_away_while_no_engine_runs(tmp_path: Path) -> None:
    async def test(address: str, _stopping: AsyncExitStack) -> None:
        async with connect(play_at(address)) as browser:
            with pytest.raises(ConnectionClosed) as raised:
                await browser.recv()
            assert raised.value.rcvd is not None
            assert raised.value.rcvd.code == 1013

    run(test, tmp_path, is_running=False)


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/play", {}, 401),
        ("/play?token=sesam", {}, 401),
        ("/?token=sesame", {}, 404),
        ("/play?token=sesame", {"Origin": "http://evil.example"}, 403),
    ],
)
def test_the_door_is_shut(tmp_path: Path, path: str, headers: dict[str, str], status: int) -> None:
    async def test(address: str, _stopping: AsyncExitStack) -> None:
        with pytest.raises(InvalidStatus, match=str(status)):
            await connect(f"ws://{urlsplit(address).netloc}{path}", additional_headers=headers)

    run(test, tmp_path, is_running=False)
