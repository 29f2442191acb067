"""AlphaZero of AlphaDDA's paper: the preparation of the search.

The settings and numbers are in engine.strength.alphazero.
"""

from __future__ import annotations

from dataclasses import replace

from engine.games.position import Position
from engine.play.steps.request import MoveRequest, Steps
from engine.search.search import Search
from engine.strength.alphazero import plain_search, playouts


def search_plainly(search: Search, request: MoveRequest[Position]) -> MoveRequest[Position]:
    """Returns the request with the paper's playouts, and sets the search to plain PUCT."""
    search.change_settings(plain_search())
    visits = request.limit.within(playouts(request.board))
    return replace(request, limit=replace(request.limit, visits=visits, playouts=None))


ALPHAZERO: Steps[Position] = Steps(prepare=(search_plainly,))
