"""What NBoard and UGI ask of the engine: follow a game, choose a move, say what is thought.

Values and one interface; who thinks is engine.play.session, joined to it in
protocols/session_thinker. Knows no protocol.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from engine.games.clock import Clock
from engine.games.position import Position

Stop = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class AnalysisLine:
    """What is thought of one move, by the view of the player to move."""

    variation: tuple[int, ...]  # begins with the move
    win_rate: float  # 0..1, a draw counts half
    score: float  # as the game counts: discs in Othello, Pons' score in Connect4
    visits: int
    is_exact: bool = False  # the score is proven, and the win rate with it


@dataclass(frozen=True, slots=True)
class Thought:
    """What is thought of a position, best move first. Without lines where no move is possible."""

    lines: tuple[AnalysisLine, ...]
    nodes: int  # visits, or positions that were solved through
    seconds: float  # since the thinking began


@dataclass(frozen=True, slots=True)
class Effort:
    """How hard to think; None is no such limit, the first limit reached ends the thinking."""

    visits: int | None = None
    playouts: int | None = None  # of each search, a level's own and those of others' moves included
    seconds: float | None = None
    clock: Clock | None = None  # of the player to move
    exact_empties: int = 0  # with so many cells empty, a look is to be exact


Tell = Callable[[Thought], None]


class Thinker(Protocol):
    """An engine at one game. Used by one thread."""

    @property
    def position(self) -> Position:
        """The position that all thinking is about; copied before it is changed."""

    def follow(self, start: Position, moves: Sequence[int]) -> None:
        """Thinks about the position after these moves from now on. ValueError on an illegal one."""

    def choose(self, effort: Effort, *, stop: Stop, tell: Tell) -> Thought:
        """The move it plays, first, and what it thought. The position stays."""

    def look(self, effort: Effort, *, stop: Stop, tell: Tell) -> Thought:
        """What it thinks of all moves at its best, whatever the level it plays at."""

    def value_draws(self, first_share: float) -> None:
        """From now on a draw is worth so much of a win to color 0: 0 a loss, 0.5 as usual."""

    def play_as(self, persona: str) -> None:
        """Plays by that persona from now on. SettingError where no such plays this game."""

    def meet(self, opponent: str) -> None:
        """Plays against the one of that name from now on; empty: whoever sits there.

        SettingError on a name that none can have.
        """

    def end(self, winner: int | None, won_by: str) -> None:
        """Learns that the game it played in is over; None: drawn. won_by: "R", "T", "F" or ""."""

    def start_over(self) -> None:
        """Forgets what it knows of earlier games."""


def forced(position: Position) -> int | None:
    """The only legal move; None where there is a choice or the game is over."""
    moves = [] if position.is_over else position.legal_moves()
    return moves[0] if len(moves) == 1 else None
