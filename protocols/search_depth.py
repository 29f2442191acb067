"""How hard to think where a GUI says a depth: visits of the search, and what is solved exactly.

A tree search by visits has no depth, so each depth stands for a number of visits that doubles every
two plies: 6 for a few dozen, 12 for 512, 20 for 8192. Solving begins at more empty cells the deeper
one asks, as a look at all moves: when it plays, the engine itself decides what to solve. Knows no
protocol.
"""

from __future__ import annotations

# The game -> empty cells from which a look is exact: at depth 0, one more every two plies; at most.
EXACT = {"othello": (8, 18), "connect4": (20, 29)}
LOWEST, HIGHEST = 1, 40  # depths; what is beyond counts as these
DEFAULT_DEPTH = 12


def within(depth: int) -> int:
    """The nearest depth that means something here."""
    return max(LOWEST, min(depth, HIGHEST))


def visits(depth: int) -> int:
    """How many visits a search of that depth makes."""
    return round(8 * 2 ** (within(depth) / 2))


def depth_of(made: int) -> int:
    """The greatest depth whose visits have been made; LOWEST where none have."""
    depth = LOWEST
    while depth < HIGHEST and visits(depth + 1) <= made:
        depth += 1
    return depth


def exact_empties(game: str, depth: int) -> int:
    """From how many empty cells on a look of that depth is exact."""
    shallowest, most = EXACT[game]
    return min(shallowest + within(depth) // 2, most)
