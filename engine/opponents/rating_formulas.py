"""The formulas of servers and federations for ratings: expectations, ranks, deviations.

Ranks of Go are numbers on the scale of engine.games.ranks: 1k is 10, 1d is 9. Sources: goratings
(OGS), lila's Glicko constants (Lichess), the KGS pages on rating mathematics, the EGF's system of
2021, the AGA's rating program.
"""

from __future__ import annotations

import math

from engine.util.elo import POINTS_PER_LOG_ODDS

GLICKO_POINTS = POINTS_PER_LOG_ODDS  # 173.7178: one unit of Glicko-2's mu and phi
OGS_RANKS, OGS_LOWEST = 23.15, 525.0  # rank = OGS_RANKS * ln(rating / OGS_LOWEST), 0 is 30k
RANK_OF_30K = 39.0  # on the scale of engine.games.ranks
LICHESS_PERIODS_A_DAY = 0.21436  # rating periods
KGS_KYU, KGS_DAN = 0.85, 1.30  # log odds a rank: 30k to 5k, and 2d and stronger
KGS_5K, KGS_2D = 25.0, 31.0  # ranks above 30k, the ends of the change of log odds
AGA_RANK_ELO = 273.0  # Elo of one rank in an even game: the normal model's 82.8%
EGF_TOP = 3300.0


# ---- OGS and Lichess: Glicko-2


def glicko_weight(deviation: float) -> float:
    """Returns Glicko-2's g: the factor on a difference against a rating of this deviation."""
    phi = deviation / GLICKO_POINTS
    return 1 / math.sqrt(1 + 3 * (phi / math.pi) ** 2)


def glicko_expectation(rating: float, other: float, other_deviation: float) -> float:
    """Returns the expected points of a rating against another one with a deviation."""
    difference = glicko_weight(other_deviation) * (rating - other) / GLICKO_POINTS
    return 1 / (1 + math.exp(-difference))


def ogs_rating(rank: float) -> float:
    """Returns the rating on OGS of a rank."""
    return OGS_LOWEST * math.exp((RANK_OF_30K - rank) / OGS_RANKS)


def ogs_rank(rating: float) -> float:
    """Returns the rank of a rating on OGS, above 0."""
    return RANK_OF_30K - OGS_RANKS * math.log(rating / OGS_LOWEST)


def lichess_deviation(deviation: float, volatility: float, days: float) -> float:
    """Returns a deviation on Lichess after so many days without games."""
    growth = LICHESS_PERIODS_A_DAY * days * (GLICKO_POINTS * volatility) ** 2
    return math.sqrt(deviation**2 + growth)


# ---- CGOS and FIDE: the logistic curve of Elo


def elo_expectation(rating: float, other: float) -> float:
    """Returns the expected points of a rating against another one."""
    return 1 / (1 + 10 ** ((other - rating) / 400))


# ---- KGS


def kgs_log_odds(ranks: float) -> float:
    """Returns the log odds of one rank on KGS, so many ranks above 30k; 30 is 1d."""
    share = min(max((ranks - KGS_5K) / (KGS_2D - KGS_5K), 0.0), 1.0)
    return KGS_KYU + share * (KGS_DAN - KGS_KYU)


def kgs_expectation(difference: float, ranks: float) -> float:
    """Returns the expected points of a player so many ranks ahead; ranks: about theirs."""
    return 1 / (1 + math.exp(-kgs_log_odds(ranks) * difference))


def kgs_elo(ranks: float) -> float:
    """Returns the Elo of a rank on KGS, 0 at 30k: the integral of its log odds."""
    change = min(max(ranks - KGS_5K, 0.0), KGS_2D - KGS_5K)
    slope = (KGS_DAN - KGS_KYU) / (KGS_2D - KGS_5K)
    log_odds = KGS_KYU * ranks + slope * change**2 / 2
    log_odds += (KGS_DAN - KGS_KYU) * max(ranks - KGS_2D, 0.0)
    return GLICKO_POINTS * log_odds


# ---- EGF and AGA


def egf_beta(rating: float) -> float:
    """Returns the strength of a rating of the EGF, in log odds."""
    return -7 * math.log(EGF_TOP - min(rating, EGF_TOP - 1))


def egf_after_game(rating: float, other: float, points: float) -> float:
    """Returns the rating of the EGF after a game; points: 1, 0.5 or 0."""
    expected = 1 / (1 + math.exp(egf_beta(other) - egf_beta(rating)))
    factor = ((EGF_TOP - rating) / 200) ** 1.6
    bonus = math.log1p(math.exp((2300 - rating) / 80)) / 5
    return float(rating + factor * (points - expected) + bonus)


def egf_rank(rating: float) -> float:
    """Returns the rank of a rating of the EGF: 2100 is 1d, and a rank has 100 points."""
    return 30 - rating / 100


def egf_rating(rank: float) -> float:
    """Returns the rating of the EGF of a rank."""
    return 100 * (30 - rank)


def aga_rank(rating: float) -> float:
    """Returns the rank of a rating of the AGA: 1d is 1.0 to 2.0, 1k is -1.0 to -2.0."""
    return (10.5 if rating > 0 else 8.5) - rating


def aga_rating(rank: float) -> float:
    """Returns the rating of the AGA in the middle of a rank."""
    return (10.5 if rank < 9.5 else 8.5) - rank
