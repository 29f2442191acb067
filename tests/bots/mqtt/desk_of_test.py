"""A desk without a broker, with an engine in the test's process."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

from bots.mqtt.broker_settings import MqttSettings, ServiceLimits
from bots.mqtt.conversations import Conversations
from bots.mqtt.engine_socket import QueryDoor
from bots.mqtt.game_requests import Chance, GameRequests
from bots.mqtt.queries import QueryRequests
from bots.mqtt.request_desk import Receipt, RequestDesk
from bots.mqtt.request_store import RequestStore
from bots.mqtt.topics import Topics
from tests.bots.mqtt.messages import checked, packet
from tests.bots.mqtt.stand_in_engine import StandInEngine

LIMITS = ServiceLimits(engine_wait_seconds=5, games=3, positions=4)


class Desk:
    """A desk, its store and its engine. `again` is the same after the end of the process."""

    def __init__(self, folder: Path, engine: StandInEngine) -> None:
        self.folder, self.engine = folder, engine
        self.seconds = 1_000_000.0
        self.settings = MqttSettings("e1", folder, engine.socket, limits=LIMITS)
        self.ids = count(1)
        self.tokens = count(1)
        self.open()

    def open(self) -> None:
        """Opens the store, and makes everything on it."""
        topics = Topics("sparring", "e1", "sparring")
        self.store = RequestStore(self.folder / "store.sqlite3", lambda: self.seconds)
        self.conversations = Conversations(self.settings.socket, most_open=2)
        self.queries = QueryDoor(self.settings.socket)
        games = GameRequests(
            self.settings,
            topics=topics,
            store=self.store,
            conversations=self.conversations,
            clock=lambda: self.seconds,
            chance=Chance(
                lambda _: f"{next(self.tokens):016x}", lambda size: "t" * (size * 4 // 3)
            ),
        )
        queries = QueryRequests(self.queries, self.settings.limits)
        self.desk = RequestDesk(
            self.settings,
            topics=topics,
            store=self.store,
            handlers={**games.handlers, "analyze": queries.analyze},
            games=self.conversations,
            clock=lambda: self.seconds,
            sleep=self.sleep,
        )

    async def sleep(self, seconds: float) -> None:
        """Time passes for the desk."""
        self.seconds += seconds
        await asyncio.sleep(0)

    def close(self) -> None:
        """Ends as a killed process does."""
        self.conversations.close()
        self.queries.close()
        self.store.close()

    def receive(self, kind: str, **fields: Any) -> Receipt:
        """Receives a request with an id of its own."""
        fields.setdefault("correlation_id", str(next(self.ids)))
        return self.desk.receive(packet(kind, **fields))

    def reply(self, number: int) -> dict[str, Any]:
        """The stored reply, checked against the schema."""
        text = self.store.request(number).reply
        assert text is not None
        return checked(text, "reply")

    async def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        """The reply to a request."""
        receipt = self.receive(kind, **fields)
        if receipt.is_waiting:
            await self.desk.carry_out(receipt.number)
        return self.reply(receipt.number)

    async def result(self, kind: str, **fields: Any) -> dict[str, Any]:
        """The result of a request."""
        reply = await self.ask(kind, **fields)
        assert reply["ok"], reply
        result: dict[str, Any] = reply["result"]
        return result

    async def error(self, kind: str, **fields: Any) -> str:
        """The code of the error of a request."""
        reply = await self.ask(kind, **fields)
        assert not reply["ok"], reply
        code: str = reply["error"]["code"]
        return code

    async def start(self, board: str = "connect4", **fields: Any) -> dict[str, Any]:
        """Starts a game; the game and the token for further requests."""
        result = await self.result("start", board=board, **fields)
        return {"game": result["state"]["game"], "token": result["token"]}

    def change_limits(self, **limits: Any) -> None:
        """Opens everything anew with other limits."""
        self.close()
        self.settings = replace(self.settings, limits=replace(LIMITS, **limits))
        self.open()


def run(test: Callable[[Desk], Awaitable[None]], folder: Path) -> None:
    """Runs a test with a desk and a running engine."""

    async def body() -> None:
        engine = StandInEngine(folder)
        await engine.start()
        desk = Desk(folder, engine)
        try:
            async with asyncio.timeout(60):
                await test(desk)
        finally:
            desk.close()
            await engine.stop()

    asyncio.run(body())
