"""The routes of the stand-in."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from aiohttp import web

from tests.bots.lichess.stand_in.games import Account, GameTerms, StandInGame

if TYPE_CHECKING:
    from tests.bots.lichess.stand_in.server import StandIn

TRUE = ("yes", "true", "1")
OK = {"ok": True}


async def form_of(request: web.Request) -> Mapping[str, Any]:
    """Returns the form of a request; berserk sends JSON."""
    if request.content_type == "application/json":
        return dict(await request.json())
    return dict(await request.post())


class Actions:
    """The handlers of the requests of one stand-in."""

    def __init__(self, stand_in: StandIn) -> None:
        self.stand_in = stand_in

    def account(self, request: web.Request) -> Account:
        account = self.stand_in.account_of(request)
        assert account is not None
        return account

    def game(self, request: web.Request) -> tuple[StandInGame, int]:
        game = self.stand_in.games.get(request.match_info["id"])
        account = self.account(request)
        if game is None or account not in game.players:
            raise web.HTTPNotFound
        return game, game.side_of(account)

    # ---- Accounts

    async def test_token(self, request: web.Request) -> web.Response:
        if not self.stand_in.server.tests_tokens:
            raise web.HTTPNotFound
        found = {}
        for token in (await request.text()).split(","):
            account = self.stand_in.accounts.get(token)
            known = {"userId": account.id, "scopes": "bot:play"} if account else None
            found[token] = known
        return web.json_response(found)

    async def profile(self, request: web.Request) -> web.Response:
        account = self.account(request)
        body: dict[str, Any] = {"id": account.id, "username": account.name, "perfs": {}}
        if account.title:
            body["title"] = account.title
        return web.json_response(body)

    async def upgrade(self, request: web.Request) -> web.Response:
        self.account(request).title = "BOT"
        return web.json_response(OK)

    async def user(self, request: web.Request) -> web.Response:
        account = self.stand_in.named(request.match_info["name"])
        perf = {"games": 40, "rating": account.rating, "rd": 60, "prog": 0}
        return web.json_response(
            {"id": account.id, "username": account.name, "perfs": {"blitz": perf}}
        )

    async def status(self, request: web.Request) -> web.Response:
        names = request.query["ids"].split(",")
        return web.json_response([{"id": name, "name": name, "online": True} for name in names])

    async def playing(self, request: web.Request) -> web.Response:
        account = self.account(request)
        games = self.stand_in.games_of(account) if self.stand_in.server.lists_games else []
        found = [self.stand_in.preview(game, account) for game in games]
        return web.json_response({"nowPlaying": found})

    # ---- Streams

    async def events(self, request: web.Request) -> web.StreamResponse:
        stand_in, account = self.stand_in, self.account(request)
        if stand_in.server.announces_variants:
            stand_in.capabilities.append(request.headers["X-PyChess-Bot-Capabilities"])
        if (old := stand_in.event_streams.get(account.name)) is not None:
            old.put_nowait(None)
        queue: asyncio.Queue[str | None] = asyncio.Queue()
        stand_in.event_streams[account.name] = queue
        for game in stand_in.games_of(account):
            preview = stand_in.preview(game, account)
            queue.put_nowait(json.dumps({"type": "gameStart", "game": preview}))
        for identity, (_, opponent, _, _) in stand_in.pending.items():
            if opponent is account:
                body = {"type": "challenge", "challenge": stand_in.challenges[identity]}
                queue.put_nowait(json.dumps(body))
        return await stand_in.follow(request, queue)

    async def game_stream(self, request: web.Request) -> web.StreamResponse:
        try:
            game, side = self.game(request)
        except web.HTTPNotFound:
            return web.json_response({"error": "No such game"}, status=404)
        if (old := game.streams.get(side)) is not None:
            old.put_nowait(None)
        queue: asyncio.Queue[str | None] = asyncio.Queue()
        queue.put_nowait(json.dumps(game.full()))
        if game.is_running:
            game.streams[side] = queue
        else:
            queue.put_nowait(None)
        return await self.stand_in.follow(request, queue)

    # ---- Challenges

    async def create(self, request: web.Request) -> web.Response:
        form = await form_of(request)
        limit = form.get("clock.limit")
        terms = GameTerms(
            str(form.get("variant", "standard")),
            limit=None if limit is None else float(limit),
            increment=float(form.get("clock.increment", 0)),
            is_rated=str(form.get("rated")).lower() in TRUE,
        )
        opponent = self.stand_in.named(request.match_info["name"])
        server = self.stand_in.server
        if not server.can_challenge:
            raise web.HTTPForbidden
        wish = form.get(server.side_field)
        side = server.sides.index(wish) if wish in server.sides else 0
        identity = self.stand_in.challenge(self.account(request), opponent, terms, side)
        return web.json_response(self.stand_in.challenges[identity])

    async def accept(self, request: web.Request) -> web.Response:
        self._pending(request)
        self.stand_in.begin(request.match_info["id"])
        return web.json_response(OK)

    async def decline(self, request: web.Request) -> web.Response:
        self._pending(request)
        identity = request.match_info["id"]
        reason = str((await form_of(request)).get("reason", "generic"))
        challenger, opponent, _, _ = self.stand_in.pending.pop(identity)
        challenge = self.stand_in.challenges.pop(identity) | {
            "status": "declined",
            "declineReason": "No.",
            "declineReasonKey": reason.lower(),
        }
        self.stand_in.declined[identity] = reason
        for account in (challenger, opponent):
            self.stand_in.tell(account, {"type": "challengeDeclined", "challenge": challenge})
        return web.json_response(OK)

    def _pending(self, request: web.Request) -> None:
        found = self.stand_in.pending.get(request.match_info["id"])
        if found is None or found[1] is not self.account(request):
            raise web.HTTPNotFound

    # ---- Games

    async def move(self, request: web.Request) -> web.Response:
        game, side = self.game(request)
        game.play(side, request.match_info["move"])
        if request.query.get("offeringDraw") in TRUE and game.is_running:
            game.offer_draw(side, is_yes=True)
        await self.stand_in.changed(game)
        return web.json_response(OK)

    async def write(self, request: web.Request) -> web.Response:
        game, side = self.game(request)
        form = await form_of(request)
        text = str(form["text"])
        if not 0 < len(text) <= 140 or form["room"] not in ("player", "spectator"):
            return web.json_response({"error": "bad chat"}, status=400)
        name = game.players[side].name
        game.chat.append((str(form["room"]), name, text))
        line = {"type": "chatLine", "room": form["room"], "username": name, "text": text}
        self.stand_in.push(game, line)
        return web.json_response(OK)

    async def command(self, request: web.Request) -> web.Response:
        game, side = self.game(request)
        word, answer = request.match_info["word"], request.match_info.get("answer", "")
        is_yes = answer in TRUE
        server = self.stand_in.server
        if word == "abort":
            game.abort()
        elif word == "resign":
            game.resign(side)
        elif word == "draw":
            game.offer_draw(side, is_yes=is_yes)
        elif word == "takeback" and server.has_takebacks:
            game.offer_takeback(side, is_yes=is_yes)
        elif word == "claim-victory" and server.has_claims:
            game.claim(side, "timeout", side)
        elif word == "claim-draw" and server.has_claims:
            game.claim(side, "draw", None)
        elif word == "select-squares" and server.marks_dead_stones:
            game.select_squares(side, tuple(answer.split(",")) if answer else ())
        elif word == "decide-select-squares" and server.marks_dead_stones:
            game.decide_squares(side, is_yes=is_yes)
        else:
            raise web.HTTPNotFound
        await self.stand_in.changed(game)
        return web.json_response(OK)

    async def export(self, request: web.Request) -> web.Response:
        game, _ = self.game(request)
        return web.Response(text=f'[Event "stand-in"]\n\n{game.status}\n')


def routes(stand_in: StandIn) -> list[web.RouteDef]:
    """Returns the routes of a stand-in."""
    actions = Actions(stand_in)
    game = "/api/bot/game/{id}"
    return [
        web.post("/api/token/test", actions.test_token),
        web.get("/api/account", actions.profile),
        web.post("/api/bot/account/upgrade", actions.upgrade),
        web.get("/api/account/playing", actions.playing),
        web.get("/api/user/{name}", actions.user),
        web.get("/api/users/status", actions.status),
        web.get("/api/stream/event", actions.events),
        web.get("/api/bot/game/stream/{id}", actions.game_stream),
        web.post("/api/challenge/{id}/accept", actions.accept),
        web.post("/api/challenge/{id}/decline", actions.decline),
        web.post("/api/challenge/{name}", actions.create),
        web.post(game + "/move/{move}", actions.move),
        web.post(game + "/chat", actions.write),
        web.post(game + "/{word}", actions.command),
        web.post(game + "/{word}/{answer}", actions.command),
        web.get("/game/export/{id}", actions.export),
    ]
