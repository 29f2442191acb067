"""One game's conversation with the running engine, by GTP; it outlives a restart of either side.

Every request brings the whole position. The session plays or takes back the difference, and sets
the board up anew where there is no short way.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from bots.actions import Think
from bots.analysis_text import analysis_json
from bots.answer_delay import AnswerDelay
from bots.engine_connection import EngineAddress, EngineAwayError, EngineCommandError
from bots.game_clocks import PlayerClock
from bots.game_memory import GameMemory
from bots.game_setup import GameSetup, OnlineMove, OnlineOpponent, OnlineResult, color_names
from bots.gtp_link import GtpLink

log = logging.getLogger("sparring.bot")

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 10.0  # seconds between two attempts to reach the engine
WARMING = "kata-time_settings byoyomi 0 1 1"
ANALYSIS = "100 ownership true rootInfo true"  # one report a second
LAG_SPARE = 0.5  # seconds; the engine may reserve so much more than needed


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """The settings of play that a bot asks of the engine; None: the engine's own."""

    persona: str | None = None
    visits: int | None = None  # of a move
    seconds: float | None = None  # of a move without a clock
    pace_seconds: float = 0.0  # of a usual move, as a person takes them; 0: at once
    is_analyzing: bool = False  # each move comes with an analysis

    @property
    def greeting(self) -> dict[str, object]:
        """The options of the greeting."""
        values = {"persona": self.persona, "visits": self.visits, "seconds": self.seconds}
        return {name: value for name, value in values.items() if value is not None}


@dataclass(frozen=True, slots=True)
class EngineMove:
    """The engine's choice."""

    text: str  # as GTP spells it, or "resign"
    analysis: str = ""  # one line of JSON


@dataclass(frozen=True, slots=True)
class _Answer:
    """The engine's answer to one request. Times are in seconds."""

    thought_before: float  # by the engine, by its own account
    clock: PlayerClock  # ours, as it was stated
    seconds: float = 0.0  # from the request to the answer
    reserved: float = 0.0


class EngineSession:
    """The conversation about one game. Its methods are called one after the other.

    delay: of the engine's answers; it is measured, and reserved beside the lag. now: the clock of
    the requests, in seconds.
    """

    def __init__(
        self,
        address: EngineAddress,
        options: PlayOptions,
        memory: GameMemory,
        delay: AnswerDelay | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._address, self._options, self._memory = address, options, memory
        self._delay, self._now = delay or AnswerDelay(), now
        self._link: GtpLink | None = None
        self._setup: GameSetup | None = None  # on the engine's board; None: unknown
        self._moves: tuple[OnlineMove, ...] = ()  # on the engine's board
        self._lag = 0.0  # as the engine knows it, the delay included
        self._last: _Answer | None = None  # of this conversation
        self._opening = 0.0  # seconds of the opening, until a move was made

    @property
    def is_open(self) -> bool:
        """Whether the engine was there at the last command."""
        return self._link is not None

    async def open(self, setup: GameSetup) -> None:
        """Connects, and returns to the game's saved conversation where there is one.

        Raises EngineAwayError and GreetingRefusedError.
        """
        self.drop()
        self._setup, self._moves, self._lag, self._last = None, (), 0.0, None
        begun = self._now()
        options = {"game": setup.game, **self._options.greeting}
        self._link = await GtpLink.open(self._address, options)
        with suppress(EngineCommandError):  # the engine may save no conversations
            if not await self._return(setup):
                token = (await self._ask("sparring-session")).split()[0]
                note = self._memory.note(setup.id)
                self._memory.write(setup.id, replace(note, token=token, is_set_up=False))
        self._opening = self._now() - begun

    async def prepare(self, setup: GameSetup, moves: tuple[OnlineMove, ...]) -> None:
        """Brings the engine's board to a position, for a request to come.

        Raises EngineAwayError.
        """
        with suppress(EngineCommandError):  # the request tells it
            await self._follow(setup, moves)

    async def think(self, request: Think) -> EngineMove:
        """Returns the engine's move in the position of a request.

        Raises EngineAwayError, and EngineCommandError on an impossible position.
        """
        started = self._now() - self._opening
        if request.refused:
            self._setup = None  # the engine may have another board
        await self._follow(request.setup, request.moves)
        asked = await self._set_clocks(request)
        await self._set_lag(request.lag + self._delay.reserve)
        color = color_names(request.setup.game)[request.color]
        words = [f"kata-genmove_analyze {color} {ANALYSIS}"]
        if request.refused:
            words.append(f"avoid {color} {','.join(request.refused)} 1")
        if not self._options.is_analyzing and not request.refused:
            words = [f"genmove {color}"]
        self._setup = None  # unknown, should the answer be lost
        begun = self._now()
        answer = await self._ask(" ".join(words))
        self._opening = 0.0
        if not self._options.pace_seconds:  # a person's pace is no measure of the engine
            self._delay.moved(self._now(), self._now() - started)
        if asked is not None:
            self._last = replace(asked, seconds=self._now() - begun, reserved=self._lag)
        *lines, last = answer.splitlines()
        text = last.split()[-1]
        self._setup = request.setup
        if text.lower() != "resign":
            self._moves = (*request.moves, OnlineMove(request.color, text))
        is_wanted = lines and self._options.is_analyzing
        return EngineMove(text, analysis_json(lines[-1]) if is_wanted else "")

    async def chat(self, question: str) -> str:
        """Returns the engine's answer to a word of the chat; raises EngineAwayError."""
        try:
            return await self._ask(f"sparring-chat {question}")
        except EngineCommandError:
            return ""

    async def judge(
        self, setup: GameSetup, moves: tuple[OnlineMove, ...]
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Returns the dead and the living stones of a position, by their points.

        Raises EngineAwayError, and EngineCommandError on an impossible position.
        """
        await self._follow(setup, moves)
        dead, alive, seki = [
            (await self._ask(f"final_status_list {status}")).split()
            for status in ("dead", "alive", "seki")
        ]
        return tuple(dead), (*alive, *seki)

    async def finish(
        self, setup: GameSetup, moves: tuple[OnlineMove, ...], result: OnlineResult
    ) -> None:
        """Tells the last moves and the result, and ends the conversation.

        Raises EngineAwayError.
        """
        with suppress(EngineCommandError):  # it may have ended by an illegal move
            await self._follow(setup, moves)
            await self._ask(f"cgos-gameover {result.text(setup.game)}")
        self._memory.discard(setup.id)
        if self._link is not None:
            await self._link.end()
        self._link = None

    def drop(self) -> None:
        """Leaves the conversation; the engine keeps it for a return."""
        if self._link is not None:
            self._link.drop()
        self._link = None

    async def _ask(self, command: str) -> str:
        return (await self._ask_all([command]))[0]

    async def _ask_all(self, commands: Sequence[str]) -> list[str]:
        if self._link is None:
            raise EngineAwayError("not connected")
        try:
            return await self._link.ask_all(commands)
        except EngineAwayError:
            self._link = None
            raise

    async def _return(self, setup: GameSetup) -> bool:
        """Goes on with the saved conversation of the game; False if there is none."""
        token = self._memory.note(setup.id).token
        if not token:
            return False
        try:
            await self._ask(f"sparring-return {token}")
        except EngineCommandError:
            return False  # the engine forgot it
        try:
            game = json.loads(await self._ask("sparring-game"))
            names = color_names(setup.game)
            moves = tuple(OnlineMove(names.index(color), text) for color, text in game["moves"])
        except (EngineCommandError, ValueError, KeyError, TypeError):
            return True  # the board is set up anew
        if self._memory.note(setup.id).is_set_up:
            self._setup, self._moves = setup, moves
        return True

    async def _follow(self, setup: GameSetup, moves: tuple[OnlineMove, ...]) -> None:
        """Brings the engine's board to a position."""
        if self._setup != setup:
            await self._set_up(setup)
        common = 0
        for one, other in zip(self._moves, moves, strict=False):
            if one != other:
                break
            common += 1
        known, names = self._moves, color_names(setup.game)
        self._setup = None  # unknown, should a command fail
        commands = [f"gg-undo {len(known) - common}"] if len(known) > common else []
        commands += [f"play {names[move.color]} {move.text}" for move in moves[common:]]
        await self._ask_all(commands)
        self._setup, self._moves = setup, moves

    async def _set_up(self, setup: GameSetup) -> None:
        """Begins the game anew on the engine's board."""
        commands = [f"boardsize {setup.width} {setup.height}", "clear_board"]
        if setup.game == "go":
            commands += [f"kata-set-rules {setup.rules}"] if setup.rules else []
            commands += [f"komi {setup.komi:g}"] if setup.komi is not None else []
        if setup.stones:
            commands.append(_stones(setup))
        if setup.start:
            commands.append(f"sparring-start {setup.start}")
        if self._options.pace_seconds:
            commands.append(f"kata-set-param delayMoveScale {self._options.pace_seconds:g}")
        commands.append(f"kata-time_settings {setup.time_control.text}")
        await self._meet(setup.opponent)
        await self._ask_all(commands)
        self._moves = ()
        note = self._memory.note(setup.id)
        self._memory.write(setup.id, replace(note, is_set_up=True))

    async def _meet(self, opponent: OnlineOpponent) -> None:
        with suppress(EngineCommandError):  # a guest has no right to a memory
            await self._ask(f"sparring-opponent {identity_text(opponent)}")

    async def _set_clocks(self, request: Think) -> _Answer | None:
        """States the clocks as they are now; measures the last answer's delay.

        Returns what is known of the coming answer; None: there is no limit.
        """
        last, self._last = self._last, None
        if request.clocks is None:
            return None
        players = request.clocks.advanced(self._now()).players
        commands = [
            f"time_left {name} {clock.seconds:.2f} {clock.stones}"
            for name, clock in zip(color_names(request.setup.game), players, strict=True)
        ]
        thought = float((await self._ask_all([*commands, "cputime"]))[-1])
        if last is not None:
            own = thought - last.thought_before
            self._delay.answered(last.seconds, own, last.clock, last.reserved)
        return _Answer(thought, players[request.color])

    async def _set_lag(self, seconds: float) -> None:
        if seconds <= self._lag <= seconds + LAG_SPARE:
            return
        spared = seconds + LAG_SPARE / 5  # small rises to come need no command
        with suppress(EngineCommandError):
            await self._ask(f"kata-set-param lagBuffer {spared:.2f}")
            self._lag = spared


async def warm_engine(address: EngineAddress, options: PlayOptions, setup: GameSetup) -> float:
    """Waits for the engine, and lets it choose a move on a board, with its networks loaded.

    Returns the seconds of the move. Raises GreetingRefusedError.
    """
    pause, level = FIRST_PAUSE, logging.WARNING
    move = f"reg_genmove {color_names(setup.game)[0]}"
    while True:
        begun = time.monotonic()
        try:
            link = await GtpLink.open(address, {"game": setup.game, **options.greeting})
            with suppress(EngineCommandError):
                await link.ask_all([f"boardsize {setup.width} {setup.height}", WARMING, move])
            await link.end()
        except EngineAwayError as error:
            log.log(level, "%s; waiting for it", error)
            level = logging.DEBUG
        else:
            return time.monotonic() - begun
        await asyncio.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE)


def identity_text(opponent: OnlineOpponent) -> str:
    """Returns the opponent as `sparring-opponent` takes it: one line of JSON.

    >>> identity_text(OnlineOpponent("gnugo", "cgos", rating=1800.0, is_bot=True))
    '{"server": "cgos", "name": "gnugo", "kind": "program", "rating": 1800.0}'
    """
    fields = {
        "server": opponent.server,
        "account": opponent.account or None,
        "name": opponent.name,
        "kind": "program" if opponent.is_bot else None,
        "pool": opponent.pool or None,
        "rating": opponent.rating,
        "deviation": opponent.deviation,
        "games": opponent.games,
        "provisional": opponent.is_provisional or None,
    }
    text = json.dumps({name: value for name, value in fields.items() if value is not None})
    return text.replace("#", "\\u0023").replace("  ", " \\u0020")


def _stones(setup: GameSetup) -> str:
    """Returns the command that puts the stones of the setup."""
    is_handicap = len(setup.stones) > 1 and setup.first_to_move == 1
    if is_handicap and all(stone.color == 0 for stone in setup.stones):
        return f"set_free_handicap {' '.join(stone.text for stone in setup.stones)}"
    names = color_names(setup.game)
    pairs = (f"{names[stone.color]} {stone.text}" for stone in setup.stones)
    return f"set_position {' '.join(pairs)}"
