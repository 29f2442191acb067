"""The steps of a persona's style: factors on the policy, and the style's own choice at the end.

The rules of styles are in engine.style.policy_bias. A short search finds their inputs, before the
strength's own search and within its time; the cache shares the evaluations of both.
"""

from __future__ import annotations

from dataclasses import replace

from engine.games.position import Position
from engine.networks.raw import evaluate_raw
from engine.play.steps.request import MoveRequest
from engine.search.report import MOVES_ALONE
from engine.search.search import Search
from engine.style.policy_bias import Scene, preferred
from engine.values import Choice, Limit, Report

LOOK_SHARE = 0.25  # share of the move's visits and time for styles with a search
FEWEST_LOOK_VISITS, MOST_LOOK_VISITS = 16, 200


def weigh_by_style(search: Search, request: MoveRequest[Position]) -> MoveRequest[Position]:
    """Returns the request with its priors weighed by the persona's style, if it has one."""
    style = request.persona.style
    if style is None:
        return request
    started = search.now()
    ownership = None
    if request.game in style.bias.by_ownership:
        ownership = evaluate_raw(search.evaluator, request.position).ownership
    report = unbiased_search(search, request) if style.bias.by_search else None
    scene = Scene(request.game, request.recent or (request.position,), ownership, report)
    left = request.limit.after(search.now() - started)
    remarks = (*request.remarks, f"Its style is {style.name}.")
    return replace(request, limit=left, remarks=remarks).weighed(style.weights(scene))


def play_style(_search: Search, request: MoveRequest[Position], report: Report) -> Choice | None:
    """Plays the style's move among those hardly worse than the best; None for the best move.

    A pass is no matter of style.
    """
    style, best = request.persona.style, report.moves[0]
    if style is None or best.move == request.position.pass_move:
        return None
    moves = [stats for stats in report.moves if stats.move != request.position.pass_move]
    other = preferred(moves, request.factors, style.price)
    if other is best:
        return None
    reason = (
        f"It likes this move at a win rate of {other.win_rate:.1%}, {best.win_rate:.1%} at best."
    )
    return Choice(other.move, reason, report)


def unbiased_search(search: Search, request: MoveRequest[Position]) -> Report:
    """Runs a short search without any style."""
    share = MOST_LOOK_VISITS if request.limit.visits is None else LOOK_SHARE * request.limit.visits
    visits = request.limit.within(int(min(max(share, FEWEST_LOOK_VISITS), MOST_LOOK_VISITS)))
    limit = Limit(visits=visits, max_seconds=request.limit.part(LOOK_SHARE).least_seconds)
    return search.run(
        limit, stop=request.stop, options=MOVES_ALONE, restriction=request.restriction
    )
