"""The likelihood of one move for players of each style and Elo.

A conditional logit (McFadden 1974; for move prediction: Coulom, Computing Elo Ratings of Move
Patterns, 2007). Each legal move has features from a short search. For a player of Elo e a move's
utility is the sum of its features weighted by coefficients(e), and the player draws by the softmax
of the utilities. Each style has a table of its own: the first style is the ladder's levels, the
others are players unlike this engine. The tables are fitted to games
(engine.training.opponents.move_likelihood) and stored in the ladder's file.

The posterior of an opponent is in engine.opponents.posterior.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from engine._core import MoveReport
from engine.games.ranks import parse_rank, rank_text
from engine.opponents.elo_grid import Grid, Tables
from engine.opponents.player_style import USUAL_STYLES, PlayerStyle
from engine.values import Floats, MoveStats

Features = NDArray[np.float64]  # [moves, features]

MOST_TEMPER = 10.0  # fitted tables have at most 1
FEATURES = (
    "prior",  # log of the policy
    "visits",  # log of the share of the search's visits, the policy counting as one visit
    "rate_loss",  # win rate below the best visited move's
    "score_loss",  # points below the best visited move's, squeezed to 0..1
    "unvisited",  # 1 for a move without a visit
    "glance",  # value of the one-ply heuristic
)
# Go has the human policy of some ranks too: each is log of the probability of the move.
PEOPLE_RANKS = tuple(map(parse_rank, ("20k", "10k", "1k", "6d")))
PEOPLE_FEATURES = (*FEATURES, *(f"people {rank_text(rank)}" for rank in PEOPLE_RANKS))
# Chess has the human policy of some ratings.
PEOPLE_RATINGS = (1100.0, 1300.0, 1500.0, 1700.0, 1900.0)
RATED_FEATURES = (*FEATURES, *(f"people {rating:.0f}" for rating in PEOPLE_RATINGS))
PEOPLE_OF = {"go": PEOPLE_RANKS, "chess": PEOPLE_RATINGS}  # by game
KNOWN_FEATURES = (FEATURES, PEOPLE_FEATURES, RATED_FEATURES)  # of tables
LEAST_SHARE = 1e-4  # floor of probabilities and shares
# Points; a great loss. In chess a point is a win, and a pawn is about a fifth of it.
SCORE_SCALE = {"go": 10.0, "othello": 10.0, "connect4": 10.0, "chess": 0.5}
SCORE_SCALE |= {"darkchess": 1.0, "einstein": 1.0}
BELOW_ALL = 2.0  # nats below the heuristic's lowest value, for moves that it rejects
LAPSE = 0.02  # share of uniformly random moves: no single move is a proof


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """The legal moves of a position, with their features from a short search."""

    moves: NDArray[np.intp]  # [moves], rising
    features: Features


def candidates(
    policy: Floats,
    stats: Sequence[MoveStats | MoveReport],
    glance: NDArray[np.float64],
    game: str,
    people: Sequence[NDArray[np.float64]] = (),
) -> Candidates:
    """Returns the root's legal moves and their features.

    policy: [moves] float32, below 0 for illegal moves. stats: of the search, best move first.
    glance: [moves] of the one-ply heuristic, any value for illegal moves. people: [moves] the human
    policy of each of the game's PEOPLE_OF; empty: without these features.
    """
    visited = [each for each in stats if each.visits > 0 and policy[each.move] >= 0]
    at = [each.move for each in visited]
    visits, worse = np.zeros(len(policy)), np.zeros((2, len(policy)))
    visits[at] = [max(each.edge_visits, 1) for each in visited]
    if at:
        rates = np.array([(each.win_rate, each.score_lead) for each in visited]).T
        worse[:, at] = np.maximum([[stats[0].win_rate], [stats[0].score_lead]] - rates, 0)
    moves = np.flatnonzero(policy >= 0)
    counts = visits[moves]
    prior = policy[moves].astype(np.float64)
    prior = np.maximum(prior / max(prior.sum(), LEAST_SHARE), LEAST_SHARE)
    share = np.maximum((counts + prior) / (counts.sum() + 1), LEAST_SHARE)
    columns = (
        np.log(prior),
        np.log(share),
        worse[0, moves],
        np.tanh(worse[1, moves] / SCORE_SCALE[game]),
        counts == 0,
        _finite(glance[moves]),
        *(np.log(np.maximum(policy_of_rank[moves], LEAST_SHARE)) for policy_of_rank in people),
    )
    return Candidates(moves, np.array(columns, dtype=np.float64).T)


def _finite(glance: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns [moves] the heuristic; moves that it rejects get a value BELOW_ALL the others."""
    finite = np.isfinite(glance)
    lowest = float(glance[finite].min()) if finite.any() else 0.0
    return np.where(finite, glance, lowest - BELOW_ALL)


@dataclass(frozen=True, slots=True, eq=False)
class MoveLikelihood:
    """A ladder's tables of coefficients, linear in Elo between knots."""

    knots: NDArray[np.float64]  # [knots] Elo, rising; constant beyond the outer knots
    coefficients: NDArray[np.float64]  # [styles, knots, features]
    styles: tuple[PlayerStyle, ...] = USUAL_STYLES
    temper: float = 1.0  # exponent on each move's likelihood: moves of a game are not independent
    features: tuple[str, ...] = FEATURES  # one of KNOWN_FEATURES
    # Exponent on a result's likelihood where moves of its game were judged: they led to the result.
    result_share: float = 1.0

    @property
    def needs_people(self) -> bool:
        """Tests whether the table has features of human policies."""
        return self.features != FEATURES

    def __post_init__(self) -> None:
        """Raises ValueError on tables of different shapes or bad values."""
        if self.coefficients.shape != (
            len(self.styles),
            len(self.knots),
            len(self.features),
        ):
            raise ValueError(f"{self.coefficients.shape} coefficients of {len(self.knots)} knots")
        if len(self.knots) < 2 or not (np.diff(self.knots) > 0).all():
            raise ValueError(f"knots {self.knots.tolist()} do not rise")
        if not np.isfinite(self.coefficients).all() or not 0 <= self.temper <= MOST_TEMPER:
            raise ValueError(f"a coefficient is not finite, or the temper is {self.temper}")
        if not 0 < self.result_share <= 1:
            raise ValueError(f"the share of a result is {self.result_share}")

    def probabilities(self, among: Candidates, elos: Grid) -> NDArray[np.float64]:
        """Returns [styles, elos, moves] the probability of each move; each row sums to 1."""
        table = _table(self, elos.tobytes())
        # Moves first: numpy is slow along a short last axis.
        utility = (among.features @ table.reshape(len(self.features), -1)).reshape(
            -1, *table.shape[1:]
        )
        drawn = np.exp(utility - utility.max(axis=0))
        drawn /= drawn.sum(axis=0)
        probabilities: NDArray[np.float64] = (1 - LAPSE) * drawn + LAPSE / len(among.moves)
        return np.moveaxis(probabilities, 0, 2)

    def log_likelihood(self, among: Candidates, move: int, elos: Grid) -> Tables | None:
        """Returns [styles, elos] the tempered log likelihood of the move.

        None for a forced move, for a move that is not among the candidates, and for candidates with
        other features than the table.
        """
        if among.features.shape[1] != len(self.features):
            return None
        index = np.flatnonzero(among.moves == move)
        if len(index) == 0 or len(among.moves) < 2:
            return None
        tempered: Tables = self.temper * np.log(self.probabilities(among, elos)[:, :, index[0]])
        return tempered

    def to_json(self) -> dict[str, Any]:
        """Returns the tables as JSON values; from_json reads them."""
        return {
            "features": list(self.features),
            "knots": self.knots.tolist(),
            "coefficients": np.round(self.coefficients, 4).tolist(),
            "temper": round(self.temper, 4),
            **({} if self.result_share == 1 else {"result_share": round(self.result_share, 4)}),
            "styles": [[round(number, 9) for number in style.numbers] for style in self.styles],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Reads the values of to_json. Raises ValueError on anything else, or other features."""
        features = data.get("features")
        if not isinstance(features, list) or tuple(features) not in KNOWN_FEATURES:
            raise ValueError(f"not a move likelihood: features {data.get('features')!r}")
        try:
            return cls(
                knots=np.asarray(data["knots"], dtype=np.float64),
                coefficients=np.asarray(data["coefficients"], dtype=np.float64),
                temper=float(data["temper"]),
                result_share=float(data.get("result_share", 1.0)),
                styles=tuple(PlayerStyle(*numbers) for numbers in data["styles"]),
                features=tuple(features),
            )
        except (LookupError, TypeError, ValueError, OverflowError) as error:
            raise ValueError(f"not a move likelihood: {error}") from error


def guessed(lowest_elo: float, highest_elo: float) -> MoveLikelihood:
    """Returns a guess for a ladder without fitted games: random play at 0, search at the top.

    Its temper is low because its coefficients are rough.
    """
    coefficients = np.zeros((1, 4, len(FEATURES)))
    coefficients[0, :, FEATURES.index("prior")] = [-0.2, 0.0, 0.5, 0.4]
    coefficients[0, :, FEATURES.index("visits")] = [0.0, 0.0, 0.2, 0.8]
    coefficients[0, :, FEATURES.index("rate_loss")] = [0.0, 0.0, -3.0, -8.0]
    coefficients[0, :, FEATURES.index("glance")] = [-0.3, 0.0, 0.2, 0.0]
    knots = np.array([min(lowest_elo, -1.0), 0.0, max(highest_elo, 2.0) / 2, max(highest_elo, 2.0)])
    return MoveLikelihood(knots, coefficients, (PlayerStyle(1.0, 250.0),), temper=0.3)


@lru_cache(maxsize=16)
def _table(likelihood: MoveLikelihood, elos: bytes) -> NDArray[np.float64]:
    """Returns [features, styles, elos] the coefficients; elos: the bytes of a Grid."""
    weights = basis(np.frombuffer(elos), likelihood.knots)
    return np.ascontiguousarray(np.moveaxis(weights @ likelihood.coefficients, 2, 0))


def basis(elos: Grid | Sequence[float], knots: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns [elos, knots] the weights of linear interpolation between the knots."""
    at = np.clip(np.asarray(elos, dtype=np.float64), knots[0], knots[-1])
    above = np.clip(np.searchsorted(knots, at, side="right"), 1, len(knots) - 1)
    share = (at - knots[above - 1]) / (knots[above] - knots[above - 1])
    weights = np.zeros((len(at), len(knots)))
    rows = np.arange(len(at))
    weights[rows, above - 1] = 1 - share
    weights[rows, above] = share
    return weights
