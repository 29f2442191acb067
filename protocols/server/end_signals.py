"""The end of a server by SIGINT or SIGTERM."""

from __future__ import annotations

import asyncio
import signal


def end_event() -> asyncio.Event:
    """Returns an event of the running event loop; from now on either signal sets it."""
    event, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, event.set)
    return event
