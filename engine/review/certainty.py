"""The certainty of a judged loss: restless fights, and moves with the agreement of people.

In a misjudged fight a judge finds large losses at every move, of both players in turn. A mark would
teach wrong things: such moves have none. The agreement of people of the player's level is evidence
against a weak judge: a move of nearly all of them needs twice the loss. Dan players read better: a
move of a third of them needs three times the loss.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.games.ranks import parse_rank
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
WEAKEST_DAN = parse_rank("1d")


@dataclass(frozen=True, slots=True)
class PeerAgreement:
    """The agreement of people of the player's level on a move."""

    share: float  # of these people, the least
    discount: float  # on the badness of the move


USUAL_AGREEMENT = PeerAgreement(share=0.8, discount=0.5)
DAN_AGREEMENT = PeerAgreement(share=1 / 3, discount=1 / 3)


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


def certain_badness(badness: float, people_share: float | None, rank: float | None) -> float:
    """Returns the badness of a move, discounted for a move that people of the level agree on.

    people_share: share of people of the level with this move; None: unknown. rank: of the player of
    Go; None in another game.
    """
    is_dan = rank is not None and rank <= WEAKEST_DAN
    agreement = DAN_AGREEMENT if is_dan else USUAL_AGREEMENT
    is_agreed = people_share is not None and people_share >= agreement.share
    return badness * agreement.discount if is_agreed else badness
