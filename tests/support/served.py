"""A server over real sockets, with a stand-in for the engine and its protocols."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, cast

import uvloop

from engine.games.evaluator import Evaluator
from engine.games.game_settings import USUAL_GO, GoSettings
from engine.play.game_networks import GameNetworks, NetworkChoice
from engine.play.network_lease import Lease
from engine.play.network_pool import NetworkPool
from protocols.conversation import ClientDefaults, ClientRequest, Protocol
from protocols.inbox import Inbox
from protocols.outbox import Outbox
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
