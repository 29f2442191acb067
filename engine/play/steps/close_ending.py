"""An ending as weights on moves, for a method that keeps a game even.

Such a method decides all moves to the end of the game; a step of the ending before it would
overrule it. Here the ending only weighs the moves by their margins. The margins come from the
method's search, or from the solver in the last moves.
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
    """Returns [n] the weight of each move by its margin, 1 for the nearest margin.

    moves: [n]. after: [n] the standing after each move. All weights are 1 without an ending. The
    win rates hardly differ in a game far ahead, but leads do. An uncertain score softens the
    weights.
    """
    ending = request.persona.ending
    if ending is None:
        return np.ones(len(moves))
    leads: Sequence[float] | None
    if request.game in SOLVERS and any(isinstance(each, np.ndarray) for each in after):
        # The last moves are solved.
        leads, stdev = scores_of(search, request, moves.tolist()), 0.0
    else:
        leads, stdev = leads_of(after), report.root.score_stdev
    if leads is None:
        return np.ones(len(moves))
    return ending.at(stdev, margins_of(request.position)).relative_weights(leads)


def leads_of(after: Sequence[StandingAfter]) -> list[float]:
    """Returns [n] the mover's lead after each move; the least lead for an unsearched move."""
    known = [each.lead for each in after if isinstance(each, Standing)]
    worst = min(known, default=0.0)
    return [each.lead if isinstance(each, Standing) else worst for each in after]
