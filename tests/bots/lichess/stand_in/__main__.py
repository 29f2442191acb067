"""Stands in for a server, so that another program can be tried on it.

`python -m tests.bots.lichess.stand_in PORT GAMES [VARIANT..]`; the bot's token is
token-of-Sparring.
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter

from bots.lichess.server_table import SERVERS
from tests.bots.lichess.stand_in.arena import Arena
from tests.bots.lichess.stand_in.faults import FaultChances
from tests.bots.lichess.stand_in.games import GameTerms
from tests.bots.lichess.stand_in.opponents import LIVELY
from tests.bots.lichess.stand_in.referees import ChessReferee
from tests.bots.lichess.stand_in.server import StandIn

MILD = FaultChances(slow=0.02, repeated=0.1, closed=0.005, failing=0.01)


async def serve(port: int, count: int, variants: list[str]) -> None:
    stand_in = StandIn(SERVERS["lichess"], MILD, keep_alive=5.0)
    bot = stand_in.register("Sparring")
    async with stand_in.running(port):
        while bot.name not in stand_in.event_streams:
            await asyncio.sleep(0.1)
        arena = Arena(stand_in, bot, patience=120.0)
        terms = [GameTerms(variant) for variant in variants]
        games = await arena.games(count, 1, terms, LIVELY)
        await asyncio.sleep(2)
    print(Counter((game.terms.variant, game.status) for game in games))
    print("plies", sum(len(game.moves) for game in games))
    referees = [game.referee for game in games if isinstance(game.referee, ChessReferee)]
    print("castlings", sum(referee.castlings for referee in referees))
    print("faults of the client", [game.faults for game in games if game.faults])
    print("breaches", Counter(stand_in.breaches))
    print("requests", Counter(line.partition("game0")[0] for line in stand_in.requests))
    print("chat of the client", Counter(line[2] for game in games for line in game.chat))


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:] or ["standard", "chess960"]))
