"""Whole games of the bot on the stand-in, at a running engine."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from pathlib import Path

import pytest

from tests.support.bots.engine_process import EngineServer
from tests.support.bots.soak import refusals
from tests.support.ogs.bot_run import bot_on
from tests.support.ogs.challenges import BOT
from tests.support.ogs.faults import Faults
from tests.support.ogs.server import OgsStandIn
from tests.support.ogs.tournament import TIMES, Tournament, drawn_game, play_all

CHANCES = {"drop": 0.004, "twice": 0.05, "late": 0.05, "refuse": 0.1}
HELLO, BYE = "Hello, I adapt to your level.", "Thank you for the game."


def played(
    engine: EngineServer, folder: Path, number: int, concurrent: int, limit: float
) -> Counter[str]:
    """Plays so many games with faults, and checks that each ended by the rules."""
    faults = Faults(number, **CHANCES)  # type: ignore[arg-type]

    async def run() -> tuple[Tournament, OgsStandIn]:
        games = [drawn_game(seed) for seed in range(number)]
        async with OgsStandIn(faults) as stand_in, bot_on(stand_in, engine.socket, folder):
            return await play_all(stand_in, games, concurrent), stand_in

    result, stand_in = asyncio.run(asyncio.wait_for(run(), limit))
    assert len(result.games) == number, result.rejections
    for game, drawn in zip(result.games, result.drawn, strict=True):
        about = f"{game.id}: {game.outcome} {game.wanted}"
        assert drawn.plan.errors == [], about
        assert game.outcome == "Resignation" or game.outcome.endswith(" points"), about
        assert game.outcome != "Resignation" or drawn.plan.resign_at is not None, about
        said = Counter(
            line["line"]["body"] for line in game.chat_log if line["line"]["player_id"] == BOT.id
        )
        assert said[HELLO] <= 1, about
        assert said[BYE] <= 1, about
    assert refusals(stand_in) == []
    print(json.dumps({"outcomes": result.outcomes, "faults": faults.counts}))
    print(json.dumps(stand_in.journal.commands))
    return Counter(game.wanted.time_control["system"] for game in result.games)


def test_games_end_right_on_a_faulty_line(engine: EngineServer, tmp_path: Path) -> None:
    played(engine, tmp_path, 4, 4, limit=100)


@pytest.mark.slow
@pytest.mark.timeout(1600)
def test_two_hundred_games_twenty_at_once(engine: EngineServer, tmp_path: Path) -> None:
    assert set(played(engine, tmp_path, 200, 20, limit=1500)) == set(TIMES)
