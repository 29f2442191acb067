"""Carries out the engine's actions of one game in their order, and waits for a lost engine."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from bots.actions import (
    AskEngine,
    EngineAction,
    FinishGame,
    JudgeStones,
    PrepareEngine,
    StopThinking,
    Think,
)
from bots.engine_connection import EngineAwayError, EngineCommandError, GreetingRefusedError
from bots.engine_session import FIRST_PAUSE, LONGEST_PAUSE, EngineSession
from bots.events import (
    EngineAnswered,
    EngineBack,
    EngineFailed,
    EngineLost,
    EngineMoved,
    Event,
    StonesJudged,
)
from bots.game_setup import GameSetup, OnlineMove

log = logging.getLogger("sparring.bot")

FINISH_SECONDS = 600.0  # longest wait for a lost engine at the end of a game


@dataclass
class EngineWorker:
    """One game's queue of actions for the engine. tell: takes its events. now: the time."""

    session: EngineSession
    tell: Callable[[Event], None]
    now: Callable[[], float]
    position: Callable[[], tuple[GameSetup | None, tuple[OnlineMove, ...]]]  # the game's latest
    _queue: asyncio.Queue[EngineAction] = field(default_factory=asyncio.Queue)
    _stopped: set[int] = field(default_factory=set)  # requests whose answer is not wanted
    _newest: int = 0  # the newest request in the queue

    def want(self, action: EngineAction) -> None:
        """Takes an action for later."""
        if isinstance(action, StopThinking):
            self._stopped.add(action.request)
            return
        if isinstance(action, Think):
            self._newest = action.request
        self._queue.put_nowait(action)

    async def run(self) -> None:
        """Carries out actions until the game is finished."""
        try:
            while True:
                action = await self._queue.get()
                if isinstance(action, FinishGame):
                    await self._finish(action)
                    return
                await self._carry_out(action)
        finally:
            self.session.drop()

    async def _carry_out(self, action: EngineAction) -> None:
        try:
            if isinstance(action, PrepareEngine):
                await self._open(action.setup)
                await self.session.prepare(action.setup, action.moves)
            elif isinstance(action, Think) and action.request not in self._stopped:
                await self._think(action)
            elif isinstance(action, AskEngine) and self.session.is_open:
                text = await self.session.chat(action.question)
                self.tell(EngineAnswered(self.now(), text, action.room))
            elif isinstance(action, JudgeStones):
                await self._judge()
        except EngineAwayError as error:
            await self._wait_for_engine(error)
            if isinstance(action, JudgeStones):
                self.want(action)

    async def _judge(self) -> None:
        setup, moves = self.position()
        if setup is None:
            return
        if not self.session.is_open:
            await self._open(setup)
        try:
            dead, alive = await self.session.judge(setup, moves)
        except EngineCommandError as error:
            log.warning("the engine does not judge the stones of game %s: %s", setup.id, error)
        else:
            self.tell(StonesJudged(self.now(), dead, alive))

    async def _think(self, action: Think) -> None:
        if not self.session.is_open:
            await self._open(action.setup)
        try:
            move = await self.session.think(action)
        except EngineCommandError as error:
            self.tell(EngineFailed(self.now(), action.request, str(error)))
        else:
            self.tell(EngineMoved(self.now(), action.request, move.text, move.analysis))

    async def _open(self, setup: GameSetup) -> None:
        """Opens the session; raises EngineAwayError, after a refusal too: it may be mended."""
        try:
            await self.session.open(setup)
        except GreetingRefusedError as error:
            log.warning("the engine refuses game %s: %s", setup.id, error)
            raise EngineAwayError(str(error)) from error

    async def _wait_for_engine(self, error: EngineAwayError) -> None:
        """Tells the game that the engine is away, waits for it, and tells that it is back."""
        log.debug("%s; waiting for it", error)
        void = self._newest  # the game asks anew
        self.tell(EngineLost(self.now()))
        await self._return()
        self._stopped.update(range(void + 1))
        self.tell(EngineBack(self.now()))

    async def _return(self) -> None:
        """Opens the session again, at growing pauses."""
        pause = FIRST_PAUSE
        while not await self._is_open_again():
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _is_open_again(self) -> bool:
        setup, _ = self.position()
        if setup is None:
            return True
        with suppress(EngineAwayError):
            await self._open(setup)
        return self.session.is_open

    async def _finish(self, action: FinishGame) -> None:
        """Tells the engine the result, once it is there."""
        setup, _ = self.position()
        if setup is None:
            return
        try:
            async with asyncio.timeout(FINISH_SECONDS):
                while not await self._is_finished(setup, action):
                    await self._return()
        except TimeoutError:
            log.warning("the engine did not hear the result of game %s", setup.id)

    async def _is_finished(self, setup: GameSetup, action: FinishGame) -> bool:
        _, moves = self.position()
        try:
            await self.session.finish(setup, moves, action.result)
        except EngineAwayError:
            return False
        return True
