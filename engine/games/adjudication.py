"""How games are carried on beyond their bare rules: turns, what ends, who has won.

ADJUDICATIONS is the table; a game is a row. Go's own customs are in engine.games.go_ending.
Searches are passed in as functions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic

from engine.errors import IllegalMoveError
from engine.games import go_ending
from engine.games.position import P, Position
from engine.values import FinalStatus, Report


@dataclass(frozen=True, slots=True)
class Adjudication(Generic[P]):
    """One game's customs."""

    # Of a position, given a short search with ownership: who stands how, finished or not.
    judge: Callable[[P, Callable[[P], Report]], FinalStatus]
    # (position, color): what that color is to think about when the game is over; None: nothing.
    resume: Callable[[P, int], P] | None = None
    # The position with that color to move, played out of turn; None: turns bind.
    give_turn: Callable[[P, int], P] | None = None

    def at_turn_of(self, position: P, color: int) -> tuple[P, int | None]:
        """The position with this color to move, and the other's pass where that was implied.

        Raises IllegalMoveError where it is the other's turn and the game binds players to turns.
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


def count(position: Position, search: Callable[[Position], Report], *, step: int) -> FinalStatus:
    """The score, of an unfinished game the search's estimate; every disc stands where it is.

    step: scores at the end are multiples of it.
    """
    stands = position.stones != 0
    if position.is_over:
        score = position.black_score
    else:
        root = search(position).root
        lead = root.score_lead if root.to_move == 0 else -root.score_lead
        score = step * round(lead / step)
    return FinalStatus(alive=stands, dead=stands & ~stands, black_score=score)


def judge_othello(position: Position, search: Callable[[Position], Report]) -> FinalStatus:
    """The disc difference, empty cells the winner's."""
    return count(position, search, step=2)  # boards are even, and every cell is somebody's


def judge_connect4(position: Position, search: Callable[[Position], Report]) -> FinalStatus:
    """The score: how many moves before the last one the game was won."""
    return count(position, search, step=1)


ADJUDICATIONS: dict[str, Adjudication[Any]] = {  # each row takes its own game's positions
    "go": Adjudication(
        judge=go_ending.judge, resume=go_ending.without_history, give_turn=go_ending.with_to_move
    ),
    "othello": Adjudication(judge=judge_othello),
    "connect4": Adjudication(judge=judge_connect4),
}
