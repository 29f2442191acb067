"""The client on the stand-in with one opponent, and a service that only listens: no engine."""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress

from bots import actions
from bots.engine_connection import GreetingRefusedError
from bots.events import Event
from bots.lichess.challenge_rules import ChallengeRules
from bots.lichess.game_link import LinkPolicy
from bots.lichess.server import LichessOptions, LichessServer
from bots.lichess.server_table import SERVERS
from bots.server import LineLostError
from tests.bots.lichess.playing import LINK, QUICK
from tests.bots.lichess.stand_in.faults import FaultChances
from tests.bots.lichess.stand_in.games import GameTerms, StandInGame
from tests.bots.lichess.stand_in.server import StandIn

TOKEN = "token-of-Sparring"  # noqa: S105
OTHELLO = GameTerms("flipello", limit=120.0)


class Host:
    """A service that only listens."""

    def __init__(self) -> None:
        self.events: defaultdict[str, list[Event]] = defaultdict(list)
        self.logins = 0
        self.refusals: list[tuple[str, str]] = []
        self.has_room = True
        self.is_engine_up = True
        self.move_seconds = 0.0
        self.refusal = ""  # of the engine

    def now(self) -> float:
        return time.monotonic()

    def connected(self) -> None:
        self.logins += 1

    def tell(self, game: str, event: Event) -> None:
        self.events[game].append(event)

    @property
    def games(self) -> Sequence[str]:
        return list(self.events)

    async def warm(self, game: str, width: int, height: int) -> None:
        assert (game, width, height) == ("othello", 8, 8)
        if self.refusal:
            raise GreetingRefusedError(self.refusal)
        while not self.is_engine_up:
            await asyncio.sleep(0.01)

    def refused(self, challenger: str, reason: str) -> None:
        self.refusals.append((challenger, reason))

    def kinds(self, game: str) -> list[str]:
        return [type(event).__name__ for event in self.events[game]]


class Table:
    """A stand-in, a connected client and one opponent."""

    def __init__(self, stand_in: StandIn, server: LichessServer, host: Host) -> None:
        self.stand_in, self.server, self.host = stand_in, server, host
        self.bot = stand_in.named("Sparring")
        self.ann = stand_in.register("Ann", title="", rating=1400)

    def game(self, terms: GameTerms = OTHELLO, *, is_our_move: bool = True) -> StandInGame:
        players = (self.bot, self.ann) if is_our_move else (self.ann, self.bot)
        return self.stand_in.start(self.stand_in.identity(), players, terms)

    async def act(self, game: StandInGame, action: actions.ServerAction) -> None:
        await self.server.act(game.id, action)

    async def until(self, condition: Callable[[], object], seconds: float = 20.0) -> None:
        async with asyncio.timeout(seconds):
            while not condition():
                await asyncio.sleep(0.01)

    async def heard(self, game: StandInGame, kind: type[Event], count: int = 1) -> Event:
        """Waits for the n-th event of a kind and returns it."""

        def found() -> list[Event]:
            return [each for each in self.host.events[game.id] if isinstance(each, kind)]

        await self.until(lambda: len(found()) >= count)
        return found()[count - 1]

    def posts(self, word: str) -> int:
        return sum(word in line for line in self.stand_in.requests)


def options_of(stand_in: StandIn, rules: ChallengeRules, link: LinkPolicy) -> LichessOptions:
    return LichessOptions(stand_in.server, stand_in.url, TOKEN, rules, 4, link, QUICK)


@asynccontextmanager
async def table(
    server: str = "lichess",
    *,
    rules: ChallengeRules | None = None,
    link: LinkPolicy = LINK,
    chances: FaultChances | None = None,
) -> AsyncIterator[Table]:
    async with StandIn(SERVERS[server], chances).running() as stand_in:
        stand_in.register("Sparring")
        host = Host()
        client = LichessServer(options_of(stand_in, rules or ChallengeRules(), link), host)

        async def run() -> None:
            while True:
                with suppress(LineLostError):
                    await client.run()
                await asyncio.sleep(0.02)

        result = Table(stand_in, client, host)
        task = asyncio.create_task(run())
        try:
            await result.until(lambda: "Sparring" in stand_in.event_streams)
            yield result
            assert stand_in.breaches == []
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
            await client.close()
