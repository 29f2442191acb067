"""Judges a finished game by a search: living stones, score, winner.

The lengths of the searches are fixed. The answer depends only on the game and the network: no
clock, earlier search or evaluation cache affects it.
"""

from __future__ import annotations

from engine.games.adjudication import ADJUDICATIONS
from engine.games.evaluator import Evaluator
from engine.games.position import Position
from engine.search.report import WITH_OWNERSHIP
from engine.search.search import Search, SearchSettings
from engine.search.tree import new_cache
from engine.values import FinalStatus, Limit, Report

CACHE_ENTRIES = 4096  # more than the searches of a game's end


def judge(evaluator: Evaluator, game: str, position: Position) -> FinalStatus:
    """Returns living stones, dead stones and the score; an estimate before the end."""
    settings = _for_points() if position.is_over else SearchSettings()
    cache = new_cache(game, CACHE_ENTRIES)

    def search_report(shown: Position, visits: int) -> Report:
        search = Search(evaluator, settings, cache=cache)
        search.set_position(shown)
        return search.run(Limit(visits=visits), options=WITH_OWNERSHIP)

    return ADJUDICATIONS[game].judge(position, search_report)


def _for_points() -> SearchSettings:
    """Returns settings by which a won game's points count as much as a close one's."""
    settings = SearchSettings()
    settings.win_loss_utility_factor = 0.1
    settings.static_score_utility_factor = 0.0
    settings.dynamic_score_utility_factor = 1.0
    return settings


def points_of(evaluator: Evaluator, game: str, position: Position, color: int) -> float:
    """Returns the color's points in a finished game: 1 for a win, 0.5 for a draw, 0 for a loss.

    An aborted game, or one that the rules end without a result, is a draw.
    """
    if not position.is_over:
        return 0.5
    black_score = judge(evaluator, game, position).black_score
    return 0.5 if black_score == 0 else float((black_score > 0) == (color == 0))


def margin_of(evaluator: Evaluator, game: str, position: Position, color: int) -> float | None:
    """Returns the color's score in a finished game, in points; None: the game is unfinished."""
    if not position.is_over:
        return None
    black_score = judge(evaluator, game, position).black_score
    return black_score if color == 0 else -black_score
