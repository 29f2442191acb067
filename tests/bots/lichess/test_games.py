"""Whole games of our bot on the stand-in."""

from __future__ import annotations

import asyncio
import gc
from collections import Counter

import pytest

from bots.lichess.server_table import SERVERS
from tests.bots.lichess.playing import POLICY, bot_on
from tests.bots.lichess.stand_in.arena import Arena
from tests.bots.lichess.stand_in.faults import ALL_FAULTS
from tests.bots.lichess.stand_in.games import GameTerms, StandInGame
from tests.bots.lichess.stand_in.opponents import LIVELY, Script
from tests.bots.lichess.stand_in.server import StandIn
from tests.support.bots.engine_process import EngineServer

TERMS = [GameTerms("flipello", limit=600.0), GameTerms("go9x9", limit=600.0)]


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
        assert lines[POLICY.greeting] <= 1, game.chat  # a post without an answer is not repeated


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


def test_a_bot_that_closes_plays_its_game_to_the_end_and_takes_no_other(
    engine: EngineServer,
) -> None:
    async def play() -> None:
        async with StandIn(SERVERS["playstrategy"]).running() as stand_in:
            bot = stand_in.register("Sparring")
            async with bot_on(stand_in, str(engine.socket)) as service:
                arena = Arena(stand_in, bot)
                playing = asyncio.create_task(arena.game(TERMS[0], Script(think_seconds=0.01)))
                while not service.games:
                    await asyncio.sleep(0.01)
                closing = asyncio.create_task(service.close())
                late = stand_in.register("Late", title="")
                identity = stand_in.challenge(late, bot, TERMS[0])
                await closing
                assert stand_in.declined[identity] == "later"
                assert (await playing).status == "variantEnd"

    asyncio.run(play())


def test_a_bot_stopped_while_it_waits_for_its_server_leaves_no_line_open(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def wait() -> None:
        async with StandIn(SERVERS["lichess"]).running() as stand_in:
            stand_in.register("Sparring")
            async with bot_on(stand_in, "no engine is needed"):
                async with asyncio.timeout(20):
                    while "Sparring" not in stand_in.event_streams:
                        await asyncio.sleep(0.01)
                    stand_in.event_streams["Sparring"].put_nowait(None)
                    while "connecting again" not in caplog.text:
                        await asyncio.sleep(0.001)

    asyncio.run(wait())
    gc.collect()  # an open session of HTTP warns when it is collected, and the test fails
