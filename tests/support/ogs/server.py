"""A stand-in for OGS: its start and end, its games, and the websocket at /.

It is written from online-go/goban (src/engine/protocol) and from what online-go/gtp2ogs sends and
expects. One account is the bot's; the opponents live inside the server.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import WSMsgType, web

from tests.support.ogs.board import Refused, Wanted
from tests.support.ogs.challenges import BOT, KEY, Challenge, RestInterface
from tests.support.ogs.faults import Faults
from tests.support.ogs.online_game import Account, OnlineGame

TICK = 0.05  # seconds between two looks at the clocks


class Connection:
    """One websocket of a client, with the faults of its line."""

    def __init__(self, socket: web.WebSocketResponse, request: web.Request, faults: Faults) -> None:
        self.is_authenticated = False
        self.watched: set[int] = set()
        self._socket = socket
        self._request = request
        self._faults = faults
        self._queue: asyncio.Queue[str] = asyncio.Queue()

    def send(self, *frame: Any) -> None:
        """Sends a frame; the line may lose, double or delay it."""
        text = json.dumps(frame)
        if self._faults.happens("drop"):
            if self._faults.delay() < self._faults.longest_delay / 2:
                self._queue.put_nowait(text)
            self.drop()
        elif self._faults.happens("late"):
            asyncio.get_running_loop().call_later(
                self._faults.delay(), self._queue.put_nowait, text
            )
        else:
            for _ in range(2 if self._faults.happens("twice") else 1):
                self._queue.put_nowait(text)

    def drop(self) -> None:
        """Ends the line without a word, once what was sent has left."""
        self._queue.put_nowait("")

    async def write(self) -> None:
        """Writes the frames until the line ends."""
        while text := await self._queue.get():
            await self._socket.send_str(text)
        if self._request.transport is not None:
            self._request.transport.abort()


@dataclass
class Journal:
    """What the bot did, for the tests."""

    commands: Counter[str] = field(default_factory=Counter)
    refused: list[str] = field(default_factory=list)  # "game command: reason"
    connections: int = 0
    configs: list[dict[str, Any]] = field(default_factory=list)
    statuses: list[dict[str, Any]] = field(default_factory=list)
    deleted_notifications: list[str] = field(default_factory=list)
    friends: list[int] = field(default_factory=list)
    latencies: list[dict[str, Any]] = field(default_factory=list)


class OgsStandIn:
    """The server."""

    def __init__(
        self, faults: Faults | None = None, *, seed: int = 0, ahead: float = 100.0, port: int = 0
    ) -> None:
        self.ahead = ahead  # seconds
        self.faults = faults or Faults()
        self.random = random.Random(seed)
        self.journal = Journal()
        self.games: dict[int, OnlineGame] = {}
        self.challenges: dict[int, Challenge] = {}
        self.offers: list[Challenge] = []  # of the bot to others; `begin` accepts one
        self.accounts: dict[int, Account] = {BOT.id: BOT}
        self.connections: set[Connection] = set()
        self.tasks: set[asyncio.Task[None]] = set()
        self.port = port  # 0: any
        self._runner: web.AppRunner | None = None
        self._numbers = iter(range(1000, 10**9))

    # ---- Start and end

    async def __aenter__(self) -> OgsStandIn:
        app = web.Application()
        app.router.add_get("/", self._talk)
        RestInterface(self).add_routes(app.router)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self.port)
        await site.start()
        self.port = self._runner.addresses[0][1]
        self.start(self._tick())
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        if self._runner is not None:
            await self._runner.cleanup()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self, work: Any) -> None:
        """Runs a coroutine until the server ends."""
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def now(self) -> float:
        """The server's time in milliseconds; its clock goes before the bot's."""
        return (time.time() + self.ahead) * 1000

    # ---- Challenges and games

    def numbers(self) -> tuple[int, int]:
        """Returns the next identities of a challenge and of its game."""
        return next(self._numbers), next(self._numbers)

    def challenge(
        self,
        challenger: Account,
        wanted: Wanted,
        *,
        bot_color: int = 0,
        handicap: int | None = None,
        on_start: Callable[[OnlineGame], None] = lambda _: None,
    ) -> Challenge:
        """Challenges the bot; on_start is called with the game once it accepts."""
        self.accounts[challenger.id] = challenger
        made = Challenge(*self.numbers(), challenger, wanted, bot_color, on_start, handicap)
        self.challenges[made.id] = made
        self.tell("notification", made.notification())
        return made

    def tell(self, event: str, data: object) -> None:
        """Sends an event to the bot."""
        for connection in self.connections:
            if connection.is_authenticated:
                connection.send(event, data)

    def tell_of_game(self, game: OnlineGame, event: str, data: object) -> None:
        """Sends an event of a game to all who watch it."""
        if event == "gamedata":
            data = game.state(self.now())
        watching = [each for each in self.connections if game.id in each.watched]
        for connection in watching:
            connection.send(f"game/{game.id}/{event}", data)
        if event == "phase":
            self.tell("active_game", game.entry())

    def begin(self, challenge: Challenge) -> OnlineGame:
        """Starts the game of a challenge."""
        pair = (BOT, challenge.challenger)
        accounts = pair if challenge.bot_color == 0 else pair[::-1]
        game = OnlineGame(
            challenge.game_id,
            accounts,
            challenge.wanted,
            self.now(),
            lambda event, data: self.tell_of_game(game, event, data),
        )
        self.games[game.id] = game
        self.tell("active_game", game.entry())
        challenge.on_start(game)
        return game

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(TICK)
            for game in list(self.games.values()):
                game.check_time(self.now())

    # ---- The websocket

    async def _talk(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        connection = Connection(socket, request, self.faults)
        self.connections.add(connection)
        self.journal.connections += 1
        writer = asyncio.get_running_loop().create_task(connection.write())
        try:
            async for message in socket:
                if message.type is WSMsgType.TEXT:
                    self._receive(connection, message.data)
        finally:
            self.connections.discard(connection)
            writer.cancel()
        return socket

    def _receive(self, connection: Connection, text: str) -> None:
        command, data, request = [*json.loads(text), None, None][:3]
        self.journal.commands[command] += 1
        if self.faults.happens("drop") and connection.is_authenticated:
            connection.drop()
            if self.random.random() < 0.5:
                return  # the frame was lost with the line
        handler = COMMANDS.get(command)
        if handler is not None:
            handler(self, connection, data, request)
        elif command in GAME_COMMANDS:
            self._game_command(connection, command, data)

    def _game_command(self, connection: Connection, command: str, data: dict[str, Any]) -> None:
        game = self.games.get(data["game_id"])
        if game is None or not connection.is_authenticated:
            return
        try:
            GAME_COMMANDS[command](self, game, data)
        except Refused as refused:
            self.journal.refused.append(f"{data['game_id']} {command}: {refused}")
            connection.send(f"game/{data['game_id']}/error", str(refused))

    def _authenticate(self, connection: Connection, data: dict[str, Any], request: int) -> None:
        if data.get("bot_apikey") != KEY:
            connection.send(request, None)
            return
        connection.is_authenticated = True
        connection.send(request, {"id": BOT.id, "username": BOT.username})
        for game in self.games.values():
            if not game.is_over:
                connection.send("active_game", game.entry())
        for challenge in self.challenges.values():
            if not challenge.is_answered:
                connection.send("notification", challenge.notification())

    def _ping(self, connection: Connection, data: dict[str, Any], _: int | None) -> None:
        connection.send("net/pong", {"client": data["client"], "server": self.now()})

    def _configure(self, _: Connection, data: dict[str, Any], __: int | None) -> None:
        self.journal.configs.append(data)

    def _note_status(self, _: Connection, data: dict[str, Any], __: int | None) -> None:
        self.journal.statuses.append(data)

    def _delete(self, connection: Connection, data: dict[str, Any], request: int | None) -> None:
        self.journal.deleted_notifications.append(data["notification_id"])
        if request is not None:
            connection.send(request, {"success": True})

    def _note_latency(self, _: Connection, data: dict[str, Any], __: int | None) -> None:
        self.journal.latencies.append(data)

    def _watch(self, connection: Connection, data: dict[str, Any], _: int | None) -> None:
        game = self.games.get(data["game_id"])
        if game is None:
            return
        connection.watched.add(game.id)
        connection.send(f"game/{game.id}/gamedata", game.state(self.now()))
        for line in game.chat_log if data.get("chat") else ():
            connection.send(f"game/{game.id}/chat", line)

    def _leave(self, connection: Connection, data: dict[str, Any], _: int | None) -> None:
        connection.watched.discard(data["game_id"])


Handler = Callable[[OgsStandIn, Connection, Any, Any], None]
COMMANDS: dict[str, Handler] = {
    "authenticate": OgsStandIn._authenticate,
    "net/ping": OgsStandIn._ping,
    "bot/config": OgsStandIn._configure,
    "bot/status": OgsStandIn._note_status,
    "notification/delete": OgsStandIn._delete,
    "game/connect": OgsStandIn._watch,
    "game/disconnect": OgsStandIn._leave,
    "game/latency": OgsStandIn._note_latency,
}
GAME_COMMANDS: dict[str, Callable[[OgsStandIn, OnlineGame, dict[str, Any]], None]] = {
    "game/move": lambda s, g, d: g.play(BOT.id, d["move"], s.now()),
    "game/resign": lambda _, g, __: g.resign(BOT.id),
    "game/cancel": lambda _, g, __: g.cancel(BOT.id),
    "game/undo/request": lambda _, g, d: g.request_undo(BOT.id, d["move_number"]),
    "game/undo/accept": lambda s, g, _: g.accept_undo(BOT.id, s.now()),
    "game/undo/cancel": lambda _, g, __: g.cancel_undo(BOT.id),
    "game/pause": lambda s, g, _: g.pause(BOT.id, s.now()),
    "game/resume": lambda s, g, _: g.resume(BOT.id, s.now()),
    "game/chat": lambda s, g, d: g.chat(BOT.id, BOT.username, d, s.now()),
    "game/removed_stones/set": lambda _, g, d: g.set_removed(BOT.id, d),
    "game/removed_stones/accept": lambda _, g, d: g.accept_removed(BOT.id, d["stones"]),
    "game/removed_stones/reject": lambda s, g, _: g.reject_removed(BOT.id, s.now()),
}
