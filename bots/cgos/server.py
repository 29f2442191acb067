"""A client of CGOS: logs in, plays the games that the server pairs, and says `ready` after each.

The protocol is that of zakki/cgos's server-python: one line a message. `quit` is never sent, as the
server takes it for a move.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from bots.actions import RequestState, Resign, SendMove, ServerAction
from bots.cgos.account import RULES, CgosAccount
from bots.cgos.messages import gameover_of, genmove_of, play_of, setup_of
from bots.common_rows import ServiceSettings, service_settings
from bots.configuration import (
    BotConfiguration,
    ConfigurationError,
    ConfigurationRow,
    flag,
    number,
    text,
    whole,
)
from bots.events import GameEnded
from bots.fields import WireError
from bots.game_setup import OnlineResult
from bots.server import GameHost, LineLostError, LoginRefusedError, OnlineServer

log = logging.getLogger("sparring.bot")

CLIENT = "sparring"
NAME = re.compile(r"[A-Za-z_.-][A-Za-z0-9_.-]{2,17}", re.ASCII)
PASSWORD = re.compile(r"[!-~]{3,16}", re.ASCII)
ADMIN = "admin"  # names that begin so are administrators'
LONGEST_LINE = 2**20  # bytes
CONNECT_SECONDS = 30.0
LOGIN_SECONDS = 2.0  # silence after the password that counts as a login
LEFT_SECONDS = 10.0  # after a login without a setup our earlier game is over
SILENCE_SECONDS = 300.0  # the server says something every minute
ERRORS = ("Error", "Sorry")  # beginnings; a wrong password at the server in Tcl is "Sorry, ..."
STILL_IN = "already logged on"  # the server in Tcl, until it loses an earlier line of the bot too
RECONNECT_SECONDS = 30.0  # the server's clients wait 30 to 35 seconds

ROWS = (
    ConfigurationRow("cgos", "host", text, None, "The server's host.", "yss-aya.com",
        is_required=True),
    ConfigurationRow("cgos", "port", whole(1, 65_535), None, "The server's port; each size of the "
        "board has its own.", 1919, is_required=True),
    ConfigurationRow("cgos", "name", text, None, "The bot's name: 3 to 18 letters, digits, _ . or "
        "-, no digit first. An unknown name is registered with the password.", "MyBot",
        is_required=True),
    ConfigurationRow("cgos", "password", text, None, "A file with the password, of 3 to 16 "
        "characters; without it systemd's credential `password` is read.", "/etc/sparring/cgos",
        is_required=True, is_secret=True),
    ConfigurationRow("cgos", "board_size", whole(2, 19), 19, "The size of the server's board; the "
        "engine loads its network for it before the login."),
    ConfigurationRow("cgos", "analysis", flag, True, "Whether moves are sent with the engine's "  # noqa: FBT003
        "analysis."),
    ConfigurationRow("cgos", "rules", text, RULES, "The rules, a text of kata-set-rules."),
    ConfigurationRow("cgos", "reconnect_seconds", number(0.1, 3600), RECONNECT_SECONDS, "The pause "
        "before a new connection; up to a sixth is added by chance."),
)  # fmt: skip


def settings_of(configuration: BotConfiguration) -> ServiceSettings:
    """Returns the settings of the service: one game at a time, at the server's pauses."""
    settings = service_settings(configuration)
    pause = configuration["cgos", "reconnect_seconds"]
    return replace(
        settings,
        play=replace(settings.play, is_analyzing=configuration["cgos", "analysis"]),
        policy=replace(settings.policy, chats=False),
        reconnect_seconds=pause,
        longest_reconnect_seconds=pause,
    )


def open_server(
    configuration: BotConfiguration, _settings: ServiceSettings, host: GameHost
) -> OnlineServer:
    """Returns the client; raises ConfigurationError on a name that the server would refuse."""
    name, password = configuration["cgos", "name"], configuration["cgos", "password"].reveal()
    if not NAME.fullmatch(name) or name.startswith(ADMIN):
        raise ConfigurationError(f"[cgos] name {name!r} is none of CGOS")
    if not PASSWORD.fullmatch(password):
        raise ConfigurationError("[cgos] the password has not 3 to 16 characters")
    return CgosServer(configuration, host)


class CgosServer:
    """One account on one server. See bots.server.OnlineServer."""

    def __init__(self, configuration: BotConfiguration, host: GameHost) -> None:
        self._configuration, self._host = configuration, host
        self._account: CgosAccount | None = None  # of the game, on this connection
        self._requests: dict[str, int] = {}  # numbers of RequestStates without an answer, by game
        self._is_pending = False  # the opponent's last move is not told yet
        self._is_in = False  # logged in
        self._offers_analysis = False  # the server takes analyses
        self._writer: asyncio.StreamWriter | None = None

    @property
    def address(self) -> str:
        """The server's host and port."""
        return f"{self._configuration['cgos', 'host']}:{self._configuration['cgos', 'port']}"

    # ---- The connection

    async def run(self) -> None:
        """Plays until the line is lost; the engine is ready before the login."""
        size = self._configuration["cgos", "board_size"]
        await self._host.warm("go", size, size)
        reader, self._writer = await self._connect()
        self._account, self._is_pending, self._is_in = None, False, False
        self._requests.clear()
        try:
            await self._converse(reader)
        finally:
            self._writer.close()
            self._writer = None

    async def close(self) -> None:
        """Does nothing: all of this server's work ends with its connection."""

    async def rehearse(self) -> Sequence[str]:
        """Connects and reads the greeting; does not log in, as the server would pair the bot."""
        reader, writer = await self._connect()
        try:
            line = await self._prompt(reader)
        finally:
            writer.close()
        name = self._configuration["cgos", "name"]
        return [
            f"the server greets: {line}",
            f"the bot would log in as {name} and play every game that the server pairs",
        ]

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        host, port = self._configuration["cgos", "host"], self._configuration["cgos", "port"]
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                return await asyncio.open_connection(host, port, limit=LONGEST_LINE)
        except (OSError, TimeoutError) as error:
            raise LineLostError(str(error) or f"silence of {CONNECT_SECONDS:g} seconds") from error

    async def _converse(self, reader: asyncio.StreamReader) -> None:
        """Answers lines until the line is lost."""
        while not self._is_in:
            await self._log_in(reader)
        has_earlier = bool(self._host.games)
        while has_earlier and self._account is None:
            try:
                await self._handle(await self._line(reader, LEFT_SECONDS))
            except TimeoutError:
                break
        self._end_others()
        while True:
            try:
                line = await self._line(reader, SILENCE_SECONDS)
            except TimeoutError as error:
                raise LineLostError(f"silence of {SILENCE_SECONDS:g} seconds") from error
            await self._handle(line)

    async def _log_in(self, reader: asyncio.StreamReader) -> None:
        """Answers one line of the login; the password has no answer but silence or a game."""
        line = await self._prompt(reader)
        if line.startswith("protocol"):
            self._offers_analysis = "genmove_analyze" in line.split()
            await self._send(f"e1 {CLIENT}{' genmove_analyze' if self._sends_analysis else ''}")
        elif line.startswith("username"):
            await self._send(self._configuration["cgos", "name"])
        elif line.startswith("password"):
            await self._send(self._configuration["cgos", "password"].reveal())
            with suppress(TimeoutError):
                first = await self._line(reader, LOGIN_SECONDS)
                self._refuse(first)
                self._is_in = True
                self._host.connected()
                await self._handle(first)
                return
            self._is_in = True
            self._host.connected()
        else:
            self._refuse(line)

    def _refuse(self, line: str) -> None:
        """Raises LoginRefusedError on an error of the server.

        Raises LineLostError where the server still holds the line that the bot has lost.
        """
        if STILL_IN in line:
            raise LineLostError(line)
        if line.startswith(ERRORS):
            raise LoginRefusedError(line)

    @property
    def _sends_analysis(self) -> bool:
        return self._offers_analysis and bool(self._configuration["cgos", "analysis"])

    async def _prompt(self, reader: asyncio.StreamReader) -> str:
        """Returns the next line of the login; raises LineLostError, after a silence too."""
        try:
            return await self._line(reader, CONNECT_SECONDS)
        except TimeoutError as error:
            raise LineLostError(f"silence of {CONNECT_SECONDS:g} seconds") from error

    async def _line(self, reader: asyncio.StreamReader, seconds: float) -> str:
        """Returns the next line; raises LineLostError at the end, and TimeoutError."""
        async with asyncio.timeout(seconds):
            try:
                data = await reader.readuntil(b"\n")
            except EOFError as error:
                raise LineLostError("the server closed the connection") from error
            except (OSError, asyncio.LimitOverrunError) as error:
                raise LineLostError(f"the server went away: {error}") from error
        line = data.decode(errors="replace").strip()
        log.debug("received %s", line)
        return line

    async def _send(self, line: str) -> None:
        """Sends one line with its end, as the server needs; raises LineLostError."""
        if self._writer is None:
            raise LineLostError("not connected")
        try:
            self._writer.write(line.encode("ascii", errors="replace") + b"\n")
            await self._writer.drain()
        except OSError as error:
            raise LineLostError(str(error)) from error

    # ---- Lines of the server

    async def _handle(self, line: str) -> None:
        """Carries out one line; a malformed one is logged and changes nothing."""
        word = line.partition(" ")[0]
        handler = LINES.get(word)
        try:
            if handler is not None:
                await handler(self, line)
            elif line:
                log.warning("unknown line: %r", line[:200])
        except WireError as error:
            log.warning("%s", error)

    async def _setup(self, line: str) -> None:
        name, rules = self._configuration["cgos", "name"], self._configuration["cgos", "rules"]
        self._account = CgosAccount.of(setup_of(line), name, rules)
        self._is_pending = False
        self._end_others()
        self._tell_state()

    async def _play(self, line: str) -> None:
        if self._account is None:
            raise WireError(f"a move without a game: {line[:80]!r}")
        self._account = self._account.played(play_of(line))
        self._is_pending = True  # `genmove` follows at once, unless the game is over

    async def _genmove(self, line: str) -> None:
        if self._account is None:
            raise WireError(f"asked for a move without a game: {line[:80]!r}")
        self._account = self._account.requested(genmove_of(line))
        is_told = self._is_pending
        if is_told:
            self._tell_last_move(is_ours_next=True)
        if not is_told or self._account.setup.id in self._requests:
            self._tell_state()

    async def _gameover(self, line: str) -> None:
        if self._account is not None:
            if self._is_pending:
                self._tell_last_move(is_ours_next=False)
            log.debug("game %s: %s", self._account.setup.id, line)
            self._host.tell(self._account.setup.id, GameEnded(self._host.now(), result_of(line)))
        self._account = None
        await self._send("ready")

    async def _info(self, line: str) -> None:
        log.info("%s", line)

    async def _error(self, line: str) -> None:
        self._refuse(line)

    # ---- Events

    def _tell_state(self) -> None:
        if self._account is not None:
            game = self._account.setup.id
            event = self._account.state(self._host.now(), self._requests.pop(game, 0))
            self._host.tell(game, event)

    def _tell_last_move(self, *, is_ours_next: bool) -> None:
        if self._account is not None:
            event = self._account.last_move(self._host.now(), is_ours_next=is_ours_next)
            self._host.tell(self._account.setup.id, event)
        self._is_pending = False

    def _end_others(self) -> None:
        """Ends the games that the server has no more: it restarted, or they ended without us."""
        current = None if self._account is None else self._account.setup.id
        for game in self._host.games:
            if game != current:
                self._host.tell(game, GameEnded(self._host.now(), OnlineResult(None, "abort")))

    # ---- Actions

    async def act(self, game: str, action: ServerAction) -> None:
        """Carries out an action of the game; CGOS knows no undo, pause or chat."""
        if isinstance(action, RequestState):
            self._requests[game] = action.request
            is_known = self._account is not None and self._account.setup.id == game
            if is_known and not self._is_pending:  # else the next line brings the answer
                self._tell_state()
        elif isinstance(action, SendMove | Resign):
            await self._move(game, action)

    async def _move(self, game: str, action: SendMove | Resign) -> None:
        account = self._account
        if account is None or account.setup.id != game or not account.is_asked:
            log.warning("game %s: a move out of turn is not sent", game)
            return
        if isinstance(action, Resign):
            self._account = replace(account, is_asked=False)
            await self._send("resign")
            return
        if action.number != len(account.moves) + 1:
            log.warning("game %s: a move of another position is not sent", game)
            return
        self._account = account.sent(action.move)
        analysis = f" {action.analysis}" if action.analysis and self._sends_analysis else ""
        await self._send(f"{action.move}{analysis}")
        self._tell_last_move(is_ours_next=False)


def result_of(line: str) -> OnlineResult:
    """Returns the result of the line `gameover`; an unreadable one counts as no result."""
    try:
        return gameover_of(line)
    except WireError as error:
        log.warning("%s", error)
        return OnlineResult(None, "abort")


LINES: dict[str, Callable[[CgosServer, str], Any]] = {
    "setup": CgosServer._setup,
    "play": CgosServer._play,
    "genmove": CgosServer._genmove,
    "gameover": CgosServer._gameover,
    "info": CgosServer._info,
    "Error:": CgosServer._error,
}
