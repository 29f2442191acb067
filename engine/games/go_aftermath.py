"""Settles chains of a finished game of Go by playing on, as GNU Go's aftermath does.

A network knows few positions of seki, and ownership lies between life and death there. On the board
they tell themselves apart: dead stones are captured in the end, stones in seki are left alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from engine._core import GoPosition, GoRules
from engine.games.chains import BLACK, chains, liberties_of
from engine.values import Report

# Dead stones have to be captured, and no position comes again.
RULES = GoRules(suicide=False)

# A chain is in doubt if the ownership of its points lies within the first of zero on average, or is
# worse at a point than on average by the second.
SETTLED_ON_AVERAGE = 0.85
SETTLED_SPREAD = 0.5

VISITS = 40  # of a search for a move
MOST_MOVES = 80  # of both sides, beyond which nothing is settled

# A move beside a chain in doubt replaces a pass if it promises more points by the first than the
# stones as they stand, and costs no more than the second.
WORTH_POINTS = 0.5
HARMLESS_POINTS = 2.0

Search = Callable[[GoPosition, int], Report]  # with so many visits, for the score, and ownership
Chain = Sequence[int]  # its cells


def doubtful_chains(position: GoPosition, black_ownership: NDArray[np.float32]) -> list[list[int]]:
    """Returns the chains whose state ownership leaves in doubt, by their lowest cells.

    black_ownership: [H, W] float32, +1 Black's. Benson's algorithm leaves no doubt.
    """
    stones = position.stones
    safe = position.pass_alive()
    doubtful = []
    for chain in chains(stones):
        own = black_ownership.flat[chain] * (1 if stones.flat[chain[0]] == BLACK else -1)
        is_clear = abs(own.mean()) >= SETTLED_ON_AVERAGE
        is_alike = own.mean() - own.min() <= SETTLED_SPREAD
        if safe.flat[chain[0]] == 0 and not (is_clear and is_alike):
            doubtful.append(chain)
    return doubtful


def settle(
    dead: NDArray[np.bool_],
    doubtful: Sequence[Chain],
    starts: Sequence[GoPosition],
    search: Search,
) -> None:
    """Corrects the dead stones [H, W] bool, in place, where the play from all starts agrees.

    starts: the position without history and its clearly dead stones, once with each side to move.
    """
    results = [captured(start, doubtful, search) for start in starts]
    for index, chain in enumerate(doubtful):
        fates = {None if result is None else result[index] for result in results}
        if len(fates) == 1 and None not in fates:
            dead.flat[list(chain)] = fates.pop()


def captured(start: GoPosition, doubtful: Sequence[Chain], search: Search) -> list[bool] | None:
    """Plays on and returns whether each chain is captured; None: the play goes on for too long.

    It ends by two passes, or once all chains are captured or pass-alive.
    """
    colors = [int(start.stones.flat[chain[0]]) for chain in doubtful]
    position = start.copy()
    for _ in range(MOST_MOVES + 1):
        safe = position.pass_alive()
        pairs = zip(doubtful, colors, strict=True)
        fates = [_is_lost(chain, color, position.stones, safe) for chain, color in pairs]
        if position.is_over or None not in fates:
            return [bool(is_lost) for is_lost in fates]
        position.play(_move(position, doubtful, search))
    return None


def _is_lost(
    chain: Chain, color: int, stones: NDArray[np.uint8], safe: NDArray[np.int8]
) -> bool | None:
    """Returns whether a chain of that color is captured, or certain to be; None: it is open.

    safe: [H, W], 1 or -1 for Black's or White's pass-alive stones and territory.
    """
    if (stones.flat[list(chain)] != color).any():
        return True
    owner = int(safe.flat[chain[0]])
    return None if owner == 0 else (owner == 1) != (color == BLACK)


def _move(position: GoPosition, doubtful: Sequence[Chain], search: Search) -> int:
    """Returns the search's move; in place of a pass the capture of stones already counted as dead.

    A short search overlooks dead stones left on the board by two passes.
    """
    report = search(position, VISITS)
    if report.best is not None and report.best.move != position.pass_move:
        return report.best.move
    sign = 1 if position.to_move == 0 else -1
    stands = sign * position.black_score
    if report.root.score_lead < stands + WORTH_POINTS:
        return position.pass_move
    least = _lead_after_pass(position, search) - HARMLESS_POINTS
    best = position.pass_move
    for move in _beside(position, doubtful):
        moved = position.copy()
        moved.play(move)
        lead = -search(moved, VISITS).root.score_lead
        is_worth = max(lead, sign * moved.black_score) >= stands + WORTH_POINTS
        if is_worth and lead >= least:
            best, least = move, lead
    return best


def _lead_after_pass(position: GoPosition, search: Search) -> float:
    """Returns the lead of the side to move, in points, if it is the other one's turn."""
    passed = position.copy()
    passed.to_move = 1 - position.to_move
    return -search(passed, VISITS).root.score_lead


def _beside(position: GoPosition, doubtful: Sequence[Chain]) -> list[int]:
    """Returns the legal moves on liberties of the opponent's chains in doubt."""
    opponent = 2 - position.to_move
    stones = position.stones
    cells = {cell for chain in doubtful for cell in chain if stones.flat[cell] == opponent}
    liberties = {liberty for cell in cells for liberty in liberties_of(stones, cell)}
    return [move for move in sorted(liberties) if position.is_legal(move)]
