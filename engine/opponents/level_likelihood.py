"""The likelihood of a move by the ladder's own levels, for a ladder without fitted games.

A level of people draws its moves by a known policy to a known power, so that its row of the table
of engine.opponents.move_likelihood needs no fit: the logits of a level are the utilities of a
conditional logit. Between two ratings the table interpolates log probabilities, as the networks of
engine.networks.rated_networks do. Levels of a search are a rough guess.

A program's moves are unlike those of people of any rating. They look like a weak level's, in each
game another one, at any strength of the program. They therefore tell the style, and nothing of the
strength: its results tell a program's strength.
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
from engine.opponents.posterior import PlayerStyle
from engine.strength.level import Level
from engine.strength.rating_ladder import RatingLadder

# Players like those of the networks, others with levels further apart from their strengths, and
# programs. The shares and the deviations are guesses.
PEOPLE_STYLES = (PlayerStyle(0.8, 80.0), PlayerStyle(0.1, 300.0))
PROGRAMS = PlayerStyle(0.1, 300.0)
STYLES = (*PEOPLE_STYLES, PROGRAMS)
# Coefficients of programs at every level, fitted by engine.training.opponents.move_likelihood to
# 825 moves of Stockfish 15.1 by 1 and 100 nodes and of Toga II at depth 1, in 12 games. One game
# counts twice.
OF_PROGRAMS = {
    "prior": 0.21,
    "visits": -0.07,
    "rate_loss": 2.98,
    "score_loss": -1.03,
    "unvisited": -0.1,
    "glance": 0.99,
    "people 1100": 0.05,
    "people 1300": 0.09,
    "people 1500": 0.13,
    "people 1700": 0.05,
    "people 1900": 0.21,
}
TEMPER = 0.8  # a guess: moves of a game are not independent
RESTRAINT, MOST_RESTRAINT = 0.7, 6.0  # nats of the loss of score, by unit of restraint, at most
SEARCHING = {"prior": 0.4, "visits": 0.8, "score_loss": -MOST_RESTRAINT}  # of a level of a search


def likelihood_of_levels(ladder: RatingLadder) -> MoveLikelihood:
    """Returns the table whose knots are the ladder's rungs."""
    rows = np.array([_utilities(rung.level) for rung in ladder.rungs])
    of_programs = np.tile([OF_PROGRAMS[feature] for feature in RATED_FEATURES], (len(rows), 1))
    return MoveLikelihood(
        knots=np.array([rung.elo for rung in ladder.rungs]),
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
