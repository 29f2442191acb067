"""The likelihood of moves of chess programs by strength: coefficients at some Elo.

Programs miss less the stronger they are, and like the moves of people less than people do. The
tables are fitted by engine.training.opponents.move_likelihood to 11,511 moves of twelve programs in
240 games with levels of the ladder: Stockfish 15.1 at four UCI_Elo, at skill 3 and by 100 nodes,
HoiChess, Fairy-Max, GNU Chess and Toga II at depths 1 to 4. Their Elo are from 2,010 to 2,960.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.opponents.move_likelihood import RATED_FEATURES
from engine.opponents.player_style import PlayerStyle

# The deviation is near that of the fit: a program's strength lies 230 Elo from what the moves of
# eight games tell by the tables of the others. The share is a guess.
PROGRAMS = PlayerStyle(0.3, 300.0)
KNOTS_ELO = np.array([1900.0, 2200.0, 2500.0, 2800.0, 3100.0])
# fmt: off
BY_ANOTHER_ENGINE = {
    "prior": (0.05, 0.11, 0.16, 0.12, 0.15),
    "visits": (-0.14, 0.05, 0.18, 0.35, 0.42),
    "rate_loss": (-3.24, -3.4, -3.78, -3.96, -4.02),
    "score_loss": (-0.06, 0.33, 0.23, 0.14, 0.12),
    "unvisited": (0.0, 0.0, 0.0, 0.0, 0.0),
    "glance": (0.12, 0.16, 0.05, -0.15, -0.37),
    "people 1100": (0.0, 0.19, 0.12, -0.07, -0.02),
    "people 1300": (-0.03, 0.08, 0.12, 0.04, 0.1),
    "people 1500": (0.16, 0.08, 0.1, 0.01, 0.07),
    "people 1700": (0.22, 0.07, 0.04, 0.1, 0.28),
    "people 1900": (0.05, 0.11, 0.16, 0.12, 0.15),
}
BY_OUR_SEARCH = {
    "prior": (0.13, 0.12, 0.2, 0.22, 0.31),
    "visits": (-0.08, 0.02, -0.02, -0.09, -0.21),
    "rate_loss": (2.59, 2.57, 2.6, 2.71, 2.86),
    "score_loss": (-1.65, -2.3, -2.75, -2.92, -2.99),
    "unvisited": (0.04, -0.09, -0.27, -0.49, -0.68),
    "glance": (0.14, 0.18, 0.05, -0.17, -0.42),
    "people 1100": (-0.01, 0.17, 0.1, -0.09, -0.07),
    "people 1300": (-0.01, 0.09, 0.13, 0.04, 0.07),
    "people 1500": (0.19, 0.09, 0.1, 0.02, 0.11),
    "people 1700": (0.2, 0.09, 0.06, 0.12, 0.3),
    "people 1900": (0.13, 0.12, 0.2, 0.22, 0.31),
}
# fmt: on


def coefficients_of_programs(elos: NDArray[np.float64], *, has_engine: bool) -> NDArray[np.float64]:
    """Returns [elos, features] the coefficients of programs, in the order of RATED_FEATURES.

    elos: [elos], constant beyond the knots. has_engine: whether another engine values the moves.
    """
    table = BY_ANOTHER_ENGINE if has_engine else BY_OUR_SEARCH
    return np.array([np.interp(elos, KNOTS_ELO, table[name]) for name in RATED_FEATURES]).T
