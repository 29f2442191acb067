"""Our bot on the stand-in: the service, the client and a running engine in one loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace

from bots.common_rows import ServiceSettings
from bots.engine_connection import EngineAddress
from bots.engine_session import PlayOptions
from bots.game_memory import GameMemory
from bots.game_policy import GamePolicy
from bots.lichess.api_client import ClientPolicy
from bots.lichess.challenge_rules import ChallengeRules
from bots.lichess.game_link import LinkPolicy
from bots.lichess.request_queue import RatePolicy
from bots.lichess.server import LichessOptions, LichessServer
from bots.metrics import BotMetrics
from bots.service import BotService
from tests.bots.lichess.stand_in.server import StandIn

# The waits of tests: a second stands for twenty.
QUICK = ClientPolicy(
    answer_seconds=1.0,
    silence_seconds=1.0,
    tries=5,
    retry_seconds=0.02,
    rates=RatePolicy(least=0.3, most=2.0),
)
LINK = LinkPolicy(
    abort_seconds=20.0,
    retry_seconds=0.02,
    most_retry_seconds=0.5,
    claim_again_seconds=0.1,
    linger_seconds=0.2,
)
POLICY = GamePolicy(
    confirm_seconds=1.5,
    greeting="Hello. I adapt to your level; say help for what you can ask me.",
    farewell="Thank you for the game.",
    most_undos=2,
)


@asynccontextmanager
async def bot_on(
    stand_in: StandIn,
    socket: str,
    *,
    rules: ChallengeRules | None = None,
    games: int = 4,
    visits: int = 2,
    link: LinkPolicy = LINK,
    policy: GamePolicy = POLICY,
    persona: str | None = None,
) -> AsyncIterator[BotService]:
    """Runs the bot while the block runs."""
    settings = ServiceSettings(
        address=EngineAddress(socket),
        play=PlayOptions(persona=persona, visits=visits),
        policy=policy,
        most_games=games,
        reconnect_seconds=0.05,
        longest_reconnect_seconds=0.5,
        metrics_port=None,
    )
    service = BotService(settings, GameMemory(None), BotMetrics())
    options = LichessOptions(
        stand_in.server,
        stand_in.url,
        "token-of-Sparring",
        rules or ChallengeRules(limit=(0.0, 10_800.0)),
        games,
        replace(link),
        QUICK,
    )
    task = asyncio.create_task(service.run(LichessServer(options, service)))
    try:
        yield service
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
