"""The client of CGOS: its lines to a scripted server, and whole games among faults."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from contextlib import suppress
from pathlib import Path

import pytest

from bots.cgos.server import ROWS, open_server, settings_of
from bots.common_rows import COMMON_ROWS
from bots.configuration import ConfigurationError, read_configuration
from bots.game_memory import GameMemory
from bots.metrics import BotMetrics
from bots.server import LoginRefusedError
from bots.service import BotService
from tests.support.bots.cgos_server import CgosStandIn
from tests.support.bots.engine_process import EngineServer

SECRET = "secret"  # noqa: S105


def service_of(
    folder: Path, port: int, engine: Path, *, password: str = SECRET, name: str = "Tester"
) -> tuple[BotService, Callable[[], Coroutine[None, None, None]]]:
    """A service and the function that runs it at a server's port."""
    secret = folder / "password"
    secret.write_text(password)
    secret.chmod(0o600)
    file = folder / "cgos.toml"
    file.write_text(
        f'[engine]\nsocket = "{engine}"\npersona = "full"\nvisits = 4\n'
        f'[cgos]\nhost = "127.0.0.1"\nport = {port}\nname = "{name}"\n'
        f'password_file = "{secret}"\nboard_size = 9\nreconnect_seconds = 0.2\n'
    )
    configuration = read_configuration(file, (*COMMON_ROWS, *ROWS), {})
    settings = settings_of(configuration)
    service = BotService(settings, GameMemory(folder / "notes"), BotMetrics())
    server = open_server(configuration, settings, service)
    return service, lambda: service.run(server)


# Malformed lines, and a game in between.
LINES = (
    *("setup 5 9 7 60000 A(1)", "play w", "genmove w 5", "bogus \x07", "x" * 9000),
    *("gameover nothing", "setup 5 9 7 60000 Tester(1) B(2)", "genmove w 60000"),
    *("play b d4 1", "genmove w 59000"),
)


async def until(done: Callable[[], bool], seconds: float = 60) -> None:
    async with asyncio.timeout(seconds):
        while not done():
            await asyncio.sleep(0.02)


def counted(service: BotService, name: str) -> float:
    """The sum of a counter over its labels."""
    samples = [each for metric in service.metrics.registry.collect() for each in metric.samples]
    return sum(each.value for each in samples if each.name == name)


def test_games_among_cuts_and_restarts_end_without_a_fault(
    engine: EngineServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def play() -> None:
        server = CgosStandIn(5, faults=frozenset({3, 4, 11, 19, 27}))
        await server.start()
        service, run = service_of(tmp_path, server.port, engine.socket)
        task = asyncio.create_task(run())
        await until(lambda: len(server.games) == 2 and len(server.games[1].moves) > 5)
        await asyncio.to_thread(engine.kill)
        await until(lambda: counted(service, "sparring_bot_engine_losses_total") >= 1)
        await asyncio.to_thread(engine.start)
        await until(lambda: len(server.games) == 3 and len(server.games[2].moves) > 5)
        task.cancel()  # the bot restarts
        await asyncio.gather(task, return_exceptions=True)
        later, run = service_of(tmp_path, server.port, engine.socket)
        task = asyncio.create_task(run())
        await until(lambda: len(server.games) == 4 and len(server.games[3].moves) > 5)
        await server.stop()  # the server restarts and forgets its game
        await server.start()
        await until(server.is_finished.is_set)
        await until(lambda: counted(later, "sparring_bot_games") == 0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await server.stop()
        assert server.wrong == []
        assert len([game for game in server.games if game.result]) == 5
        # The first login, and one after each cut and each restart: an ended game is not cut.
        assert server.cuts >= 2
        assert server.logins >= server.cuts + 3
        assert server.analyses > 20
        assert not [line for line in server.received if line in {"quit", ""}]
        assert counted(later, "sparring_bot_refused_moves_total") == 0
        assert counted(later, "sparring_bot_engine_errors_total") == 0

    with caplog.at_level(logging.DEBUG, "sparring.bot"):
        asyncio.run(play())
    assert SECRET not in caplog.text


@pytest.mark.parametrize("prefix", ["Error: ", ""])  # of the servers in Python and in Tcl
def test_a_wrong_password_ends_the_service(
    prefix: str, engine: EngineServer, tmp_path: Path
) -> None:
    async def play() -> None:
        server = CgosStandIn(1)
        server.refusal = f"{prefix}Sorry, password doesn't match"
        await server.start()
        _, run = service_of(tmp_path, server.port, engine.socket, password="wrong")  # noqa: S106
        with pytest.raises(LoginRefusedError, match="doesn't match"):
            await run()
        await server.stop()

    asyncio.run(play())


def test_a_bot_whose_lost_line_the_server_still_holds_logs_in_later(
    engine: EngineServer, tmp_path: Path
) -> None:
    async def play() -> None:
        server = CgosStandIn(1, refusals=2)
        await server.start()
        _, run = service_of(tmp_path, server.port, engine.socket)
        task = asyncio.create_task(run())
        await until(server.is_finished.is_set)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await server.stop()
        assert (server.refusals, server.logins, server.wrong) == (0, 1, [])

    asyncio.run(play())


@pytest.mark.parametrize("name", ["9dan", "ab", "a" * 19, "admin1", "me too"])
def test_impossible_names_are_refused_before_any_login(name: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="none of CGOS"):
        service_of(tmp_path, 1, tmp_path / "none.sock", name=name)


def test_malformed_lines_change_nothing(engine: EngineServer, tmp_path: Path) -> None:
    async def play() -> None:
        lines: list[str] = []
        moved = asyncio.Event()

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            for question in (b"protocol\n", b"username\n", b"password\n"):
                writer.write(question)
                lines.append((await reader.readline()).decode())
            for line in LINES:
                writer.write(line.encode(errors="replace") + b"\n")
            while line := (await reader.readline()).decode():
                lines.append(line)
                moved.set()
            writer.close()

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        _, run = service_of(tmp_path, port, engine.socket)
        task = asyncio.create_task(run())
        await asyncio.wait_for(moved.wait(), 60)
        await until(lambda: len(lines) >= 5)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        server.close()
        assert lines[:3] == ["e1 sparring\n", "Tester\n", f"{SECRET}\n"]
        assert lines[3] == "ready\n"
        assert lines[4].strip().isalnum()  # our move as White, after Black's d4

    asyncio.run(play())
