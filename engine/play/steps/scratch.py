"""A second search beside the session's own: for one move, with other settings."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.games.evaluator import Evaluator
from engine.games.position import Position
from engine.play.steps.request import MoveRequest
from engine.search.chess_aids import OpenAids
from engine.search.search import Search, SearchSettings
from engine.strength.level import LEAST_PRIOR
from engine.values import Limit

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

    evaluator: its network, without the aids of chess; None: the network and the aids of `search`,
    evaluations shared but for dropout. dropout: as in Search.
    """
    made = Search(
        evaluator or search.evaluator,
        settings,
        cache=None if evaluator else search.cache,
        seed=int(request.rng.integers(1 << SEED_BITS)),
        now=search.now,
        dropout=dropout,
        aids=OpenAids() if evaluator else search.aids,
    )
    made.set_position(request.position)
    return made


def own_priors(scratch: Search, request: MoveRequest[Position]) -> NDArray[np.float64]:
    """Returns [moves] the policy of the search's own network, at least LEAST_PRIOR.

    It divides wanted priors: a search takes factors on its own ones.
    """
    alone = scratch.run(Limit(visits=1), restriction=request.restriction)
    return np.maximum(alone.policy.astype(np.float64), LEAST_PRIOR)
