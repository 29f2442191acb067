"""The steps of position control: settings of the search before it begins, and the choice after it.

The procedure and its constants are in engine.style.position_control, distances in
engine.style.distance. In Go it passes when the search would, and else chooses among the other
moves.
"""

from __future__ import annotations

from engine.games.position import Position
from engine.play.steps.request import MoveRequest, Steps
from engine.search.search import Search
from engine.style.distance import near_weights
from engine.style.position_control import ControlledMove, PositionControl, decide
from engine.values import Choice, Report


def search_for_control(search: Search, request: MoveRequest[Position]) -> MoveRequest[Position]:
    """Widens the search by Method A, and returns the request with priors weighed by Method B."""
    settings = request.strength(PositionControl)
    if settings.wide:
        wide = search.settings.copy()
        wide.cpuct_exploration = settings.exploration
        search.change_settings(wide)
    if settings.near and request.recent:
        near = near_weights(request.game, request.recent)
        if near is not None:
            return request.weighed(near)
    return request


def control(_search: Search, request: MoveRequest[Position], report: Report) -> Choice:
    """Plays position control's move among the searched ones."""
    passing = request.position.pass_move
    if report.moves[0].move == passing:
        return Choice(passing, "The search would pass.", report)
    candidates = [
        ControlledMove(
            stats.move,
            stats.win_rate,
            stats.prior * float(request.factors[stats.move]),
            stats.edge_visits,
        )
        for stats in report.moves
        if stats.move != passing
    ]
    decision = decide(candidates, request.strength(PositionControl))
    return Choice(decision.move, decision.reason, report)


POSITION_CONTROL: Steps[Position] = Steps(prepare=(search_for_control,), after_search=(control,))
