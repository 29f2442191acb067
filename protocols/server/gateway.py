"""All clients of one server: a thread speaks with each, the event loop carries the bytes.

The greeting on the Unix socket is described in protocols/cli/gui.py. There the client's input ends
with a line of its own; a closed connection abandons the client's searches.
"""

from __future__ import annotations

import asyncio
import json
import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass, replace

from websockets.asyncio.server import ServerConnection

from engine.errors import SettingError
from engine.play.network_pool import NetworkPool
from protocols.activity import CURRENT, Activity
from protocols.conversation import (
    ClientDefaults,
    ClientRequest,
    Protocols,
    speak,
)
from protocols.inbox import Inbox
from protocols.lines import END, LineSplitter
from protocols.outbox import Outbox
from protocols.saved_sessions import SavedSessions
from protocols.server import client
from protocols.server.connections import (
    KEEPALIVE,
    Connection,
    StreamConnection,
    WebSocketConnection,
)
from protocols.server.first_line import FirstLineError, first_bytes
from protocols.server.greeting import is_greeting, is_status, read_greeting, read_guests_greeting
from protocols.server.guest_cookie import secret_of
from protocols.server.hang_ups import HangUps
from protocols.server.page_files import is_of_page
from protocols.server.silent_connections import SilentConnections
from protocols.server.statistics import Statistics
from protocols.server.status import status
from protocols.server.usual_limits import IDLE_HOURS

log = logging.getLogger("sparring")

GREETING_SECONDS = 30.0  # longest wait for a client's first line
STOPPING_SECONDS = 4.0
IDLE_SECONDS = 3600 * IDLE_HOURS
MOST_WAITING = 256


@dataclass(frozen=True)
class Limits:
    """The limits for clients of TCP ports."""

    token: bytes | None = None  # sent by a client first; None: none is required
    idle_seconds: float = IDLE_SECONDS  # silence after which a connection is closed
    first_line_seconds: float = GREETING_SECONDS  # longest wait for a client's first line
    most_waiting: int = MOST_WAITING  # most connections of a protocol without a first line
    client_sessions: int | None = None  # most conversations of one address; None: no such limit


NO_TOKEN = Limits()


class Gateway:
    """All connections of one server. For the event loop's thread."""

    def __init__(
        self,
        pool: NetworkPool,
        protocols: Protocols,
        limits: Limits = NO_TOKEN,
        defaults: ClientDefaults | None = None,
        sessions: SavedSessions | None = None,
    ) -> None:
        self._pool = pool
        self.defaults = defaults or ClientDefaults()  # of new clients; may be replaced
        self._protocols = protocols
        self._sessions = sessions  # None: no conversation is saved
        self.limits = limits  # of new clients; may be replaced
        self.token = limits.token
        self._silent = {  # by protocol
            protocol: SilentConnections(limits.most_waiting)
            for protocol in ("gtp", "analysis", "page")
        }
        self.statistics = Statistics()
        self._hang_ups = HangUps()
        self._inboxes: set[Inbox] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def greeted(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serves one client of the Unix socket, from its greeting on."""
        connection = StreamConnection(reader, writer, self._hang_ups)
        try:
            async with asyncio.timeout(GREETING_SECONDS):
                first = await reader.readuntil(b"\n")
            with connection.socket() as raw:
                if not client.is_trusted(raw):
                    raise SettingError("this engine is another user's")
            if is_status(first):
                text = json.dumps(status(self._pool, self.statistics)) + "\n"
                await self._refuse(connection, text.encode())
                return
            request = read_greeting(
                first, self._pool, self._protocols, self.defaults, self._sessions
            )
        except (TimeoutError, ConnectionError, asyncio.IncompleteReadError):
            await connection.close()
        except (ValueError, OSError, asyncio.LimitOverrunError) as error:
            await self._refuse(connection, json.dumps({"error": str(error)}).encode() + b"\n")
        else:
            await self._track(connection, request)

    async def gtp(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serves one GTP client of a TCP port, from its first line on."""
        connection = StreamConnection(reader, writer, self._hang_ups)
        try:
            with connection.socket() as raw:
                for option in KEEPALIVE:
                    raw.setsockopt(*option)
            async with self._silent["gtp"].wait(self.limits.first_line_seconds):
                connection.begun = await first_bytes(reader, self.limits.token)
        except FirstLineError as error:
            self.statistics.refused("gtp")
            log.info("gtp: %s refused: %s", connection.client, str(error).strip())
            await self._refuse(connection, error.answer)
        except (OSError, TimeoutError):
            await connection.close()
        else:
            await self._serve_guest(connection, self._guests("gtp"))

    async def websocket(self, websocket: ServerConnection) -> None:
        """Serves one client of the WebSocket, from its first frame on: a page, or analysis."""
        connection = WebSocketConnection(websocket)
        request = replace(self._guests("analysis"), finish=False)
        if websocket.request is not None and is_of_page(websocket.request):
            request = replace(request, protocol="page", guest=secret_of(websocket.request))
        try:
            async with self._silent[request.protocol].wait(self.limits.idle_seconds):
                connection.begun = await connection.receive()
        except TimeoutError:
            await connection.close()
        else:
            await self._serve_guest(connection, request)

    async def _serve_guest(
        self, connection: StreamConnection | WebSocketConnection, request: ClientRequest
    ) -> None:
        if not connection.begun:
            await connection.close()
            return
        first, _, rest = connection.begun.partition(b"\n")
        if request.protocol != "page" and is_greeting(first):
            try:
                request = read_guests_greeting(first, self._pool, self._protocols, request)
            except (ValueError, OSError) as error:
                self.statistics.refused(request.protocol)
                await self._refuse(connection, json.dumps({"error": str(error)}).encode() + b"\n")
                return
            connection.begun = rest
            if isinstance(connection, WebSocketConnection):
                connection.keeps_ends = request.protocol == "gtp"
        most = self.limits.client_sessions
        if most is not None and self._sessions_of(connection.client) >= most:
            self.statistics.refused(request.protocol)
            text = f"this address has {most} conversations already, the most of one client"
            log.info("%s: %s refused: %s", request.protocol, connection.client, text)
            answer = self._protocols[request.protocol].refuse(text)
            await self._refuse(connection, answer.encode())
            return
        await self._track(connection, request)

    def _guests(self, protocol: str) -> ClientRequest:
        """Returns the request of a guest without a greeting."""
        return ClientRequest(protocol, defaults=self.defaults, sessions=self._sessions)

    def _sessions_of(self, client_address: str) -> int:
        """Returns the number of conversations from the host of an address."""
        host = client_address.rpartition(":")[0]
        return sum(each.client.rpartition(":")[0] == host for each in self.statistics.activities())

    async def _refuse(self, connection: Connection, answer: bytes) -> None:
        """Sends the only answer of a connection, and closes it."""
        with suppress(OSError):
            await connection.send([answer])
        await connection.close()

    async def _track(self, connection: Connection, request: ClientRequest) -> None:
        activity = Activity(request.protocol, connection.client)
        CURRENT.set(activity)
        task = asyncio.create_task(self._attend(connection, request), name=request.protocol)
        self._tasks.add(task)
        self.statistics.begin(activity)
        log.info("%s: %s connected", request.protocol, activity.client)
        await asyncio.wait([task])
        self._tasks.discard(task)
        self.statistics.end(activity)
        log.info("%s: %s disconnected", request.protocol, activity.client)
        if not task.cancelled():  # `stop` cancels late tasks
            task.result()

    async def _attend(self, connection: Connection, request: ClientRequest) -> None:
        """Carries bytes between `connection` and the client's thread, until that thread is done."""
        loop = asyncio.get_running_loop()
        room, work = asyncio.Event(), asyncio.Event()
        inbox = Inbox(on_room=waker(loop, room))
        outbox = Outbox(wake=waker(loop, work))
        thread = threading.Thread(
            target=copy_context().run,
            args=(speak, self._pool, self._protocols, request, inbox, outbox),
            name=request.protocol,
            daemon=True,
        )
        self._inboxes.add(inbox)
        tasks = [
            asyncio.create_task(read_lines(connection, request, inbox, room), name="reading"),
            asyncio.create_task(abandon_when_gone(connection, inbox), name="watching"),
        ]
        if not request.rights.is_user:
            idle = abandon_when_idle(connection, inbox, self.limits.idle_seconds)
            tasks.append(asyncio.create_task(idle, name="idle"))
        thread.start()
        try:
            await send_all(connection, outbox, work)
        except OSError as error:
            log.info("%s: connection lost: %s", request.protocol, error)
        finally:
            inbox.abandon()
            outbox.close()
            for task in tasks:
                task.cancel()
            self._inboxes.discard(inbox)
            await connection.close()
        await asyncio.to_thread(thread.join, STOPPING_SECONDS)

    async def stop(self) -> None:
        """Stops all searches, then closes the connections left after STOPPING_SECONDS."""
        for inbox in self._inboxes:
            inbox.abandon()
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=STOPPING_SECONDS)
            for task in late:
                task.cancel()


def waker(loop: asyncio.AbstractEventLoop, event: asyncio.Event) -> Callable[[], None]:
    """Returns a function that sets `event` from any thread, without effect on an ended loop."""

    def wake() -> None:
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(event.set)

    return wake


async def read_lines(
    connection: Connection, request: ClientRequest, inbox: Inbox, room: asyncio.Event
) -> None:
    """Fills `inbox` until the client's input ends, and pauses while the inbox is full."""
    splitter = LineSplitter()
    is_lost = False
    try:
        while data := await connection.receive():
            lines = splitter.feed(data)
            room.clear()
            if request.answer and END in lines:
                inbox.put(lines[: lines.index(END)])
                inbox.close()
            elif not inbox.put(lines):
                await room.wait()
    except OSError:
        is_lost = True
    if is_lost or request.answer or not request.finish:
        inbox.abandon()
    else:
        inbox.put(splitter.finish())
        inbox.close()


async def abandon_when_gone(connection: Connection, inbox: Inbox) -> None:
    """Stops the searches of a client once it closes, even while its inbox is full."""
    await connection.gone()
    inbox.abandon()


async def abandon_when_idle(connection: Connection, inbox: Inbox, seconds: float) -> None:
    """Ends a connection after `seconds` without a byte in either direction."""
    while (left := connection.active + seconds - time.monotonic()) > 0:
        await asyncio.sleep(left)
    inbox.abandon()


async def send_all(connection: Connection, outbox: Outbox, work: asyncio.Event) -> None:
    """Empties `outbox` until it is closed; raises OSError when the client is gone."""
    while True:
        closed = outbox.closed  # before taking: parts put in before closing are not lost
        if parts := outbox.take():
            await connection.send(parts)
            outbox.sent(sum(map(len, parts)))
        elif closed:
            return
        else:
            await work.wait()
            work.clear()
