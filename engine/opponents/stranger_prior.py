"""The strength of a stranger by board: a normal distribution, in Elo of the board's ladder.

Outside agents and beginners are weaker than the middle of a ladder of a small game: half of such a
ladder is searches that no beginner makes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.opponents.posterior import PlayerStyle, Posterior
from engine.strength.rating_ladder import RatingLadder


@dataclass(frozen=True, slots=True)
class StrangerPrior:
    """The normal distribution of a stranger's strength; None: the posterior's usual one."""

    mean_elo: float | None = None
    deviation_elo: float | None = None


# By a board's name. In Connect4 the usual prior has mean 881 and deviation 587. With a deviation of
# 450 a strong stranger was believed strong too late: strength:even lost two games of three to
# AlphaZero.
PRIORS = {
    "connect4": StrangerPrior(750.0),
}
# The same where a naturalness budget restricts our moves. They give hardly any lead back: to take a
# stranger for too strong costs the game, and a strong one is met by the next game's level.
NATURAL_PRIORS = PRIORS | {
    "othello8": StrangerPrior(850.0, 700.0),
}
USUAL = StrangerPrior()


def stranger_posterior(
    ladder: RatingLadder, styles: Sequence[PlayerStyle], *, is_natural: bool = False
) -> Posterior:
    """Returns the posterior of an unknown player on this ladder, with these styles.

    is_natural: whether a naturalness budget restricts our moves.
    """
    priors = NATURAL_PRIORS if is_natural else PRIORS
    prior = priors.get(ladder.board.name, USUAL)
    return Posterior.of_stranger(
        ladder.lowest,
        ladder.highest,
        mean_elo=prior.mean_elo,
        deviation_elo=prior.deviation_elo,
        styles=styles,
    )
