"""Whole games of our bot on the stand-in."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from bots.lichess.server_table import SERVERS
from tests.bots.lichess.playing import POLICY, bot_on
from tests.bots.lichess.stand_in.arena import Arena
from tests.bots.lichess.stand_in.faults import ALL_FAULTS
from tests.bots.lichess.stand_in.games import GameTerms, StandInGame
from tests.bots.lichess.stand_in.opponents import LIVELY
from tests.bots.lichess.stand_in.server import StandIn
from tests.support.bots.engine_process import EngineServer

TERMS = [GameTerms("flipello", limit=120.0), GameTerms("go9x9", limit=120.0)]


async def played(
    engine: EngineServer, server: str, count: int, at_once: int, *, seed: int = 1
) -> tuple[StandIn, list[StandInGame]]:
    """Plays games with all faults; returns the stand-in and its games."""
    stand_in = StandIn(SERVERS[server], ALL_FAULTS, seed=seed)
    terms = TERMS if server == "playstrategy" else TERMS[:1]  # dead stones are PlayStrategy's
    async with stand_in.running():
        bot = stand_in.register("Sparring")
        async with bot_on(stand_in, str(engine.socket), games=at_once):
            arena = Arena(stand_in, bot, seed=seed)
            games = await arena.games(count, at_once, terms, LIVELY)
    return stand_in, games


def check(stand_in: StandIn, games: list[StandInGame]) -> None:
    """Every game ended by its rules, no move was illegal, and no wait was cut short."""
    assert Counter(game.status for game in games) == {"variantEnd": len(games)}
    assert [game.faults for game in games if game.faults] == []
    assert stand_in.breaches == []
    for game in games:
        lines = Counter(text for _, name, text in game.chat if name == "Sparring")
        assert lines[POLICY.greeting] == 1, game.chat


@pytest.mark.parametrize("server", ["playstrategy", "lichess", "pychess"])
def test_games_with_all_faults_end_by_their_rules(engine: EngineServer, server: str) -> None:
    check(*asyncio.run(played(engine, server, 4, 4)))


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_a_hundred_games_with_all_faults_end_by_their_rules(engine: EngineServer) -> None:
    for server, count in (("playstrategy", 60), ("lichess", 30), ("pychess", 10)):
        stand_in, games = asyncio.run(played(engine, server, count, 5, seed=7))
        check(stand_in, games)
        assert stand_in.faults.missing == []
