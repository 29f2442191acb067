"""`sparring play`'s process: an engine where none is running, and the page's relay to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from pathlib import Path

import uvloop

from protocols.server.end_signals import end_event
from protocols.server.gateway import Gateway
from protocols.server.listeners import Addresses, listen
from protocols.server.local_engine import LocalEngine
from protocols.server.page_relay import PageRelay, new_token


def serve_page(
    engine: LocalEngine | None,
    socket: str,
    options: Mapping[str, object],
    *,
    port: int,
    on_address: Callable[[str], None],
) -> None:
    """Serves the page until SIGINT or SIGTERM; calls `on_address` once it listens.

    engine: also listens at the socket, for the page and for GUIs; None: another process does.
    options: of the page's greeting there. Raises OSError and SettingError where it cannot listen.
    """

    async def serve() -> None:
        ending = end_event()
        gateway: Gateway | None = None
        async with AsyncExitStack() as listeners:
            if engine is not None:
                gateway = Gateway(engine.pool, engine.protocols, defaults=engine.defaults)
                await listen(gateway, Addresses(unix=Path(socket)), listeners)
            relay = PageRelay(socket, options, new_token())
            on_address(await listeners.enter_async_context(relay.listen(port)))
            await ending.wait()
            if gateway is not None:
                await gateway.stop()

    uvloop.run(serve())
