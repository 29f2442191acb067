"""Challenges to the bot at the stand-in for OGS, and the REST interface as far as bots use it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from aiohttp import web

from tests.support.ogs.board import Wanted
from tests.support.ogs.online_game import COLORS, Account, OnlineGame

if TYPE_CHECKING:
    from tests.support.ogs.server import OgsStandIn

API = "/api/v1"
BOT = Account(99, "testbot", rank=15.0, rating=1000.0, deviation=60.0)
KEY = "secret-of-the-bot"


@dataclass
class Challenge:
    """A challenge of an opponent to the bot."""

    id: int
    game_id: int
    challenger: Account
    wanted: Wanted
    bot_color: int
    on_start: Callable[[OnlineGame], None]
    handicap: int | None = None  # as the notification states it; None: that of the game
    is_answered: bool = False
    rejection: dict[str, Any] | None = None  # what a refusal sent

    def notification(self) -> dict[str, Any]:
        """Returns the notification of the bot."""
        account, wanted = self.challenger, self.wanted
        return {
            "id": f"challenge-{self.id}",
            "type": "challenge",
            "challenge_id": self.id,
            "game_id": self.game_id,
            "user": {"id": account.id, "username": account.username, "ranking": account.rank},
            "width": wanted.width,
            "height": wanted.height,
            "ranked": wanted.is_ranked,
            "handicap": wanted.handicap if self.handicap is None else self.handicap,
            "komi": wanted.komi,
            "rules": wanted.rules,
            "min_ranking": account.rank,
            "time_control": wanted.time_control,
        }


class RestInterface:
    """The handlers of the REST requests of one stand-in."""

    def __init__(self, stand_in: OgsStandIn) -> None:
        self.stand_in = stand_in

    def add_routes(self, router: web.UrlDispatcher) -> None:
        router.add_post(f"{API}/me/challenges/{{id}}/accept", self.accept)
        router.add_post(f"{API}/me/challenges/{{id}}", self.reject)
        router.add_post(f"{API}/me/friends/invitations", self.befriend)
        router.add_get(f"{API}/players/{{id}}", self.player)
        router.add_post(f"{API}/players/{{id}}/challenge", self.take_offer)

    async def _fields(self, request: web.Request) -> dict[str, Any]:
        """Returns the fields of a form or of JSON, with the right of the bot checked."""
        if self.stand_in.faults.happens("refuse"):
            raise web.HTTPServiceUnavailable
        is_json = request.content_type == "application/json"
        fields = await request.json() if is_json else dict(await request.post())
        if fields.get("apikey") != KEY or str(fields.get("bot_id")) != str(BOT.id):
            raise web.HTTPForbidden
        return dict(fields)

    def _challenge_of(self, request: web.Request) -> Challenge:
        challenge = self.stand_in.challenges.get(int(request.match_info["id"]))
        if challenge is None or challenge.is_answered:
            raise web.HTTPNotFound
        return challenge

    async def accept(self, request: web.Request) -> web.Response:
        await self._fields(request)
        challenge = self._challenge_of(request)
        challenge.is_answered = True
        self.stand_in.begin(challenge)
        return web.json_response({"success": True})

    async def reject(self, request: web.Request) -> web.Response:
        fields = await self._fields(request)
        challenge = self._challenge_of(request)
        challenge.is_answered, challenge.rejection = True, fields
        return web.json_response({"success": True})

    async def befriend(self, request: web.Request) -> web.Response:
        self.stand_in.journal.friends.append(int((await self._fields(request))["from_user"]))
        return web.json_response({"success": True})

    async def take_offer(self, request: web.Request) -> web.Response:
        """Takes a challenge of the bot to a player."""
        fields = await self._fields(request)
        challenger = self.stand_in.accounts[int(request.match_info["id"])]
        game = fields["game"]
        wanted = Wanted(
            game["width"],
            game["height"],
            game["time_control_parameters"],
            rules=game["rules"],
            komi=game["komi"],
            handicap=game["handicap"],
            is_ranked=game["ranked"],
        )
        numbers = self.stand_in.numbers()
        color = COLORS.index(fields["challenger_color"])
        self.stand_in.offers.append(Challenge(*numbers, challenger, wanted, color, lambda _: None))
        return web.json_response({"status": "ok", "challenge": numbers[0], "game": numbers[1]})

    async def player(self, request: web.Request) -> web.Response:
        if self.stand_in.faults.happens("refuse"):
            raise web.HTTPServiceUnavailable
        account = self.stand_in.accounts.get(int(request.match_info["id"]))
        if account is None:
            raise web.HTTPNotFound
        overall = {"rating": account.rating, "deviation": account.deviation, "volatility": 0.06}
        overall["games_played"] = account.games
        fields = {"id": account.id, "username": account.username, "ranking": account.rank}
        ratings = {"version": 5, "overall": overall}
        return web.json_response(fields | {"ratings": ratings, "ui_class": ""})
