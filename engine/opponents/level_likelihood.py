"""The likelihood of a move by the ladder's own levels, for a ladder without fitted games.

A level of people draws its moves by a known policy to a known power, so that its row of the table
of engine.opponents.move_likelihood needs no fit: the logits of a level are the utilities of a
conditional logit. Between two ratings the table interpolates log probabilities, as the networks of
engine.networks.rated_networks do. Levels of a search are a rough guess.

A program's moves are unlike those of people of any rating. Programs are a style of their own
(engine.opponents.program_likelihood).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.opponents.move_likelihood import (
    PEOPLE_RATINGS,
    RATED_FEATURES,
    MoveLikelihood,
    basis,
)
from engine.opponents.player_style import PlayerStyle
from engine.opponents.program_likelihood import PROGRAMS, coefficients_of_programs
from engine.strength.level import Level
from engine.strength.rating_ladder import RatingLadder

# Players like those of the networks, others with levels further apart from their strengths, and
# programs. The shares and the deviations of people are guesses.
PEOPLE_STYLES = (PlayerStyle(0.6, 80.0), PlayerStyle(0.1, 300.0))
STYLES = (*PEOPLE_STYLES, PROGRAMS)
TEMPER = 0.8  # a guess: moves of a game are not independent
RESTRAINT, MOST_RESTRAINT = 0.7, 6.0  # nats of the loss of score, by unit of restraint, at most
SEARCHING = {"prior": 0.4, "visits": 0.8, "score_loss": -MOST_RESTRAINT}  # of a level of a search


def likelihood_of_levels(ladder: RatingLadder) -> MoveLikelihood:
    """Returns the table whose knots are the ladder's rungs."""
    rows = np.array([_utilities(rung.level) for rung in ladder.rungs])
    elos = np.array([rung.elo for rung in ladder.rungs])
    of_programs = coefficients_of_programs(elos, has_engine=bool(ladder.engine))
    return MoveLikelihood(
        knots=elos,
        coefficients=np.stack([rows] * len(PEOPLE_STYLES) + [of_programs]),
        styles=STYLES,
        temper=TEMPER,
        features=RATED_FEATURES,
    )


def _utilities(level: Level) -> NDArray[np.float64]:
    """Returns [features] the coefficients of a level."""
    row = dict.fromkeys(RATED_FEATURES, 0.0) | {"glance": level.greed}
    if level.needs_people:
        at = basis([level.rating], np.array(PEOPLE_RATINGS))[0]
        row |= dict(zip(RATED_FEATURES[-len(at) :], level.index * at, strict=True))
        if level.uses_utilities:
            row["score_loss"] = -min(RESTRAINT * level.restraint, MOST_RESTRAINT)
    elif level.needs_network:
        row |= SEARCHING if level.visits > 1 else {"prior": level.index}
    return np.array(list(row.values()))
