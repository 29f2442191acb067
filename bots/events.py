"""The events of one online game. Each has its time, in seconds of the bot's monotonic clock."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from bots.game_clocks import GameClocks
from bots.game_setup import GameSetup, OnlineMove, OnlineResult


class Phase(Enum):
    """The phase of a game on its server."""

    PLAYING = auto()
    PAUSED = auto()  # clocks stand, moves are not wanted
    SCORING = auto()  # both have passed, and the server or the players count
    OVER = auto()


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened to a game."""

    at: float


# ---- From the server


@dataclass(frozen=True, slots=True)
class StateReceived(Event):
    """The server's full state of the game: at its start, after a reconnect, or on request."""

    setup: GameSetup
    moves: tuple[OnlineMove, ...]
    to_move: int | None  # color; None: nobody's
    clocks: GameClocks | None = None  # None: no limit, or not stated
    phase: Phase = Phase.PLAYING
    # The number of the RequestState; 0: the server sent it by itself. Only an answer denies a move
    # sent before: the server composed it after it had everything sent before the request.
    answers: int = 0


@dataclass(frozen=True, slots=True)
class MovePlayed(Event):
    """The server accepted a move of either side; of our own it is the echo."""

    number: int  # from 1; stones of the setup are no moves
    move: OnlineMove
    to_move: int | None = None  # color to move next; None: the other one
    clocks: GameClocks | None = None


@dataclass(frozen=True, slots=True)
class MoveRefused(Event):
    """The server refuses our last move."""

    text: str = ""


@dataclass(frozen=True, slots=True)
class ClocksReceived(Event):
    """The server states the clocks."""

    clocks: GameClocks


@dataclass(frozen=True, slots=True)
class LagMeasured(Event):
    """The server's module measured the way to the server and back."""

    seconds: float


@dataclass(frozen=True, slots=True)
class UndoRequested(Event):
    """The opponent asks to go back to so many moves."""

    moves_left: int


@dataclass(frozen=True, slots=True)
class UndoCanceled(Event):
    """The opponent withdraws the request."""


@dataclass(frozen=True, slots=True)
class UndoAccepted(Event):
    """The server went back to so many moves."""

    moves_left: int
    to_move: int | None = None  # color; None: that of the first move taken back


@dataclass(frozen=True, slots=True)
class PhaseChanged(Event):
    """The game pauses, goes on or comes to its count."""

    phase: Phase


@dataclass(frozen=True, slots=True)
class ChatReceived(Event):
    """Somebody says something in the game's chat."""

    author: str
    text: str
    room: str = ""  # where the answer goes, in the server's words


@dataclass(frozen=True, slots=True)
class GameEnded(Event):
    """The game is over."""

    result: OnlineResult


@dataclass(frozen=True, slots=True)
class JudgementWanted(Event):
    """The players settle the dead stones; the server's module wants the engine's judgement."""


# ---- From the connection to the server


@dataclass(frozen=True, slots=True)
class LineLost(Event):
    """The connection to the server is lost."""


@dataclass(frozen=True, slots=True)
class LineBack(Event):
    """The server is connected: at the game's start and after each loss."""


# ---- From the engine


@dataclass(frozen=True, slots=True)
class EngineMoved(Event):
    """The engine chose a move."""

    request: int  # the number of Think
    move: str  # as GTP spells it, or "resign"
    analysis: str = ""  # one line of JSON; empty: none


@dataclass(frozen=True, slots=True)
class EngineFailed(Event):
    """The engine answers a request by an error."""

    request: int  # the number of Think
    text: str


@dataclass(frozen=True, slots=True)
class EngineAnswered(Event):
    """The engine answers a question of the chat."""

    text: str
    room: str = ""


@dataclass(frozen=True, slots=True)
class StonesJudged(Event):
    """The engine's judgement of all stones after the last pass, by their points."""

    dead: tuple[str, ...]
    alive: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EngineLost(Event):
    """The engine is away; what it was asked is void."""


@dataclass(frozen=True, slots=True)
class EngineBack(Event):
    """The engine is there again."""


# ---- From the bot's clock


@dataclass(frozen=True, slots=True)
class TimePassed(Event):
    """The time of OnlineGame.wake_at has come."""
