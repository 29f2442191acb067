"""The calls of the bot API, one method each. Errors are those of ApiClient.

Identities of games and challenges come from `read_identity`, so they fit into an address.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any
from urllib.parse import quote

from bots import fields
from bots.lichess.api_client import ApiClient
from bots.lichess.challenge import DeclineReason
from bots.lichess.server_table import CAPABILITIES, BotServer

PLAYERS = "player"  # the players' room of a chat
Lines = AbstractAsyncContextManager[AsyncGenerator[str, None]]


class BotApi:
    """The calls to one server."""

    def __init__(self, client: ApiClient, server: BotServer, token: str) -> None:
        self._client = client
        self._server = server
        self._token = token

    # ---- The account

    async def scopes(self) -> frozenset[str]:
        """Returns the rights of the token; empty for an unknown one."""
        answer = await self._client.post("/api/token/test", self._token)
        known = fields.mapping(answer.get(self._token) or {}, "token")
        words = fields.text(known.get("scopes") or "", "scopes").split(",")
        return frozenset(word.strip() for word in words if word.strip())

    async def account(self) -> Mapping[str, Any]:
        """Returns our profile."""
        return await self._client.get("/api/account")

    async def playing(self) -> Sequence[Any]:
        """Returns our current games, as the server lists them."""
        answer = await self._client.get("/api/account/playing?nb=50")
        return fields.sequence(answer.get("nowPlaying"), "nowPlaying")

    async def user(self, name: str) -> Mapping[str, Any]:
        """Returns the public profile of a player."""
        return await self._client.get(f"/api/user/{quote(name, safe='')}")

    # ---- Streams

    def events(self, variants: Sequence[str]) -> Lines:
        """Opens the stream of challenges and games; variants: those that the bot plays."""
        headers = {}
        if self._server.announces_variants:
            headers[CAPABILITIES] = json.dumps({"version": 1, "variants": list(variants)})
        return self._client.stream("/api/stream/event", headers)

    def game(self, game: str) -> Lines:
        """Opens the stream of a game; it begins with the whole game."""
        return self._client.stream(f"/api/bot/game/stream/{game}")

    # ---- Challenges

    async def accept(self, challenge: str) -> None:
        """Accepts a challenge."""
        await self._client.post(f"/api/challenge/{challenge}/accept")

    async def decline(self, challenge: str, reason: DeclineReason) -> None:
        """Declines a challenge."""
        await self._client.post(f"/api/challenge/{challenge}/decline", {"reason": reason.value})

    async def challenge(self, player: str, terms: Mapping[str, str]) -> None:
        """Challenges a player; at most once. terms: the fields of the form."""
        path = f"/api/challenge/{quote(player, safe='')}"
        await self._client.post(path, terms, is_repeated=False)

    # ---- A game

    async def move(self, game: str, move: str, is_wanted: Callable[[], bool]) -> None:
        """Sends a move; at most once. is_wanted: asked when the request's turn comes."""
        path = f"/api/bot/game/{game}/move/{quote(move, safe='@')}"
        await self._client.post(path, is_urgent=True, is_repeated=False, is_wanted=is_wanted)

    async def chat(self, game: str, text: str, room: str) -> None:
        """Says a line in a room, player or spectator; at most once."""
        form = {"room": room or PLAYERS, "text": text}
        await self._client.post(f"/api/bot/game/{game}/chat", form, is_repeated=False)

    async def abort(self, game: str) -> None:
        """Aborts a game before its second move."""
        await self._command(game, "abort")

    async def resign(self, game: str) -> None:
        """Resigns a game."""
        await self._client.post(f"/api/bot/game/{game}/resign", is_urgent=True)

    async def answer_takeback(self, game: str, *, is_yes: bool) -> None:
        """Grants or refuses the opponent's takeback."""
        await self._command(game, f"takeback/{_word(is_yes=is_yes)}")

    async def answer_draw(self, game: str, *, is_yes: bool) -> None:
        """Accepts or declines the opponent's draw offer."""
        await self._command(game, f"draw/{_word(is_yes=is_yes)}")

    async def claim_repetition(self, game: str) -> None:
        """Claims a draw by the third occurrence of a position; else it would offer a draw."""
        await self.answer_draw(game, is_yes=True)

    async def claim_victory(self, game: str) -> None:
        """Claims the victory over an opponent who left."""
        await self._command(game, "claim-victory")

    async def claim_draw(self, game: str) -> None:
        """Claims a draw from an opponent who left."""
        await self._command(game, "claim-draw")

    async def propose_dead_stones(self, game: str, points: Sequence[str]) -> None:
        """Proposes the dead stones of a game of Go."""
        path = f"select-squares/{','.join(points)}" if points else "select-squares"
        await self._command(game, path)

    async def answer_dead_stones(self, game: str, *, is_yes: bool) -> None:
        """Accepts or rejects the opponent's dead stones."""
        await self._command(game, f"decide-select-squares/{_word(is_yes=is_yes)}")

    async def _command(self, game: str, command: str) -> None:
        await self._client.post(f"/api/bot/game/{game}/{command}")


def _word(*, is_yes: bool) -> str:
    return "yes" if is_yes else "no"
