"""A search beside the session's own, for one move by a method that searches in its own way."""

from __future__ import annotations

from engine.games.evaluator import Evaluator
from engine.games.position import Position
from engine.play.steps.request import MoveRequest
from engine.search.search import Search, SearchSettings

SEED_BITS = 63


def another_search(
    search: Search,
    request: MoveRequest[Position],
    settings: SearchSettings,
    *,
    dropout: float = 0.0,
    evaluator: Evaluator | None = None,
) -> Search:
    """One that stands at the turn's position; its seed is the turn's chance.

    evaluator: its network; None: the same one, whose evaluations are shared with `search`, but
    damaged ones. dropout: as a Search has it.
    """
    made = Search(
        evaluator or search.evaluator,
        settings,
        cache=None if evaluator else search.cache,
        seed=int(request.rng.integers(1 << SEED_BITS)),
        now=search.now,
        dropout=dropout,
    )
    made.set_position(request.position)
    return made
