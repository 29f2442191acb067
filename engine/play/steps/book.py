"""The opening of chess by a book that the user names: a step of full strength."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.play.steps.request import MoveRequest
from engine.search.search import Search
from engine.values import Choice, Limit


def play_from_book(search: Search, request: MoveRequest[Any]) -> Choice | None:
    """Plays a move of the book, drawn by its weight; None outside the book."""
    book = search.aids.book
    if book is None:
        return None
    weights = {
        move: weight
        for move, weight in book.moves(request.position).items()
        if request.allows(move)
    }
    if not weights:
        return None
    shares = np.array(list(weights.values())) / sum(weights.values())
    move = int(request.rng.choice(list(weights), p=shares))
    report = search.run(Limit(visits=1), options=request.options, restriction=request.restriction)
    reason = f"The opening book has this move with a weight of {weights[move]} of "
    return Choice(move, f"{reason}{sum(weights.values())}.", report)
