"""The policy by which moves are called natural: of a network that human games taught, where one is.

Knows whom a network that asks for it is told to imitate. Does not know what a policy is used for.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.games.evaluator import Evaluator
from engine.games.position import Position
from engine.networks.human_profile import profile_named
from engine.networks.raw import evaluate_raw

USUAL_PROFILE = "rank_9d"  # of a network that wants one, where nobody names any


@dataclass(frozen=True, slots=True)
class HumanPolicy:
    """A network whose policy says what is natural."""

    evaluator: Evaluator

    def policy(self, position: Position, profile: str = "") -> NDArray[np.float64]:
        """[moves] the probability of each, 0 where not legal.

        profile: whom to imitate, by KataGo's names; only a network that was told who plays its
        games looks at it. ValueError quotes one that there is not.
        """
        raw = evaluate_raw(
            self.evaluator, position, metadata=self.metadata(position, profile or USUAL_PROFILE)
        )
        return np.nan_to_num(raw.policy.astype(np.float64))

    def metadata(self, position: Position, profile: str) -> NDArray[np.float32] | None:
        """Returns [metadata] of who plays, for `evaluate_raw`; None where the network has no use.

        Raises ValueError, quoting it, on a profile that there is not.
        """
        if not self.evaluator.network.uses_metadata:
            return None
        who = profile_named(profile)
        return who.row(position.to_move, position.width * position.height)
