"""The client of OGS at the stand-in, with a host that records: no engine, no games of its own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from bots.events import Event
from bots.ogs.acceptance import AcceptanceRules, SpeedLimits
from bots.ogs.connection import ConnectionPolicy, Credentials
from bots.ogs.rest_client import RestPolicy
from bots.ogs.server import OgsServer, OgsSettings
from bots.server import GameHost, LineLostError
from tests.support.ogs.board import Wanted
from tests.support.ogs.challenges import BOT, KEY
from tests.support.ogs.faults import Faults
from tests.support.ogs.online_game import Account
from tests.support.ogs.server import OgsStandIn

ANN, BOB = Account(7, "ann", rating=1500, deviation=70), Account(8, "bob", rank=12)
SIMPLE = {"system": "simple", "speed": "live", "per_move": 60}
WANTED = Wanted(9, 9, SIMPLE)
RULES = AcceptanceRules({"live": SpeedLimits(3, {"simple": {"per_move": (10, 300)}})})


@dataclass
class RecordingHost(GameHost):
    """Keeps the events, and asks for the state as a game would."""

    told: list[tuple[str, Event]] = field(default_factory=list)
    refusals: list[tuple[str, str]] = field(default_factory=list)
    logins: int = 0
    is_engine_up: bool = True
    move_seconds: float = 0.0

    def now(self) -> float:
        return 0.0

    def connected(self) -> None:
        self.logins += 1

    def tell(self, game: str, event: Event) -> None:
        self.told.append((game, event))

    @property
    def games(self) -> Sequence[str]:
        return list(dict(self.told))

    @property
    def has_room(self) -> bool:
        return True

    async def warm(self, game: str, width: int, height: int) -> None:
        assert (game, width, height) == ("go", 9, 9)
        await until(lambda: self.is_engine_up)

    def refused(self, challenger: str, reason: str) -> None:
        self.refusals.append((challenger, reason))

    def of(self, kind: type[Event]) -> list[Any]:
        return [event for _, event in self.told if isinstance(event, kind)]


def settings(url: str, rules: AcceptanceRules = RULES, key: str = KEY) -> OgsSettings:
    quick = ConnectionPolicy(ping_seconds=0.05, silence_seconds=5, open_seconds=5)
    rest = RestPolicy(retry_seconds=0.01, limit_seconds=0.01)
    bot = Credentials(BOT.username, key)
    return OgsSettings(url, bot, rules, 5, least_move_seconds=1.5, connection=quick, rest=rest)


@asynccontextmanager
async def logged_in(
    stand_in: OgsStandIn, rules: AcceptanceRules = RULES
) -> AsyncIterator[tuple[OgsServer, RecordingHost]]:
    host = RecordingHost()
    client = OgsServer(settings(stand_in.url, rules), host)

    async def run() -> None:
        while True:
            with suppress(LineLostError):
                await client.run()

    running = asyncio.create_task(run())
    try:
        await until(lambda: host.logins > 0)
        yield client, host
    finally:
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(20):
        while not condition():
            await asyncio.sleep(0.01)


def at_stand_in(
    story: Callable[[OgsStandIn, OgsServer, RecordingHost], Awaitable[None]],
    rules: AcceptanceRules = RULES,
    faults: Faults | None = None,
) -> None:
    async def run() -> None:
        async with OgsStandIn(faults) as stand_in, logged_in(stand_in, rules) as (client, host):
            await story(stand_in, client, host)

    asyncio.run(run())
