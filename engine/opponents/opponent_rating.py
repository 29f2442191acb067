"""The prior of a stored opponent by its server's rating, on the ladder of a board."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from engine.opponents.learned_map import RatedStrength, learned_map
from engine.opponents.opponent_store import RatedEvidence
from engine.opponents.posterior import stranger_moments
from engine.opponents.rating_map import LearnedMap, RatingMap, ServerScale, server_scale
from engine.opponents.rating_prior import RatingPrior
from engine.opponents.stored_opponent import StoredOpponent
from engine.opponents.stranger_prior import stranger_moments_on
from engine.strength.elo_scale import EloScale, elo_scale_of
from engine.strength.rank_scale import scale_of
from engine.strength.rating_ladder import RatingLadder


def stranger_prior(ladder: RatingLadder) -> RatingPrior:
    """Returns the prior of a player without a rating, on this ladder."""
    return RatingPrior(*stranger_moments_on(ladder), tail_share=0.0)


def scale_for(server: str, ladder: RatingLadder) -> ServerScale | None:
    """Returns the scale of a server's ratings on a ladder; None for an unknown server."""
    return server_scale(server, ladder.board, scale_of(ladder))


def rating_prior(
    stored: StoredOpponent, ladder: RatingLadder, *, our_games: int = 0
) -> RatingPrior | None:
    """Returns the prior by the opponent's rating; None: no rating of a known server is stated.

    our_games: finished games with us. Raises StoreError.
    """
    scale = scale_for(stored.name.server, ladder)
    if scale is None or stored.rating is None:
        return None
    present = elo_scale_of(ladder)
    met = stored.store.rated(stored.name.server, ladder.board, stored.name)
    moved = tuple(evidence_on(each, present) for each in met)
    by = map_learned(scale, first_map(scale, ladder), moved)
    return scale.prior(stored.rating, by, our_games=our_games)


def first_map(scale: ServerScale, ladder: RatingLadder) -> RatingMap:
    """Returns the map of a server before any game of ours."""
    return scale.first_map(*stranger_moments(ladder.lowest, ladder.highest))


@lru_cache(maxsize=64)
def map_learned(scale: ServerScale, first: RatingMap, met: tuple[RatedEvidence, ...]) -> LearnedMap:
    """Returns the map of a server after these opponents; cached, because each game needs it."""
    return learned_map(first, [rated_strength(scale, each) for each in met])


def evidence_on(evidence: RatedEvidence, present: EloScale) -> RatedEvidence:
    """Returns the evidence with its strength on another scale; unchanged if its own is unknown."""
    if evidence.scale is None or evidence.scale == present:
        return evidence
    mean, deviation = evidence.scale.moved_normal(evidence.mean, evidence.deviation, present)
    return replace(evidence, mean=mean, deviation=deviation, scale=present)


def rated_strength(scale: ServerScale, evidence: RatedEvidence) -> RatedStrength:
    """Returns an opponent as a point of the regression."""
    return RatedStrength(*scale.rated(evidence.rating), evidence.mean, evidence.deviation)
