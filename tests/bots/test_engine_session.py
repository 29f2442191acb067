"""A game's conversation with a running engine, which is killed and started again."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from bots.actions import Think
from bots.engine_connection import (
    EngineAddress,
    EngineAwayError,
    EngineCommandError,
    GreetingRefusedError,
)
from bots.engine_session import EngineSession, PlayOptions
from bots.game_clocks import GameClocks, PlayerClock
from bots.game_memory import GameMemory
from bots.game_setup import GameSetup, OnlineMove, OnlineOpponent, OnlineResult, OnlineTimeControl
from bots.gtp_link import GtpLink
from tests.support.bots.engine_process import EngineServer

OPPONENT = OnlineOpponent("ann # 1", "test", rating=1500.0, deviation=80.0, games=20)
SETUP = GameSetup(
    "9",
    1,
    OPPONENT,
    width=9,
    height=9,
    rules="tromp-taylor",
    komi=7.0,
    time_control=OnlineTimeControl.absolute(60),
)
FIRST = (OnlineMove(0, "E5"),)
CLOCKS = GameClocks((PlayerClock(55.0), PlayerClock(60.0)), 0.0, 1)


def session_of(
    engine: EngineServer, memory: GameMemory, options: PlayOptions | None = None
) -> EngineSession:
    return EngineSession(
        EngineAddress(str(engine.socket)),
        options or PlayOptions(persona="full"),
        memory,
        now=lambda: CLOCKS.at,
    )


def think(*moves: OnlineMove, setup: GameSetup = SETUP) -> Think:
    return Think(1, setup, moves, setup.color, CLOCKS, 0.4)


async def board(session: EngineSession) -> list[tuple[str, str]]:
    """The moves on the engine's board."""
    game = json.loads(await session._ask("sparring-game"))
    return [(color, text) for color, text in game["moves"]]


def test_the_board_follows_forward_back_and_to_another_game(engine: EngineServer) -> None:
    async def play() -> None:
        session = session_of(engine, GameMemory(None))
        await session.open(SETUP)
        move = await session.think(think(*FIRST))
        assert await board(session) == [("black", "E5"), ("white", move.text)]
        other = OnlineMove(1, "C3")
        third = OnlineMove(0, "G7")
        again = await session.think(think(*FIRST, other, third))
        expected = [("black", "E5"), ("white", "C3"), ("black", "G7"), ("white", again.text)]
        assert await board(session) == expected
        await session.think(think(OnlineMove(0, "D5")))
        assert (await board(session))[0] == ("black", "D5")
        with pytest.raises(EngineCommandError, match="illegal"):
            await session.think(think(*FIRST, OnlineMove(1, "E5"), third))
        await session.think(think(*FIRST))
        assert (await board(session))[0] == ("black", "E5")
        asked = await session._ask("sparring-opponent")
        assert "ann # 1" in asked
        await session.finish(SETUP, FIRST, OnlineResult(1, "resign"))

    asyncio.run(play())


def test_a_game_outlives_the_engine_and_the_bot(engine: EngineServer, tmp_path: Path) -> None:
    async def play() -> None:
        notes = tmp_path / "notes"
        session = session_of(engine, GameMemory(notes))
        await session.open(SETUP)
        move = await session.think(think(*FIRST))
        await asyncio.to_thread(engine.kill)
        with pytest.raises(EngineAwayError):
            await session.think(think(*FIRST))
        assert not session.is_open
        with pytest.raises(EngineAwayError):
            await session.open(SETUP)
        await asyncio.to_thread(engine.start)
        later = session_of(engine, GameMemory(notes))  # another process of the bot
        await later.open(SETUP)
        moves = [("black", "E5"), ("white", move.text)]
        assert await board(later) == moves
        answer = await later.think(think(*FIRST, OnlineMove(1, move.text), OnlineMove(0, "pass")))
        assert len(await board(later)) == 4
        assert answer.text
        await later.finish(SETUP, FIRST, OnlineResult(None, "abort"))
        assert not list(notes.iterdir())

    asyncio.run(play())


def test_a_conversation_that_ended_before_its_setup_is_set_up_anew(
    engine: EngineServer, tmp_path: Path
) -> None:
    async def play() -> None:
        memory = GameMemory(tmp_path / "notes")
        session = session_of(engine, memory)
        await session.open(SETUP)
        session.drop()  # the engine keeps a usual board, larger than that of the game
        later = session_of(engine, GameMemory(tmp_path / "notes"))
        await later.open(SETUP)
        await later.think(think(*FIRST))
        assert len(json.loads(await later._ask("sparring-game"))["rows"]) == SETUP.height
        assert (await board(later))[0] == ("black", "E5")
        later.drop()

    asyncio.run(play())


def test_analysis_refused_moves_handicap_and_chat(engine: EngineServer) -> None:
    async def play() -> None:
        options = PlayOptions(persona="full", visits=12, is_analyzing=True)
        session = session_of(engine, GameMemory(None), options)
        stones = (OnlineMove(0, "C3"), OnlineMove(0, "G7"))
        setup = replace(SETUP, stones=stones, first_to_move=1)
        await session.open(setup)
        request = think(setup=setup)
        move = await session.think(request)
        found = json.loads(move.analysis)
        assert found["visits"] >= 12
        assert len(found["ownership"]) == 81
        assert 0 <= found["winrate"] <= 1
        other = await session.think(replace(request, refused=(move.text,)))
        assert other.text != move.text
        assert await session.chat("why")
        assert "full strength" in await session.chat("level")
        session.drop()

    asyncio.run(play())


@pytest.mark.parametrize(
    ("game", "width", "height", "first"),
    [
        ("othello", 8, 8, "f5"),
        ("connect4", 7, 6, "4"),
    ],
)
def test_other_games(engine: EngineServer, game: str, width: int, height: int, first: str) -> None:
    async def play() -> str:
        setup = replace(SETUP, game=game, width=width, height=height)
        session = session_of(engine, GameMemory(None))
        await session.open(setup)
        move = await session.think(think(OnlineMove(0, first), setup=setup))
        session.drop()
        return move.text

    assert asyncio.run(play())


def test_wrong_options_are_refused_and_an_absent_engine_is_away(
    engine: EngineServer, tmp_path: Path
) -> None:
    async def play() -> None:
        wrong = PlayOptions(persona="nobody")
        with pytest.raises(GreetingRefusedError, match="nobody"):
            await session_of(engine, GameMemory(None), wrong).open(SETUP)
        nowhere = EngineAddress(str(tmp_path / "nothing.sock"))
        with pytest.raises(EngineAwayError, match="no engine at"):
            await EngineSession(nowhere, PlayOptions(), GameMemory(None)).open(SETUP)

    asyncio.run(play())


class ScriptedLink:
    """A link to an engine that answers at once; a move takes three seconds, one of them thought."""

    def __init__(self) -> None:
        self.now = 10.0
        self.thought = 0.0
        self.commands: list[str] = []

    async def ask_all(self, commands: Sequence[str]) -> list[str]:
        self.commands += commands
        if "genmove white" in commands:
            self.now += 3.0
            self.thought += 1.0
        return ["C3" if "genmove" in each else f"{self.thought}" for each in commands]


def test_the_clocks_are_stated_as_they_are_and_the_answers_delay_is_reserved() -> None:
    link = ScriptedLink()
    session = EngineSession(EngineAddress(), PlayOptions(), GameMemory(None), now=lambda: link.now)
    session._link = cast("GtpLink", link)

    async def play() -> None:
        await session.think(think(*FIRST))
        await session.think(think(*FIRST, OnlineMove(1, "C3"), OnlineMove(0, "G7")))

    asyncio.run(play())
    stated = [each for each in link.commands if each.startswith("time_left white")]
    assert stated == ["time_left white 50.00 0", "time_left white 47.00 0"]
    lags = [each for each in link.commands if each.startswith("kata-set-param")]
    assert lags == ["kata-set-param lagBuffer 0.50", "kata-set-param lagBuffer 2.50"]
