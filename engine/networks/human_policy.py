"""The policy of human players, as the measure of natural moves.

A network with a profile input receives the players by a profile's name, or by their ranks in Go and
their ratings in chess: PLAYER_INPUTS has a row a game. The policy is used in engine.play.steps and
engine.review.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.games.evaluator import Evaluator
from engine.games.position import Position
from engine.networks.human_profile import profile_named, ranked_profile
from engine.networks.human_rating import is_rating, profile_row, rating_named, rating_row
from engine.networks.raw import RawOutput, evaluate_raw

BLACK = 0
USUAL_PROFILE = "rank_9d"  # of a network of Go with a profile input, without a choice of the user


@dataclass(frozen=True, slots=True)
class PlayerInput:
    """The input of a game's networks about the players, as [metadata] float32."""

    # (profile, color to move, cells) -> the row; raises ValueError, quoting an unknown profile
    named: Callable[[str, int, int], NDArray[np.float32]]
    # (rank or rating of the side to move, of its opponent, cells) -> the row
    at: Callable[[float, float, int], NDArray[np.float32]]
    usual: str  # the profile without a choice of the user


PLAYER_INPUTS = {
    "go": PlayerInput(
        named=lambda profile, to_move, cells: profile_named(profile).row(to_move, cells),
        at=lambda own, other, cells: ranked_profile(own, other).row(BLACK, cells),
        usual=USUAL_PROFILE,
    ),
    "chess": PlayerInput(
        named=lambda profile, _to_move, _cells: profile_row(profile),
        at=lambda own, _other, _cells: rating_row(own),
        usual="",
    ),
}


def check_profile(name: str) -> None:
    """Raises ValueError, quoting a profile that no game's networks know."""
    if is_rating(name):
        rating_named(name)
    else:
        profile_named(name)


@dataclass(frozen=True, slots=True)
class HumanPolicy:
    """A network with a policy of human moves."""

    evaluator: Evaluator

    def policy(self, position: Position, profile: str = "") -> NDArray[np.float64]:
        """Probability of each move: [moves] float64, 0 if illegal.

        profile: the players to imitate, by KataGo's names or as rating_1500 in chess; ignored by a
        network without such an input. Raises ValueError, quoting an unknown profile.
        """
        return self._policy(position, self.metadata(position, profile))

    def evaluate(self, position: Position, profile: str = "") -> RawOutput:
        """Returns all outputs for the players of a profile; illegal moves have NaN.

        profile: as of `policy`, which raises the same errors.
        """
        metadata = self.metadata(position, profile)
        return evaluate_raw(self.evaluator, position, metadata=metadata)

    def policy_at(self, position: Position, ranks: tuple[float, float]) -> NDArray[np.float64]:
        """Probability of each move for players of these ranks: [moves] float64, 0 if illegal.

        ranks: of the side to move and of its opponent, on the scale of engine.games.ranks, 1..34,
        or in chess their ratings; ignored by a network without a profile input. Raises ValueError
        for one out of range.
        """
        return self._policy(position, self.metadata_at(position, ranks))

    def metadata(self, position: Position, profile: str) -> NDArray[np.float32] | None:
        """Returns the profile as [metadata] float32; None for a network without the input.

        profile: empty: the game's usual one. Raises ValueError, quoting an unknown profile.
        """
        if not self.evaluator.network.uses_metadata:
            return None
        players = PLAYER_INPUTS[self.evaluator.network.game]
        cells = position.width * position.height
        return players.named(profile or players.usual, position.to_move, cells)

    def metadata_at(
        self, position: Position, ranks: tuple[float, float]
    ) -> NDArray[np.float32] | None:
        """Returns the ranks of `policy_at` as [metadata] float32, or None as `metadata` does."""
        if not self.evaluator.network.uses_metadata:
            return None
        own, other = ranks
        players = PLAYER_INPUTS[self.evaluator.network.game]
        return players.at(own, other, position.width * position.height)

    def _policy(
        self, position: Position, metadata: NDArray[np.float32] | None
    ) -> NDArray[np.float64]:
        raw = evaluate_raw(self.evaluator, position, metadata=metadata)
        return np.nan_to_num(raw.policy.astype(np.float64))
