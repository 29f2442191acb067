"""The beliefs about two accounts of one player, joined and parted again.

The evidence of the second account's games goes to the first account's belief. The priors of the
second one are left out, so that no prior counts twice.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.opponents.elo_grid import MARGIN_ELO
from engine.opponents.opponent import Opponent
from engine.opponents.opponent_record import known_of
from engine.opponents.opponent_store import OpponentEntry
from engine.opponents.posterior import Posterior, stranger_moments
from engine.opponents.rating_prior import RatingPrior


def joined(first: OpponentEntry | None, second: OpponentEntry) -> OpponentEntry:
    """Returns the first account's entry with the second's evidence; None: it has no entry yet.

    Entries of different tables do not join: that with more games stays. Raises ValueError on an
    entry with a fault.
    """
    if first is None:
        return second
    one, other = (Opponent.from_json(dict(each.state)) for each in (first, second))
    alone = _alone(other)
    if one.posterior.frame != alone.frame:
        return first if first.games >= second.games else second
    blank = _blank(alone)
    times = [at for at in (one.last_game_seconds, other.last_game_seconds) if at is not None]
    both = replace(
        one,
        posterior=one.posterior.with_evidence(blank, alone),
        games=one.games + other.games,
        surplus=one.surplus + other.surplus,
        last_game_seconds=max(times, default=None),
    )
    return known_of(both)


def parted(now: OpponentEntry, both: OpponentEntry, before: OpponentEntry | None) -> OpponentEntry:
    """Returns the first account's entry without the second's evidence.

    both, before: the entries just after and just before the joining; before None: there was none,
    and all of the evidence stays. The games since stay with the first account. Raises ValueError on
    an entry with a fault.
    """
    if before is None:
        return now
    states = [Opponent.from_json(dict(each.state)) for each in (now, both, before)]
    present, after, earlier = states
    if present.posterior.frame != earlier.posterior.frame:
        return now
    return known_of(present.with_evidence(after, earlier))


def _alone(opponent: Opponent) -> Posterior:
    """Returns the belief by our games alone."""
    if opponent.prior is not None:
        return opponent.likelihood
    grid = opponent.posterior.grid
    ends = float(grid[0]) + MARGIN_ELO, float(grid[-1]) - MARGIN_ELO
    usual = RatingPrior(*stranger_moments(*ends), tail_share=0.0)
    return opponent.posterior.reweighed(-usual.log_density(grid))


def _blank(posterior: Posterior) -> Posterior:
    """Returns a belief without any evidence, over the same tables."""
    return Posterior.of_density(
        posterior.lowest_elo,
        posterior.styles,
        np.zeros(len(posterior.strength)),
        steered_deviation=posterior.steered_deviation,
    )
