"""Profiles of human players for KataGo's human networks, by KataGo's names.

The names are those of its humanSLProfile; the inputs follow KataGo's cpp/neuralnet/sgfmetadata.cpp.
A profile becomes a row of numbers; engine.networks.human_policy hands it to a network.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from datetime import date

import numpy as np

from engine.values import Floats

INPUTS = 192
RANKS = (*(f"{dan}d" for dan in range(9, 0, -1)), *(f"{kyu}k" for kyu in range(1, 21)))
FORMS = "rank_5k, preaz_3d_1k (of Black and of White), proyear_1985"
FIRST_YEAR, LAST_YEAR = 1800, 2023
MODERN_YEAR = 2021  # from here on KataGo's professional games come from another collection

# The first input of each kind.
HUMAN, RANK, RATED, CLOCK, TIMES, AREA, DAYS, SOURCE = 0, 6, 74, 75, 82, 86, 87, 151
RANK_INPUTS = 34  # per player
DAY_PERIODS = 32
UNKNOWN_CLOCK, BYO_YOMI = 0, 4  # of seven kinds of time control
KGS, GOGOD, GO4GO = 2, 5, 6  # of sixteen sources of games
WEEK_DAYS, MOST_DAYS = 7.0, 80_000  # the periods grow geometrically from a week to 80000 weeks


@dataclass(frozen=True, slots=True)
class HumanProfile:
    """Two players, their time control, the date and the source of the game."""

    ranks: tuple[int, int]  # of Black and of White: 1 is 9 dan, 29 is 20 kyu
    day: date
    source: int
    main_seconds: float = 0.0
    period_seconds: float = 0.0
    periods: int = 0
    clock: int = UNKNOWN_CLOCK
    rated: float = 0.0  # 0.5 if unknown, 1 if unrated

    def row(self, to_move: int, cells: int) -> Floats:
        """The network's inputs for the color to move, on a board of `cells` cells: [192]."""
        row = np.zeros(INPUTS, np.float32)
        row[HUMAN : HUMAN + 2] = 1
        for player, rank in enumerate((self.ranks[to_move], self.ranks[1 - to_move])):
            start = RANK + player * RANK_INPUTS
            row[start : start + rank] = 1
        row[RATED] = self.rated
        row[CLOCK + self.clock] = 1
        row[TIMES : TIMES + 4] = (
            0.4 * (math.log(self.main_seconds + 60) - 6.5),
            0.3 * (math.log(self.period_seconds + 1) - 3),
            0.5 * (math.log(self.periods + 2) - 1.5),
            0.25 * (math.log(2) - 1.5),  # no moves of Canadian overtime
        )
        row[AREA] = 0.5 * math.log(cells / 361)
        days = (self.day - date(1970, 1, 1)).days
        periods = WEEK_DAYS * MOST_DAYS ** (np.arange(DAY_PERIODS) / (DAY_PERIODS - 1))
        turns = 2 * math.pi * days / periods
        row[DAYS : DAYS + 2 * DAY_PERIODS : 2] = np.cos(turns)
        row[DAYS + 1 : DAYS + 2 * DAY_PERIODS : 2] = np.sin(turns)
        row[SOURCE + self.source] = 1
        return row


def profile_named(name: str) -> HumanProfile:
    """Returns the profile of that name. Raises ValueError, quoting a name unknown to KataGo."""
    if parts := re.fullmatch(r"(rank|preaz)_([0-9]+[dk])(?:_([0-9]+[dk]))?", name, re.ASCII):
        black, white = parts[2], parts[3] or parts[2]
        if black in RANKS and white in RANKS:
            day = date(2016, 9, 1) if parts[1] == "preaz" else date(2020, 3, 1)
            return HumanProfile(
                (RANKS.index(black) + 1, RANKS.index(white) + 1),
                day,
                KGS,
                main_seconds=1200,
                period_seconds=30,
                periods=5,
                clock=BYO_YOMI,
                rated=0.5,
            )
    if parts := re.fullmatch(r"proyear_([0-9]{4})", name, re.ASCII):
        year = int(parts[1])
        if FIRST_YEAR <= year <= LAST_YEAR:
            source = GO4GO if year >= MODERN_YEAR else GOGOD
            return HumanProfile((1, 1), date(year, 6, 1), source)
    raise ValueError(f"no profile {name!r}: such as {FORMS}")
