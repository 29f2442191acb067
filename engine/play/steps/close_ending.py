"""An ending as a liking: where a method keeps a game even, its moves are liked by their margins.

Such a method has reasons of its own for what it plays, to the last move; an ending that came before
it would take them away. Here the ending only says which of the moves that serve it are liked more.
Knows where leads come from: the method's search, and the solver where the last moves are looked
through. Does not know the method.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.games.position import Position
from engine.opponents import StandingAfter
from engine.play.steps.exact_margin import scores_of
from engine.play.steps.reading import margins_of
from engine.play.steps.request import MoveRequest
from engine.search.search import Search
from engine.search.solver import SOLVERS
from engine.values import Report, Standing


def closeness(
    search: Search,
    request: MoveRequest[Position],
    report: Report,
    moves: NDArray[np.intp],
    after: Sequence[StandingAfter],
) -> NDArray[np.float64]:
    """[moves] how much each is liked for the margin that it leads to, 1 where that is nearest.

    after: how the game stands after each of them. All alike where the persona has no ending. The
    chances of a game that is far ahead hardly tell moves apart; leads do, at any time: the more
    uncertain the score, the softer.
    """
    ending = request.persona.ending
    if ending is None:
        return np.ones(len(moves))
    leads: Sequence[float] | None
    if request.game in SOLVERS and any(isinstance(each, np.ndarray) for each in after):
        # The last moves, which are looked through.
        leads, stdev = scores_of(search, request, moves.tolist()), 0.0
    else:
        leads, stdev = leads_of(after), report.root.score_stdev
    if leads is None:
        return np.ones(len(moves))
    return ending.at(stdev, margins_of(request.position)).relative_weights(leads)


def leads_of(after: Sequence[StandingAfter]) -> list[float]:
    """[moves] the lead after each, of who moves now, the least one where no search tells it."""
    known = [each.lead for each in after if isinstance(each, Standing)]
    worst = min(known, default=0.0)
    return [each.lead if isinstance(each, Standing) else worst for each in after]
