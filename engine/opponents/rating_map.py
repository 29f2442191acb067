"""The map from a server's ratings to the Elo of a board's ladder.

A rating becomes an Elo first. On a ladder with ranks of people that is the Elo of its rank, because
the levels there are people of a rank; beyond the ends of the ranks, and on other ladders, it is the
server's own Elo. The map is a line from there to the strength t on the ladder:

    t ~ N(offset + slope * (x - centre), (slope * D)^2 + spread^2 + the map's own variance)

for an Elo x with the deviation D. engine.opponents.learned_map learns the line from our own games.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from engine.games.table import Board
from engine.opponents.rating_prior import AT_LEAST, AT_MOST, RatingPrior
from engine.opponents.rating_system import SYSTEMS, RatingSystem
from engine.opponents.server_rating import ServerRating
from engine.strength.rank_scale import RankScale
from engine.util.elo import POINTS_PER_LOG_ODDS

TAIL_SHARE, NEW_TAIL_SHARE = 0.05, 0.15  # weights of the tail; new accounts are often second ones
NEW_GAMES = 10  # an account with fewer games is new
MOST_PRIOR_GAMES = 6.0  # the prior is worth at most so many games
LEAST_DEVIATION = POINTS_PER_LOG_ODDS * math.sqrt(4 / MOST_PRIOR_GAMES)  # 142 Elo
LEAST_RATING_DEVIATION = 1.0  # Elo
SLOPE_DEVIATION = 0.2
SPREAD_OPPONENTS = 10.0
RANKED_OFFSET_DEVIATION = 200.0  # of a ladder's own ranks against a server's, in Elo
CGOS_ANCHOR_RANK = 17.0  # 8k: GNU Go on servers of people, rated 1800 on CGOS
ANCHOR_DEVIATION = 250.0  # Elo


@dataclass(frozen=True, slots=True)
class RatingMap:
    """The line from the Elo of ratings to the Elo of a ladder, and its own uncertainty."""

    centre: float  # the Elo of a typical rating
    offset: float  # its strength on the ladder
    slope: float = 1.0
    offset_deviation: float = 0.0
    slope_deviation: float = 0.0

    def moments(self, elo: float, deviation: float, spread: float) -> tuple[float, float]:
        """Returns the mean and the deviation of the strength at a rating.

        elo, deviation: of the rating. spread: deviation of the strength at an exact rating.
        """
        from_centre = elo - self.centre
        own = math.hypot(self.offset_deviation, self.slope_deviation * from_centre)
        total = math.hypot(self.slope * deviation, spread, own)
        return self.offset + self.slope * from_centre, total


@dataclass(frozen=True, slots=True)
class LearnedMap:
    """A map with its uncertainty, learned from so many opponents."""

    line: RatingMap
    spread: float = 0.0  # mean deviation of the strength at an exact rating, in Elo
    spread_deviation: float = 0.0
    opponents: int = 0
    tail_share: float = TAIL_SHARE  # of players far from the line

    def strength_spread(self, usual: float) -> float:
        """Returns the deviation of the strength at an exact rating, in Elo.

        usual: before any game, which counts as SPREAD_OPPONENTS opponents.
        """
        share = self.opponents / (self.opponents + SPREAD_OPPONENTS)
        return math.sqrt(share * self.spread**2 + (1 - share) * usual**2)


@dataclass(frozen=True, slots=True)
class PublishedPlace:
    """A published place of a system on a scale with random play at 0, for the usual rating."""

    offset: float
    offset_deviation: float
    slope: float = 1.0


# By server and board. OGS 19x19: KaTrain's calibration of 2020 places its random bot and its levels
# of ranks in Elo; 320 below the rating of today, less or more by 130.
# Lichess: the measured level of Maia's people of 1500, who are players of Lichess.
PUBLISHED: dict[tuple[str, str], PublishedPlace] = {
    ("ogs", "go19"): PublishedPlace(1180.0, 130.0),
    ("lichess", "chess"): PublishedPlace(1815.0, 200.0),
}
SLOPES = {"go9": 0.8, "go13": 0.9}  # on small boards strengths lie closer together


@dataclass(frozen=True, slots=True)
class ServerScale:
    """The ratings of one server on one board: their Elo, and the map before any game of ours."""

    server: str
    system: RatingSystem
    board: Board
    ranks: RankScale | None = None  # of the board's ladder

    def elo(self, rating: float) -> float:
        """Returns the Elo of a rating: by its rank on the ladder, else the server's own."""
        system, ranks = self.system, self.ranks
        if ranks is None or system.rank_of is None or system.rating_of is None:
            return system.elo_of(rating)
        rank = system.rank_of(max(rating, 1.0) if system.lowest > 0 else rating)
        on_scale = min(max(rank, ranks.ranks[-1]), ranks.ranks[0])
        beyond = system.elo_of(rating) - system.elo_of(system.rating_of(on_scale))
        if on_scale == rank:
            beyond = 0.0
        return ranks.elo_of(on_scale) + SLOPES.get(self.board.name, 1.0) * beyond

    def rated(self, stated: ServerRating) -> tuple[float, float]:
        """Returns the Elo and the deviation of a rating; a typical one where none is stated."""
        rating = self.system.centre if stated.rating is None else stated.rating
        rating = min(max(rating, self.system.lowest), self.system.highest)
        deviation = self.system.deviation(stated)
        width = self.elo(rating + deviation) - self.elo(rating - deviation)
        return self.elo(rating), max(width / 2, LEAST_RATING_DEVIATION)

    def first_map(self, mean: float, deviation: float) -> RatingMap:
        """Returns the map before any game of ours.

        mean, deviation: of strangers on the ladder, for a place without any anchor.
        """
        centre = self.elo(self.system.centre)
        published = PUBLISHED.get((self.server, self.board.name))
        if self.ranks is not None and self.system.rank_of is not None:
            anchored = RatingMap(centre, centre, 1.0, RANKED_OFFSET_DEVIATION)
        elif self.ranks is not None and self.system.has_steady_programs:
            offset = self.ranks.elo_of(CGOS_ANCHOR_RANK)
            anchored = RatingMap(centre, offset, 1.0, ANCHOR_DEVIATION)
        elif published is not None:
            slope, own = published.slope, published.offset_deviation
            anchored = RatingMap(centre, published.offset, slope, own)
        else:
            anchored = RatingMap(centre, mean, 1.0, deviation)
        return replace(anchored, slope_deviation=SLOPE_DEVIATION)

    def prior(self, stated: ServerRating, by: LearnedMap, *, our_games: int = 0) -> RatingPrior:
        """Returns the prior of a rating by a map; our_games: among those of the rating."""
        system = self.system
        elo, deviation = self.rated(stated)
        size = f"{self.board.width}x{self.board.height}"
        spread = by.strength_spread(system.strength_spread(stated, size))
        mean, total = by.line.moments(elo, deviation, spread)
        if not system.has_steady_programs:
            total = max(total, LEAST_DEVIATION)
        share = our_games / stated.games if system.rates_our_games and stated.games else 0.0
        return RatingPrior(
            mean,
            total,
            max(by.tail_share, NEW_TAIL_SHARE) if is_new(stated) else by.tail_share,
            bound=self._bound(stated),
            power=1 - min(share, 1.0),
        )

    def _bound(self, stated: ServerRating) -> str:
        if stated.rating is None:
            return ""
        if stated.rating <= self.system.lowest:
            return AT_MOST
        return AT_LEAST if stated.rating >= self.system.highest else ""


def is_new(stated: ServerRating) -> bool:
    """Whether the account has few games; one of unknown games, whether its rating is uncertain."""
    if stated.games is not None:
        return stated.games < NEW_GAMES
    return stated.is_provisional or stated.rating is None


def server_scale(server: str, board: Board, ranks: RankScale | None) -> ServerScale | None:
    """Returns the scale of a server's ratings on a board; None for an unknown server."""
    system = SYSTEMS.get(server)
    return None if system is None else ServerScale(server, system, board, ranks)
