"""Clients of a server over real sockets, with a stand-in for the engine and its protocols."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest
import uvloop
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosedError, ConnectionClosedOK
from websockets.frames import CloseCode

from engine.games.evaluator import Evaluator
from engine.games.game_settings import USUAL_GO, GoSettings
from engine.play.game_networks import GameNetworks, NetworkChoice
from engine.play.network_lease import Lease
from engine.play.network_pool import NetworkPool
from protocols.conversation import ClientDefaults, ClientRequest, Protocol
from protocols.inbox import Inbox
from protocols.lines import END, LONGEST_LINE
from protocols.outbox import Outbox
from protocols.server import gateway
from protocols.server.connections import KEEPALIVE, StreamConnection
from protocols.server.gateway import NO_TOKEN, Gateway, Limits
from protocols.server.listeners import Addresses, listen

SECONDS = {"slow": 0.8, "stuck": 1.5}  # that a line takes, whatever happens
STARTED: list[threading.Thread] = []


def speak(_lease: Lease, request: ClientRequest, inbox: Inbox, outbox: Outbox) -> None:
    """Echoes, but `komi`; `think` goes on until a line comes or the client goes."""
    STARTED.append(threading.current_thread())
    while (line := inbox.take()) is not None:
        if line == "quit":
            outbox.emit("bye\n")
            return
        if line == "think":
            while not inbox.waiting():
                outbox.emit("thought\n")
        elif line == "flood":
            for _ in range(1000):
                outbox.emit("x" * 10_000 + "\n")
        elif line == "search":  # goes on without a word
            while not inbox.abandoned():
                time.sleep(0.01)
        elif line in SECONDS:
            time.sleep(SECONDS[line])
            outbox.emit(f"{line}\n")
        elif line == "crash":
            raise RuntimeError("a fault in the engine")
        else:
            outbox.emit(f"{request.defaults.game_settings.komi if line == 'komi' else line}\n")


def opened(*arguments: Any) -> Callable[[], None]:
    return partial(speak, *arguments)


PROTOCOLS = {
    "gtp": Protocol(opened, lambda text: f"? {text}\n\n"),
    "analysis": Protocol(opened, lambda text: json.dumps({"error": text}) + "\n"),
}


def load(_choice: NetworkChoice) -> Evaluator:
    return cast("Evaluator", object())


class Served:
    """A running server and ways to reach it."""

    def __init__(self, addresses: Addresses, gateway: Gateway) -> None:
        self.addresses = addresses
        self.gateway = gateway

    async def open(self, greeting: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_unix_connection(str(self.addresses.unix))
        writer.write(greeting.encode() + b"\n")
        return reader, writer

    async def join(self, protocol: str = "gtp", **options: Any) -> Any:
        greeting = json.dumps({"protocol": protocol, "options": options})
        reader, writer = await self.open(greeting)
        return json.loads(await reader.readline()), reader, writer


@asynccontextmanager
async def serving(
    folder: Path,
    *,
    port: int = 0,
    sessions: int = 8,
    limits: Limits = NO_TOKEN,
    game_settings: GoSettings = USUAL_GO,
    **allowed: Any,
) -> AsyncIterator[Served]:
    pool = NetworkPool(load, {"go": GameNetworks("go", folder / "default")}, sessions=sessions)
    gateway = Gateway(pool, PROTOCOLS, limits, ClientDefaults(game_settings=game_settings))
    addresses = Addresses(
        unix=folder / "s.sock",
        gtp_port=port or None,
        websocket_port=port + 1 if port else None,
        **allowed,
    )
    async with AsyncExitStack() as listeners:
        await listen(gateway, addresses, listeners)
        yield Served(addresses, gateway)
    await gateway.stop()


def run(test: Callable[[Served], Awaitable[None]], folder: Path, **options: Any) -> None:
    async def body() -> None:
        async with asyncio.timeout(60), serving(folder, **options) as served:
            await test(served)

    STARTED.clear()
    uvloop.run(body())
    assert not [thread for thread in STARTED if thread.is_alive()]


def test_a_server_has_terms_for_clients_that_name_none(tmp_path: Path) -> None:
    async def test(served: Served) -> None:
        for options, komi in (
            ({}, b"3.5"),
            ({"rules": "japanese"}, b"6.5"),
            ({"komi": "1"}, b"1.0"),
        ):
            _, reader, writer = await served.join(**options)
            writer.write(b"komi\nquit\n")
            assert await reader.readline() == komi + b"\n"
            writer.close()

    run(test, tmp_path, game_settings=GoSettings(komi=3.5))


def test_a_greeted_client_is_answered_in_its_protocol(tmp_path: Path) -> None:
    async def test(served: Served) -> None:
        answer, reader, writer = await served.join()
        assert answer == {"ok": True}
        writer.write(b"name\nversion\nquit\n")
        assert await reader.read() == b"name\nversion\nbye\n\x04\n"
        writer.close()

    run(test, tmp_path)


GREETINGS = [
    ("[" * 60_000, "first line"),
    ("[" * 100_000, "limit"),
    (json.dumps({"protocol": "gtp", "options": {"personas": "a" * 5000}}), "no folder"),
    (json.dumps({"protocol": "gtp", "options": {"network": "a" * 5000}}), "aaa"),
    ("not json", "first line"),
    ("[]", "first line"),
    ('{"protocol": "gtp", "options": 3}', "first line"),
    ('{"protocol": "chess"}', "unknown protocol 'chess'"),
    ('{"protocol": ["gtp"]}', "unknown protocol"),
    ('{"protocol": "gtp", "options": {"backend": []}}', "options are texts, not []"),
    ('{"protocol": "gtp", "options": {"network": "/no/such"}}', "no network file '/no/such'"),
    ('{"protocol": "gtp", "options": {"game": "shogi"}}', "unknown game 'shogi'"),
    ('{"protocol": "gtp", "options": {"game": 5}}', "options are texts, not 5"),
    ('{"protocol": "gtp", "options": {"folder": "a\\u0000"}}', "options are texts, not 'a\\x00'"),
    ('{"protocol": "gtp", "options": {"network": "\\ud800"}}', "options are texts, not '\\ud800'"),
]


@pytest.mark.parametrize(("greeting", "reason"), GREETINGS)
def test_a_wrong_greeting_is_refused_with_the_reason(
    greeting: str, reason: str, tmp_path: Path
) -> None:
    async def test(served: Served) -> None:
        reader, writer = await served.open(greeting)
        assert reason in json.loads(await reader.read())["error"]
        writer.close()

    run(test, tmp_path)


def test_a_session_too_many_is_refused(tmp_path: Path) -> None:
    async def test(served: Served) -> None:
        _, _, first = await served.join()
        answer, reader, second = await served.join()
        assert answer == {"error": "all 1 sessions are in use", "busy": True}
        assert await reader.read() == b""
        first.close()
        second.close()

    run(test, tmp_path, sessions=1)


def test_the_end_of_input_lets_the_queue_finish(tmp_path: Path) -> None:
    async def test(served: Served) -> None:
        _, reader, writer = await served.join()
        writer.write(f"one\ntwo\n{END}\n".encode())
        assert await reader.read() == b"one\ntwo\n\x04\n"
        writer.close()

    run(test, tmp_path)


def test_a_client_that_vanishes_ends_its_session(tmp_path: Path) -> None:
    async def test(served: Served) -> None:
        for _ in range(5):  # more than there are places
            answer, reader, writer = await served.join()
            assert answer == {"ok": True}
            writer.write(b"think\n")
            assert await reader.readline() == b"thought\n"
            writer.transport.abort()
            for thread in STARTED:
                await asyncio.to_thread(thread.join, 10)
            await asyncio.sleep(0.05)

    run(test, tmp_path, sessions=1)


def test_a_slow_client_gets_everything_and_little_is_buffered(tmp_path: Path) -> None:
    async def test(served: Served) -> None:
        _, reader, writer = await served.join()
        writer.write(b"flood\nquit\n")
        await asyncio.sleep(0.2)
        assert STARTED[-1].is_alive()  # it waits for the client
        assert len(await reader.read()) == 1000 * 10_001 + len(b"bye\n\x04\n")
        writer.close()

    run(test, tmp_path)


def test_a_fault_ends_one_session_and_not_the_server(tmp_path: Path) -> None:
    async def test(served: Served) -> None:
        _, reader, writer = await served.join()
        writer.write(b"crash\n")
        assert await reader.read() == b""
        writer.close()
        answer, _, writer = await served.join()
        assert answer == {"ok": True}
        writer.close()

    run(test, tmp_path)


def test_stopping_ends_running_sessions(tmp_path: Path) -> None:
    async def test(served: Served) -> None:
        _, reader, writer = await served.join()
        writer.write(b"think\n")
        await reader.readline()
        await served.gateway.stop()
        writer.close()

    run(test, tmp_path)


def test_stopping_does_not_wait_for_a_session_that_is_stuck(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(gateway, "STOPPING_SECONDS", 0.3)

    async def test(served: Served) -> None:
        _, _, writer = await served.join()
        writer.write(b"stuck\n")
        await asyncio.sleep(0.1)
        began = time.monotonic()
        await served.gateway.stop()
        assert time.monotonic() - began < 1
        writer.close()
        STARTED[0].join()

    run(test, tmp_path)
    assert not [record for record in caplog.records if record.exc_info]


@pytest.fixture
def port(unused_ports: Callable[[int], int]) -> int:
    return unused_ports(2)


def test_gtp_over_tcp_needs_no_greeting_and_may_end_its_input(tmp_path: Path, port: int) -> None:
    async def test(served: Served) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"name\nlast")
        writer.write_eof()
        assert await reader.read() == b"name\nlast\n"
        writer.close()

    run(test, tmp_path, port=port)


def test_a_host_that_vanishes_is_noticed_in_minutes(
    tmp_path: Path, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    ends: list[StreamConnection] = []

    def remembered(*streams: Any) -> StreamConnection:
        ends.append(StreamConnection(*streams))
        return ends[0]

    monkeypatch.setattr(gateway, "StreamConnection", remembered)

    async def test(_served: Served) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"name\n")
        assert await reader.readline() == b"name\n"
        with ends[0].socket() as connection:
            for level, option, value in KEEPALIVE:
                assert connection.getsockopt(level, option) == value
        writer.close()

    run(test, tmp_path, port=port)
    values = {option: value for _, option, value in KEEPALIVE}
    probing = values[socket.TCP_KEEPINTVL] * values[socket.TCP_KEEPCNT]
    assert values[socket.TCP_KEEPIDLE] + probing <= 120


def test_a_half_closed_client_is_probed_and_hears_only_its_answers(
    tmp_path: Path, port: int
) -> None:
    async def test(served: Served) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"slow\nlast")
        writer.write_eof()
        assert await reader.read() == b"slow\nlast\n"
        writer.close()

    run(test, tmp_path, port=port)


WAYS = ["close", "reset", "close behind many lines", "reset behind many lines"]


@pytest.mark.parametrize("way", WAYS)
def test_a_tcp_client_that_closes_ends_its_search(tmp_path: Path, port: int, way: str) -> None:
    async def test(served: Served) -> None:
        connection = socket.create_connection(("127.0.0.1", port))
        connection.sendall(b"search\n" + b"name\n" * (30_000 if "many" in way else 1))
        while not STARTED:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.2)
        assert STARTED[0].is_alive()
        if way.startswith("reset"):
            linger = struct.pack("ii", 1, 0)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        connection.close()
        await asyncio.to_thread(STARTED[0].join, 1.5)
        assert not STARTED[0].is_alive()

    run(test, tmp_path, port=port)


@pytest.mark.parametrize(
    ("first", "answer"),
    [
        (b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nname\n", b"HTTP/1.1 400 "),
        (b"GET /name HTTP/1.1\r\n\r\nname\n", b"HTTP/1.1 400 "),
        (b"purge * http/2\r\n\r\nname\n", b"HTTP/1.1 400 "),
        (b"\x16\x03\x01\x02\x00\x01\nname\n", b"? this port speaks GTP"),  # how TLS begins
        (b"GET /" + b"x" * 2**17 + b" HTTP/1.1\r\n\r\nname\n", b""),
    ],
)
def test_a_web_page_cannot_speak_gtp(
    tmp_path: Path, port: int, first: bytes, answer: bytes
) -> None:
    async def test(_served: Served) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(first)
        received = b""
        with suppress(ConnectionResetError):  # it does not read the rest
            received = await reader.read()
        assert received.startswith(answer)
        assert not STARTED
        writer.close()

    run(test, tmp_path, port=port)


def test_silent_connections_hold_no_session_and_are_closed(tmp_path: Path, port: int) -> None:
    async def test(served: Served) -> None:
        silent = [await asyncio.open_connection("127.0.0.1", port) for _ in range(20)]
        frames = [await connect(f"ws://127.0.0.1:{port + 1}") for _ in range(20)]
        answer, _, owner = await served.join()
        assert answer == {"ok": True}
        for reader, writer in silent:
            assert await reader.read() == b""
            writer.close()
        for each in frames:
            await each.close()
        owner.close()

    limits = Limits(first_line_seconds=0.3)
    run(test, tmp_path, port=port, sessions=2, limits=limits)


def test_silent_connections_keep_out_no_client_that_speaks(tmp_path: Path, port: int) -> None:
    async def test(served: Served) -> None:
        silent = [await asyncio.open_connection("127.0.0.1", port) for _ in range(20)]
        frames = [await connect(f"ws://127.0.0.1:{port + 1}") for _ in range(20)]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"name\n")
        assert await reader.readline() == b"name\n"
        async with connect(f"ws://127.0.0.1:{port + 1}") as analyst:
            await analyst.send("query")
            assert await analyst.recv() == "query"
        assert await silent[0][0].read() == b""  # the ones that waited longest went
        with pytest.raises(ConnectionClosedOK):
            await frames[0].recv()
        for _, each in [*silent, (reader, writer)]:
            each.close()
        for frame in frames:
            await frame.close()

    run(test, tmp_path, port=port, limits=Limits(most_waiting=4))


def test_an_idle_client_is_closed_and_one_that_speaks_is_not(tmp_path: Path, port: int) -> None:
    async def test(served: Served) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for _ in range(5):
            writer.write(b"name\n")
            assert await reader.readline() == b"name\n"
            await asyncio.sleep(0.3)
        assert await reader.read() == b""
        writer.close()

    run(test, tmp_path, port=port, limits=Limits(idle_seconds=0.6))


def test_guests_leave_sessions_to_the_user(tmp_path: Path, port: int) -> None:
    async def test(served: Served) -> None:
        guests = [await asyncio.open_connection("127.0.0.1", port) for _ in range(3)]
        answers = []
        for reader, writer in guests:
            writer.write(b"name\n")
            answers.append((await reader.readline()).decode())
        assert answers[:2] == ["name\n", "name\n"]
        assert "2 more are kept for this user's own clients" in answers[2]
        for _ in range(2):
            answer, *own = await served.join()
            assert answer == {"ok": True}
            guests.append((own[0], own[1]))
        for _, writer in guests:
            writer.close()

    run(test, tmp_path, port=port, sessions=4)


def test_a_token_is_the_first_line_where_one_is_asked_for(tmp_path: Path, port: int) -> None:
    async def test(served: Served) -> None:
        for first, expected in ((b"sesame\n", b"name\n"), (b"", b"? the first line is not")):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(first + b"name\n")
            writer.write_eof()
            assert (await reader.read()).lstrip().startswith(expected)
            writer.close()

    run(test, tmp_path, port=port, limits=Limits(token=b"sesame"))


def test_websocket_frames_carry_lines(tmp_path: Path, port: int) -> None:
    async def test(served: Served) -> None:
        async with connect(f"ws://127.0.0.1:{port + 1}") as client:
            await client.send("one")
            assert await client.recv() == "one"
            await client.send("two\nthree\nquit")
            received = "\n".join([str(frame) async for frame in client])
            assert received.split("\n") == ["two", "three", "bye"]

    run(test, tmp_path, port=port)


def test_a_websocket_frame_that_is_too_long_closes_its_connection(
    tmp_path: Path, port: int
) -> None:
    async def test(_served: Served) -> None:
        address = f"ws://127.0.0.1:{port + 1}"
        async with connect(address) as client:
            await client.send("x" * (LONGEST_LINE + 1))
            with pytest.raises(ConnectionClosedError) as raised:
                await client.recv()
            assert raised.value.rcvd is not None
            assert raised.value.rcvd.code == CloseCode.MESSAGE_TOO_BIG
        async with connect(address) as client:
            await client.send("one")
            assert await client.recv() == "one"

    run(test, tmp_path, port=port)
