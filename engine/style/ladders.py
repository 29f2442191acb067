"""Moves of Go that no reader of ladders makes, whatever a policy thinks of them.

Knows a position and what the core reads of its ladders. Does not know what is made of such moves.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine._core import GoPosition
from engine.games.chains import chain_at, liberties_of, neighbours

STEPS = 3  # so often a chain is driven on before that is called a ladder, and not a mere atari


def misread_ladders(position: GoPosition) -> set[int]:
    """The moves that run with a chain which a ladder captures all the same, or start a broken one.

    A chain runs where its last liberty is filled and it is still captured. A ladder is started
    where a chain of two liberties can be driven on for STEPS ataris; it is broken where the core
    reads that it does not end in a capture. What takes stones, or saves stones in atari, has
    another purpose and is no such move.
    """
    return {*_runs(position), *_broken_starts(position)}


def _runs(position: GoPosition) -> Iterator[int]:
    """Moves at the last liberty of an own chain that are of no use."""
    own = _stone_of(position.to_move)
    captured = position.ladder()[0]
    for cell in np.flatnonzero((position.stones == own) & (captured != 0)):
        if position.liberties(int(cell)) != 1:
            continue
        for move in liberties_of(position.stones, int(cell)):
            after = _after(position, move)
            # Only a chain that the next ladder or capture takes has run for nothing.
            if after is not None and after.stones.flat[cell] and after.ladder()[0].flat[cell]:
                yield move


def _broken_starts(position: GoPosition) -> Iterator[int]:
    """Ataris from which a chain runs as in a ladder, which then does not work."""
    theirs = _stone_of(1 - position.to_move)
    works = position.ladder()[1]
    for cell in _chains_with(position, theirs, liberties=2):
        for move in liberties_of(position.stones, cell):
            if works.flat[move] or _saves(position, move):
                continue
            if _chased(position, cell, move, STEPS):
                yield move


def _chased(position: GoPosition, cell: int, move: int, steps: int) -> bool:
    """Whether the move drives the chain there before it, so many times; nobody taking stones.

    It is driven by an atari out of which it comes with two liberties. Who takes stones on the way
    was in no ladder.
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
    """The position after a move; None where it is not legal."""
    if not position.is_legal(move):
        return None
    after = position.copy()
    after.play(move)
    return after


def _saves(position: GoPosition, move: int) -> bool:
    """Whether the move joins stones of its side that are in atari."""
    own = _stone_of(position.to_move)
    return any(
        position.stones.flat[cell] == own and position.liberties(cell) == 1
        for cell in neighbours(move, position.width, position.height)
    )


def _chains_with(position: GoPosition, stone: int, *, liberties: int) -> Iterator[int]:
    """A cell of each chain of that color with so many liberties."""
    seen: set[int] = set()
    for cell in map(int, np.flatnonzero(position.stones == stone)):
        if cell not in seen and position.liberties(cell) == liberties:
            seen.update(chain_at(position.stones, cell))
            yield cell
