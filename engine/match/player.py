"""What a match asks of whoever plays in it: one small interface, and the values that pass.

Does not know any rules: whether a move is allowed, and who won, is the referee's to say. Does not
know which kinds of players there are (engine.match.players).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from engine.games.position import Position
from engine.match.game_spec import GameSpec

OWN_SETTINGS = "its own settings"  # what limits a player that nobody limited

Memory = Mapping[str, Any] | None  # what a player knows of its opponent, as JSON; None: nothing


class UnreadableMoveError(ValueError):
    """A player's answer is no move of the game; the message quotes it."""


@dataclass(frozen=True, slots=True)
class MoveBudget:
    """What every move may cost. None: the engine's own settings decide."""

    visits: int | None = None
    seconds: float | None = None
    depth: int | None = None  # plies


@dataclass(frozen=True, slots=True)
class Move:
    """A player's choice and what it cost."""

    move: int | None  # None: it resigns
    seconds: float
    visits: tuple[int, ...]  # what was told since the last choice: none, one, or late ones too
    level_elo: float | None = None  # of the ladder, where the player moved at one of its levels


class Player(Protocol):
    """Somebody to play against.

    Methods may raise EngineRefusedError or EngineLostError, and choose UnreadableMoveError.
    """

    text: str
    limited_by: str  # in words, what each of its moves may cost

    def begin(self, start: GameSpec, seed: int) -> None:
        """Sets up a new game; a player that is random follows the seed where it can."""

    def watch(self, color: int, move: int) -> None:
        """Tells the player a move of its opponent, or a pass that the rules forced on either."""

    def choose(self, position: Position) -> Move:
        """The player's move, played on its own board too; the position is not changed."""

    def finish(self, position: Position, winner: int | None) -> None:
        """Tells the player how the game ended, where nobody had to forfeit it; winner: a color."""

    def final_score(self) -> str | None:
        """What the player takes for the result of a game of Go; None when it can't say."""

    def close(self) -> None:
        """Ends the player, waiting a little."""

    def kill(self) -> None:
        """Ends the player at once."""


@runtime_checkable
class Remembering(Protocol):
    """A Player that learns about its opponent from game to game."""

    def recall(self, known: Memory) -> None:
        """From the next game on it knows this and nothing else."""

    def remembered(self) -> Memory:
        """What it knows now."""


def read_answer(start: GameSpec, text: str) -> int | None:
    """The move that an engine's answer names, None for "resign"; raises UnreadableMoveError."""
    if text.strip().lower() == "resign":
        return None
    try:
        return start.read(text)
    except ValueError as error:
        raise UnreadableMoveError(str(error)) from error
