"""Leads of chess in pawns, and the chances at a lead. The import is light."""

from __future__ import annotations

import math

# lc0's centipawns of wins minus losses, as it had them with Maia's networks.
FACTOR, ANGLE = 90.0, 1.5637541897
# Lichess's winning chances: 2 / (1 + exp(-SLOPE centipawns)) - 1, as lila has it for its reviews.
SLOPE, MOST_PAWNS = 0.00368208, 10.0
MATE_PAWNS = 100.0  # a mate in so many moves is a lead of as many pawns less


def pawns_of(win_loss: float) -> float:
    """Returns the lead at a value, wins minus losses, as lc0 writes it."""
    return FACTOR * math.tan(ANGLE * min(max(win_loss, -1.0), 1.0)) / 100


def value_at(pawns: float) -> float:
    """Returns wins minus losses at a lead, by Lichess's formula."""
    bounded = min(max(pawns, -MOST_PAWNS), MOST_PAWNS)
    return 2 / (1 + math.exp(-100 * SLOPE * bounded)) - 1
