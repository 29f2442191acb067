"""Many games of one bot on the stand-in, against scripted opponents, some at a time."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence

from tests.bots.lichess.stand_in.games import Account, GameTerms, StandInGame
from tests.bots.lichess.stand_in.opponents import Opponent, Script
from tests.bots.lichess.stand_in.server import StandIn


class Arena:
    """Challenges a bot to games, and plays the other side of each."""

    def __init__(
        self, stand_in: StandIn, bot: Account, *, seed: int = 0, patience: float = 60.0
    ) -> None:
        self.stand_in = stand_in
        self.bot = bot
        self.rng = random.Random(seed)
        self.patience = patience  # seconds for the acceptance of a challenge

    async def game(self, terms: GameTerms, script: Script) -> StandInGame:
        """Plays one game to its end."""
        stand_in = self.stand_in
        name = f"player{len(stand_in.accounts)}"
        opponent = stand_in.register(name, title="", rating=self.rng.randrange(800, 2200))
        side = self.rng.randrange(2)
        identity = stand_in.challenge(opponent, self.bot, terms, side=side)
        async with asyncio.timeout(self.patience):
            while identity not in stand_in.games:
                await asyncio.sleep(0.01)
                if stand_in.declined.get(identity) == "later":
                    identity = stand_in.challenge(opponent, self.bot, terms, side=side)
        game = stand_in.games[identity]
        await Opponent(stand_in, opponent, script, self.rng).play(game)
        return game

    async def games(
        self, count: int, at_once: int, terms: Sequence[GameTerms], script: Script
    ) -> list[StandInGame]:
        """Plays so many games, so many at once; the terms take turns."""
        gate = asyncio.Semaphore(at_once)

        async def one(number: int) -> StandInGame:
            async with gate:
                return await self.game(terms[number % len(terms)], script)

        return list(await asyncio.gather(*(one(number) for number in range(count))))
