"""The page's files, its door and its relay to a running engine."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
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
from protocols.server.guest_cookie import COOKIE, MAX_AGE_SECONDS
from protocols.server.listeners import Addresses, listen
from protocols.server.local_engine import LocalEngineOptions, open_local_engine
from protocols.server.local_user import CONNECTIONS, user_in, user_of
from protocols.server.page_files import HEADERS, TABLE
from protocols.server.page_relay import PageRelay, listening_at
from tests.protocols.server.conftest import Serving

Test = Callable[[str, AsyncExitStack], Awaitable[None]]
TOKEN = "sesame"  # noqa: S105 - of the test alone


def run(test: Test, folder: Path, *, is_running: bool = True, user: int | None = None) -> None:
    """Runs `test` with the page's address; its stack stops the engine. user: the browser's."""

    async def all_of_it() -> None:
        path = folder / "sparring.sock"
        options = LocalEngineOptions(store="none")
        with open_local_engine(options) as engine:
            gateway = Gateway(engine.pool, engine.protocols)
            async with AsyncExitStack() as listeners:
                if is_running:
                    await listen(gateway, Addresses(unix=path), listeners)
                relay = PageRelay(str(path), {"opponent": "Ann"}, TOKEN, lambda *_ends: user)
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


def test_this_users_browsers_need_no_token(tmp_path: Path) -> None:
    async def test(address: str, _stopping: AsyncExitStack) -> None:
        place = play_at(address).partition("?")[0]
        async with connect(place) as browser:
            assert (await said(browser, "hello"))["owner"]

    run(test, tmp_path, user=os.getuid())


def test_other_users_of_this_machine_are_refused(tmp_path: Path) -> None:
    async def test(address: str, _stopping: AsyncExitStack) -> None:
        with pytest.raises(InvalidStatus, match="401"):
            await connect(play_at(address).partition("?")[0])

    run(test, tmp_path, is_running=False, user=os.getuid() + 1)


TABLE_OF_TCP = """  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000  0 1
   1: 0100007F:1F90 0100007F:C001 01 00000000:00000000 00:00000000 00000000  1000  0 2
   2: 0100007F:C001 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1001  0 3
   3: 0100007F:C002 0100007F:1F90 06 00000000:00000000 03:00000000 00000000     0  0 4
"""


@pytest.mark.skipif(sys.byteorder == "big", reason="the table is of a little-endian machine")
def test_the_user_of_a_connection_is_that_of_the_clients_end() -> None:
    server = ("127.0.0.1", 0x1F90)
    assert user_in(TABLE_OF_TCP, ("127.0.0.1", 0xC001), server) == 1001
    assert user_in(TABLE_OF_TCP, ("127.0.0.1", 0xC002), server) is None
    assert user_in(TABLE_OF_TCP, ("127.0.0.1", 0xC003), server) is None
    assert user_in("", ("127.0.0.1", 0xC001), server) is None


@pytest.mark.skipif(not CONNECTIONS.exists(), reason="needs Linux's table of connections")
def test_a_connection_of_this_process_is_this_users() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_connection(server.getsockname()) as client,
    ):
        assert user_of(client.getsockname(), server.getsockname()) == os.getuid()


def test_a_server_has_the_page_for_guests_beside_analysis(serving: Serving) -> None:
    address = f"http://127.0.0.1:{serving.websocket_port}/"

    async def test() -> None:
        status, headers = await asyncio.to_thread(file_at, address)
        assert status == 200
        assert headers["X-Frame-Options"] == "DENY"
        async with connect(f"ws://127.0.0.1:{serving.websocket_port}/play") as browser:
            welcome = await said(browser, "hello")
            assert not welcome["owner"]
            assert (await said(browser, "lists"))["type"] == "error"
            assert (await said(browser, "new", game="connect4"))["phase"] == "yours"
        async with connect(f"ws://127.0.0.1:{serving.websocket_port}/") as analysis:
            await analysis.send('{"id":"1","action":"query_version"}')
            assert json.loads(await analysis.recv())["id"] == "1"

    asyncio.run(test())


def test_a_guests_cookie_names_its_records(serving: Serving) -> None:
    address = f"http://127.0.0.1:{serving.websocket_port}/"
    door = f"ws://127.0.0.1:{serving.websocket_port}/play"

    async def games(cookie: str) -> list[Any]:
        async with connect(door, additional_headers={"Cookie": cookie}) as browser:
            await said(browser, "hello")
            return list((await said(browser, "records"))["games"])

    async def test() -> None:
        _, headers = await asyncio.to_thread(file_at, address)
        cookie, *attributes = headers["Set-Cookie"].split("; ")
        assert attributes == ["Path=/", f"Max-Age={MAX_AGE_SECONDS}", "HttpOnly", "SameSite=Strict"]
        _, headers = await asyncio.to_thread(file_at, address, {"Cookie": cookie})
        assert "Set-Cookie" not in headers, "a browser keeps its cookie"
        _, headers = await asyncio.to_thread(file_at, f"{address}page.js")
        assert "Set-Cookie" not in headers
        async with connect(door, additional_headers={"Cookie": cookie}) as browser:
            await said(browser, "hello")
            await said(browser, "new", game="connect4", strength="level:0")
            await said(browser, "move", at="4")
            assert json.loads(await browser.recv())["phase"] == "yours", "the engine has moved"
        assert len(await games(cookie)) == 1
        assert await games(f"{COOKIE}={22 * 'x'}") == []
        for odd in (f"{COOKIE}=short", f"{COOKIE}=;;=", "=", f"{COOKIE}={23 * 'x'}", "[]=1"):
            assert await games(odd) == []

    asyncio.run(test())


def test_the_users_own_page_sets_no_cookie(tmp_path: Path) -> None:
    async def test(address: str, _stopping: AsyncExitStack) -> None:
        _, headers = await asyncio.to_thread(file_at, address)
        assert "Set-Cookie" not in headers

    run(test, tmp_path)


def test_the_usual_port_is_left_to_another_server() -> None:
    with listening_at(0) as one, listening_at(0) as other:
        assert one.getsockname()[1] != other.getsockname()[1]
        with pytest.raises(OSError, match="in use"):
            listening_at(other.getsockname()[1])
