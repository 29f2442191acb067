"""The service of one server: pauses, losses of the line, faults, and its counters."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from bots import events
from bots.actions import RequestState, Say, ServerAction
from bots.common_rows import ServiceSettings
from bots.engine_connection import EngineAddress
from bots.engine_session import PlayOptions
from bots.game_memory import GameMemory
from bots.game_policy import GamePolicy
from bots.game_setup import GameSetup, OnlineOpponent, OnlineResult
from bots.metrics import BotMetrics
from bots.server import LineLostError, LoginRefusedError
from bots.service import Backoff, BotService

SETTINGS = ServiceSettings(
    EngineAddress("/nowhere"),
    PlayOptions(),
    GamePolicy(chats=False),
    most_games=2,
    reconnect_seconds=0.01,
    longest_reconnect_seconds=0.01,
    metrics_port=None,
)
SETUP = GameSetup("g", 1, OnlineOpponent("ann", "test"))


def service() -> BotService:
    return BotService(SETTINGS, GameMemory(None), BotMetrics())


def value(metrics: BotMetrics, name: str, **labels: str) -> float | None:
    return metrics.registry.get_sample_value(name, labels)


class ScriptedServer:
    """A server that does one thing a connection, and notes the actions."""

    def __init__(self, host: BotService, *steps: Callable[[], None]) -> None:
        self.host, self.steps = host, list(steps)
        self.connections = 0
        self.actions: list[ServerAction] = []
        self.is_closed = False

    async def run(self) -> None:
        self.connections += 1
        self.host.connected()
        self.steps.pop(0)()
        await asyncio.sleep(0.05)
        raise LineLostError("the script ends")

    async def act(self, game: str, action: ServerAction) -> None:
        self.actions.append(action)

    async def close(self) -> None:
        self.is_closed = True

    async def rehearse(self) -> Sequence[str]:
        return []

    @property
    def address(self) -> str:
        return "nowhere:1"


def test_pauses_double_up_to_the_longest_and_begin_anew_after_a_good_connection() -> None:
    backoff = Backoff(1.0, 6.0, draw=lambda low, _high: low)
    assert [backoff.pause(0.5) for _ in range(5)] == [1, 2, 4, 6, 6]
    assert [backoff.pause(seconds) for seconds in (100.0, 0.5)] == [1, 2]
    spread = Backoff(30.0, 30.0)
    assert all(30 <= spread.pause(0) <= 35 for _ in range(50))


def test_each_connection_asks_for_the_games_under_way() -> None:
    async def run() -> None:
        host = service()
        metrics = host.metrics

        def begin() -> None:
            host.tell("g", events.StateReceived(host.now(), SETUP, (), 0))

        def end() -> None:
            host.tell("g", events.GameEnded(host.now(), OnlineResult(0, "time")))

        server = ScriptedServer(host, begin, lambda: None, end, lambda: None)
        task = asyncio.create_task(host.run(server))
        while server.connections < 4:
            await asyncio.sleep(0.01)
        assert [each for each in server.actions if isinstance(each, RequestState)] == [
            RequestState(1),
            RequestState(2),
            RequestState(3),
        ]
        assert list(host.games) == []
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert value(metrics, "sparring_bot_connections_total") == 4
        assert value(metrics, "sparring_bot_finished_games_total", result="lost on time") == 1
        assert value(metrics, "sparring_bot_games") == 0

    asyncio.run(run())


def test_a_fault_of_the_module_costs_one_connection(caplog: pytest.LogCaptureFixture) -> None:
    def fail() -> None:
        raise KeyError("surprise")

    async def run() -> None:
        host = service()
        server = ScriptedServer(host, fail, lambda: None)
        task = asyncio.create_task(host.run(server))
        while server.connections < 2:
            await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert server.is_closed

    asyncio.run(run())
    assert "surprise" in caplog.text


def test_a_refused_login_ends_the_service() -> None:
    def refuse() -> None:
        raise LoginRefusedError("no")

    async def run() -> None:
        host = service()
        with pytest.raises(LoginRefusedError):
            await host.run(ScriptedServer(host, refuse))

    asyncio.run(run())


def test_there_is_room_for_so_many_games() -> None:
    async def run() -> None:
        host = service()
        rooms: list[bool] = []

        def fill() -> None:
            for name in ("a", "b"):
                rooms.append(host.has_room)
                host.tell(name, events.StateReceived(0, replace(SETUP, id=name), (), 0))
            rooms.append(host.has_room)

        task = asyncio.create_task(host.run(ScriptedServer(host, fill, lambda: None)))
        while len(rooms) < 3:
            await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert rooms == [True, True, False]

    asyncio.run(run())


def test_a_game_greets_once_even_after_a_restart_of_the_bot() -> None:
    async def run() -> None:
        memory = GameMemory(None)
        policy = GamePolicy(greeting="Hello")
        settings = replace(SETTINGS, policy=policy)
        said = []
        for _ in range(2):
            host = BotService(settings, memory, BotMetrics())

            def begin(host: BotService = host) -> None:
                host.tell("g", events.StateReceived(host.now(), SETUP, (), 0))

            server = ScriptedServer(host, begin, lambda: None)
            task = asyncio.create_task(host.run(server))
            while Say(policy.away) not in server.actions:
                await asyncio.sleep(0.01)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            said.append(server.actions.count(Say("Hello")))
        assert said == [1, 0]

    asyncio.run(run())


def test_an_outage_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    class AwayServer(ScriptedServer):
        """A server that is reached at its third connection alone."""

        async def run(self) -> None:
            self.connections += 1
            if self.connections == 3:
                self.host.connected()
            raise LineLostError("no server")

    async def run() -> None:
        host = service()
        server = AwayServer(host)
        task = asyncio.create_task(host.run(server))
        while server.connections < 5:
            await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    caplog.set_level("WARNING", "sparring.bot")
    asyncio.run(run())
    assert [record.levelname for record in caplog.records] == ["WARNING", "WARNING"]
    assert "disconnected from nowhere:1: no server;" in caplog.text
