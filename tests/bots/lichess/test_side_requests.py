"""The requests of a game beside its stream."""

from __future__ import annotations

import asyncio

from bots.fields import WireError
from bots.lichess.side_requests import SideRequests


def test_a_failed_request_stops_no_other_one() -> None:
    said: list[str] = []

    async def fail() -> None:
        raise WireError("wrong")

    async def say() -> None:
        await asyncio.sleep(0)
        said.append("a word")

    async def scenario() -> None:
        side = SideRequests("g")
        side.begin(fail)
        side.begin(say)
        await side.finish()

    asyncio.run(scenario())
    assert said == ["a word"]


def test_a_timer_is_replaced_kept_and_stopped() -> None:
    said: list[str] = []

    async def scenario() -> None:
        side = SideRequests("g")

        def saying(word: str) -> None:
            async def say() -> None:
                await asyncio.sleep(0.01)
                said.append(word)

            side.start_timer("a", say, is_kept=word == "later")

        saying("first")
        saying("second")
        saying("later")
        await asyncio.sleep(0.1)
        saying("stopped")
        side.stop_timer("a")
        side.stop_timer("unknown")
        saying("cancelled")
        side.cancel()
        await asyncio.sleep(0.1)

    asyncio.run(scenario())
    assert said == ["second"]
