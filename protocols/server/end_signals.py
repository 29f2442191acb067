"""The signals that end a server: SIGINT and SIGTERM."""

from __future__ import annotations

import asyncio
import signal


def end_event() -> asyncio.Event:
    """Returns an event that the signals set from now on, in the running event loop."""
    event, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, event.set)
    return event
