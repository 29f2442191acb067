"""One request at a time, urgent ones first, and the full stop after a 429."""

from __future__ import annotations

import asyncio

from bots.lichess.request_queue import RatePolicy, RequestQueue


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds
        await asyncio.sleep(0)


def test_requests_run_one_at_a_time_and_urgent_ones_go_first() -> None:
    async def run() -> tuple[list[str], int]:
        clock = Clock()
        queue = RequestQueue(RatePolicy(), clock, clock.sleep)
        order: list[str] = []
        running = most = 0

        async def request(name: str) -> None:
            nonlocal running, most
            running += 1
            most = max(most, running)
            await asyncio.sleep(0.001)
            order.append(name)
            running -= 1

        def work(name: str, *, urgent: bool = False) -> asyncio.Task[None]:
            return asyncio.create_task(queue.run(lambda: request(name), is_urgent=urgent))

        tasks = [work("a"), work("b"), work("c"), work("move", urgent=True)]
        await asyncio.sleep(0)
        tasks[1].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await queue.run(lambda: request("last"))
        return order, most

    assert asyncio.run(run()) == (["a", "move", "c", "last"], 1)


def test_no_request_begins_within_a_full_minute_after_429() -> None:
    async def run() -> list[float]:
        clock = Clock()
        queue = RequestQueue(RatePolicy(), clock, clock.sleep)
        times = []

        async def limited() -> None:
            times.append(clock.now)
            queue.limited(None)

        for _ in range(3):
            await queue.run(limited)
        queue.answered()
        await queue.run(limited)
        queue.limited(900.0)
        await queue.run(limited)
        return times

    assert asyncio.run(run()) == [1000.0, 1060.0, 1180.0, 1420.0, 2320.0]


def test_a_canceled_request_leaves_the_queue_usable() -> None:
    async def run() -> None:
        clock = Clock()
        queue = RequestQueue(RatePolicy(), clock, clock.sleep)
        running = asyncio.create_task(queue.run(lambda: asyncio.sleep(60)))
        waiting = asyncio.create_task(queue.run(lambda: asyncio.sleep(0)))
        await asyncio.sleep(0)
        running.cancel()
        await asyncio.wait_for(waiting, 5)

    asyncio.run(run())
