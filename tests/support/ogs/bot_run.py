"""The OGS bot with its service, in one process with the stand-in, at a running engine."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from bots.common_rows import COMMON_ROWS
from bots.configuration import read_configuration
from bots.game_memory import GameMemory
from bots.metrics import BotMetrics
from bots.ogs import server as module
from bots.service import BotService
from tests.support.ogs.challenges import BOT, KEY
from tests.support.ogs.server import OgsStandIn

SPEEDS = ("blitz", "rapid", "live", "correspondence")
CONFIGURATION = """
[engine]
socket = "{socket}"
persona = "{persona}"
visits = 2
[games]
concurrent = 100
greeting = "Hello, I adapt to your level."
farewell = "Thank you for the game."
undos = 3
most_pause_seconds = 2
[connection]
reconnect_seconds = 0.1
longest_reconnect_seconds = 0.2
[ogs]
url = "{url}"
username = "{username}"
key_file = "{key_file}"
[challenges]
board_sizes = "all"
"""
SPEED = """
[{speed}]
concurrent = 100
systems = ["fischer", "byoyomi", "canadian", "simple", "absolute", "none"]
initial_time = [0, 1e6]
time_increment = [0, 1e6]
max_time = [0, 1e6]
main_time = [0, 1e6]
period_time = [0, 1e6]
per_move = [0, 1e6]
total_time = [0, 1e6]
"""


@asynccontextmanager
async def bot_on(
    stand_in: OgsStandIn, socket: Path, folder: Path, *, persona: str = "even", more: str = ""
) -> AsyncIterator[BotService]:
    """Runs the bot at the stand-in; more: sections of the configuration."""
    key = folder / "key"
    key.touch(mode=0o600)
    key.write_text(KEY)
    text = CONFIGURATION.format(
        socket=socket, persona=persona, url=stand_in.url, username=BOT.username, key_file=key
    )
    path = folder / "ogs.toml"
    path.write_text(text + "".join(SPEED.format(speed=speed) for speed in SPEEDS) + more)
    configuration = read_configuration(path, (*COMMON_ROWS, *module.ROWS), {})
    settings = module.settings_of(configuration)
    service = BotService(settings, GameMemory(folder / "games"), BotMetrics())
    running = asyncio.create_task(service.run(module.open_server(configuration, settings, service)))
    try:
        yield service
    finally:
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running
