"""A second search beside the session's own: for one move, with other settings."""

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
    """Returns a search at the request's position, with a seed from the request's generator.

    evaluator: its network; None: the network of `search`, evaluations shared but for dropout.
    dropout: as in Search.
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
