"""The likelihood of the moves of people in Go by rank: coefficients at some ranks.

A transferred table tells little: by the one of 13x13, a 3 dan on 19x19 was believed to be of 14 kyu
after seven games. People are a style beside it, as a few games of a person tell its rank. The table
is fitted by engine.training.opponents.move_likelihood to 14,837 moves of people in 147 games on
19x19, about 12 of each second rank, in positions that a search of 16 visits judged. A rank has the
same coefficients on every board. Beginners below these ranks are like the ladder's weak levels:
their table is fitted to 12,494 moves of such levels in 80 games on 19x19.

A table that was fitted to the ladder's levels takes people for weaker players: beside it people are
a style as well, with a smaller share. On 9x9 this made levels too strong against programs that play
like people, until the strength in steered games decided the level (engine.opponents.posterior).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from engine.games.ranks import parse_rank
from engine.opponents.move_likelihood import PEOPLE_FEATURES, MoveLikelihood, basis
from engine.opponents.player_style import PlayerStyle
from engine.strength.level import Level
from engine.strength.rank_scale import scale_of
from engine.strength.rating_ladder import RatingLadder
from engine.util.elo import EVERYWHERE_ELO

SHARE = 0.7  # of people among strangers; a guess
SHARE_BESIDE_OWN = 0.3  # beside a table of the ladder's own
DEVIATION_ELO = 80.0  # of the offset of people; a guess
TEMPER = 0.3  # of all styles
KNOT_RANKS = np.array([parse_rank(rank) for rank in ("9d", "5d", "1d", "5k", "10k", "15k", "20k")])
# fmt: off
TABLE = {
    "prior": (0.58, 0.38, 0.42, 0.25, 0.28, 0.16, 0.03),
    "visits": (0.03, 0.09, 0.0, -0.1, -0.14, -0.12, -0.15),
    "rate_loss": (0.43, 0.53, 0.58, 0.47, 0.32, 0.12, -0.12),
    "score_loss": (-0.84, -0.55, -0.31, -0.3, -0.14, -0.16, -0.29),
    "unvisited": (0.13, 0.03, -0.08, -0.29, -0.43, -0.43, -0.39),
    "glance": (-0.12, -0.01, 0.01, -0.05, 0.03, 0.15, 0.06),
    "people 20k": (0.35, 0.13, -0.05, -0.1, 0.11, 0.33, 0.47),
    "people 10k": (-0.82, -0.15, 0.47, 0.87, 0.96, 0.87, 0.82),
    "people 1k": (0.95, 0.71, 0.41, 0.19, -0.02, -0.21, -0.55),
    "people 6d": (0.16, 0.04, -0.06, 0.01, -0.15, -0.04, 0.33),
}
# The coefficients of levels of 20k at a low index, by their restraint.
KNOT_RESTRAINTS = np.array([-100.0, -60.0, -30.0, -15.0, -7.0, 0.0])
BEGINNERS = {
    "prior": (0.36, 0.31, 0.34, 0.35, 0.38, 0.39),
    "visits": (-0.55, -0.57, -0.42, -0.43, -0.42, -0.32),
    "rate_loss": (-1.21, -1.23, -1.19, -1.12, -1.06, -0.92),
    "score_loss": (0.77, 0.65, 0.36, 0.04, 0.02, -0.03),
    "unvisited": (-0.42, -0.4, -0.38, -0.66, -0.89, -0.65),
    "glance": (0.15, 0.21, 0.13, 0.08, 0.04, 0.06),
    "people 20k": (0.65, 0.71, 0.73, 0.63, 0.6, 0.64),
    "people 10k": (0.66, 0.52, 0.53, 0.55, 0.53, 0.51),
    "people 1k": (-0.32, -0.29, -0.31, -0.2, -0.1, -0.07),
    "people 6d": (-0.09, 0.03, -0.05, -0.08, -0.15, -0.23),
}
# fmt: on
LOW_INDEX = 0.4  # of these levels; at an index of 1 they are people of 20k


def coefficients_of_people(ladder: RatingLadder) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Returns [knots] Elo of the ladder, rising, and [knots, features] the coefficients of people.

    The features are PEOPLE_FEATURES. Raises ValueError for a ladder without ranks.
    """
    scale = scale_of(ladder)
    if scale is None:
        raise ValueError(f"{ladder.board.name} has no ranks")
    rows = {rung.elo: _beginner(rung.level) for rung in ladder.rungs if rung.elo < scale.elos[0]}
    ranks = np.clip(KNOT_RANKS, scale.ranks[-1], scale.ranks[0])
    for rank in ranks[::-1]:
        rows[scale.elo_of(rank)] = _row(TABLE, KNOT_RANKS, rank)
    knots = np.array(sorted(rows))
    return knots, np.array([rows[elo] for elo in knots])


def with_people(
    table: MoveLikelihood, ladder: RatingLadder, share: float = SHARE
) -> MoveLikelihood:
    """Returns a ladder's table with the style of people beside its own ones.

    share: of people among strangers. A table without features of people stays as it is.
    """
    scale = scale_of(ladder)
    if scale is None or table.features != PEOPLE_FEATURES:
        return table
    own_knots, rows = coefficients_of_people(ladder)
    knots = np.union1d(table.knots, own_knots)
    people = PlayerStyle(share, DEVIATION_ELO, -EVERYWHERE_ELO, scale.elos[-1])
    others = [replace(each, share=(1 - share) * each.share) for each in table.styles]
    return replace(
        table,
        knots=knots,
        coefficients=np.stack(
            [basis(knots, own_knots) @ rows, *(basis(knots, table.knots) @ table.coefficients)]
        ),
        styles=(people, *others),
        temper=TEMPER,
    )


def _beginner(level: Level) -> NDArray[np.float64]:
    """Returns [features] the coefficients of a level below the ranks of people."""
    if not level.needs_people:
        alone = dict.fromkeys(PEOPLE_FEATURES, 0.0) | {"glance": level.greed, "prior": level.index}
        return np.array(list(alone.values()))
    weak = _row(BEGINNERS, KNOT_RESTRAINTS, level.restraint)
    share = float(np.interp(level.index, (LOW_INDEX, 1.0), (0.0, 1.0)))
    return weak + share * (_row(TABLE, KNOT_RANKS, KNOT_RANKS[-1]) - weak)


def _row(
    table: Mapping[str, Sequence[float]], knots: NDArray[np.float64], at: float
) -> NDArray[np.float64]:
    """Returns [features] a table's coefficients, interpolated between its knots."""
    columns = np.array([table[name] for name in PEOPLE_FEATURES])
    row: NDArray[np.float64] = columns @ basis([at], knots)[0]
    return row
