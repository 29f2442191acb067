"""The bot on Lichess and its forks: challenges, and one GameLink a game."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Any

import aiohttp

from bots import fields
from bots.actions import ServerAction
from bots.common_rows import ServiceSettings, service_settings
from bots.configuration import BotConfiguration
from bots.engine_connection import GreetingRefusedError
from bots.fields import WireError
from bots.lichess.api_client import (
    ApiClient,
    ClientPolicy,
    RequestRefusedError,
    UnreachableError,
)
from bots.lichess.bot_api import BotApi
from bots.lichess.bot_settings import ROWS, challenge_rules, link_policy
from bots.lichess.challenge import DeclineReason, ReceivedChallenge
from bots.lichess.challenge_rules import ChallengeRules, Occupancy, decline_reason
from bots.lichess.game_link import GameLink, LinkPolicy
from bots.lichess.messages import (
    ChallengeGone,
    ChallengeReceived,
    GameAnnounced,
    GameFull,
    ServerMessage,
    UnknownMessage,
    read_announced_game,
    read_message,
)
from bots.lichess.server_table import SERVERS, BotServer
from bots.lichess.variant_table import VARIANTS
from bots.lichess.wire_game import Rated, unrated, with_rating
from bots.lichess.wire_values import ServerPlayer, read_number, read_text
from bots.server import GameHost, LineLostError, LoginRefusedError

__all__ = ["ROWS", "open_server", "settings_of"]

log = logging.getLogger(__name__)

AGENT = "sparring (a bot that adapts to its opponent)"
SCOPE = "bot:play"
ACCEPTED_SECONDS = 60.0  # an accepted challenge without a game is forgotten after these


@dataclass(frozen=True, slots=True)
class LichessOptions:
    """The settings of one bot."""

    server: BotServer
    url: str
    token: str
    rules: ChallengeRules
    most_games: int
    policy: LinkPolicy = field(default_factory=LinkPolicy)
    client: ClientPolicy = field(default_factory=ClientPolicy)

    def __repr__(self) -> str:
        """Returns the options without the token."""
        return f"LichessOptions({self.server.name}, {self.url})"


@dataclass(frozen=True, slots=True)
class _Accepted:
    """An accepted challenge without a game yet."""

    player: str
    is_bot: bool
    at: float


class LichessServer:
    """The client of one account. See bots.server.OnlineServer."""

    def __init__(self, options: LichessOptions, host: GameHost) -> None:
        self._options = options
        self._server = options.server
        self._host = host
        self._http: aiohttp.ClientSession | None = None
        self._account = ""
        self._links: dict[str, GameLink] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._accepted: dict[str, _Accepted] = {}

    @property
    def address(self) -> str:
        """The server's URL."""
        return self._options.url

    # ---- Connecting

    async def run(self) -> None:
        """Logs in and follows the stream of events; the games' own streams go on beside it.

        Raises LineLostError and LoginRefusedError.
        """
        try:
            api = self._open(self._options.client)
            await self._log_in(api)
            self._host.connected()
            await self._resume(api)
            await self._follow(api)
        except (UnreachableError, WireError) as error:
            raise LineLostError(str(error)) from error
        except RequestRefusedError as error:
            if error.status in (401, 403):
                raise LoginRefusedError(str(error)) from error
            raise LineLostError(str(error)) from error

    async def close(self) -> None:
        """Leaves all games; see OnlineServer."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._http is not None:
            await self._http.close()
            self._http = None

    async def act(self, game: str, action: ServerAction) -> None:
        """Carries out an action of a game."""
        link = self._links.get(game)
        if link is not None:
            link.act(action)

    async def rehearse(self) -> Sequence[str]:
        """Logs in and returns what the bot would do; each request is sent once.

        Raises LineLostError and LoginRefusedError.
        """
        lines = [f"server {self._server.name} at {self._options.url}"]
        async with self._rehearsal() as api:
            await self._log_in(api)
            lines.append(f"account {self._account}, a bot")
            games = await api.playing() if self._server.lists_games else ()
            lines.append(f"games under way: {len(games)}")
        rules = self._options.rules
        modes = [name for name, wanted in (("casual", rules.takes_casual), ("rated",
            rules.takes_rated)) if wanted]  # fmt: skip
        lines.append(f"accepts {' and '.join(modes)} games of {', '.join(sorted(rules.variants))}")
        return lines

    @asynccontextmanager
    async def _rehearsal(self) -> AsyncIterator[BotApi]:
        try:
            yield self._open(replace(self._options.client, tries=1))
        except (UnreachableError, WireError) as error:
            raise LineLostError(str(error)) from error
        except RequestRefusedError as error:
            raise LoginRefusedError(str(error)) from error
        finally:
            await self.close()

    def _open(self, policy: ClientPolicy) -> BotApi:
        options = self._options
        if self._http is None:
            self._http = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0))
            self._client = ApiClient(
                self._http,
                url=options.url,
                token=options.token,
                agent=AGENT,
                policy=policy,
            )
        return BotApi(self._client, options.server, options.token)

    async def _log_in(self, api: BotApi) -> None:
        if self._server.tests_tokens and SCOPE not in await api.scopes():
            raise LoginRefusedError(f"the token lacks the scope {SCOPE}")
        profile = await api.account()
        self._account = fields.text(profile.get("username"), "username", longest=60)
        if read_text(profile, "title") != "BOT":
            raise LoginRefusedError(
                f"{self._account} is no account of a bot; an account without a game becomes one by "
                "POST /api/bot/account/upgrade"
            )

    async def _resume(self, api: BotApi) -> None:
        """Goes on with the games under way; the stream of events names them again."""
        if not self._server.lists_games:
            return
        for value in await api.playing():
            with suppress(WireError):
                self._begin(api, read_announced_game(fields.mapping(value, "game")))

    async def _follow(self, api: BotApi) -> None:
        async with api.events(sorted(self._options.rules.variants)) as lines, aclosing(lines):
            async for line in lines:
                try:
                    message = read_message(line, self._server, self._account)
                    if message is not None:
                        await self._take(api, message)
                except WireError as error:
                    log.warning("events: %s", error)

    async def _take(self, api: BotApi, message: ServerMessage) -> None:
        if isinstance(message, ChallengeReceived):
            self._start(f"challenge {message.challenge.id}", self._answer(api, message))
        elif isinstance(message, GameAnnounced):
            self._begin(api, message)
        elif isinstance(message, ChallengeGone):
            self._accepted.pop(message.id, None)
        elif isinstance(message, UnknownMessage):
            log.info("events: a message of the type %r", message.type)

    # ---- Challenges

    async def _answer(self, api: BotApi, message: ChallengeReceived) -> None:
        """Accepts or declines a challenge; a stream opened again repeats those without answer."""
        challenge = message.challenge
        if challenge.is_ours or challenge.id in self._links:
            return
        self._accepted.pop(challenge.id, None)
        name = "" if challenge.challenger is None else challenge.challenger.name
        reason = self._reason(message) or await self._reason_of_trial(challenge)
        try:
            if reason is None:
                await api.accept(challenge.id)
                return
            self._accepted.pop(challenge.id, None)
            self._host.refused(name, reason.value)
            await api.decline(challenge.id, reason)
        except (RequestRefusedError, UnreachableError) as error:
            log.info("challenge %s of %s: %s", challenge.id, name, error)
            if isinstance(error, RequestRefusedError):
                self._accepted.pop(challenge.id, None)

    async def _reason_of_trial(self, challenge: ReceivedChallenge) -> DeclineReason | None:
        """Lets the engine choose a move, and returns the reason against the game after it.

        Meanwhile the challenge counts as accepted; a clock may run from its acceptance on.
        """
        player, row = challenge.challenger, VARIANTS[challenge.variant]
        name, is_bot = ("", False) if player is None else (player.name.lower(), player.is_bot)
        self._accepted[challenge.id] = _Accepted(name, is_bot, self._host.now())
        try:
            await self._host.warm(row.game, row.size, row.size)
        except GreetingRefusedError as error:  # it has no network for the game, perhaps
            log.warning("the engine refuses %s: %s", row.game, error)
            return DeclineReason.VARIANT
        is_too_fast = challenge.clock.control.is_too_fast(row.size**2, self._host.move_seconds)
        return DeclineReason.LATER if is_too_fast else None

    def _reason(self, message: ChallengeReceived) -> DeclineReason | None:
        if not message.is_for_bots:
            return DeclineReason.TIME_CONTROL  # UltraBullet
        if not self._host.has_room:
            return DeclineReason.LATER
        return decline_reason(message.challenge, self._options.rules, self._occupancy())

    def _occupancy(self) -> Occupancy:
        oldest = self._host.now() - ACCEPTED_SECONDS
        self._accepted = {
            name: each
            for name, each in self._accepted.items()
            if name not in self._links and each.at >= oldest
        }
        opponents = [link.opponent for link in self._links.values() if not link.is_over]
        names = ["" if each is None else each.name.lower() for each in opponents]
        names += [each.player for each in self._accepted.values()]
        bots = [each is not None and each.is_bot for each in opponents]
        bots += [each.is_bot for each in self._accepted.values()]
        return Occupancy(self._options.most_games, Counter(names), sum(bots))

    # ---- Games

    def _begin(self, api: BotApi, game: GameAnnounced) -> None:
        """Opens the stream of a game, unless it is open."""
        if game.id in self._links or not game.is_for_bots:
            return

        async def profile(player: ServerPlayer, full: GameFull) -> Rated:
            return await self._profile(api, player, full)

        link = GameLink(
            game.id,
            api,
            self._server,
            self._account,
            self._host,
            policy=self._options.policy,
            profile=profile,
        )
        self._links[game.id] = link
        self._accepted.pop(game.id, None)
        self._start(game.id, link.run())

    def _start(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        """Runs work beside the stream of events, unless work of this name is under way."""
        if name in self._tasks:
            work.close()
            return
        task = self._tasks[name] = asyncio.create_task(work, name=name)
        task.add_done_callback(self._on_done)

    def _on_done(self, task: asyncio.Task[None]) -> None:
        name = task.get_name()
        self._tasks.pop(name, None)
        self._links.pop(name, None)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("%s failed", name, exc_info=error)

    async def _profile(self, api: BotApi, player: ServerPlayer, full: GameFull) -> Rated:
        """Returns the rest of the opponent's rating: its deviation and number of games."""
        if not self._server.has_ratings or player.computer_level is not None:
            return unrated
        try:
            profile = await api.user(player.name)
            ratings = fields.mapping(profile.get("perfs") or {}, "perfs")
            rating = ratings.get(full.variant, ratings.get(full.speed))
            if rating is None:
                return unrated
            rating = fields.mapping(rating, "perf")
            deviation = None if rating.get("rd") is None else read_number(rating, "rd")
            games = int(read_number(rating, "games"))
        except (RequestRefusedError, UnreachableError, WireError) as error:
            log.info("game %s: no rating of %s: %s", full.id, player.name, error)
            return unrated
        return lambda opponent: with_rating(opponent, deviation, games)


# ---- The interface of bots.server.BotModule


def settings_of(configuration: BotConfiguration) -> ServiceSettings:
    """Returns the settings of the service: rematches where the server has bots challenge."""
    settings = service_settings(configuration)
    can_challenge = SERVERS[configuration["server", "name"]].can_challenge
    is_willing = settings.policy.challenges and can_challenge
    return replace(settings, policy=replace(settings.policy, challenges=is_willing))


def open_server(
    configuration: BotConfiguration, settings: ServiceSettings, host: GameHost
) -> LichessServer:
    """Returns the client, not yet connected; raises ConfigurationError."""
    server = SERVERS[configuration["server", "name"]]
    url = configuration["server", "url"] or server.url
    options = LichessOptions(
        server=server,
        url=url,
        token=configuration["server", "token"].reveal(),
        rules=challenge_rules(configuration),
        most_games=settings.most_games,
        policy=link_policy(configuration),
    )
    return LichessServer(options, host)
