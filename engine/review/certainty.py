"""The certainty of a judged loss: restless fights, and moves with the agreement of people.

In a misjudged fight a judge finds large losses at every move, of both players in turn. A mark would
teach wrong things: such moves have none. A move of nearly all people of the player's level needs
twice the loss, since their agreement is evidence against a weak judge.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.review.judging import GameJudgement
from engine.review.level_win_rates import rank_of
from engine.review.marks import factor_of
from engine.review.played import ReplayedGame
from engine.strength.rank_scale import RANKED_GAME

NEAR_MOVES = 10  # moves before and after a move, of both players
LEAST_NEAR = 10  # moves that tell a swinging lead from two mistakes
MOST_CHANGE = 20.0  # points: one great blunder alone is no swinging lead
# Points: the mean change of the lead by a move near a restless one, for 9 dan. People lose less.
RESTLESS_POINTS = 4.0
AGREED_SHARE = 0.8  # of people of the player's level
AGREED_DISCOUNT = 0.5  # on the badness of a move that they agree on


def unrest(leads: Sequence[float], number: int) -> float:
    """Returns the mean absolute change of the lead, in points, by the moves near a move.

    leads: before each move and at the end. number: of the move, from 0; its own change is left out.
    A change counts as MOST_CHANGE at most. The mean of fewer than LEAST_NEAR moves is 0.
    """
    changes = np.minimum(np.abs(np.diff(np.asarray(leads))), MOST_CHANGE)
    first, last = max(0, number - NEAR_MOVES), number + 1 + NEAR_MOVES
    near = np.concatenate([changes[first:number], changes[number + 1 : last]])
    return float(near.mean()) if len(near) >= LEAST_NEAR else 0.0


def is_restless(played: ReplayedGame, judgement: GameJudgement, number: int) -> bool:
    """Whether the judge's lead swings near a move of Go more than both ranks explain.

    number: of the move after the opening, from 0.
    """
    if played.board.game != RANKED_GAME:
        return False
    # The change by the last move leads to the record's result, and tells nothing about the judge.
    leads = judgement.leads[:-1]
    factor = sum(factor_of(rank_of(played, color)) for color in (0, 1)) / 2
    return unrest(leads, number) > RESTLESS_POINTS * factor


def certain_badness(badness: float, people_share: float | None) -> float:
    """Returns the badness of a move, discounted for a move of nearly all people of the level.

    people_share: share of people of the level with this move; None: unknown.
    """
    is_agreed = people_share is not None and people_share >= AGREED_SHARE
    return badness * AGREED_DISCOUNT if is_agreed else badness
