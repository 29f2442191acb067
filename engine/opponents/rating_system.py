"""The rating systems of servers and federations, as rows of a table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.opponents.rating_formulas import (
    AGA_RANK_ELO,
    GLICKO_POINTS,
    RANK_OF_30K,
    aga_rank,
    aga_rating,
    egf_beta,
    egf_rank,
    egf_rating,
    kgs_elo,
    ogs_rank,
    ogs_rating,
)
from engine.opponents.server_rating import ServerRating

STATED = "stated"  # the pool of a rank that somebody typed in
CORRESPONDENCE = "correspondence"  # in the names of pools of games over days
STATED_DEVIATION_RANKS = 2.5  # of such a rank
# Deviations of the strength at an exact rating, in Elo.
OF_THIS_BOARD, OVERALL, TYPED_IN, OF_PROGRAMS = 120.0, 200.0, 300.0, 250.0


def itself(rating: float) -> float:
    """Returns the rating: it is in Elo."""
    return rating


@dataclass(frozen=True, slots=True)
class RatingSystem:
    """One system of ratings. Ratings and deviations are on its own scale."""

    centre: float  # a typical rating
    start_deviation: float  # of a player without a rating, or with one marked as uncertain
    usual_deviation: float  # of a rating without a stated deviation
    elo_of: Callable[[float], float] = itself  # the Elo of a rating
    # The rank of Go of a rating, and the rating of a rank; None: the system has no ranks.
    rank_of: Callable[[float], float] | None = None
    rating_of: Callable[[float], float] | None = None
    lowest: float = -1e5  # the floor of ratings
    highest: float = 1e5  # the ceiling of ratings
    # Deviations of the strength in Elo: at a rating of all boards and speeds, and of this one's.
    spread: float = OVERALL
    spread_of_pool: float = OF_THIS_BOARD
    rates_our_games: bool = False  # games with us change the rating
    has_steady_programs: bool = False  # only programs play, always of the same strength

    def deviation(self, stated: ServerRating) -> float:
        """Returns the deviation of a rating, the usual one where none is stated."""
        if stated.rating is None:
            return self.start_deviation
        if stated.deviation is not None:
            return stated.deviation
        if stated.pool == STATED and self.rating_of is not None:
            return STATED_DEVIATION_RANKS * self._points_a_rank(stated.rating)
        return self.start_deviation if stated.is_provisional else self.usual_deviation

    def _points_a_rank(self, rating: float) -> float:
        if self.rank_of is None or self.rating_of is None:
            return self.start_deviation
        rank = self.rank_of(rating)
        return abs(self.rating_of(rank - 0.5) - self.rating_of(rank + 0.5))

    def strength_spread(self, stated: ServerRating, board_size: str) -> float:
        """Returns the deviation of the strength at an exact rating, in Elo.

        board_size: of the game, such as "9x9"; a pool of ratings names it or does not.
        """
        if self.has_steady_programs:
            return self.spread_of_pool
        if stated.is_program:
            return OF_PROGRAMS
        if stated.pool == STATED:
            return TYPED_IN
        is_slow = CORRESPONDENCE in stated.pool  # with books, and with help
        is_of_board = board_size in stated.pool and not is_slow
        return self.spread_of_pool if is_of_board else max(self.spread, OVERALL * is_slow)


OGS = RatingSystem(
    centre=1500,
    start_deviation=350,
    usual_deviation=100,
    rank_of=ogs_rank,
    rating_of=ogs_rating,
    lowest=100,
    highest=6000,
)
# The ratings are of one variant and speed: a bot sends those of the game.
LICHESS = RatingSystem(
    centre=1500, start_deviation=500, usual_deviation=80, lowest=400, highest=4000, spread=80
)
CGOS = RatingSystem(
    centre=1800,  # GNU Go, the old anchor
    start_deviation=200,
    usual_deviation=40,
    lowest=0,  # lower ones are sent as 0
    spread=60,
    spread_of_pool=60,
    rates_our_games=True,
    has_steady_programs=True,
)
KGS = RatingSystem(  # a rating is the number of ranks above 30k
    centre=20,
    start_deviation=2.0,
    usual_deviation=0.5,
    elo_of=kgs_elo,
    rank_of=lambda ranks: RANK_OF_30K - ranks,
    rating_of=lambda rank: RANK_OF_30K - rank,
)
EGF = RatingSystem(
    centre=1500,
    start_deviation=250,
    usual_deviation=100,
    elo_of=lambda rating: GLICKO_POINTS * egf_beta(rating),
    rank_of=egf_rank,
    rating_of=egf_rating,
    lowest=-900,
)
AGA = RatingSystem(
    centre=-5,
    start_deviation=2.5,
    usual_deviation=0.5,
    elo_of=lambda rating: -AGA_RANK_ELO * aga_rank(rating),
    rank_of=aga_rank,
    rating_of=aga_rating,
)
FIDE = RatingSystem(centre=1500, start_deviation=250, usual_deviation=60)

SYSTEMS: dict[str, RatingSystem] = {  # by the server's name in the store
    "ogs": OGS,
    "lichess": LICHESS,
    "playstrategy": LICHESS,
    "pychess": LICHESS,
    "cgos": CGOS,
    "kgs": KGS,
    "egf": EGF,
    "aga": AGA,
    "fide": FIDE,
}
