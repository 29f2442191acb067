"""Profiles of human players for networks of human games, by KataGo's names and by rank.

The names are those of its humanSLProfile, and the same ones with fractions such as rank_8.4k. The
inputs follow KataGo's cpp/neuralnet/sgfmetadata.cpp. A profile becomes a row of numbers;
engine.networks.human_policy hands it to a network.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from datetime import date

import numpy as np

from engine.games.ranks import STRONGEST, parse_rank
from engine.values import Floats

INPUTS = 192
WEAKEST_NAMED = parse_rank("20k")  # KataGo names no weaker rank
FORMS = "rank_5k, rank_8.4k, preaz_3d_1k (of Black and of White), proyear_1985"
FIRST_YEAR, LAST_YEAR = 1800, 2023
BEFORE_ALPHA_ZERO = date(2016, 9, 1)
MODERN_YEAR = 2021  # from here on KataGo's professional games come from another collection

# The first input of each kind.
HUMAN, RANK, RATED, CLOCK, TIMES, AREA, DAYS, SOURCE = 0, 6, 74, 75, 82, 86, 87, 151
RANK_INPUTS = 34  # per player: the weakest rank is 25 kyu
DAY_PERIODS = 32
UNKNOWN_CLOCK, BYO_YOMI = 0, 4  # of seven kinds of time control
KGS, GOGOD, GO4GO = 2, 5, 6  # of sixteen sources of games
WEEK_DAYS, MOST_DAYS = 7.0, 80_000  # the periods grow geometrically from a week to 80000 weeks


@dataclass(frozen=True, slots=True)
class HumanProfile:
    """Two players, their time control, the date and the source of the game."""

    ranks: tuple[float, float]  # of Black and of White, on the scale of engine.games.ranks
    day: date
    source: int
    main_seconds: float = 0.0
    period_seconds: float = 0.0
    periods: int = 0
    clock: int = UNKNOWN_CLOCK
    rated: float = 0.0  # 0.5 if unknown, 1 if unrated

    def __post_init__(self) -> None:
        """Raises ValueError for a rank without an input, outside 1..34."""
        for rank in self.ranks:
            if not STRONGEST <= rank <= RANK_INPUTS:
                raise ValueError(f"rank {rank} is not {STRONGEST:g}..{RANK_INPUTS}")

    def row(self, to_move: int, cells: int) -> Floats:
        """The network's inputs for the color to move, on a board of `cells` cells: [192].

        A whole rank is that many ones, as KataGo has it; a fraction is one input more.
        """
        row = np.zeros(INPUTS, np.float32)
        row[HUMAN : HUMAN + 2] = 1
        for player, rank in enumerate((self.ranks[to_move], self.ranks[1 - to_move])):
            start = RANK + player * RANK_INPUTS
            row[start : start + RANK_INPUTS] = np.clip(rank - np.arange(RANK_INPUTS), 0, 1)
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
    if parts := re.fullmatch(r"(rank|preaz)_([^_]+)(?:_([^_]+))?", name):
        try:
            ranks = parse_rank(parts[2]), parse_rank(parts[3] or parts[2])
        except ValueError as error:
            raise _unknown(name) from error
        if max(ranks) <= WEAKEST_NAMED:
            profile = ranked_profile(*ranks)
            return profile if parts[1] == "rank" else replace(profile, day=BEFORE_ALPHA_ZERO)
    if parts := re.fullmatch(r"proyear_([0-9]{4})", name, re.ASCII):
        year = int(parts[1])
        if FIRST_YEAR <= year <= LAST_YEAR:
            source = GO4GO if year >= MODERN_YEAR else GOGOD
            return HumanProfile((1, 1), date(year, 6, 1), source)
    raise _unknown(name)


def ranked_profile(black: float, white: float) -> HumanProfile:
    """Returns the players of these ranks in KataGo's rank profiles: a game on KGS in 2020.

    Raises ValueError for a rank outside 1..34.
    """
    return HumanProfile(
        (black, white),
        date(2020, 3, 1),
        KGS,
        main_seconds=1200,
        period_seconds=30,
        periods=5,
        clock=BYO_YOMI,
        rated=0.5,
    )


def _unknown(name: str) -> ValueError:
    return ValueError(f"no profile {name!r}: such as {FORMS}")
