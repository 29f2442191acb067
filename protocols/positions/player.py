"""The engine as the messages of NBoard and UGI drive it: follow a game, choose a move, analyse.

The module has values and one interface; session_adapter satisfies it with a session. The messages
are in the protocols' own folders.
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
    """The evaluation of one move, from the view of the side to move."""

    variation: tuple[int, ...]  # begins with the move
    win_rate: float  # 0..1, a draw counts half
    score: float  # as the game counts: discs in Othello, Pons' score in Connect4
    visits: int
    is_exact: bool = False  # the score is proven, and the win rate with it
    draw: float = 0.0  # probability of a game without a winner; half of it is in the win rate
    pawns: float | None = None  # the lead in chess; None: by the win rate


@dataclass(frozen=True, slots=True)
class PositionAnalysis:
    """The evaluation of a position, best move first; no lines where no move is possible."""

    lines: tuple[AnalysisLine, ...]
    nodes: int  # visits, or positions solved
    seconds: float  # since the search began


@dataclass(frozen=True, slots=True)
class ThinkingLimits:
    """The limits of one search; None is no limit, and the first limit reached ends the search."""

    visits: int | None = None
    playouts: int | None = None  # of each search of a move, those of the opponent's moves included
    seconds: float | None = None
    clock: Clock | None = None  # of the side to move
    exact_empties: int = 0  # an analysis is exact from so many empty cells on
    only: tuple[int, ...] = ()  # the moves to search at the root; none: all
    lines: int = 1  # variations that another engine works out at full strength, and no limit


OnAnalysis = Callable[[PositionAnalysis], None]


class PositionPlayer(Protocol):
    """An engine that plays and analyses the positions of one game. Used by one thread."""

    @property
    def position(self) -> Position:
        """The current position; copy it before changing it."""

    def follow(self, start: Position, moves: Sequence[int]) -> None:
        """Goes to the position after these moves. Raises ValueError on an illegal one."""

    def choose(
        self, limits: ThinkingLimits, *, stop: Stop, on_analysis: OnAnalysis
    ) -> PositionAnalysis:
        """Returns the analysis with the chosen move first; does not play it."""

    def analyze(
        self, limits: ThinkingLimits, *, stop: Stop, on_analysis: OnAnalysis
    ) -> PositionAnalysis:
        """Returns the analysis of all moves at full strength, whatever the persona."""

    def set_draw_value(self, first_share: float) -> None:
        """Sets the value of a draw for color 0: 0 a loss, 0.5 as usual, 1 a win."""

    def set_persona(self, persona: str) -> None:
        """Sets the persona. Raises SettingError where the game has none of that name."""

    def set_tables(self, folders: str) -> None:
        """Names the folders of endgame tables of chess, separated as in PATH.

        The empty text stands for the engine's own ones. Raises SettingError for a folder without
        tables, and for a guest.
        """

    def meet(self, opponent: str) -> None:
        """Names the opponent; the empty name is the usual one.

        Raises SettingError on an impossible name.
        """

    def finish(self, winner: int | None, won_by: str) -> None:
        """Reports the result of the game; None: a draw. won_by: "R", "T", "F" or ""."""

    def clear_search(self) -> None:
        """Forgets the search tree and the evaluations."""


def forced_move(position: Position) -> int | None:
    """Returns the only legal move; None where there is a choice or the game is over."""
    moves = [] if position.is_over else position.legal_moves()
    return moves[0] if len(moves) == 1 else None
