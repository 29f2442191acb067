"""Adjudication of games: turns, resumption, and the status and score of a stopped game.

ADJUDICATIONS is the table; a game is a row. Go's functions are in engine.games.go_count. Searches
are passed in as functions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic

from engine.errors import IllegalMoveError
from engine.games import go_count, go_ending
from engine.games.position import P, Position
from engine.values import FinalStatus, Report

VISITS = 100  # of a search for the score

Search = Callable[[Position, int], Report]  # with so many visits, and ownership


@dataclass(frozen=True, slots=True)
class Adjudication(Generic[P]):
    """The functions that adjudicate one game."""

    # (position, search) -> status and score, of unfinished games too.
    judge: Callable[[P, Callable[[P, int], Report]], FinalStatus]
    # (position, color) -> the position to search for that color after the end; None: no such play.
    resume: Callable[[P, int], P] | None = None
    # (position, color) -> the position with that color to move; None: players must take turns.
    give_turn: Callable[[P, int], P] | None = None

    def at_turn_of(self, position: P, color: int) -> tuple[P, int | None]:
        """Returns the position with this color to move, and the opponent's implied pass or None.

        Raises IllegalMoveError if it is the opponent's turn and players must take turns.
        """
        if color == position.to_move:
            return position, None
        if self.give_turn is not None:
            return self.give_turn(position, color), None
        if position.is_over or position.legal_moves() != [position.pass_move]:
            raise IllegalMoveError("wrong color")
        position = position.copy()
        position.play(position.pass_move)
        return position, position.pass_move


def count(position: Position, search: Search, *, step: int) -> FinalStatus:
    """Returns the status by the discs on the board, all of them alive.

    The score of an unfinished game is the search's estimate. step: points; final scores are
    multiples of it.
    """
    stands = position.stones != 0
    if position.is_over:
        score = position.black_score
    else:
        root = search(position, VISITS).root
        lead = root.score_lead if root.to_move == 0 else -root.score_lead
        score = step * round(lead / step)
    return FinalStatus(alive=stands, dead=stands & ~stands, black_score=score)


def judge_othello(position: Position, search: Search) -> FinalStatus:
    """Returns the status with the difference in discs; empty cells count for the winner."""
    return count(position, search, step=2)  # the number of cells is even, and all cells count


def judge_connect4(position: Position, search: Search) -> FinalStatus:
    """Returns the status with the score: 1 for a win by the last disc, 1 more per two earlier."""
    return count(position, search, step=1)


def judge_chess(position: Position, search: Search) -> FinalStatus:
    """Returns the status with the result: 1 for a win by White, -1 for one by Black, 0 a draw."""
    return count(position, search, step=1)


def judge_dark_chess(position: Position, search: Search) -> FinalStatus:
    """Returns the status with the score: 1 for a win, -1 for a loss, 0 for a draw."""
    return count(position, search, step=1)


def judge_einstein(position: Position, search: Search) -> FinalStatus:
    """Returns the status with the score: 1 for a win by Red, -1 for one by Blue."""
    return count(position, search, step=1)


ADJUDICATIONS: dict[str, Adjudication[Any]] = {  # each row takes its own game's positions
    "go": Adjudication(
        judge=go_count.judge, resume=go_count.without_history, give_turn=go_ending.with_to_move
    ),
    "othello": Adjudication(judge=judge_othello),
    "connect4": Adjudication(judge=judge_connect4),
    "chess": Adjudication(judge=judge_chess),
    "darkchess": Adjudication(judge=judge_dark_chess),
    "einstein": Adjudication(judge=judge_einstein),
}
