"""The level of an even game: its Elo on the ladder, and its share of natural moves.

In chess a level plays an even game with its own moves alone: evenness comes from the choice of the
level. Preferring some of its moves made levels 500 Elo stronger, and reading ahead 200 to 500; the
flat levels to make up for both played few moves of people, and lost more ahead than when level.

The floor of naturalness makes a level of chess stronger too, and the choice of the level counts
this. Near people the floor holds whatever share of the level's play is left: at equal strength, a
flat draw of the moves that people play has fewer great mistakes than a draw of all moves.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.style.naturalness import Excess

# The Elo of levels of chess on the ladder, and of the same levels in even games. A smooth line by
# 15 to 16 games each with the ladder's levels and by the levels' mean losses. Perverse play and
# strong levels gain nothing.
LEVELS_IN_EVEN_GAMES = (
    *((-114.0, -114.0), (0.0, 250.0), (150.0, 450.0), (300.0, 700.0), (450.0, 900.0)),
    *((600.0, 1290.0), (700.0, 1540.0), (850.0, 1720.0), (1150.0, 1860.0), (1450.0, 1960.0)),
    *((1700.0, 1990.0), (1880.0, 2020.0), (2070.0, 2110.0), (2260.0, 2310.0), (2650.0, 2650.0)),
)
# The share of the budget's minimum share of a level's play, by Elo on the ladder of chess. Play
# near random has few moves of people, and a strong level finds moves that few people see.
SHARES_LEFT = ((0.0, 1.0), (1000.0, 0.0), (1880.0, 0.0), (2260.0, 1.0))

# The least level of chess, by Elo on the ladder, that throws no queen away.
LEAST_CAREFUL = 600.0


def elo_on_ladder(elo: float, game: str) -> float:
    """Returns the Elo on the ladder of the level with this Elo in even games."""
    on_ladder, in_even_games = zip(*LEVELS_IN_EVEN_GAMES, strict=True)
    if game != "chess" or not in_even_games[0] <= elo <= in_even_games[-1]:
        return elo
    return float(np.interp(elo, in_even_games, on_ladder))


def excess_at(excess: Excess | None, elo: float, game: str) -> Excess | None:
    """Returns the excess over the naturalness budget, with the minimum share of a level.

    elo: of the level, on the ladder.
    """
    if excess is None or game != "chess":
        return excess
    on_ladder, shares = zip(*SHARES_LEFT, strict=True)
    share = float(np.interp(elo, on_ladder, shares))
    return replace(excess, minimum_share=share * excess.minimum_share)
