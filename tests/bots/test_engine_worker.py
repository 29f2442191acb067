"""The queue of a game's actions for the engine: order, stopped requests, and a lost engine."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest

from bots import actions, events
from bots.actions import Think
from bots.engine_connection import EngineAwayError, EngineCommandError
from bots.engine_session import EngineMove, EngineSession
from bots.engine_worker import EngineWorker
from bots.events import Event
from bots.game_setup import GameSetup, OnlineOpponent, OnlineResult

SETUP = GameSetup("g", 1, OnlineOpponent("ann", "test"))
RESULT = OnlineResult(0, "resign")


class ScriptedSession:
    """A session whose calls fail as often as told. Stands for an EngineSession."""

    def __init__(self) -> None:
        self.is_open = False
        self.calls: list[str] = []
        self.failures: list[Exception] = []

    def _call(self, name: str) -> None:
        self.calls.append(name)
        if self.failures and name != "open":
            self.is_open = False
            raise self.failures.pop(0)

    async def open(self, _setup: GameSetup) -> None:
        self._call("open")
        self.is_open = True

    async def prepare(self, _setup: GameSetup, _moves: Any) -> None:
        self._call("prepare")

    async def think(self, request: Think) -> EngineMove:
        self._call(f"think {request.request}")
        return EngineMove("D4")

    async def chat(self, question: str) -> str:
        self._call(question)
        return "an answer"

    async def finish(self, _setup: GameSetup, _moves: Any, _result: OnlineResult) -> None:
        self._call("finish")

    def drop(self) -> None:
        self.calls.append("drop")


def worked(
    session: ScriptedSession,
    *wanted: actions.EngineAction,
    later: actions.EngineAction | None = None,
) -> list[Event]:
    """Carries out actions and then the end of the game; returns the events."""

    async def run() -> list[Event]:
        told: list[Event] = []

        def tell(event: Event) -> None:
            told.append(event)
            if isinstance(event, events.EngineBack) and later is not None:
                worker.want(later)
                worker.want(actions.FinishGame(RESULT))

        worker = EngineWorker(
            cast("EngineSession", session), tell, lambda: 1.0, lambda: (SETUP, ())
        )
        for action in wanted:
            worker.want(action)
        if later is None:
            worker.want(actions.FinishGame(RESULT))
        await asyncio.wait_for(worker.run(), 20)
        return told

    return asyncio.run(run())


def think(number: int) -> Think:
    return Think(number, SETUP, (), 1)


def test_actions_are_carried_out_in_their_order() -> None:
    session = ScriptedSession()
    told = worked(
        session, actions.PrepareEngine(SETUP, ()), think(1), actions.AskEngine("why", "main")
    )
    assert session.calls == ["open", "prepare", "think 1", "why", "finish", "drop"]
    assert told == [
        events.EngineMoved(1.0, 1, "D4"),
        events.EngineAnswered(1.0, "an answer", "main"),
    ]


def test_a_stopped_request_is_not_carried_out() -> None:
    session = ScriptedSession()
    told = worked(session, think(1), think(2), actions.StopThinking(1))
    assert "think 1" not in session.calls
    assert told == [events.EngineMoved(1.0, 2, "D4")]


def test_an_error_of_the_engine_is_told() -> None:
    session = ScriptedSession()
    session.failures = [EngineCommandError("illegal move")]
    assert worked(session, think(1)) == [events.EngineFailed(1.0, 1, "illegal move")]


def test_a_lost_engine_is_waited_for_and_older_requests_are_void() -> None:
    session = ScriptedSession()
    session.failures = [EngineAwayError("gone")]
    told = worked(session, think(1), think(2), later=think(3))
    assert told == [
        events.EngineLost(1.0),
        events.EngineBack(1.0),
        events.EngineMoved(1.0, 3, "D4"),
    ]
    assert session.calls == ["open", "think 1", "open", "think 3", "finish", "drop"]


@pytest.mark.parametrize("losses", [1, 3])
def test_the_result_waits_for_a_lost_engine(losses: int) -> None:
    session = ScriptedSession()
    session.is_open = True
    session.failures = [EngineAwayError("gone")] * losses
    assert worked(session) == []
    assert session.calls.count("finish") == losses + 1
