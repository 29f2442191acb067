"""A stored belief on another ladder: the same play has another Elo since the belief was stored."""

from __future__ import annotations

import logging
from dataclasses import replace

import numpy as np

from engine.opponents.elo_grid import MARGIN_ELO, STEP_ELO, Grid, log_of
from engine.opponents.opponent import Opponent
from engine.opponents.posterior import Posterior
from engine.opponents.rating_prior import RatingPrior
from engine.strength.elo_scale import EloScale, elo_scale_of, guessed_scale
from engine.strength.rating_ladder import RatingLadder

log = logging.getLogger("sparring")


def on_ladder(opponent: Opponent, ladder: RatingLadder, blank: Posterior) -> Opponent:
    """Returns an opponent's belief in Elo of this ladder.

    blank: a stranger's posterior on the ladder, for the grid and the styles. A belief without a
    scale is older than these: the ends of its grid tell its ladder.
    """
    present = elo_scale_of(ladder)
    former = opponent.scale or _scale_by_ends(opponent.posterior, ladder, present)
    if former == present:
        posterior = opponent.posterior.restyled(opponent.posterior.styles, blank.steered_deviation)
        return replace(opponent, posterior=posterior, scale=present)
    prior = opponent.prior
    moved = replace(
        opponent,
        posterior=_moved(opponent.posterior, former, present, blank),
        prior=None if prior is None else _moved_prior(prior, former, present),
        scale=present,
    )
    log.info(
        "%s: the belief of %d games is moved to a new ladder of %s, from %.0f to %.0f Elo",
        opponent.name,
        opponent.games,
        ladder.board.name,
        opponent.posterior.mean,
        moved.posterior.mean,
    )
    return moved


def _moved(
    posterior: Posterior, former: EloScale, present: EloScale, blank: Posterior
) -> Posterior:
    """Returns the density over the present Elo, with the blank one's grid and offsets."""
    before: Grid = present.moved(blank.grid, former)
    density = np.interp(before, posterior.grid, posterior.density, left=0.0, right=0.0)
    density *= np.gradient(before)
    is_alike = posterior.steered_deviation == blank.steered_deviation
    return Posterior.of_density(
        blank.lowest_elo,
        blank.styles,
        log_of(density),
        steered=np.interp(before, posterior.grid, posterior.steered) if is_alike else None,
        steered_deviation=blank.steered_deviation,
    )


def _moved_prior(prior: RatingPrior, former: EloScale, present: EloScale) -> RatingPrior:
    mean, deviation = former.moved_normal(prior.mean, prior.deviation, present)
    return replace(prior, mean=mean, deviation=deviation)


def _scale_by_ends(posterior: Posterior, ladder: RatingLadder, present: EloScale) -> EloScale:
    """Returns the scale of the ladder with the ends of a posterior's grid.

    It is the present ladder, the guesses of its board, or the present one stretched to the ends.
    """
    low, high = float(posterior.grid[0]) + MARGIN_ELO, float(posterior.grid[-1]) - MARGIN_ELO
    if _has_ends(low, high, ladder.lowest, ladder.highest):
        return present
    guessed = guessed_scale(ladder.board, has_engine=bool(ladder.engine))
    if _has_ends(low, high, guessed.elos[0], guessed.elos[-1]):
        return guessed
    anchors = [(low, ladder.lowest), (high, ladder.highest)]
    if low < 0 < high and ladder.lowest < 0:
        anchors.insert(1, (0.0, 0.0))  # random play
    theirs, ours = zip(*anchors, strict=True)
    places = present.places_at(np.array(ours))
    return EloScale(tuple(map(float, places)), theirs, present.has_engine)


def _has_ends(low: float, high: float, lowest_elo: float, highest_elo: float) -> bool:
    """Tests whether a grid with these ends was made for a ladder with those: it is rounded up."""
    return abs(low - lowest_elo) < 1 and -1 < high - highest_elo < STEP_ELO + 1
