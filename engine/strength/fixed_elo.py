"""A fixed strength on the rating ladder, as a persona's strength: an Elo, or in Go a rank."""

from __future__ import annotations

import math
from dataclasses import dataclass

from engine.games.ranks import parse_rank, rank_text
from engine.strength.level import NO_RANK
from engine.strength.rank_scale import RankScale, scale_of
from engine.strength.rating_ladder import RatingLadder


@dataclass(frozen=True, slots=True)
class FixedElo:
    """Play at a fixed Elo or rank, or as near as the rating ladder reaches."""

    elo: float = 0.0  # Elo on the rating ladder of the board and network; random play is 0
    rank: float = NO_RANK  # replaces the Elo, on the scale of engine.games.ranks; NO_RANK: none

    def on(self, ladder: RatingLadder) -> float:
        """Returns the Elo on a ladder, which may lie beyond its ends; raises as `by`."""
        return self.by(scale_of(ladder))

    def by(self, scale: RankScale | None) -> float:
        """Returns the Elo, a rank's by the scale.

        Raises ValueError for a rank without a scale: in a game without ranks.
        """
        if self.rank == NO_RANK:
            return self.elo
        if scale is None:
            raise ValueError(f"{rank_text(self.rank, 1)!r} is no Elo: the game has no ranks")
        return scale.elo_of(self.rank)

    @classmethod
    def read(cls, text: str) -> FixedElo:
        """Parses an Elo or a rank.

        Raises ValueError, quoting a text that is neither a finite number nor a rank.
        """
        try:
            elo = float(text)
        except ValueError:
            elo = math.nan
        if math.isfinite(elo):
            return cls(elo)
        try:
            return cls(rank=parse_rank(text))
        except ValueError as error:
            raise ValueError(f"{text!r} is no Elo: a number such as 800, or in Go 8k") from error
