"""The end of a game's runner."""

from __future__ import annotations

import asyncio
import time

from bots.actions import SendMove, ServerAction
from bots.engine_connection import EngineAddress
from bots.engine_session import EngineSession, PlayOptions
from bots.events import Event, GameEnded, LagMeasured, MoveRefused
from bots.fields import WireError
from bots.game_memory import GameMemory
from bots.game_policy import GamePolicy
from bots.game_runner import GameRunner
from bots.game_setup import OnlineResult
from bots.metrics import BotMetrics


async def no_action(_game: str, _action: ServerAction) -> None:
    pass


def test_a_move_off_the_servers_board_counts_as_refused() -> None:
    async def act(_game: str, _action: ServerAction) -> None:
        raise WireError("no point of the board")

    async def run() -> Event:
        session = EngineSession(EngineAddress("/nowhere"), PlayOptions(), GameMemory(None))
        runner = GameRunner(
            "1", GamePolicy(), session, act=act, now=lambda: 7.0, observer=BotMetrics()
        )
        await runner._carry_out(SendMove(2, "P16"))
        return runner._events.get_nowait()

    assert asyncio.run(run()) == MoveRefused(7.0, "no point of the board")


def test_a_runner_ends_by_a_cancellation_that_comes_with_an_event() -> None:
    async def run() -> None:
        session = EngineSession(EngineAddress("/nowhere"), PlayOptions(), GameMemory(None))
        runner = GameRunner(
            "1",
            GamePolicy(),
            session,
            act=no_action,
            now=time.monotonic,
            observer=BotMetrics(),
        )
        runner.tell(GameEnded(time.monotonic(), OnlineResult(None)))
        task = asyncio.create_task(runner.run())
        await asyncio.sleep(0.05)  # it waits for chat now
        runner.tell(LagMeasured(time.monotonic(), 0.1))
        await asyncio.sleep(0)
        task.cancel()
        done, _ = await asyncio.wait([task], timeout=5)
        assert done

    asyncio.run(run())
