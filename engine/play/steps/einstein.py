"""The step of EinStein würfelt nicht before the dice: the placing of the pieces."""

from __future__ import annotations

from engine._core import EinsteinPosition
from engine.games.position import Position
from engine.play.steps.request import MoveRequest
from engine.search.search import Search
from engine.values import Choice


def place_pieces(_search: Search, request: MoveRequest[Position]) -> Choice | None:
    """Returns any placing, unless reports or a restriction require a search.

    A search cannot tell 720 placings apart: their values differ by less than its noise.
    """
    position = request.position
    if not isinstance(position, EinsteinPosition) or not position.is_placing:
        return None
    if request.on_report is not None or request.restriction is not None:
        return None
    placing = int(request.rng.choice(position.legal_moves()))
    return Choice(placing, "The pieces are placed at random.")
