"""The cause of a game's end as SGF writes it behind the plus: a score or a resignation."""

from __future__ import annotations

from collections.abc import Callable

from engine.games.game import Game
from engine.opponents import RESIGNED
from engine.values import FinalStatus


def points_of(game: Game, final_status: Callable[[], FinalStatus], color: int) -> float:
    """Returns the color's points in an ended game: 1 won, 0.5 drawn, 0 lost."""
    return points_by(score_of(game, final_status, color))


def score_of(game: Game, final_status: Callable[[], FinalStatus], color: int) -> float:
    """Returns the color's score in an ended game; 1 or -1 after a resignation."""
    resigned = game.resigned
    score = final_status().black_score if resigned is None else 2.0 * resigned - 1
    return score if color == 0 else -score


def points_by(score: float) -> float:
    """Returns the points of a score."""
    return 0.5 if score == 0 else float(score > 0)


def cause_of_end(
    game: Game, final_status: Callable[[], FinalStatus], color: int | None, points: float
) -> str:
    """Returns the cause of the color's points; "" if unknown, or by a score with other points."""
    if game.resigned is not None:
        return RESIGNED
    if not game.is_ended or color is None:
        return ""
    score = score_of(game, final_status, color)
    return f"{abs(score):g}" if points_by(score) == points else ""
