"""The strength of a stranger by board: a normal distribution, in Elo of the board's ladder.

Outside agents and beginners are weaker than the middle of a ladder of a small game: half of such a
ladder is searches that no beginner makes. In Go a stranger is of the same rank on every board:
the middle of the ladders of 13x13 and 19x19 lies below 20 kyu.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.games.ranks import parse_rank
from engine.opponents.player_style import PlayerStyle
from engine.opponents.posterior import Posterior, stranger_moments
from engine.strength.rank_scale import scale_of
from engine.strength.rating_ladder import RatingLadder


@dataclass(frozen=True, slots=True)
class StrangerPrior:
    """The normal distribution of a stranger's strength; None: the posterior's usual one."""

    mean_elo: float | None = None
    deviation_elo: float | None = None
    mean_rank: float | None = None  # in the place of mean_elo, on a ladder with ranks

    def moments_on(self, ladder: RatingLadder) -> tuple[float, float]:
        """Returns the mean and the deviation, in Elo of the ladder."""
        mean, deviation = stranger_moments(ladder.lowest, ladder.highest)
        scale = scale_of(ladder)
        if self.mean_rank is not None and scale is not None:
            mean = scale.elo_of(self.mean_rank)
        elif self.mean_elo is not None:
            mean = self.mean_elo
        return mean, deviation if self.deviation_elo is None else self.deviation_elo


# By a board's name, else by game. In Connect4 the usual prior has mean 881 and deviation 587. With
# a deviation of 450 a strong stranger was believed strong too late: strength:even lost two games of
# three to AlphaZero.
PRIORS = {
    "connect4": StrangerPrior(750.0),
    # A guess: most people with an engine for Go, or an account on a server, are of 25 kyu to 1 dan.
    "go": StrangerPrior(mean_rank=parse_rank("15k")),
    # The usual deviation of 19x19 is 2,200 Elo: its upper half reaches beyond the ladder, and a
    # stranger would be taken for a beginner.
    "go19": StrangerPrior(deviation_elo=1500.0, mean_rank=parse_rank("15k")),
    # A guess too: between people of 1100 and of 1500. The middle of the ladder is a beginner.
    "chess": StrangerPrior(1680.0, 600.0),
}
# The same where a naturalness budget restricts our moves. They give hardly any lead back: to take a
# stranger for too strong costs the game, and a strong one is met by the next game's level.
NATURAL_PRIORS = PRIORS | {
    "othello8": StrangerPrior(850.0, 700.0),
}
USUAL = StrangerPrior()


def stranger_posterior(
    ladder: RatingLadder,
    styles: Sequence[PlayerStyle],
    steered_deviation: float = 0.0,
    *,
    is_natural: bool = False,
) -> Posterior:
    """Returns the posterior of an unknown player on this ladder, with these styles.

    steered_deviation: of the offset in steered games, in Elo. is_natural: whether a
    naturalness budget restricts our moves.
    """
    mean, deviation = stranger_moments_on(ladder, is_natural=is_natural)
    return Posterior.of_stranger(
        ladder.lowest,
        ladder.highest,
        mean_elo=mean,
        deviation_elo=deviation,
        styles=styles,
        steered_deviation=steered_deviation,
    )


def stranger_moments_on(ladder: RatingLadder, *, is_natural: bool = False) -> tuple[float, float]:
    """Returns the mean and the deviation of an unknown player's strength, in Elo of the ladder.

    is_natural: whether a naturalness budget restricts our moves.
    """
    priors = NATURAL_PRIORS if is_natural else PRIORS
    prior = priors.get(ladder.board.name, priors.get(ladder.board.game, USUAL))
    return prior.moments_on(ladder)
