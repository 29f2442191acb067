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

from engine.position import Position
from engine.records import Report, Standing
from engine.search import Search
from engine.steps.exact_margin import scores_of
from engine.steps.reading import margins_of
from engine.strength.controller import After
from engine.style.endgame import Signs
from engine.turn import Turn


def closeness(
    search: Search,
    turn: Turn[Position],
    report: Report,
    moves: NDArray[np.intp],
    after: Sequence[After],
) -> NDArray[np.float64]:
    """[moves] how much each is liked for the margin that it leads to, 1 where that is wanted.

    after: how the game stands after each of them. All 1 before the endgame, and where the persona
    has no ending.
    """
    ending, position = turn.persona.ending, turn.position
    alike = np.ones(len(moves))
    if ending is None:
        return alike
    leads: Sequence[float] | None = leads_of(after)
    stdev = report.root.score_stdev
    if leads is None:  # the last moves, which are looked through
        leads, stdev = scores_of(search, turn, moves.tolist()), 0.0
    signs = Signs.published(position.width * position.height)
    if leads is None or stdev >= signs.score_stdev:
        return alike
    target = ending.at(stdev, margins_of(position))
    return np.array([target.liking(lead) for lead in leads])


def leads_of(after: Sequence[After]) -> list[float] | None:
    """[moves] the lead after each, of who moves now, the least one where nobody looked.

    None where chances are known instead of how it stands.
    """
    if any(isinstance(each, np.ndarray) for each in after):
        return None
    known = [each.lead for each in after if isinstance(each, Standing)]
    worst = min(known, default=0.0)
    return [each.lead if isinstance(each, Standing) else worst for each in after]
