"""A search beside the session's own, for one move by a method that searches in its own way."""

from __future__ import annotations

from engine.position import Position
from engine.search import Search, SearchSettings
from engine.turn import Turn

SEED_BITS = 63


def another_search(
    search: Search, turn: Turn[Position], settings: SearchSettings, *, dropout: float = 0.0
) -> Search:
    """One that stands at the turn's position, on the same network; its seed is the turn's chance.

    Evaluations are shared with `search`, but damaged ones. dropout: as a Search has it.
    """
    made = Search(
        search.evaluator,
        settings,
        cache=search.cache,
        seed=int(turn.rng.integers(1 << SEED_BITS)),
        now=search.now,
        dropout=dropout,
    )
    made.set_position(turn.position)
    return made
