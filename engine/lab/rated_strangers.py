"""Simulated opponents with server ratings: the games until our level fits each of them.

The truth is a line from ratings to strengths other than the engine's first guess. Some players are
stronger than their ratings say, as second accounts are. Each plays its games at the level of the
believed strength; results follow the logistic curve of Elo, and moves may tell the strength too.
The same players meet an engine without ratings, one with the first map, and one with the map that
it learns from one player to the next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import count, islice

import numpy as np
from numpy.typing import NDArray

from engine.opponents import (
    MOST_RATED,
    MOST_RATED_DEVIATION,
    SECONDS_A_DAY,
    Opponent,
    Posterior,
    ServerRating,
)
from engine.opponents.learned_map import RatedStrength, learned_map
from engine.opponents.opponent_rating import first_map, stranger_prior
from engine.opponents.rating_map import LearnedMap, ServerScale
from engine.opponents.rating_prior import RatingPrior
from engine.strength.rating_ladder import RatingLadder
from engine.util.elo import POINTS_PER_LOG_ODDS

UNRATED, RATED, LEARNED = "no rating", "rating, first map", "rating, learned map"
ENGINES = (UNRATED, RATED, LEARNED)
RATING_DEVIATIONS = (60.0, 120.0)  # of the stated ratings, the least and the most
RATINGS = (1400.0, 350.0)  # mean and deviation of the players' exact ratings
LEAST_RATING, MOST_RATING = 300.0, 2400.0
FITTING_ELO = 150.0  # a level fits within so much of the strength
OFFSET_ELO = 150.0  # deviation of the offset of a player's moves from its strength

Errors = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class StrangerWorld:
    """The simulated players, as a share of wrong ratings and a line of their own."""

    offset: float  # strength at an exact rating, less the first map's
    spread: float  # deviation of the strength at an exact rating, in Elo
    wrong_share: float
    wrong_elo: float  # players with wrong ratings are so much stronger
    moves_elo: float = 0.0  # deviation of the evidence of a game's moves; 0: results alone


@dataclass(frozen=True, slots=True)
class RatedStranger:
    """A simulated player."""

    rating: ServerRating
    strength: float  # Elo of the ladder
    is_wrong: bool


@dataclass(frozen=True, slots=True)
class StrangerGames:
    """The errors of our level against each player."""

    players: tuple[RatedStranger, ...]
    errors: dict[str, Errors]  # by engine, [players, games] before each game, in Elo


def players_of(
    truth: StrangerWorld, scale: ServerScale, ladder: RatingLadder, number: int, seed: int
) -> tuple[RatedStranger, ...]:
    """Returns simulated players of a server; their strengths stay within the ladder."""
    rng, line = np.random.default_rng(seed), first_map(scale, ladder)
    players = []
    for _ in range(number):
        exact = float(np.clip(rng.normal(*RATINGS), LEAST_RATING, MOST_RATING))
        deviation = float(rng.uniform(*RATING_DEVIATIONS))
        rating = ServerRating(exact + float(rng.normal(0, deviation)), deviation, 50)
        strength, _ = line.moments(scale.elo(exact), 0, 0)
        strength += truth.offset + float(rng.normal(0, truth.spread))
        is_wrong = bool(rng.random() < truth.wrong_share)
        strength += truth.wrong_elo * is_wrong
        strength = min(max(strength, ladder.lowest), ladder.highest)
        players.append(RatedStranger(rating, strength, is_wrong))
    return tuple(players)


def play_strangers(
    truth: StrangerWorld,
    scale: ServerScale,
    ladder: RatingLadder,
    *,
    players: int,
    games: int,
    seed: int,
    on_player: Callable[[], object] = lambda: None,
) -> StrangerGames:
    """Plays the games of all players with each engine; on_player: called after each player."""
    strangers = players_of(truth, scale, ladder, players, seed)
    errors = {engine: np.zeros((players, games)) for engine in ENGINES}
    first = LearnedMap(first_map(scale, ladder))
    met: list[RatedStrength] = []
    for index, stranger in enumerate(strangers):
        learned = learned_map(first.line, met[-MOST_RATED:])
        priors = {
            UNRATED: None,
            RATED: scale.prior(stranger.rating, first),
            LEARNED: scale.prior(stranger.rating, learned),
        }
        for engine, prior in priors.items():
            rng = np.random.default_rng([seed, index])  # the same luck for each engine
            last = None
            met_again = islice(_met(truth, stranger, ladder, prior, rng), games)
            for game, opponent in enumerate(met_again):
                errors[engine][index, game] = opponent.posterior.mean - stranger.strength
                last = opponent
            if engine == LEARNED and last is not None:
                met += _evidence(scale, stranger, last)
        on_player()
    return StrangerGames(strangers, errors)


def _met(
    truth: StrangerWorld,
    stranger: RatedStranger,
    ladder: RatingLadder,
    prior: RatingPrior | None,
    rng: np.random.Generator,
) -> Iterator[Opponent]:
    """Yields the belief about a player before each game, a game a day, without end."""
    opponent = Opponent("", Posterior.of_stranger(ladder.lowest, ladder.highest))
    if prior is not None:
        opponent = opponent.rated(prior, stranger.rating, stranger_prior(ladder))
    apparent = stranger.strength + float(rng.normal(0, OFFSET_ELO))
    for day in count():
        opponent = opponent.meeting(day * SECONDS_A_DAY)
        yield opponent
        level = opponent.posterior.mean
        expected = 1 / (1 + np.exp((level - stranger.strength) / POINTS_PER_LOG_ODDS))
        points = float(rng.random() < expected)
        if truth.moves_elo:
            shown = apparent + float(rng.normal(0, truth.moves_elo))
            opponent = _after_moves(opponent, shown, truth.moves_elo)
        opponent = opponent.after_game(
            points=points, level_elo=level, now_seconds=day * SECONDS_A_DAY
        )


def _after_moves(opponent: Opponent, shown: float, deviation: float) -> Opponent:
    """Returns the belief after a game's moves, which show an apparent level with this deviation."""
    posterior = opponent.posterior
    log_likelihood = np.maximum(-0.5 * ((posterior.grid - shown) / deviation) ** 2, -60.0)
    tables = np.tile(log_likelihood, (len(posterior.styles), 1))
    return replace(opponent, posterior=posterior.after_move(tables))


def _evidence(
    scale: ServerScale, stranger: RatedStranger, opponent: Opponent
) -> list[RatedStrength]:
    """Returns a player as a point of the regression; none if it is not known well."""
    alone = opponent.likelihood
    if alone.deviation > MOST_RATED_DEVIATION:
        return []
    return [RatedStrength(*scale.rated(stranger.rating), alone.mean, alone.deviation)]


# ---- Summaries


def games_until_fit(errors: Errors) -> NDArray[np.int64]:
    """Returns [players] the games before the level first fits; all games if it never does.

    errors: [players, games] in Elo, before each game.
    """
    fits = np.abs(errors) <= FITTING_ELO
    first = np.argmax(fits, axis=1)
    games: NDArray[np.int64] = np.where(fits.any(axis=1), first, errors.shape[1])
    return games
