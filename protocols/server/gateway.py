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
from dataclasses import dataclass
from pathlib import Path

from websockets.asyncio.server import ServerConnection

from engine.errors import SettingError
from engine.games.game_settings import USUAL_GO, GoSettings, settings_from_options
from engine.personas import USUAL
from engine.play.network_pool import NetworkPool
from protocols.conversation import ClientRequest, Protocols, folder_named, speak
from protocols.inbox import Inbox
from protocols.lines import END, LineSplitter
from protocols.outbox import Outbox
from protocols.rights import Rights
from protocols.server import client
from protocols.server.connections import (
    KEEPALIVE,
    Connection,
    StreamConnection,
    WebSocketConnection,
)
from protocols.server.first_line import FirstLineError, first_bytes
from protocols.server.hang_ups import HangUps
from protocols.server.silent_connections import SilentConnections

log = logging.getLogger("sparring")

GREETING_SECONDS = 30.0  # longest wait for a client's first line
STOPPING_SECONDS = 4.0
IDLE_SECONDS = 24 * 3600.0
MOST_WAITING = 256


@dataclass(frozen=True)
class Limits:
    """The limits for clients of TCP ports."""

    token: bytes | None = None  # sent by a client first; None: none is required
    idle_seconds: float = IDLE_SECONDS  # silence after which a connection is closed
    first_line_seconds: float = GREETING_SECONDS  # longest wait for a client's first line
    most_waiting: int = MOST_WAITING  # most connections of a protocol without a first line


NO_TOKEN = Limits()


class Gateway:
    """All connections of one server. For the event loop's thread."""

    def __init__(
        self,
        pool: NetworkPool,
        protocols: Protocols,
        limits: Limits = NO_TOKEN,
        game_settings: GoSettings = USUAL_GO,
    ) -> None:
        self._pool = pool
        self._game_settings = game_settings  # Go's rules and komi, where a client names none
        self._protocols = protocols
        self._limits = limits
        self.token = limits.token
        self._silent = {  # by protocol
            protocol: SilentConnections(limits.most_waiting) for protocol in ("gtp", "analysis")
        }
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
            request = self._read_greeting(first)
        except (TimeoutError, ConnectionError, asyncio.IncompleteReadError):
            await connection.close()
        except (ValueError, OSError, asyncio.LimitOverrunError) as error:
            await self._refuse(connection, json.dumps({"error": str(error)}).encode() + b"\n")
        else:
            await self._track(connection, request)

    def _read_greeting(self, line: bytes) -> ClientRequest:
        """Returns the request of a client's first line; raises ValueError on a malformed one."""
        try:
            greeting = json.loads(line)
            protocol, options = greeting["protocol"], greeting.get("options", {})
            texts = {name: options.get(name) for name in client.TEXT_OPTIONS}
            flags = {name: bool(options.get(name)) for name in client.FLAGS}
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise SettingError('the first line is not {"protocol": ..., "options": ...}') from error
        if wrong := [value for value in texts.values() if not is_text(value)]:
            raise SettingError(f"options are texts, not {wrong[0]!r}")
        if not isinstance(protocol, str) or protocol not in self._protocols:
            raise SettingError(f"unknown protocol {protocol!r}: one of {list(self._protocols)}")
        folder, overrides = texts.pop("folder"), texts.pop("override_config") or ""
        named, opponent = texts.pop("game") or "", texts.pop("opponent") or ""
        persona, personas = texts.pop("persona") or USUAL, texts.pop("personas")
        game_settings = settings_from_options(
            texts.pop("rules"), texts.pop("komi"), self._game_settings
        )
        row = self._protocols[protocol]
        board = row.board_named(named) if named else row.board
        return ClientRequest(
            protocol,
            self._pool.choose(game=board.game, **texts),
            answer=True,
            rights=Rights(
                is_user=True,
                folder=Path(folder) if folder else None,
                personas=folder_named(personas),
            ),
            overrides=overrides,
            finish=not flags["quit_without_waiting"],
            game=named,
            board=board,
            persona=persona,
            points=flags["points"],
            as_katago=flags["as_katago"],
            opponent=opponent,
            game_settings=game_settings,
        )

    async def gtp(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serves one GTP client of a TCP port, from its first line on."""
        connection = StreamConnection(reader, writer, self._hang_ups)
        try:
            with connection.socket() as raw:
                for option in KEEPALIVE:
                    raw.setsockopt(*option)
            async with self._silent["gtp"].wait(self._limits.first_line_seconds):
                connection.begun = await first_bytes(reader, self._limits.token)
        except FirstLineError as error:
            log.info("gtp: refused: %s", str(error).strip())
            await self._refuse(connection, error.answer)
        except (OSError, TimeoutError):
            await connection.close()
        else:
            await self._serve_guest(
                connection, ClientRequest("gtp", game_settings=self._game_settings)
            )

    async def analysis(self, websocket: ServerConnection) -> None:
        """Serves one analysis client of the WebSocket, from its first frame on."""
        connection = WebSocketConnection(websocket)
        try:
            async with self._silent["analysis"].wait(self._limits.idle_seconds):
                connection.begun = await connection.receive()
        except TimeoutError:
            await connection.close()
        else:
            await self._serve_guest(connection, ClientRequest("analysis", finish=False))

    async def _serve_guest(
        self, connection: StreamConnection | WebSocketConnection, request: ClientRequest
    ) -> None:
        if connection.begun:
            await self._track(connection, request)
        else:
            await connection.close()

    async def _refuse(self, connection: Connection, answer: bytes) -> None:
        with suppress(OSError):
            await connection.send([answer])
        await connection.close()

    async def _track(self, connection: Connection, request: ClientRequest) -> None:
        task = asyncio.create_task(self._attend(connection, request), name=request.protocol)
        self._tasks.add(task)
        log.info("%s: a client connected", request.protocol)
        await asyncio.wait([task])
        self._tasks.discard(task)
        log.info("%s: a client disconnected", request.protocol)
        if not task.cancelled():  # `stop` cancels late tasks
            task.result()

    async def _attend(self, connection: Connection, request: ClientRequest) -> None:
        """Carries bytes between `connection` and the client's thread, until that thread is done."""
        loop = asyncio.get_running_loop()
        room, work = asyncio.Event(), asyncio.Event()
        inbox = Inbox(on_room=waker(loop, room))
        outbox = Outbox(wake=waker(loop, work))
        thread = threading.Thread(
            target=speak,
            args=(self._pool, self._protocols, request, inbox, outbox),
            name=request.protocol,
            daemon=True,
        )
        self._inboxes.add(inbox)
        tasks = [
            asyncio.create_task(read_lines(connection, request, inbox, room), name="reading"),
            asyncio.create_task(abandon_when_gone(connection, inbox), name="watching"),
        ]
        if not request.rights.is_user:
            idle = abandon_when_idle(connection, inbox, self._limits.idle_seconds)
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


def is_text(value: object) -> bool:
    """Whether an option is absent, or a text without NUL characters and lone surrogates."""
    if not isinstance(value, str):
        return value is None
    return "\0" not in value and not any("\ud800" <= character <= "\udfff" for character in value)


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
