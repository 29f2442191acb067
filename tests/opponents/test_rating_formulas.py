"""The formulas of servers, against published values and by their own laws."""

from __future__ import annotations

import pytest

from engine.games.ranks import parse_rank
from engine.opponents.rating_formulas import (
    aga_rank,
    aga_rating,
    egf_after_game,
    egf_beta,
    egf_rank,
    egf_rating,
    elo_expectation,
    glicko_expectation,
    glicko_weight,
    kgs_elo,
    kgs_expectation,
    lichess_deviation,
    ogs_rank,
    ogs_rating,
)

ODDS = 173.7178


@pytest.mark.parametrize(
    ("rank", "rating"), [("1k", 1837.4), ("1d", 1918.5), ("10k", 1245.5), ("30k", 525.0)]
)
def test_ranks_of_ogs(rank: str, rating: float) -> None:
    assert ogs_rating(parse_rank(rank)) == pytest.approx(rating, abs=0.05)
    assert ogs_rank(rating) == pytest.approx(parse_rank(rank), abs=0.001)


def test_glicko_counts_uncertain_opponents_for_less() -> None:
    assert glicko_weight(350) == pytest.approx(0.669, abs=5e-4)
    assert glicko_weight(0) == 1
    assert glicko_expectation(1700, 1500, 0) == pytest.approx(elo_expectation(1700, 1500), abs=1e-9)
    assert glicko_expectation(1700, 1500, 350) < glicko_expectation(1700, 1500, 50)


def test_a_deviation_of_lichess_grows_without_games() -> None:
    assert lichess_deviation(60, 0.06, 365) == pytest.approx(110.0, abs=0.05)
    assert lichess_deviation(60, 0.06, 0) == 60


def test_kgs_has_wider_ranks_for_dans() -> None:
    assert kgs_expectation(1, 20) == pytest.approx(0.70, abs=0.005)
    assert kgs_expectation(1, 35) == pytest.approx(0.79, abs=0.005)
    assert kgs_elo(21) - kgs_elo(20) == pytest.approx(148, abs=0.5)
    assert kgs_elo(35) - kgs_elo(34) == pytest.approx(226, abs=0.5)
    assert kgs_elo(25.001) - kgs_elo(25) == pytest.approx(0.148, abs=0.001)  # no jump
    assert kgs_elo(31.001) - kgs_elo(31) == pytest.approx(0.226, abs=0.001)


def test_a_win_of_1d_against_1d_in_the_egf() -> None:
    assert egf_after_game(2100, 2100, 1) == pytest.approx(2109.306, abs=0.001)
    assert ODDS * (egf_beta(2150) - egf_beta(2050)) == pytest.approx(101, abs=0.5)
    assert ODDS * (egf_beta(150) - egf_beta(50)) == pytest.approx(38, abs=0.5)


@pytest.mark.parametrize(
    ("rank", "egf", "aga"), [("20k", 100, -20.5), ("1k", 2000, -1.5), ("1d", 2100, 1.5)]
)
def test_ranks_of_federations(rank: str, egf: float, aga: float) -> None:
    number = parse_rank(rank)
    assert (egf_rating(number), egf_rank(egf)) == (egf, number)
    assert (aga_rating(number), aga_rank(aga)) == (aga, number)
