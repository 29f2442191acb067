"""A stand-in for Lichess, PlayStrategy and PyChess: their bot API on aiohttp, with faults.

It watches its clients: a request beside another of the same account, or within the wait after an
answer 429, is a breach.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

from aiohttp import web

from bots.lichess.server_table import BotServer
from tests.bots.lichess.stand_in import actions
from tests.bots.lichess.stand_in.faults import NOISE, FaultChances, Faults
from tests.bots.lichess.stand_in.games import Account, GameTerms, Refusal, StandInGame
from tests.bots.lichess.stand_in.referees import REFEREES, Referee

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class StandIn:
    """Accounts, challenges and games of one server. Times are in seconds."""

    def __init__(
        self,
        server: BotServer,
        chances: FaultChances | None = None,
        *,
        seed: int = 0,
        keep_alive: float = 0.05,
        limit_seconds: float = 0.2,
    ) -> None:
        self.server = server
        self.faults = Faults(chances or FaultChances(), seed)
        self.keep_alive = keep_alive
        self.limit_seconds = limit_seconds
        self.accounts: dict[str, Account] = {}  # by token
        self.games: dict[str, StandInGame] = {}
        self.challenges: dict[str, dict[str, Any]] = {}
        self.pending: dict[str, tuple[Account, Account, GameTerms, int]] = {}
        self.declined: dict[str, str] = {}  # reason by challenge
        self.event_streams: dict[str, asyncio.Queue[str | None]] = {}  # by account
        self.breaches: list[str] = []
        self.requests: list[str] = []
        self.capabilities: list[str] = []
        self._busy: dict[str, int] = {}
        self._limited_until: dict[str, float] = {}
        self._next = 0
        self.url = ""

    def register(self, name: str, *, title: str = "BOT", rating: int = 1500) -> Account:
        account = Account(name, f"token-of-{name}", title, rating)
        self.accounts[account.token] = account
        return account

    def named(self, name: str) -> Account:
        for account in self.accounts.values():
            if account.id == name.lower():
                return account
        raise web.HTTPNotFound

    def identity(self) -> str:
        self._next += 1
        return f"game{self._next:04d}"

    @asynccontextmanager
    async def running(self, port: int = 0) -> AsyncIterator[StandIn]:
        app = web.Application(middlewares=[self._watch])
        app.add_routes(actions.routes(self))
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", port)
        await site.start()
        self.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        try:
            yield self
        finally:
            for queue in [*self.event_streams.values(), *self._game_queues()]:
                queue.put_nowait(None)
            await runner.cleanup()

    def _game_queues(self) -> list[asyncio.Queue[str | None]]:
        return [queue for game in self.games.values() for queue in game.streams.values()]

    # ---- Requests

    def account_of(self, request: web.Request) -> Account | None:
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        return self.accounts.get(token)

    @web.middleware
    async def _watch(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        account = self.account_of(request)
        if account is None:
            return web.json_response({"error": "No such token"}, status=401)
        self.requests.append(f"{request.method} {request.path}")
        fault = self._fault(request, account)
        if fault is not None:
            return fault
        if "/stream/" in request.path:
            return await handler(request)
        self._busy[account.name] = self._busy.get(account.name, 0) + 1
        try:
            return await self._answer(request, handler)
        finally:
            self._busy[account.name] -= 1

    def _fault(self, request: web.Request, account: Account) -> web.Response | None:
        """Notes breaches of the rate limit; returns the answer of a faulty request."""
        now = asyncio.get_running_loop().time()
        if now < self._limited_until.get(account.name, 0.0):
            self.breaches.append(f"{request.path} within the wait after 429")
        if self._busy.get(account.name, 0):
            self.breaches.append(f"{request.path} beside another request")
        if self.faults.strikes("limited"):
            self._limited_until[account.name] = now + self.limit_seconds
            return web.json_response({"error": "Too many requests"}, status=429)
        if self.faults.strikes("failing"):
            return web.Response(status=502, text="<html>Bad Gateway</html>")
        return None

    async def _answer(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        if self.faults.strikes("slow"):
            await asyncio.sleep(0.05)
        try:
            response = await handler(request)
        except Refusal as error:
            return web.json_response({"error": str(error)}, status=400)
        except web.HTTPException as error:
            return web.json_response({"error": "Not found"}, status=error.status)
        if self.faults.strikes("unanswered") and request.transport is not None:
            request.transport.close()
        return response

    # ---- Streams

    async def follow(
        self, request: web.Request, queue: asyncio.Queue[str | None]
    ) -> web.StreamResponse:
        """Writes a queue's lines until None, with the faults of streams."""
        response = web.StreamResponse(headers={"Content-Type": "application/x-ndjson"})
        await response.prepare(request)
        with suppress(ConnectionError):
            while True:
                try:
                    line = await asyncio.wait_for(queue.get(), self.keep_alive)
                except TimeoutError:
                    line = '{"type":"ping"}' if self.server.name == "pychess" else ""
                if line is None or not await self._write(request, response, line):
                    break
        return response

    async def _write(self, request: web.Request, response: web.StreamResponse, line: str) -> bool:
        """Writes a line in two pieces; returns whether the stream goes on."""
        strikes = self.faults.strikes
        data = line.encode() + b"\n"
        if line and strikes("cut"):
            await response.write(data[: len(data) // 2])
            assert request.transport is not None
            request.transport.close()
            return False
        if strikes("closed"):
            return False
        if strikes("stalled"):
            while request.transport is not None and not request.transport.is_closing():
                await asyncio.sleep(0.05)
            return False
        if strikes("noisy"):
            await response.write(self.faults.rng.choice(NOISE).encode() + b"\n")
        for _ in range(1 + bool(line and strikes("repeated") and "gameState" in line)):
            middle = self.faults.rng.randrange(len(data) + 1)
            await response.write(data[:middle])
            await asyncio.sleep(0)
            await response.write(data[middle:])
        return True

    def tell(self, account: Account, event: dict[str, Any]) -> None:
        """Sends an event to an account's event stream."""
        queue = self.event_streams.get(account.name)
        if queue is not None:
            queue.put_nowait(json.dumps(event))

    def push(self, game: StandInGame, message: dict[str, Any] | None = None) -> None:
        """Sends a message, the state if there is none, to all streams of a game."""
        for queue in game.streams.values():
            queue.put_nowait(json.dumps(message or game.state()))

    async def changed(self, game: StandInGame) -> None:
        """Sends a game's new state; at its end closes its streams."""
        self.push(game)
        if not game.is_running:
            for queue in game.streams.values():
                queue.put_nowait(None)
            for account in game.players:
                self.tell(account, {"type": "gameFinish", "game": self.preview(game, account)})
        await game.announce()

    # ---- Challenges and games

    def challenge(
        self, challenger: Account, opponent: Account, terms: GameTerms, side: int = 0
    ) -> str:
        """Challenges an account; side: the challenger's. Returns the challenge's identity."""
        identity = self.identity()
        self.pending[identity] = (challenger, opponent, terms, side)
        self.challenges[identity] = self._challenge_json(identity)
        event = {"type": "challenge", "challenge": self.challenges[identity]}
        self.tell(opponent, event)
        self.tell(challenger, event)
        return identity

    def _challenge_json(self, identity: str) -> dict[str, Any]:
        challenger, opponent, terms, side = self.pending[identity]
        sides = self.server.sides
        clock: dict[str, Any] = {"type": "unlimited"}
        if terms.limit is not None:
            clock = {"type": "clock", "limit": int(terms.limit), "increment": int(terms.increment)}
        return {
            "id": identity,
            "url": f"{self.url}/{identity}",
            "status": "created",
            "challenger": self._user(challenger),
            "destUser": self._user(opponent),
            "variant": {"key": terms.variant, "name": terms.variant.capitalize(), "short": "x"},
            "rated": terms.is_rated,
            "speed": "blitz" if terms.limit is not None else "correspondence",
            "timeControl": clock,
            self.server.side_field: "random",
            self.server.final_side_field: sides[side],
            "initialFen": REFEREES[terms.variant]().start if terms.variant in REFEREES else None,
            "perf": {"icon": "", "name": "Blitz"},
        }

    @staticmethod
    def _user(account: Account) -> dict[str, Any]:
        return {
            "id": account.id,
            "name": account.name,
            "title": account.title or None,
            "rating": account.rating,
        }

    def begin(self, identity: str) -> StandInGame:
        """Begins the game of an accepted challenge."""
        challenger, opponent, terms, side = self.pending.pop(identity)
        del self.challenges[identity]
        players = (opponent, challenger) if side else (challenger, opponent)
        return self.start(identity, players, terms)

    def start(
        self,
        identity: str,
        players: tuple[Account, Account],
        terms: GameTerms,
        make_referee: Callable[[], Referee] | None = None,
    ) -> StandInGame:
        """Begins a game and tells both players."""
        make = make_referee or REFEREES[terms.variant]
        game = StandInGame(identity, self.server, players, terms, make)
        self.games[identity] = game
        for account in players:
            self.tell(account, {"type": "gameStart", "game": self.preview(game, account)})
        return game

    def preview(self, game: StandInGame, account: Account) -> dict[str, Any]:
        side = game.side_of(account)
        opponent = game.players[1 - side]
        return {
            "fullId": f"{game.id}abcd",
            "gameId": game.id,
            "id": game.id,
            "fen": "",
            "color": ("white", "black")[side],
            "lastMove": game.moves[-1] if game.moves else "",
            "source": "friend",
            "status": {"id": 20, "name": game.status},
            "variant": {"key": game.terms.variant, "name": game.terms.variant.capitalize()},
            "speed": "blitz",
            "perf": "blitz",
            "rated": game.terms.is_rated,
            "hasMoved": len(game.moves) > side,
            "opponent": {
                "id": opponent.id,
                "username": opponent.name,
                "rating": opponent.rating,
            },
            "isMyTurn": game.active == side,
            "secondsLeft": int(game.clocks()[side]),
            "compat": {"bot": True, "board": True},
        }

    def games_of(self, account: Account) -> list[StandInGame]:
        return [game for game in self.games.values() if account in game.players and game.is_running]
