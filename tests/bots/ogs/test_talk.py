"""One game with talk, a restart of the bot and a loss of the engine."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from tests.support.bots.engine_process import EngineServer
from tests.support.ogs import opponents
from tests.support.ogs.board import Wanted
from tests.support.ogs.bot_run import bot_on
from tests.support.ogs.challenges import BOT
from tests.support.ogs.online_game import Account, OnlineGame
from tests.support.ogs.opponents import Plan
from tests.support.ogs.server import OgsStandIn

ANN = Account(7, "ann", rating=1500, deviation=70)
WANTED = Wanted(5, 5, {"system": "simple", "speed": "live", "per_move": 600})
HELLO = "Hello, I adapt to your level."


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(60):
        while not condition():
            await asyncio.sleep(0.02)


def said(game: OnlineGame) -> list[str]:
    lines = [message["line"] for message in game.chat_log]
    return [line["body"] for line in lines if line["player_id"] == BOT.id]


async def begun(stand_in: OgsStandIn) -> OnlineGame:
    challenge = stand_in.challenge(ANN, WANTED, bot_color=0)
    await until(lambda: challenge.game_id in stand_in.games)
    game = stand_in.games[challenge.game_id]
    await until(lambda: len(game.moves) == 1)
    return game


def test_the_opponents_words_are_answered_once_each(engine: EngineServer, tmp_path: Path) -> None:
    async def run() -> OnlineGame:
        async with OgsStandIn() as stand_in, bot_on(stand_in, engine.socket, tmp_path):
            game = await begun(stand_in)
            for word in ("level", "why", "help", "stronger", "weaker", "stay"):
                before = len(said(game))
                opponents.say(stand_in, game, 1, word)
                opponents.say(stand_in, game, 1, word)
                await until(lambda before=before: len(said(game)) > before)  # type: ignore[misc]
            for line in ("\x00\x1b[31m" * 2500, "why " * 2500, "Who are you?"):
                opponents.say(stand_in, game, 1, line)
            await asyncio.sleep(0.3)
            assert len(said(game)) == 7
            await opponents.play(stand_in, game, 1, Plan(pass_from=1), 1)
            opponents.say(stand_in, game, 1, "rematch")
            await until(lambda: "here is my challenge" in said(game)[-1])
            await until(lambda: stand_in.offers)
            return game

    game = asyncio.run(run())
    assert said(game)[0] == HELLO
    assert game.outcome.endswith(" points")


def test_a_game_outlives_restarts_of_bot_and_engine(engine: EngineServer, tmp_path: Path) -> None:
    async def run() -> OnlineGame:
        async with OgsStandIn() as stand_in:
            async with bot_on(stand_in, engine.socket, tmp_path):
                game = await begun(stand_in)
            game.play(ANN.id, "aa", stand_in.now())
            async with bot_on(stand_in, engine.socket, tmp_path):
                await until(lambda: len(game.moves) == 3)
                engine.kill()
                game.play(ANN.id, "ee" if game.position.is_legal(24, 1) else "..", stand_in.now())
                await until(lambda: game.clock.pause_control)
                await until(lambda: any("engine is away" in line for line in said(game)))
                await asyncio.to_thread(engine.start)
                await until(lambda: len(game.moves) == 5 and not game.clock.pause_control)
                await opponents.play(stand_in, game, 1, Plan(pass_from=1), 1)
            assert stand_in.journal.refused == []
            return game

    game = asyncio.run(run())
    assert said(game).count(HELLO) == 1
    assert game.outcome.endswith(" points")
