"""The step of the mixed approach: a second search, by a network with a style.

engine.style.mixed has the rule for the two searches. Each search has the move's visits and half of
its time. With few visits, the usual search may not visit a move of the other one; a short search
then finds its win rate. A style does not change when to pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from engine.games.evaluator import Evaluator
from engine.games.position import Position
from engine.play.steps.naturalness import moves_of, narrowed
from engine.play.steps.request import MoveRequest
from engine.play.steps.scratch import another_search
from engine.play.steps.style import unbiased_search
from engine.search.report import MOVES_ALONE
from engine.search.search import Search
from engine.style.mixed import mix
from engine.values import Choice, MoveStats, Report


def halve_time_if_mixed(_search: Search, request: MoveRequest[Position]) -> MoveRequest[Position]:
    """Returns the request with half of its time if the persona mixes in a network."""
    if request.persona.mixed is None:
        return request
    if request.biased is None:
        return replace(request, remarks=(*request.remarks, "No network of the style can be had."))
    return replace(request, limit=request.limit.part(0.5))


def play_mixed(search: Search, request: MoveRequest[Position], report: Report) -> Choice | None:
    """Plays the biased network's move among those hardly worse; None for the usual move."""
    settings, passing = request.persona.mixed, request.position.pass_move
    if settings is None or request.biased is None or report.moves[0].move == passing:
        return None
    biased = [
        stats for stats in _biased_moves(search, request, request.biased) if stats.move != passing
    ]
    likely = [stats.move for stats in biased if stats.prior >= settings.p_th]
    usual = [*report.moves, *_unseen(search, request, report, likely)]
    best, chosen = usual[0], mix(usual, biased, w_diff=settings.w_diff, p_th=settings.p_th)
    if chosen is best:
        return None
    rates = f"{chosen.win_rate:.1%}, {best.win_rate:.1%} at best"
    return Choice(chosen.move, f"The style's network prefers it at a win rate of {rates}.", report)


def _biased_moves(
    search: Search, request: MoveRequest[Position], evaluator: Evaluator
) -> Sequence[MoveStats]:
    """Searches by the network of the style with the request's limits and restrictions."""
    other = another_search(search, request, search.settings, evaluator=evaluator)
    return other.run(
        request.limit,
        stop=request.stop,
        options=MOVES_ALONE,
        restriction=request.restriction,
        prior_weights=request.prior_weights,
    ).moves


def _unseen(
    search: Search, request: MoveRequest[Position], report: Report, likely: Sequence[int]
) -> Sequence[MoveStats]:
    """Returns the usual network's statistics of likely moves without a visit in its search."""
    visited = {stats.move for stats in report.moves if stats.edge_visits > 0}
    unvisited = sorted(set(likely) - visited)
    if not unvisited:
        return ()
    others = np.setdiff1d([*moves_of(request), request.position.pass_move], unvisited)
    among = replace(request, restriction=narrowed(request, others), on_report=None)
    short = unbiased_search(another_search(search, request, search.settings), among)
    return [stats for stats in short.moves if stats.move in unvisited]
