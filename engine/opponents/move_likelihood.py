"""What one move tells of who made it: how probable it is for players of each Elo.

A conditional logit (McFadden 1974; as move prediction by Coulom, Computing Elo Ratings of Move
Patterns, 2007): each legal move has features from a short search, a player of Elo e likes it by
their sum weighted by coefficients(e), and plays by the softmax of the liking. Each style has a
table of its own: the first is that of the ladder's levels, the others of players who do not think
like us. They are fitted to games (engine.training.opponents.move_likelihood) and lie in the
ladder's file.

Knows reports and numbers; no game, and not what is believed of the opponent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from engine._core import MoveReport
from engine.opponents.posterior import USUAL_STYLES, Grid, PlayerStyle, Tables
from engine.values import Floats, MoveStats

Features = NDArray[np.float64]  # [moves, len(FEATURES)]

MOST_TEMPER = 10.0  # no fitted table has more than 1
FEATURES = (
    "prior",  # log of the policy
    "visits",  # log of the share of the search's visits, the policy counting as one of them
    "rate_loss",  # win rate below the best visited move's
    "score_loss",  # points below the best visited move's, squeezed to 0..1
    "unvisited",  # 1 where the search never looked at it
    "glance",  # how a shallow look at the board judges it
)
LEAST_SHARE = 1e-4  # probabilities and shares below tell nothing more
SCORE_SCALE = {"go": 10.0, "othello": 10.0, "connect4": 10.0}  # points that are much to lose
BELOW_ALL = 2.0  # nats that the glance likes a move less which it never takes
LAPSE = 0.02  # of everybody's moves, by chance alone: no single move proves anything


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """The legal moves of a position and what a short search found of each."""

    moves: NDArray[np.intp]  # [moves], rising
    features: Features


def candidates(
    policy: Floats,
    found: Sequence[MoveStats | MoveReport],
    glance: NDArray[np.float64],
    game: str,
) -> Candidates:
    """The root's legal moves and their features.

    policy: [policy indices], below 0 where illegal. found: what a search says of them, the best one
    first. glance: [policy indices], any value if illegal.
    """
    looked_at = [stats for stats in found if stats.visits > 0 and policy[stats.move] >= 0]
    at = [stats.move for stats in looked_at]
    visits, worse = np.zeros(len(policy)), np.zeros((2, len(policy)))
    visits[at] = [max(stats.edge_visits, 1) for stats in looked_at]
    if at:
        rates = np.array([(stats.win_rate, stats.score_lead) for stats in looked_at]).T
        worse[:, at] = np.maximum([[found[0].win_rate], [found[0].score_lead]] - rates, 0)
    moves = np.flatnonzero(policy >= 0)
    seen = visits[moves]
    prior = policy[moves].astype(np.float64)
    prior = np.maximum(prior / max(prior.sum(), LEAST_SHARE), LEAST_SHARE)
    share = np.maximum((seen + prior) / (seen.sum() + 1), LEAST_SHARE)
    columns = (
        np.log(prior),
        np.log(share),
        worse[0, moves],
        np.tanh(worse[1, moves] / SCORE_SCALE[game]),
        seen == 0,
        _looked_at(glance[moves]),
    )
    return Candidates(moves, np.array(columns, dtype=np.float64).T)


def _looked_at(glance: NDArray[np.float64]) -> NDArray[np.float64]:
    """The glance, where it is not finite (what nobody takes) a little below the others."""
    finite = np.isfinite(glance)
    lowest = float(glance[finite].min()) if finite.any() else 0.0
    return np.where(finite, glance, lowest - BELOW_ALL)


@dataclass(frozen=True, slots=True, eq=False)
class MoveLikelihood:
    """How players of each style and Elo choose among candidates; between knots, in between."""

    knots: NDArray[np.float64]  # [knots] Elo, rising; beyond the outer ones as at them
    coefficients: NDArray[np.float64]  # [styles, knots, len(FEATURES)]
    styles: tuple[PlayerStyle, ...] = USUAL_STYLES
    temper: float = 1.0  # exponent on each move's likelihood: moves of a game are not independent

    def __post_init__(self) -> None:
        """ValueError where the tables do not fit each other."""
        if self.coefficients.shape != (len(self.styles), len(self.knots), len(FEATURES)):
            raise ValueError(f"{self.coefficients.shape} coefficients of {len(self.knots)} knots")
        if len(self.knots) < 2 or not (np.diff(self.knots) > 0).all():
            raise ValueError(f"knots {self.knots.tolist()} do not rise")
        if not np.isfinite(self.coefficients).all() or not 0 <= self.temper <= MOST_TEMPER:
            raise ValueError(f"a coefficient is not finite, or the temper is {self.temper}")

    def chances(self, among: Candidates, elos: Grid) -> NDArray[np.float64]:
        """[styles, elos, moves], the probability of each move; each row sums to 1."""
        table = _table(self, elos.tobytes())
        # Moves first: numpy is slow along a last axis that is short.
        liking = (among.features @ table.reshape(len(FEATURES), -1)).reshape(-1, *table.shape[1:])
        drawn = np.exp(liking - liking.max(axis=0))
        drawn /= drawn.sum(axis=0)
        chances: NDArray[np.float64] = (1 - LAPSE) * drawn + LAPSE / len(among.moves)
        return np.moveaxis(chances, 0, 2)

    def log_likelihood(self, among: Candidates, move: int, elos: Grid) -> Tables | None:
        """[styles, elos], how much the move speaks for each; None where it says nothing.

        That is where it was the only one, or is not among the candidates.
        """
        found = np.flatnonzero(among.moves == move)
        if len(found) == 0 or len(among.moves) < 2:
            return None
        tempered: Tables = self.temper * np.log(self.chances(among, elos)[:, :, found[0]])
        return tempered

    def to_json(self) -> dict[str, Any]:
        """The tables as plain numbers; from_json reads them."""
        return {
            "features": list(FEATURES),
            "knots": self.knots.tolist(),
            "coefficients": np.round(self.coefficients, 4).tolist(),
            "temper": round(self.temper, 4),
            "styles": [[round(number, 9) for number in style.numbers] for style in self.styles],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """What to_json wrote. ValueError where it is something else, or of other features."""
        if data.get("features") != list(FEATURES):
            raise ValueError(f"no table of evidence: features {data.get('features')!r}")
        try:
            return cls(
                knots=np.asarray(data["knots"], dtype=np.float64),
                coefficients=np.asarray(data["coefficients"], dtype=np.float64),
                temper=float(data["temper"]),
                styles=tuple(PlayerStyle(*numbers) for numbers in data["styles"]),
            )
        except (LookupError, TypeError, ValueError, OverflowError) as error:
            raise ValueError(f"no table of evidence: {error}") from error


def guessed(lowest_elo: float, highest_elo: float) -> MoveLikelihood:
    """A table for a ladder whose games nobody fitted: random play at 0, searching at the top.

    What it says is roughly so, and therefore quiet.
    """
    coefficients = np.zeros((1, 4, len(FEATURES)))
    coefficients[0, :, FEATURES.index("prior")] = [-0.2, 0.0, 0.5, 0.4]
    coefficients[0, :, FEATURES.index("visits")] = [0.0, 0.0, 0.2, 0.8]
    coefficients[0, :, FEATURES.index("rate_loss")] = [0.0, 0.0, -3.0, -8.0]
    coefficients[0, :, FEATURES.index("glance")] = [-0.3, 0.0, 0.2, 0.0]
    knots = np.array([min(lowest_elo, -1.0), 0.0, max(highest_elo, 2.0) / 2, max(highest_elo, 2.0)])
    return MoveLikelihood(knots, coefficients, (PlayerStyle(1.0, 250.0),), temper=0.3)


@lru_cache(maxsize=16)
def _table(evidence: MoveLikelihood, elos: bytes) -> NDArray[np.float64]:
    """[features, styles, elos], the coefficients of each; elos: of a Grid."""
    weights = basis(np.frombuffer(elos), evidence.knots)
    return np.ascontiguousarray(np.moveaxis(weights @ evidence.coefficients, 2, 0))


def basis(elos: Grid | Sequence[float], knots: NDArray[np.float64]) -> NDArray[np.float64]:
    """[elos, knots], by what weights of the knots each Elo's value is interpolated."""
    at = np.clip(np.asarray(elos, dtype=np.float64), knots[0], knots[-1])
    above = np.clip(np.searchsorted(knots, at, side="right"), 1, len(knots) - 1)
    share = (at - knots[above - 1]) / (knots[above] - knots[above - 1])
    weights = np.zeros((len(at), len(knots)))
    rows = np.arange(len(at))
    weights[rows, above - 1] = 1 - share
    weights[rows, above] = share
    return weights
