"""From a server's rating to a prior on a ladder."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.games.table import Board
from engine.opponents import PROGRAM, ServerRating
from engine.opponents.rating_map import (
    LEAST_DEVIATION,
    NEW_TAIL_SHARE,
    TAIL_SHARE,
    LearnedMap,
    RatingMap,
    ServerScale,
    server_scale,
)
from engine.opponents.rating_prior import AT_LEAST, AT_MOST, RatingPrior
from engine.opponents.rating_system import CGOS, OGS, OVERALL, SYSTEMS, TYPED_IN
from engine.strength.rank_scale import RankScale

GO9, GO19 = Board("go", 9, 9), Board("go", 19, 19)
CHESSLIKE = Board("othello", 8, 8)
PEOPLE = RankScale((1500.0, 1700.0, 2000.0), (29.0, 19.0, 10.0))  # 20k, 10k, 1k
GRID = np.linspace(-1000.0, 4000.0, 5001)


def test_the_published_example() -> None:
    line = RatingMap(1500, 1180, 1.0, 130)
    mean, deviation = line.moments(1246, 80, 200)
    assert (round(mean), round(deviation)) == (926, 252)
    assert deviation == pytest.approx(math.sqrt(80**2 + 200**2 + 130**2))


def test_without_ranks_the_published_place_of_the_server_counts() -> None:
    scale = ServerScale("ogs", OGS, GO19)
    line = scale.first_map(900, 400)
    prior = scale.prior(ServerRating(1246, 80, 200), LearnedMap(line))
    assert prior.mean == pytest.approx(926)
    assert prior.deviation == pytest.approx(math.hypot(80, 200, 130, 0.2 * 254))
    assert prior.tail_share == TAIL_SHARE


def test_a_ladder_with_ranks_places_a_rating_by_its_rank() -> None:
    scale = ServerScale("ogs", OGS, GO9, PEOPLE)
    assert scale.elo(1245.5) == pytest.approx(1700, abs=1)  # 10k
    assert scale.elo(1837.4) == pytest.approx(2000, abs=1)  # 1k
    # Beyond the ranks the server's own Elo counts, eight tenths of it on 9x9.
    assert scale.elo(1837.4 + 100) == pytest.approx(2080, abs=1)
    assert scale.elo(525) == pytest.approx(1500 - 0.8 * (809 - 525), abs=1)
    assert scale.rated(ServerRating(-50, 80)) == scale.rated(ServerRating(100, 80))
    line = scale.first_map(0, 400)
    assert line.offset == line.centre == scale.elo(1500)
    _, deviation = scale.rated(ServerRating(1245.5, 54))
    assert deviation == pytest.approx((200 / 10 + 300 / 9) / 2, abs=8)  # a rank


def test_a_place_without_an_anchor_has_the_belief_about_strangers() -> None:
    scale = server_scale("playstrategy", CHESSLIKE, None)
    assert scale is not None
    prior = scale.prior(
        ServerRating(1500, 60, 100, pool="blitz"), LearnedMap(scale.first_map(700, 400))
    )
    assert prior.mean == 700
    assert prior.deviation == pytest.approx(math.sqrt(400**2 + 60**2 + 80**2))


def test_an_unknown_server_has_no_scale() -> None:
    assert server_scale("nosuch", GO9, None) is None


@pytest.mark.parametrize(
    ("stated", "spread"),
    [
        (ServerRating(1500, 80, 50, pool="overall"), OVERALL),
        (ServerRating(1500, 80, 50, pool="live-9x9"), 120),
        (ServerRating(1500, 80, 50, pool="live-19x19"), OVERALL),
        (ServerRating(1500, 80, 50, pool="correspondence-9x9"), OVERALL),
        (ServerRating(1500, 80, 50, pool="stated"), TYPED_IN),
        (ServerRating(1500, 80, 50, pool="9x9", kind=PROGRAM), 250),
    ],
)
def test_a_rating_of_the_same_board_says_more(stated: ServerRating, spread: float) -> None:
    assert OGS.strength_spread(stated, "9x9") == spread


def test_a_rating_of_correspondence_games_says_less_on_lichess() -> None:
    lichess = SYSTEMS["lichess"]
    assert lichess.strength_spread(ServerRating(1500, 60, 50, pool="blitz"), "8x8") == 80
    assert lichess.strength_spread(ServerRating(1500, 60, 50, pool="correspondence"), "8x8") == 200


def test_programs_on_cgos_are_steady_and_known_well() -> None:
    scale = ServerScale("cgos", CGOS, GO9, PEOPLE)
    line = LearnedMap(RatingMap(1800, 1600))
    sure = scale.prior(ServerRating(1800, kind=PROGRAM, pool="9x9"), line)
    unsure = scale.prior(ServerRating(1800, is_provisional=True, kind=PROGRAM), line)
    assert sure.deviation == pytest.approx(math.hypot(40, 60))
    assert unsure.deviation == pytest.approx(math.hypot(200, 60))
    assert scale.first_map(0, 400).offset == PEOPLE.elo_of(17)


def test_the_prior_never_silences_results() -> None:
    scale = ServerScale("lichess", SYSTEMS["lichess"], CHESSLIKE)
    prior = scale.prior(ServerRating(1500, 45, 999), LearnedMap(RatingMap(1500, 900)))
    assert prior.deviation == pytest.approx(LEAST_DEVIATION) == pytest.approx(142, abs=0.5)


@pytest.mark.parametrize(
    ("stated", "share"),
    [
        (ServerRating(1500, 80, 50), TAIL_SHARE),
        (ServerRating(1500, 80, 9), NEW_TAIL_SHARE),
        (ServerRating(1500, 80, 50, is_provisional=True), TAIL_SHARE),
        (ServerRating(1500, 170, is_provisional=True), NEW_TAIL_SHARE),
        (ServerRating(), NEW_TAIL_SHARE),
    ],
)
def test_new_accounts_have_a_heavier_tail(stated: ServerRating, share: float) -> None:
    scale = ServerScale("ogs", OGS, GO9, PEOPLE)
    assert scale.prior(stated, LearnedMap(RatingMap(1500, 1500))).tail_share == share


@pytest.mark.parametrize(
    ("stated", "deviation"),
    [
        (ServerRating(), 350),
        (ServerRating(1500), 100),
        (ServerRating(1500, is_provisional=True), 350),
        (ServerRating(1500, 80, is_provisional=True), 80),
        (ServerRating(1545, pool="stated"), 2.5 * 66.8),
    ],
)
def test_a_missing_deviation_is_the_servers_usual_one(
    stated: ServerRating, deviation: float
) -> None:
    assert OGS.deviation(stated) == pytest.approx(deviation, rel=0.01)


def test_a_rating_at_the_floor_says_at_most() -> None:
    scale = ServerScale("lichess", SYSTEMS["lichess"], CHESSLIKE)
    line = LearnedMap(RatingMap(1500, 900))
    assert scale.prior(ServerRating(400, 60, 50), line).bound == AT_MOST
    assert scale.prior(ServerRating(4100, 60, 50), line).bound == AT_LEAST
    assert scale.prior(ServerRating(1500, 60, 50), line).bound == ""
    prior = RatingPrior(900, 200, 0.05, bound=AT_MOST)
    assert prior.moments(GRID)[0] < 700


def test_our_own_games_among_the_rated_ones_count_once() -> None:
    scale = ServerScale("cgos", CGOS, GO9, PEOPLE)
    stated, line = ServerRating(1800, 40, 40, kind=PROGRAM), LearnedMap(RatingMap(1800, 1600))
    assert scale.prior(stated, line, our_games=10).power == 0.75
    assert scale.prior(stated, line, our_games=99).power == 0
    ogs = ServerScale("ogs", OGS, GO9, PEOPLE)  # no game with a program ranks its players there
    assert ogs.prior(stated, line, our_games=10).power == 1


def test_the_density_is_a_normal_with_a_heavy_tail() -> None:
    prior = RatingPrior(1000, 200, 0.05)
    density = np.exp(prior.log_density(GRID))
    density /= density.sum()
    normal = np.exp(-0.5 * ((GRID - 1000) / 200) ** 2)
    tail = np.exp(-0.5 * ((GRID - 1000) ** 2 / (200**2 + 600**2)))
    mixture = 0.95 * normal / normal.sum() + 0.05 * tail / tail.sum()
    assert density == pytest.approx(mixture, abs=1e-6)
    assert prior.moments(GRID)[1] == pytest.approx(200**2 + 0.05 * 600**2, rel=0.01)


def test_a_prior_is_read_as_it_was_written() -> None:
    prior = RatingPrior(1000.5, 200.25, 0.15, AT_MOST, 0.5)
    assert RatingPrior.from_json(prior.to_json()) == prior
    for wrong in (
        {},
        {"mean": 0},
        prior.to_json() | {"deviation": 0},
        prior.to_json() | {"bound": 7},
    ):
        with pytest.raises(ValueError, match="not a prior"):
            RatingPrior.from_json(wrong)


def test_a_learned_spread_takes_the_place_of_the_usual_one_with_ten_opponents() -> None:
    line = RatingMap(1500, 900)
    assert LearnedMap(line).strength_spread(200) == 200
    assert LearnedMap(line, 100, 20, 10).strength_spread(200) == pytest.approx(158, abs=0.5)
    assert LearnedMap(line, 100, 20, 10**6).strength_spread(200) == pytest.approx(100, abs=0.1)
