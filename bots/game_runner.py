"""Runs one online game: its machine, its engine session and its timer."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Protocol

from bots.actions import (
    Action,
    EngineAction,
    JudgeStones,
    LogLine,
    SendMove,
    ServerAction,
    SettleStones,
)
from bots.engine_session import EngineSession
from bots.engine_worker import EngineWorker
from bots.events import Event, JudgementWanted, MoveRefused, StonesJudged, TimePassed
from bots.fields import WireError
from bots.game_policy import GamePolicy
from bots.game_setup import GameSetup, OnlineMove
from bots.online_game import OnlineGame
from bots.server import LineLostError

log = logging.getLogger("sparring.bot")

LINGER_SECONDS = 60.0  # a game hears chat so long after its end
LEAST_SLEEP = 0.01  # seconds


class GameObserver(Protocol):
    """Watches games, for metrics."""

    def happened(self, game: OnlineGame, event: Event) -> None:
        """Takes note of an event."""

    def done(self, game: OnlineGame, action: Action) -> None:
        """Takes note of an action."""


class GameRunner:
    """One game. `act` carries out its actions at the server; it may raise LineLostError."""

    def __init__(
        self,
        name: str,
        policy: GamePolicy,
        session: EngineSession,
        *,
        act: Callable[[str, ServerAction], Awaitable[None]],
        now: Callable[[], float],
        observer: GameObserver,
    ) -> None:
        self.name = name
        self.game = OnlineGame(policy)
        self._chats = policy.chats
        self._act, self._now, self._observer = act, now, observer
        self._events: asyncio.Queue[Event] = asyncio.Queue()
        self._worker = EngineWorker(session, self.tell, now, self._position)

    def tell(self, event: Event) -> None:
        """Takes an event for later."""
        self._events.put_nowait(event)

    async def run(self) -> None:
        """Runs the game until it is over, the engine has heard so, and the chat is silent."""
        engine = asyncio.create_task(self._worker.run())
        try:
            while not self.game.is_over:
                await self._step(self.game.wake_at)
            until = self._now() + (LINGER_SECONDS if self._chats else 0.0)
            while self._now() < until:
                await self._step(until)
            await engine
        finally:
            engine.cancel()
            await asyncio.gather(engine, return_exceptions=True)

    async def _step(self, wake_at: float | None) -> None:
        """Waits for the next event, or for a time, and does what follows."""
        seconds = None if wake_at is None else max(wake_at - self._now(), LEAST_SLEEP)
        try:
            async with asyncio.timeout(seconds):  # wait_for swallows a cancellation in Python 3.11
                event = await self._events.get()
        except TimeoutError:
            event = TimePassed(self._now())
        self._observer.happened(self.game, event)
        if isinstance(event, JudgementWanted):
            self._worker.want(JudgeStones())
            return
        if isinstance(event, StonesJudged):
            await self._carry_out(SettleStones(event.dead, event.alive))
            return
        for action in self.game.handle(event):
            self._observer.done(self.game, action)
            await self._carry_out(action)

    async def _carry_out(self, action: Action) -> None:
        log.debug("%s: %s", self.name, action)
        if isinstance(action, LogLine):
            log.log(logging.WARNING if action.is_warning else logging.INFO, "%s: %s", self.name,
                action.text)  # fmt: skip
        elif isinstance(action, EngineAction):
            self._worker.want(action)
        elif isinstance(action, ServerAction):
            try:
                await self._act(self.name, action)
            except LineLostError as error:
                log.info("%s: not sent, the line is lost: %s", self.name, error)
            except WireError as error:
                log.warning("%s: %s cannot be sent: %s", self.name, type(action).__name__, error)
                if isinstance(action, SendMove):
                    self.tell(MoveRefused(self._now(), str(error)))
            except Exception:
                log.exception("%s: %s failed", self.name, type(action).__name__)

    def _position(self) -> tuple[GameSetup | None, tuple[OnlineMove, ...]]:
        return self.game.setup, self.game.moves
