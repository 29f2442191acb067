"""The interface of a match's players, and its values.

The referee knows the rules and the winner; engine.match.players knows the kinds of players.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from engine.games.position import Position
from engine.match.game_spec import GameSpec

OWN_SETTINGS = "its own settings"  # the limit in words of a player without a limit

Memory = Mapping[str, Any] | None  # a player's belief about its opponent, as JSON; None: no belief


class UnreadableMoveError(ValueError):
    """A player's answer is no move of the game; the message quotes it."""


@dataclass(frozen=True, slots=True)
class MoveBudget:
    """The limits of every move. None: the engine's own settings decide."""

    visits: int | None = None
    seconds: float | None = None
    depth: int | None = None  # plies


@dataclass(frozen=True, slots=True)
class Move:
    """A player's choice and its cost."""

    move: int | None  # None: it resigns
    seconds: float
    visits: tuple[int, ...]  # counts reported since the last choice: none, one, or late ones too
    level_elo: float | None = (
        None  # Elo of the move's level on the ladder; None: the move has no level
    )


class Player(Protocol):
    """A player of a match.

    Methods may raise EngineRefusedError or EngineLostError, and choose UnreadableMoveError.
    """

    text: str
    limited_by: str  # the limit of each move, in words

    def begin(self, start: GameSpec, seed: int) -> None:
        """Sets up a new game; a random player follows the seed if it can."""

    def watch(self, color: int, move: int) -> None:
        """Reports a move of the opponent, or a forced pass of either side."""

    def choose(self, position: Position) -> Move:
        """Returns the player's move and plays it on its own board; `position` stays unchanged.

        A move that lacks its outcome is played when `TakingOutcomes.reveal` reports it.
        """

    def finish(self, position: Position, winner: int | None) -> None:
        """Reports the end of a game without a forfeit; winner: a color."""

    def final_score(self) -> str | None:
        """Returns the player's result of a game of Go; None if it has none."""

    def close(self) -> None:
        """Ends the player, after a short wait."""

    def kill(self) -> None:
        """Ends the player at once."""


@runtime_checkable
class Remembering(Protocol):
    """A Player with a memory: it learns about its opponent from game to game."""

    def recall(self, known: Memory) -> None:
        """Replaces the belief about the opponent from the next game on."""

    def remembered(self) -> Memory:
        """Returns the present belief about the opponent."""


@runtime_checkable
class TakingOutcomes(Protocol):
    """A Player with a board of its own, in games of chance."""

    def reveal(self, color: int, move: int) -> None:
        """Reports the player's own move with its outcome, and plays it on its own board."""


def read_answer(start: GameSpec, text: str) -> int | None:
    """Returns the move of an engine's answer, None for "resign"; raises UnreadableMoveError."""
    if text.strip().lower() == "resign":
        return None
    try:
        return start.read(text)
    except ValueError as error:
        raise UnreadableMoveError(str(error)) from error
