"""Judges games by a search of its own: living stones, score, winner.

Knows how long a finished game is looked at. The answer depends on the game and the network alone:
no clock, no earlier search and no cache of evaluations has a part in it. Knows no session.
"""

from __future__ import annotations

from engine.games.adjudication import ADJUDICATIONS
from engine.games.evaluator import Evaluator
from engine.games.position import Position
from engine.search.search import ReportOptions, Search
from engine.values import FinalStatus, Limit, Report

VISITS = 100


def judge(evaluator: Evaluator, game: str, position: Position) -> FinalStatus:
    """Returns living stones, dead stones and the score; an estimate before the end."""

    def look(shown: Position) -> Report:
        search = Search(evaluator)
        search.set_position(shown)
        return search.run(Limit(visits=VISITS), options=ReportOptions(ownership=True))

    return ADJUDICATIONS[game].judge(position, look)


def points_of(evaluator: Evaluator, game: str, position: Position, color: int) -> float:
    """Returns the color's points in a finished game: 1 for a win, 0.5 for a draw, 0 for a loss.

    A game that was broken off, or that the rules end without a result, is a draw.
    """
    if not position.is_over:
        return 0.5
    black_score = judge(evaluator, game, position).black_score
    return 0.5 if black_score == 0 else float((black_score > 0) == (color == 0))
