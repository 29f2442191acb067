"""Clients of a server's ports, TCP and WebSocket: lines, silence, vanishing, guests, tokens."""

from __future__ import annotations

import asyncio
import socket
import struct
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosedError, ConnectionClosedOK
from websockets.frames import CloseCode

from protocols.lines import LONGEST_LINE
from protocols.server import gateway
from protocols.server.connections import KEEPALIVE, StreamConnection
from protocols.server.gateway import Limits
from tests.support.free_ports import free_ports
from tests.support.served import STARTED, Served, run


@pytest.fixture
def port() -> int:
    return free_ports(2)


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
