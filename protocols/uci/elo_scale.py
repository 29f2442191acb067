"""The scale of UCI_Elo: an Elo as Stockfish's UCI_Elo has it, on the ladder of chess.

A GUI's number then means about the same strength from either engine. Random play is 0 on both.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

# UCI_Elo of Stockfish 15.1 by 20,000 nodes a move, and its Elo on the ladder by games with the
# levels, as docs/measurements.md has them. Below 1350, the least there, the scale is a guess.
PLACES: Final = ((0.0, 0.0), (1350.0, 2010.0), (1600.0, 2250.0), (1900.0, 2560.0), (2200.0, 2960.0))


def ladder_elo(uci_elo: float) -> float:
    """Returns the Elo on the ladder for a UCI_Elo; beyond the places, by the last two of them.

    >>> ladder_elo(1600)
    2250.0
    """
    for (low, below), (high, above) in pairwise(PLACES):
        if uci_elo <= high or high == PLACES[-1][0]:
            return below + (uci_elo - low) / (high - low) * (above - below)
    raise AssertionError("the places are two or more")
