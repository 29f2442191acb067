"""The watch for clients that close their connections."""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress

from protocols.server.hang_ups import HangUps


def test_a_close_is_noticed_though_bytes_are_unread_and_a_number_is_used_again() -> None:
    async def watch() -> None:
        hang_ups = HangUps()
        first, client = socket.socketpair()
        number = first.fileno()
        stale = asyncio.create_task(hang_ups.wait(number))
        await asyncio.sleep(0.05)
        first.close()
        second, other = socket.socketpair()
        assert second.fileno() == number
        watched = asyncio.create_task(hang_ups.wait(number))
        await asyncio.sleep(0.05)
        stale.cancel()
        with suppress(asyncio.CancelledError):
            await stale
        other.sendall(b"unread")
        await asyncio.sleep(0.05)
        assert not watched.done()
        other.close()
        await asyncio.wait_for(watched, 5)
        client.close()
        second.close()

    asyncio.run(watch())
