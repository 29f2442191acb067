"""The opponents on the stand-in: random moves, chat, takebacks, draws, and games they leave."""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.bots.lichess.stand_in.games import Account, StandInGame
from tests.bots.lichess.stand_in.referees import GoReferee

if TYPE_CHECKING:
    from tests.bots.lichess.stand_in.server import StandIn

CHAT = (
    "level",
    "why?",
    "hello",
    "stronger",
    "help",
    "\x1b[2J\x00\u202e" + "long " * 2000,
    "",
    "weaker!",
)


@dataclass(frozen=True)
class Script:
    """The conduct of an opponent: chances at each of its moves."""

    chat: float = 0.0
    takeback: float = 0.0
    draw: float = 0.0
    leaves_after: int | None = None  # moves of the game; the opponent is gone from there on
    resigns_after: int | None = None
    never_moves: bool = False
    think_seconds: float = 0.0
    most_moves: int = 400  # of the game; the opponent resigns there


LIVELY = Script(chat=0.05, takeback=0.03, draw=0.05)


class Opponent:
    """Plays one game by a script on the server's side, without HTTP."""

    def __init__(
        self, stand_in: StandIn, account: Account, script: Script, rng: random.Random
    ) -> None:
        self.stand_in = stand_in
        self.account = account
        self.script = script
        self.rng = rng

    async def play(self, game: StandInGame) -> None:
        side = game.side_of(self.account)
        while game.is_running:
            if game.active == side and not self.script.never_moves:
                await asyncio.sleep(self.script.think_seconds)
                if game.is_running and game.active == side:
                    await self._act(game, side)
                continue
            await self._answer(game, side)
            await self._flag(game)
            async with game.changed:
                try:
                    await asyncio.wait_for(game.changed.wait(), 0.05)
                except TimeoutError:
                    continue

    async def _act(self, game: StandInGame, side: int) -> None:
        script = self.script
        count = len(game.plays)
        if script.leaves_after is not None and count >= script.leaves_after:
            await self._leave(game, side)
        elif count >= script.most_moves or count >= (script.resigns_after or 10**6):
            game.resign(side)
            await self.stand_in.changed(game)
        elif game.offered_by is not None:
            game.decide_squares(side, is_yes=self.rng.random() < 0.8)
            await self.stand_in.changed(game)
        elif game.is_counting and self.rng.random() < 0.8:
            game.select_squares(side, ())
            await self.stand_in.changed(game)
        else:
            game.play(side, self._move(game))
            await self.stand_in.changed(game)
            await self._tease(game, side)

    def _move(self, game: StandInGame) -> str:
        moves = game.referee.legal()
        if isinstance(game.referee, GoReferee) and len(game.plays) > 60:
            return "pass"
        return self.rng.choice(moves)

    async def _tease(self, game: StandInGame, side: int) -> None:
        """Chats, offers a draw and asks for a takeback, now and then."""
        script = self.script
        if self.rng.random() < script.chat:
            line = {
                "type": "chatLine",
                "room": "player",
                "username": self.account.name,
                "text": self.rng.choice(CHAT),
            }
            self.stand_in.push(game, line)
        if game.is_running and self.rng.random() < script.draw:
            game.offer_draw(side, is_yes=True)
            await self.stand_in.changed(game)
        can_take_back = self.stand_in.server.has_takebacks and game.is_running
        if can_take_back and self.rng.random() < script.takeback:
            game.offer_takeback(side, is_yes=True)
            await self.stand_in.changed(game)

    async def _answer(self, game: StandInGame, side: int) -> None:
        """Declines draws and takebacks of the other side."""
        if game.draws[1 - side] or game.takebacks[1 - side]:
            game.draws, game.takebacks = [False, False], [False, False]
            await self.stand_in.changed(game)

    async def _leave(self, game: StandInGame, side: int) -> None:
        if not game.gone[side]:
            game.gone[side] = True
            message = {"type": "opponentGone", "gone": True, "claimWinInSeconds": 1}
            self.stand_in.push(game, message)
        await asyncio.sleep(0.05)
        await self._flag(game)

    async def _flag(self, game: StandInGame) -> None:
        """Ends a game by the clock, or aborts one without a first move."""
        clocks = game.clocks()
        if clocks[game.active] <= 0 and game.is_running:
            game.end("outoftime", 1 - game.active)
            await self.stand_in.changed(game)
        idle = asyncio.get_running_loop().time() - game.at
        if game.is_abortable and idle > game.terms.first_move_seconds:
            game.end("aborted")
            await self.stand_in.changed(game)
