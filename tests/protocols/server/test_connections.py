"""The connections of TCP and WebSocket clients."""

from __future__ import annotations

import asyncio
import socket

import pytest
from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve

from protocols.server.connections import WebSocketConnection


def test_a_websocket_that_its_client_closed_says_so() -> None:
    async def talk() -> None:
        closed = asyncio.Event()

        async def attend(connection: ServerConnection) -> None:
            await connection.wait_closed()
            with pytest.raises(ConnectionResetError, match="the client closed it"):
                await WebSocketConnection(connection).send([b"{}\n"])
            closed.set()

        listening = socket.create_server(("127.0.0.1", 0))
        async with serve(attend, sock=listening) as server:
            port = server.sockets[0].getsockname()[1]
            async with connect(f"ws://127.0.0.1:{port}"):
                pass
            await asyncio.wait_for(closed.wait(), 10)

    asyncio.run(talk())
