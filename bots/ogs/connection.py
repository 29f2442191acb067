"""The websocket to OGS: it reconnects, pings, and tells the frames one by one.

The server resumes nothing, so every new socket begins with the authentication.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass

import aiohttp

from bots.fields import WireError
from bots.ogs import frames
from bots.ogs.messages import Pong, read_message
from bots.ogs.server_time import ServerTime

LOG = logging.getLogger("sparring.bots.ogs")

# Ranges of the waits before the next socket, in seconds: those of GobanSocket, then longer ones.
WAITS = ((0.05, 0.05), (0.1, 0.3), (0.25, 0.75), (0.5, 1.5), (1, 3), (2, 6), (5, 15), (15, 45))
UNRECOVERABLE = (1014, 1015)  # codes of the end of a socket: a bad gateway, a failed handshake
STEADY_SECONDS = 30.0  # a socket of this age lets the waits begin anew


class AuthenticationError(Exception):
    """The server does not know the bot's name and key."""


@dataclass(frozen=True, slots=True)
class ConnectionPolicy:
    """Times of the connection, in seconds."""

    ping_seconds: float = 10.0
    silence_seconds: float = 30.0  # the longest silence; a pong answers each ping
    open_seconds: float = 20.0  # longest wait for a socket, and for the authentication


@dataclass(frozen=True, slots=True)
class Credentials:
    """The bot's name and key on the server. The key is in no log."""

    username: str
    key: str

    def __repr__(self) -> str:
        """Returns the name alone."""
        return f"Credentials({self.username!r})"


@dataclass(frozen=True, slots=True)
class BotAccount:
    """The bot's account, as the authentication tells it."""

    id: int
    username: str


# The parts of the bot that hear of the connection.
OnFrame = Callable[[frames.Frame], None]
OnUp = Callable[[BotAccount], Awaitable[None]]
OnDown = Callable[[], None]


class OgsConnection:
    """The connection, over any number of sockets."""

    def __init__(
        self,
        http: aiohttp.ClientSession,
        url: str,
        credentials: Credentials,
        server_time: ServerTime,
        policy: ConnectionPolicy,
    ) -> None:
        self._http, self._credentials, self._policy = http, credentials, policy
        self._url = f"ws{url.removeprefix('http').rstrip('/')}/"
        self._time = server_time
        self._socket: aiohttp.ClientWebSocketResponse | None = None
        self._requests = 0
        self._answers: dict[int, asyncio.Future[object]] = {}
        self._outgoing: asyncio.Queue[str] = asyncio.Queue()
        self.sockets = 0  # opened so far

    @property
    def is_up(self) -> bool:
        """Whether the server knows the bot on this socket."""
        return self._socket is not None

    def send(self, command: str, data: object) -> None:
        """Sends a command; without a socket it is dropped, as the state asked for later decides."""
        if self._socket is not None:
            self._outgoing.put_nowait(frames.encode(command, data))

    def drop(self) -> None:
        """Ends the present socket; the next one follows."""
        if self._socket is not None:
            self._outgoing.put_nowait("")

    async def run(self, on_frame: OnFrame, on_up: OnUp, on_down: OnDown) -> None:
        """Keeps a socket open until cancelled. Raises AuthenticationError."""
        failures = 0
        loop = asyncio.get_running_loop()
        while True:
            began = loop.time()
            try:
                await self._run_socket(on_frame, on_up)
            except (aiohttp.ClientError, TimeoutError, OSError, WireError) as error:
                LOG.warning("the connection failed: %.200r", error)
            finally:
                was_up, self._socket = self._socket is not None, None
                for answer in self._answers.values():
                    answer.cancel()
                self._answers.clear()
                if was_up:
                    on_down()
            failures = 0 if loop.time() - began > STEADY_SECONDS else failures + 1
            wait = random.uniform(*WAITS[min(failures, len(WAITS) - 1)])  # noqa: S311 -- a delay
            await asyncio.sleep(wait)

    async def _run_socket(self, on_frame: OnFrame, on_up: OnUp) -> None:
        policy = self._policy
        limit = aiohttp.ClientWSTimeout(ws_close=1.0)
        async with asyncio.timeout(policy.open_seconds):
            socket = await self._http.ws_connect(
                self._url, timeout=limit, max_msg_size=frames.LONGEST_FRAME
            )
        self.sockets += 1
        self._outgoing = asyncio.Queue()
        tasks = [asyncio.ensure_future(self._write(socket)), asyncio.ensure_future(self._ping())]
        try:
            login = asyncio.ensure_future(self._log_in(socket, on_up))
            tasks.append(login)
            while True:
                if login.done() and not login.cancelled() and (error := login.exception()):
                    raise error
                async with asyncio.timeout(policy.silence_seconds):
                    message = await socket.receive()
                if message.type is not aiohttp.WSMsgType.TEXT:
                    break
                self._take(message.data, on_frame)
            self._note_end(socket)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            with suppress(aiohttp.ClientError, OSError):
                await socket.close()

    def _note_end(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        level = logging.ERROR if socket.close_code in UNRECOVERABLE else logging.INFO
        LOG.log(level, "the server ended the socket with code %s", socket.close_code)

    async def _log_in(self, socket: aiohttp.ClientWebSocketResponse, on_up: OnUp) -> None:
        """Authenticates; a failure ends the socket, and its error is raised there."""
        data = {
            "jwt": "",
            "bot_username": self._credentials.username,
            "bot_apikey": self._credentials.key,
        }
        try:
            async with asyncio.timeout(self._policy.open_seconds):
                answer = await self._request("authenticate", data)
            account = self._account_of(answer)
            self._socket = socket
            await on_up(account)
        except BaseException:
            self._outgoing.put_nowait("")
            raise

    def _account_of(self, answer: object) -> BotAccount:
        if not isinstance(answer, dict) or not isinstance(answer.get("id"), int):
            raise AuthenticationError(f"the server refuses the bot {self._credentials!r}")
        return BotAccount(answer["id"], str(answer.get("username"))[:200])

    async def _request(self, command: str, data: object) -> object:
        """Sends a command with a number and returns its answer."""
        self._requests += 1
        answer: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        self._answers[self._requests] = answer
        self._outgoing.put_nowait(frames.encode(command, data, self._requests))
        return await answer

    async def _write(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        while text := await self._outgoing.get():
            await socket.send_str(text)
        await socket.close()

    async def _ping(self) -> None:
        while True:
            self._outgoing.put_nowait(frames.encode("net/ping", self._time.ping()))
            await asyncio.sleep(self._policy.ping_seconds)

    def _take(self, text: str, on_frame: OnFrame) -> None:
        """Takes one frame; one of the wrong shape is logged and harms nothing else."""
        try:
            frame = frames.decode(text)
            if isinstance(frame.event, int):
                answer = self._answers.pop(frame.event, None)
                if answer is not None and not answer.done():
                    answer.set_result(frame.data)
                return
            if frame.event == "net/pong":
                pong = read_message(frame.event, frame.data)
                if isinstance(pong, Pong):
                    self._time.take(pong)
        except WireError as error:
            LOG.warning("a bad frame: %s", error)
            return
        on_frame(frame)
