"""Rows of a match, made by hand."""

from __future__ import annotations

from collections.abc import Sequence

from engine.match.record import Row


def row(
    game: int,
    winner: int | None,
    *,
    pair: tuple[int, int] = (0, 1),
    black: int = 0,
    moves: Sequence[str] = (),
    result: str = "R+1",
) -> Row:
    """A game of the pair that ended by its score; winner and black are players of the pair."""
    return {
        "game": game,
        "pair": list(pair),
        "black": black,
        "winner": winner,
        "result": "0" if winner is None else result,
        "how": "score",
        "judge": "rules",
        "opening": [],
        "handicap": [],
        "moves": list(moves),
    }
