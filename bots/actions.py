"""The actions of one online game: some are for the server's module, some for the engine."""

from __future__ import annotations

from dataclasses import dataclass

from bots.game_clocks import GameClocks
from bots.game_setup import GameSetup, OnlineMove, OnlineResult


@dataclass(frozen=True, slots=True)
class Action:
    """The smallest step of a game towards its server or its engine."""


@dataclass(frozen=True, slots=True)
class ServerAction(Action):
    """An action for the server's module."""


@dataclass(frozen=True, slots=True)
class EngineAction(Action):
    """An action for the engine's session."""


# ---- For the server's module


@dataclass(frozen=True, slots=True)
class SendMove(ServerAction):
    """Send our move. The server confirms it by MovePlayed or StateReceived, or refuses it."""

    number: int  # from 1
    move: str
    analysis: str = ""  # one line of JSON; empty: none


@dataclass(frozen=True, slots=True)
class Resign(ServerAction):
    """Resign the game."""


@dataclass(frozen=True, slots=True)
class RequestState(ServerAction):
    """Ask for the full state. StateReceived.answers is the number of the request.

    A module whose server sends the state by itself answers from its own account of the messages.
    """

    request: int


@dataclass(frozen=True, slots=True)
class AcceptUndo(ServerAction):
    """Grant the opponent's request."""

    moves_left: int


@dataclass(frozen=True, slots=True)
class RefuseUndo(ServerAction):
    """Refuse the opponent's request, or let it lapse."""

    moves_left: int


@dataclass(frozen=True, slots=True)
class PauseGame(ServerAction):
    """Stop the clocks, where the server allows it."""


@dataclass(frozen=True, slots=True)
class ResumeGame(ServerAction):
    """Let the clocks go on."""


@dataclass(frozen=True, slots=True)
class Say(ServerAction):
    """Say one line in the game's chat."""

    text: str
    room: str = ""  # as ChatReceived has it; empty: that of the players


@dataclass(frozen=True, slots=True)
class SettleStones(ServerAction):
    """Settle the dead stones with the opponent; the answer to JudgementWanted."""

    dead: tuple[str, ...]  # points, as the engine spells them
    alive: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OfferRematch(ServerAction):
    """Offer the opponent another game, where the server has rematches."""


# ---- For the engine


@dataclass(frozen=True, slots=True)
class PrepareEngine(EngineAction):
    """Open the engine's session at the start of a game, before it is our turn."""

    setup: GameSetup
    moves: tuple[OnlineMove, ...]


@dataclass(frozen=True, slots=True)
class Think(EngineAction):
    """Choose our move in a position; EngineMoved or EngineFailed answers."""

    request: int
    setup: GameSetup
    moves: tuple[OnlineMove, ...]
    color: int  # to move
    clocks: GameClocks | None = None
    lag: float = 0.0  # seconds to reserve of each move
    refused: tuple[str, ...] = ()  # moves that the server refused in this position


@dataclass(frozen=True, slots=True)
class StopThinking(EngineAction):
    """The answer of a request is not wanted any more."""

    request: int


@dataclass(frozen=True, slots=True)
class AskEngine(EngineAction):
    """Ask a question of the chat; EngineAnswered answers."""

    question: str  # a key of chat.QUESTIONS
    room: str = ""


@dataclass(frozen=True, slots=True)
class JudgeStones(EngineAction):
    """Judge which stones are dead; StonesJudged answers."""


@dataclass(frozen=True, slots=True)
class FinishGame(EngineAction):
    """Tell the engine the result, and end its session."""

    result: OnlineResult


# ---- For the log


@dataclass(frozen=True, slots=True)
class LogLine(Action):
    """A line for the log."""

    text: str
    is_warning: bool = False
