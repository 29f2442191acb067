"""The websocket to OGS: it authenticates, pings, and passes the frames on one by one.

The server resumes nothing: every new socket begins with the authentication.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import aiohttp

from bots.fields import WireError
from bots.http_answers import reason
from bots.ogs import frames
from bots.ogs.messages import Pong, read_message
from bots.ogs.server_time import ServerTime
from bots.server import LineLostError, LoginRefusedError

log = logging.getLogger("sparring.bot")

MOST_EARLY = 10_000  # events kept until the authentication is answered


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


OnFrame = Callable[[frames.Frame], None]
OnUp = Callable[[BotAccount], None]


class OgsConnection:
    """One socket after the other; `run` is called for each."""

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
        self._is_up = False  # the server knows the bot on this socket
        self._requests = 0
        self._answers: dict[int, asyncio.Future[object]] = {}
        self._outgoing: asyncio.Queue[str] = asyncio.Queue()
        self._early: list[frames.Frame] = []  # events before the answer to the authentication

    def send(self, command: str, data: object) -> None:
        """Sends a command. Raises LineLostError without an authenticated socket."""
        if not self._is_up:
            raise LineLostError("not connected")
        self._outgoing.put_nowait(frames.encode(command, data))

    async def run(self, on_frame: OnFrame, on_up: OnUp) -> None:
        """Runs one socket to its end. Raises LineLostError and LoginRefusedError."""
        try:
            await self._run_socket(on_frame, on_up)
        except (aiohttp.ClientError, TimeoutError, OSError, WireError) as error:
            raise LineLostError(reason(error)) from error
        finally:
            self._is_up = False
            for answer in self._answers.values():
                answer.cancel()
            self._answers.clear()

    async def log_in_only(self) -> BotAccount:
        """Logs in, leaves and returns the account. Raises as `run` does."""
        account: asyncio.Future[BotAccount] = asyncio.get_running_loop().create_future()
        running = asyncio.ensure_future(self.run(lambda _: None, account.set_result))
        await asyncio.wait((account, running), return_when=asyncio.FIRST_COMPLETED)
        running.cancel()
        if not account.done():
            await running
        await asyncio.gather(running, return_exceptions=True)
        return account.result()

    async def _run_socket(self, on_frame: OnFrame, on_up: OnUp) -> None:
        policy = self._policy
        limit = aiohttp.ClientWSTimeout(ws_close=1.0)
        async with asyncio.timeout(policy.open_seconds):
            socket = await self._http.ws_connect(
                self._url, timeout=limit, max_msg_size=frames.LONGEST_FRAME
            )
        self._outgoing, self._early = asyncio.Queue(), []
        tasks = [asyncio.ensure_future(self._write(socket)), asyncio.ensure_future(self._ping())]
        try:
            login = asyncio.ensure_future(self._log_in(on_frame, on_up))
            tasks.append(login)
            while (text := await self._receive(socket)) is not None:
                self._take(text, on_frame)
            if login.done():
                login.result()  # raises its error
            raise LineLostError(f"the server ended the socket with code {socket.close_code}")
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            with suppress(aiohttp.ClientError, OSError):
                await socket.close()

    async def _receive(self, socket: aiohttp.ClientWebSocketResponse) -> str | None:
        """Returns the next frame; None at the end of the socket. Silence raises TimeoutError."""
        async with asyncio.timeout(self._policy.silence_seconds):
            message = await socket.receive()
        return message.data if message.type is aiohttp.WSMsgType.TEXT else None

    async def _log_in(self, on_frame: OnFrame, on_up: OnUp) -> None:
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
            self._is_up = True
            on_up(account)
            for frame in self._early:
                on_frame(frame)
        except BaseException:
            self._outgoing.put_nowait("")
            raise

    def _account_of(self, answer: object) -> BotAccount:
        if not isinstance(answer, dict) or not isinstance(answer.get("id"), int):
            raise LoginRefusedError(f"the server refuses the bot {self._credentials!r}")
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
            log.warning("a bad frame: %s", error)
            return
        if self._is_up:
            on_frame(frame)
        elif len(self._early) < MOST_EARLY:
            self._early.append(frame)
