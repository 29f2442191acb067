"""A persona's style: what its factors on the policy are in this position.

What styles go by is in engine.style.policy_bias; here it is found out, before the strength's own
search and out of its time. What that search would evaluate again is kept in the cache.
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

LOOK_SHARE = 0.25  # of the turn's visits and time, for styles that ask what a search finds
FEWEST_LOOK_VISITS, MOST_LOOK_VISITS = 16, 200


def lean(search: Search, request: MoveRequest[Position]) -> MoveRequest[Position]:
    """The same turn with its priors weighed by the persona's style, if it has one."""
    style = request.persona.style
    if style is None:
        return request
    started = search.now()
    ownership = None
    if request.game in style.bias.by_ownership:
        ownership = evaluate_raw(search.evaluator, request.position).ownership
    report = look(search, request) if style.bias.by_search else None
    scene = Scene(request.game, request.recent or (request.position,), ownership, report)
    left = request.limit.after(search.now() - started)
    remarks = (*request.remarks, f"Its style is {style.name}.")
    return replace(request, limit=left, remarks=remarks).weighed(style.weights(scene))


def prefer(_search: Search, request: MoveRequest[Position], report: Report) -> Choice | None:
    """The move that the style likes among those hardly worse, where no other step has chosen.

    A pass is no matter of style.
    """
    style, best = request.persona.style, report.moves[0]
    if style is None or best.move == request.position.pass_move:
        return None
    moves = [stats for stats in report.moves if stats.move != request.position.pass_move]
    liked = preferred(moves, request.factors, style.price)
    if liked is best:
        return None
    reason = (
        f"It likes this move at a win rate of {liked.win_rate:.1%}, {best.win_rate:.1%} at best."
    )
    return Choice(liked.move, reason, report)


def look(search: Search, request: MoveRequest[Position]) -> Report:
    """What a short search finds of the moves, not knowing of any style."""
    asked = MOST_LOOK_VISITS if request.limit.visits is None else LOOK_SHARE * request.limit.visits
    visits = request.limit.within(int(min(max(asked, FEWEST_LOOK_VISITS), MOST_LOOK_VISITS)))
    limit = Limit(visits=visits, max_seconds=request.limit.part(LOOK_SHARE).least_seconds)
    return search.run(
        limit, stop=request.stop, options=MOVES_ALONE, restriction=request.restriction
    )
