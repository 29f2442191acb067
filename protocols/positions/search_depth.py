"""The visits and the exact analysis of a GUI's depth.

A tree search by visits has no depth, so each depth stands for a number of visits; it doubles every
two plies: 6 for a few dozen, 12 for 512, 20 for 8192. A deeper analysis is exact from more empty
cells on; when the engine plays, its persona decides about solving.
"""

from __future__ import annotations

# Game -> empty cells of an exact analysis: at depth 0, one more every two plies; at most.
EXACT = {"othello": (8, 18), "connect4": (20, 29)}
LOWEST, HIGHEST = 1, 40  # depths; others are clipped
DEFAULT_DEPTH = 12


def within(depth: int) -> int:
    """Returns the depth clipped to LOWEST..HIGHEST."""
    return max(LOWEST, min(depth, HIGHEST))


def visits(depth: int) -> int:
    """Returns the visits of a search of this depth."""
    return round(8 * 2 ** (within(depth) / 2))


def depth_of(made: int) -> int:
    """Returns the greatest depth of at most so many visits; LOWEST with fewer."""
    depth = LOWEST
    while depth < HIGHEST and visits(depth + 1) <= made:
        depth += 1
    return depth


def exact_empties(game: str, depth: int) -> int:
    """Returns the number of empty cells from which on an analysis of this depth is exact."""
    shallowest, most = EXACT[game]
    return min(shallowest + within(depth) // 2, most)
