"""Whole games of the bot on the stand-in, at a running engine."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.support.bots.engine_process import EngineServer
from tests.support.ogs.bot_run import bot_on
from tests.support.ogs.faults import Faults
from tests.support.ogs.server import BOT, OgsStandIn
from tests.support.ogs.tournament import Tournament, drawn_game, play_all

FAULTS = Faults(1, drop=0.004, twice=0.05, late=0.05, refuse=0.1)


def check(result: Tournament, stand_in: OgsStandIn, number: int) -> None:
    """Checks that every game ended by the rules, and that the bot did nothing wrong."""
    assert len(result.games) == number, result.rejections
    for game, drawn in zip(result.games, result.drawn, strict=True):
        about = f"{game.id}: {game.outcome} {game.wanted}"
        assert drawn.plan.errors == [], about
        assert game.outcome == "Resignation" or game.outcome.endswith(" points"), about
        if game.outcome == "Resignation":
            assert game.winner == BOT.id, about
        said = [m["line"]["body"] for m in game.chat_log if m["line"]["player_id"] == BOT.id]
        assert said.count("Hello, I adapt to your level.") == 1, said
        assert said.count("Thank you for the game.") <= 1, said
    assert stand_in.journal.refused == []


def test_games_end_right_on_a_faulty_line(engine: EngineServer, tmp_path: Path) -> None:
    async def run() -> tuple[Tournament, OgsStandIn]:
        games = [drawn_game(seed) for seed in range(4)]
        async with OgsStandIn(FAULTS) as stand_in, bot_on(stand_in, engine.socket, tmp_path):
            return await play_all(stand_in, games, 4), stand_in

    result, stand_in = asyncio.run(asyncio.wait_for(run(), 100))
    check(result, stand_in, 4)
    assert stand_in.journal.connections > 1
