"""Clients of a server over its socket: greetings, sessions, faults, the end."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path

import pytest

from engine.games.game_settings import GoSettings
from protocols.lines import END
from protocols.server import gateway
from tests.support.served import STARTED, Served, run


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
