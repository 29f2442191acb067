"""Moves of Go by a misread ladder (shicho), although a policy may prefer them.

The core reads the ladders. The caller decides what to do with these moves.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine._core import GoPosition
from engine.games.chains import chain_at, liberties_of, neighbours

STEPS = 3  # ataris in a row from which a chase counts as a ladder; fewer are a mere atari


def misread_ladders(position: GoPosition) -> set[int]:
    """Returns the extensions of chains doomed in a ladder, and the starts of broken ladders.

    A chain is extended at its last liberty and is still captured. A ladder starts with a chain of
    two liberties that can be driven on for STEPS ataris; it is broken if the core reads no capture
    at its end. Moves that capture stones, or save stones in atari, have another purpose and are
    left out.
    """
    return {*_runs(position), *_broken_starts(position)}


def _runs(position: GoPosition) -> Iterator[int]:
    """Yields useless moves at the last liberty of an own chain."""
    own = _stone_of(position.to_move)
    captured = position.ladder()[0]
    for cell in np.flatnonzero((position.stones == own) & (captured != 0)):
        if position.liberties(int(cell)) != 1:
            continue
        for move in liberties_of(position.stones, int(cell)):
            after = _after(position, move)
            # Only a chain lost to the next ladder or capture was extended for nothing.
            if after is not None and after.stones.flat[cell] and after.ladder()[0].flat[cell]:
                yield move


def _broken_starts(position: GoPosition) -> Iterator[int]:
    """Yields the first ataris of ladders with a broken reading by the core."""
    theirs = _stone_of(1 - position.to_move)
    works = position.ladder()[1]
    for cell in _chains_with(position, theirs, liberties=2):
        for move in liberties_of(position.stones, cell):
            if works.flat[move] or _saves(position, move):
                continue
            if _chased(position, cell, move, STEPS):
                yield move


def _chased(position: GoPosition, cell: int, move: int, steps: int) -> bool:
    """Tests whether the move drives the chain before it `steps` times, without a capture of stones.

    Each step is an atari; the chain escapes it with two liberties. A chase with a capture on the
    way is no ladder.
    """
    taken = sum(position.captured)
    after = _after(position, move)
    if after is None or after.liberties(cell) != 1:
        return False
    (escape,) = liberties_of(after.stones, cell)
    out = _after(after, escape)
    if out is None or sum(out.captured) != taken or out.liberties(cell) != 2:
        return False
    return steps == 1 or any(
        _chased(out, cell, further, steps - 1) for further in liberties_of(out.stones, cell)
    )


def _stone_of(color: int) -> int:
    return color + 1


def _after(position: GoPosition, move: int) -> GoPosition | None:
    """Returns the position after a move; None if the move is illegal."""
    if not position.is_legal(move):
        return None
    after = position.copy()
    after.play(move)
    return after


def _saves(position: GoPosition, move: int) -> bool:
    """Tests whether the move connects to stones of its side in atari."""
    own = _stone_of(position.to_move)
    return any(
        position.stones.flat[cell] == own and position.liberties(cell) == 1
        for cell in neighbours(move, position.width, position.height)
    )


def _chains_with(position: GoPosition, stone: int, *, liberties: int) -> Iterator[int]:
    """Yields a cell of each chain of that color with exactly `liberties` liberties."""
    covered: set[int] = set()
    for cell in map(int, np.flatnonzero(position.stones == stone)):
        if cell not in covered and position.liberties(cell) == liberties:
            covered.update(chain_at(position.stones, cell))
            yield cell
