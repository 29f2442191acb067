"""Runs the games of one server: connects again after each loss, and counts what happens."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from bots.answer_delay import AnswerDelay
from bots.common_rows import ServiceSettings
from bots.configuration import ConfigurationError
from bots.engine_connection import GreetingRefusedError
from bots.engine_session import EngineSession, warm_engine
from bots.events import Event, GameEnded, LineBack, LineLost
from bots.game_memory import GameMemory
from bots.game_runner import GameRunner
from bots.game_setup import GameSetup, OnlineOpponent
from bots.metrics import BotMetrics
from bots.server import GameHost, LineLostError, LoginRefusedError, OnlineServer

log = logging.getLogger("sparring.bot")

LASTING = 60.0  # seconds after which a connection counts as a good one
CLOSING_SECONDS = 0.2  # between two looks at the games under way
WARM_SECONDS = 60.0  # that an engine counts as ready for a board
SPREAD = 7 / 6  # of a pause, by chance
# Errors that a new connection does not mend.
FINAL = (LoginRefusedError, GreetingRefusedError, ConfigurationError)


@dataclass
class Backoff:
    """The pauses before new connections, in seconds: doubled each time, and spread by chance."""

    first: float
    longest: float
    draw: Callable[[float, float], float] = random.uniform
    _next: float = field(default=0.0, init=False)

    def pause(self, lasted: float) -> float:
        """Returns the pause after a connection of so many seconds."""
        if lasted >= LASTING or not self._next:
            self._next = self.first
        pause, self._next = self._next, min(2 * self._next, max(self.longest, self.first))
        return self.draw(1.0, SPREAD) * pause


class BotService(GameHost):
    """The games of one server. See bots.server.GameHost for the part for its module."""

    def __init__(
        self,
        settings: ServiceSettings,
        memory: GameMemory,
        metrics: BotMetrics,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._settings, self._memory, self.metrics, self._now = settings, memory, metrics, now
        self._runners: dict[str, GameRunner] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: OnlineServer | None = None
        self._delay = AnswerDelay()
        self._warmed: dict[GameSetup, float] = {}  # with the time
        self._is_closing = False
        self._is_connected = False
        self._outage = ""  # the reason that the log has since the last login
        metrics.games.set_function(lambda: len(self.games))

    # ---- For the server's module

    def now(self) -> float:
        """Returns the time of events, in seconds."""
        return self._now()

    def connected(self) -> None:
        """Takes note of a successful login."""
        self._is_connected, self._outage = True, ""
        self.metrics.connected.set(1)
        self.metrics.connections.inc()
        log.info("connected")
        for runner in self._runners.values():
            runner.tell(LineBack(self._now()))

    def tell(self, game: str, event: Event) -> None:
        """Gives an event to a game, which begins with its first event."""
        runner = self._runners.get(game)
        if runner is None:
            if isinstance(event, GameEnded) or self._server is None:
                return
            runner = self._begin(game, self._server)
        runner.tell(event)

    @property
    def games(self) -> Sequence[str]:
        """The games under way."""
        return [name for name, runner in self._runners.items() if not runner.game.is_over]

    @property
    def has_room(self) -> bool:
        """Whether another game may begin."""
        return not self._is_closing and len(self.games) < self._settings.most_games

    @property
    def move_seconds(self) -> float:
        """The longest time of a move within the last minute, over all games."""
        return self._delay.move_seconds(self._now())

    async def warm(self, game: str, width: int, height: int) -> None:
        """Waits until the engine is ready for a game on a board."""
        nobody = OnlineOpponent("", "")
        setup = GameSetup("", 0, nobody, game=game, width=width, height=height)
        if self._now() - self._warmed.get(setup, -WARM_SECONDS) >= WARM_SECONDS:
            seconds = await warm_engine(self._settings.address, self._settings.play, setup)
            self._warmed[setup] = self._now()
            self._delay.moved(self._now(), seconds)

    def refused(self, challenger: str, reason: str) -> None:
        """Takes note of a declined challenge."""
        log.info("declined a challenge of %s: %s", challenger, reason)
        self.metrics.refusals.labels(reason).inc()

    # ---- Connections

    async def run(self, server: OnlineServer) -> None:
        """Plays until it is cancelled; raises one of FINAL."""
        self._server = server
        settings = self._settings
        backoff = Backoff(settings.reconnect_seconds, settings.longest_reconnect_seconds)
        try:
            while True:
                begun = self._now()
                try:
                    await server.run()
                    reason = "the server ended the connection"
                except LineLostError as error:
                    reason = str(error)
                except FINAL:
                    raise
                except Exception as error:  # a bot for months outlives a fault of its own
                    log.exception("the connection failed")
                    reason = f"{type(error).__name__}: {error}"
                self._lost()
                pause = backoff.pause(self._now() - begun)
                level = logging.DEBUG if reason == self._outage else logging.WARNING
                text = f"disconnected from {server.address}: {reason}"
                log.log(level, "%s; connecting again in %.1f s", text, pause)
                self._outage = reason
                await asyncio.sleep(pause)
        finally:
            await self._stop()
            await server.close()

    def _lost(self) -> None:
        if self._is_connected:
            self._is_connected = False
            self.metrics.connected.set(0)
            for runner in self._runners.values():
                runner.tell(LineLost(self._now()))

    async def close(self) -> None:
        """Accepts no further game, and returns once those under way are over."""
        self._is_closing = True
        log.info("stopping after the games under way: %s", ", ".join(self.games) or "none")
        while self.games:
            await asyncio.sleep(CLOSING_SECONDS)

    async def _stop(self) -> None:
        """Leaves all games; the engine keeps their conversations for a return."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # ---- Games

    def _begin(self, game: str, server: OnlineServer) -> GameRunner:
        session = EngineSession(
            self._settings.address, self._settings.play, self._memory, self._delay, self._now
        )
        note, policy = self._memory.note(game), self._settings.policy
        if note.has_greeted:
            policy = replace(policy, greeting="")
        self._memory.write(game, replace(note, has_greeted=True))
        runner = GameRunner(
            game, policy, session, act=server.act, now=self._now, observer=self.metrics
        )
        self._runners[game] = runner
        if self._is_connected:
            runner.tell(LineBack(self._now()))
        task = asyncio.create_task(self._run(runner), name=game)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return runner

    async def _run(self, runner: GameRunner) -> None:
        try:
            await runner.run()
        except Exception:
            log.exception("game %s failed", runner.name)
        finally:
            if self._runners.get(runner.name) is runner:
                del self._runners[runner.name]
            log.debug("game %s is left", runner.name)
