"""The OGS bot: the connection, its messages and its games, for the service of all bots."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import aiohttp

from bots.actions import OfferRematch, ServerAction
from bots.common_rows import ServiceSettings, service_settings
from bots.configuration import BotConfiguration
from bots.engine_connection import GreetingRefusedError
from bots.events import LagMeasured
from bots.fields import WireError
from bots.ogs.acceptance import AcceptanceRules
from bots.ogs.bot_config import bot_config, profile_text
from bots.ogs.challenge import OgsChallenge, read_challenge
from bots.ogs.challenge_desk import ChallengeDesk
from bots.ogs.connection import BotAccount, ConnectionPolicy, Credentials, OgsConnection
from bots.ogs.frames import Frame
from bots.ogs.game_account import GameAccount, Moment
from bots.ogs.messages import (
    ActiveGameMessage,
    ErrorMessage,
    Notification,
    OfGame,
    Pong,
    read_message,
)
from bots.ogs.opponents import OF_THE_GAME, OpponentBook
from bots.ogs.rematch import offered_game, rematch_of
from bots.ogs.rest_client import (
    OgsRestClient,
    RestPolicy,
    RestRefusedError,
    RestUnreachableError,
)
from bots.ogs.rows import ROWS, acceptance_rules
from bots.ogs.server_time import ServerTime
from bots.ogs.time_settings import CORRESPONDENCE
from bots.server import GameHost, LineLostError, OnlineServer

__all__ = ["ROWS", "OgsServer", "open_server", "settings_of"]

log = logging.getLogger("sparring.bot")

LINGER_SECONDS = 70.0  # a game's chat is heard so long after its end
CONFIRM_SECONDS = 3.0  # until the state is requested; a game may have 5 s a move
LONGEST_RECONNECT = 15.0  # seconds; live games do not wait longer
HURRIED = ("blitz",)  # speeds without a shortest time of a move
FAILURES = (
    *(LineLostError, RestRefusedError, RestUnreachableError, WireError),
    GreetingRefusedError,
)  # of work beside the connection
# Types of notifications.
CHALLENGE, FRIENDSHIP, DELETION = "challenge", "friendRequest", "delete"
REFUSAL = "gameOfferRejected"
OFFER_SECONDS = 60  # that a live challenge of the bot is kept up


@dataclass(frozen=True, slots=True)
class OgsSettings:
    """The settings of the client."""

    url: str
    credentials: Credentials
    rules: AcceptanceRules
    most_games: int
    is_hidden: bool = False
    accepts_friends: bool = True
    rated_by: str = OF_THE_GAME
    least_move_seconds: float = 0.0
    connection: ConnectionPolicy = field(default_factory=ConnectionPolicy)
    rest: RestPolicy = field(default_factory=RestPolicy)


class OgsServer(OnlineServer):
    """The client of one account on OGS."""

    def __init__(self, settings: OgsSettings, host: GameHost) -> None:
        self._settings, self._host = settings, host
        self._time = ServerTime()
        self._accounts: dict[int, GameAccount] = {}
        self._desk = ChallengeDesk(
            settings.rules,
            self._accounts,
            settings.most_games,
            host.refused,
            lambda: host.move_seconds,
        )
        self._book = OpponentBook(settings.rated_by)
        self._status: dict[str, int] = {}  # as sent last
        self._account: BotAccount | None = None
        self._connection: OgsConnection | None = None
        self._rest: OgsRestClient | None = None
        self._offers: set[int] = set()  # games of the bot's own live challenges
        self._tasks: set[asyncio.Task[None]] = set()

    # ---- For the service

    @property
    def address(self) -> str:
        """The server's URL."""
        return self._settings.url

    async def run(self) -> None:
        """Runs one connection. Raises LineLostError and LoginRefusedError."""
        async with aiohttp.ClientSession() as http:
            self._connection, self._rest = self._clients(http)
            try:
                await self._connection.run(self._take_frame, self._logged_in)
            finally:
                self._connection = self._rest = None
                for task in self._tasks:
                    task.cancel()
                await asyncio.gather(*self._tasks, return_exceptions=True)

    async def act(self, game: str, action: ServerAction) -> None:
        """Carries out an action of a game. Raises LineLostError."""
        account = self._accounts.get(int(game))
        if account is not None and isinstance(action, OfferRematch):
            self._start(self._offer_rematch(account))
        for command, data in [] if account is None else account.commands(action):
            self._send(command, data)

    async def close(self) -> None:
        """Does nothing: all of this server's work ends with its connection."""

    async def rehearse(self) -> Sequence[str]:
        """Logs in, reads the bot's profile and returns what the bot would do."""
        settings = self._settings
        lines = [f"server {settings.url}, account {settings.credentials.username!r}"]
        async with aiohttp.ClientSession() as http:
            connection, rest = self._clients(http)
            account = await connection.log_in_only()
            lines.append(f"logged in as {account.username!r}, id {account.id}")
            with suppress(RestRefusedError, RestUnreachableError, WireError):
                profile = await rest.get(f"players/{account.id}")
                is_bot = "bot" in str(profile.get("ui_class")).split()
                lines.append(f"the server {'marks' if is_bot else 'does not mark'} it as a bot")
        lines.append(f"bot/config: {json.dumps(self._config(account))}")
        lines.append(f"text for the profile page: {profile_text(settings.rules)}")
        return lines

    def _clients(self, http: aiohttp.ClientSession) -> tuple[OgsConnection, OgsRestClient]:
        settings = self._settings
        place = http, settings.url, settings.credentials
        return (
            OgsConnection(*place, self._time, settings.connection),
            OgsRestClient(*place, settings.rest),
        )

    # ---- The connection

    def _logged_in(self, account: BotAccount) -> None:
        """Presents the bot; the server then names its games and challenges."""
        self._account, self._status = account, {}
        log.info("logged in as %s, id %d", account.username, account.id)
        self._send("bot/config", self._config(account))
        self._send_status()
        for game in self._accounts.values():
            game.lose_line()
        self._host.connected()

    def _config(self, account: BotAccount) -> dict[str, object]:
        settings = self._settings
        return bot_config(
            account,
            settings.rules,
            is_hidden=settings.is_hidden,
            least_move_seconds=settings.least_move_seconds,
        )

    def _send(self, command: str, data: object) -> None:
        if self._connection is None:
            raise LineLostError("not connected")
        self._connection.send(command, data)

    async def _post(self, path: str, values: Mapping[str, object]) -> object:
        if self._rest is None or self._account is None:
            raise LineLostError("not connected")
        return await self._rest.post(path, values, self._account.id)

    def _start(self, work: Coroutine[Any, Any, object]) -> None:
        """Runs work beside the connection, which ends it; a failure is logged."""
        task = asyncio.get_running_loop().create_task(self._guard(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _guard(self, work: Coroutine[Any, Any, object]) -> None:
        try:
            await work
        except FAILURES as error:
            log.warning("%s: %s", type(error).__name__, error)

    # ---- Messages

    def _take_frame(self, frame: Frame) -> None:
        """Takes an event; one of the wrong shape is logged and harms no game."""
        try:
            message = read_message(str(frame.event), frame.data)
            if isinstance(message, OfGame):
                self._take_of_game(message)
            elif message is not None:
                TAKERS[type(message)](self, message)
        except WireError as error:
            log.warning("a bad message %.80s: %s", ascii(frame.event), error)
        except LineLostError as error:
            log.info("not sent: %s", error)
        except Exception:
            log.exception("a message could not be taken: %.80s", ascii(frame.event))

    def _take_of_game(self, message: OfGame) -> None:
        account = self._accounts.get(message.game_id)
        if account is None:
            return
        moment = Moment(self._host.now(), self._time.now)
        events, commands = account.take(message.message, moment)
        for event in events:
            self._host.tell(str(account.id), event)
        for command, data in commands:
            self._send(command, data)
        self._send_status()

    def _take_active_game(self, message: ActiveGameMessage) -> None:
        """Begins a game, or asks for the end of one."""
        account = self._accounts.get(message.game_id)
        if message.phase == "finished":
            if account is not None and not account.is_over:
                self._send(*account.connect)
            return
        if account is None and self._account is not None:
            account = GameAccount(
                message.game_id, self._account.id, self._book.describe, since_ms=self._time.now
            )
            self._accounts[message.game_id] = account
        if account is not None and account.data is None:
            self._start(self._begin(account, message.player_ids))

    async def _prepare(self, challenge: OgsChallenge) -> None:
        """Waits for the engine, and reads the challenger's rating."""
        await self._host.warm("go", challenge.width, challenge.height)
        if self._rest is not None:
            await self._book.look_up(challenge.challenger.id, self._rest)

    async def _offer_rematch(self, account: GameAccount) -> None:
        """Challenges the opponent again, and keeps a live challenge up until it is answered."""
        data, setup = account.data, account.setup
        if data is None or setup is None or not self._host.has_room:
            return
        path = f"players/{account.opponent.id}/challenge"
        answer = await self._post(path, rematch_of(data, setup.color))
        challenge, game = offered_game(answer)
        log.info("game %d: offered a rematch, game %d", account.id, game)
        if setup.speed == CORRESPONDENCE:
            return
        self._offers.add(game)
        for _ in range(OFFER_SECONDS):
            if game not in self._offers or game in self._accounts:
                break
            self._send("challenge/keepalive", {"challenge_id": challenge, "game_id": game})
            await asyncio.sleep(1.0)
        self._offers.discard(game)

    async def _begin(self, account: GameAccount, player_ids: Sequence[int]) -> None:
        """Reads the ratings of the players, then asks for the state of the game."""
        for player in player_ids:
            if self._rest is not None and self._account is not None and player != self._account.id:
                await self._book.look_up(player, self._rest)
        self._send(*account.connect)

    def _take_pong(self, _: Pong) -> None:
        """Tells the server and the games the latency, and leaves games that are long over."""
        latency, now = self._time.latency, self._host.now()
        for account in list(self._accounts.values()):
            if not account.is_over and account.data is not None:
                self._host.tell(str(account.id), LagMeasured(now, latency / 1000))
                self._send("game/latency", {"game_id": account.id, "latency": round(latency)})
            elif account.over_at is not None and now - account.over_at > LINGER_SECONDS:
                del self._accounts[account.id]
                self._send("game/disconnect", {"game_id": account.id})

    def _take_error(self, message: ErrorMessage) -> None:
        log.warning("the server says: %s", ascii(message.text[:500]))

    def _take_notification(self, message: Notification) -> None:
        if message.type == CHALLENGE:
            challenge = read_challenge(message)
            now = time.monotonic()
            self._start(self._desk.answer(challenge, now, self._post, self._prepare))
            return
        if message.type == REFUSAL:
            self._offers.discard(message.fields.get("game_id", 0))
        user = message.fields.get("user")
        if message.type == FRIENDSHIP and self._settings.accepts_friends and isinstance(user, dict):
            self._start(self._post("me/friends/invitations", {"from_user": user.get("id")}))
        if message.type != DELETION:
            self._send("notification/delete", {"notification_id": message.id})

    def _send_status(self) -> None:
        """Tells the server the numbers of games after each change."""
        status = self._desk.status()
        if status != self._status:
            self._send("bot/status", status)
            self._status = status


TAKERS: dict[type, Callable[[OgsServer, Any], None]] = {
    ActiveGameMessage: OgsServer._take_active_game,
    Pong: OgsServer._take_pong,
    ErrorMessage: OgsServer._take_error,
    Notification: OgsServer._take_notification,
}


def settings_of(configuration: BotConfiguration) -> ServiceSettings:
    """Returns the settings of the service, with what OGS needs."""
    settings = service_settings(configuration)
    longest = min(settings.longest_reconnect_seconds, LONGEST_RECONNECT)
    policy = replace(
        settings.policy, can_pause=True, hurried_speeds=HURRIED, confirm_seconds=CONFIRM_SECONDS
    )
    play = replace(settings.play, is_analyzing=configuration["ogs", "analysis"])
    return replace(settings, play=play, policy=policy, longest_reconnect_seconds=longest)


def open_server(
    configuration: BotConfiguration, settings: ServiceSettings, host: GameHost
) -> OgsServer:
    """Returns the client, not yet connected."""
    own = OgsSettings(
        configuration["ogs", "url"],
        Credentials(configuration["ogs", "username"], configuration["ogs", "key"].reveal()),
        acceptance_rules(configuration),
        settings.most_games,
        is_hidden=configuration["ogs", "hidden"],
        accepts_friends=configuration["ogs", "friends"],
        rated_by=configuration["ogs", "rated_by"],
        least_move_seconds=settings.policy.least_move_seconds,
    )
    return OgsServer(own, host)
