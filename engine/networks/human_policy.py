"""The policy of human players, as the measure of natural moves.

A network with a profile input receives the players by a profile's name or by their ranks. The
policy is used in engine.play.steps and engine.review.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.games.evaluator import Evaluator
from engine.games.position import Position
from engine.networks.human_profile import profile_named, ranked_profile
from engine.networks.raw import RawOutput, evaluate_raw

BLACK = 0
USUAL_PROFILE = "rank_9d"  # of a network with a profile input, without a choice of the user


@dataclass(frozen=True, slots=True)
class HumanPolicy:
    """A network with a policy of human moves."""

    evaluator: Evaluator

    def policy(self, position: Position, profile: str = "") -> NDArray[np.float64]:
        """Probability of each move: [moves] float64, 0 if illegal.

        profile: the players to imitate, by KataGo's names; ignored by a network without such an
        input. Raises ValueError, quoting an unknown profile.
        """
        return self._policy(position, self.metadata(position, profile or USUAL_PROFILE))

    def evaluate(self, position: Position, profile: str = "") -> RawOutput:
        """Returns all outputs for the players of a profile; illegal moves have NaN.

        profile: as of `policy`, which raises the same errors.
        """
        metadata = self.metadata(position, profile or USUAL_PROFILE)
        return evaluate_raw(self.evaluator, position, metadata=metadata)

    def policy_at(self, position: Position, ranks: tuple[float, float]) -> NDArray[np.float64]:
        """Probability of each move for players of these ranks: [moves] float64, 0 if illegal.

        ranks: of the side to move and of its opponent, on the scale of engine.games.ranks, 1..34;
        ignored by a network without a profile input. Raises ValueError for a rank out of range.
        """
        return self._policy(position, self.metadata_at(position, ranks))

    def metadata(self, position: Position, profile: str) -> NDArray[np.float32] | None:
        """Returns the profile as [metadata] float32; None for a network without the input.

        Raises ValueError, quoting an unknown profile.
        """
        if not self.evaluator.network.uses_metadata:
            return None
        players = profile_named(profile)
        return players.row(position.to_move, position.width * position.height)

    def metadata_at(
        self, position: Position, ranks: tuple[float, float]
    ) -> NDArray[np.float32] | None:
        """Returns the ranks of `policy_at` as [metadata] float32, or None as `metadata` does."""
        if not self.evaluator.network.uses_metadata:
            return None
        own, other = ranks
        players = ranked_profile(own, other)
        return players.row(BLACK, position.width * position.height)

    def _policy(
        self, position: Position, metadata: NDArray[np.float32] | None
    ) -> NDArray[np.float64]:
        raw = evaluate_raw(self.evaluator, position, metadata=metadata)
        return np.nan_to_num(raw.policy.astype(np.float64))
