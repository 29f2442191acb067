"""The style of people in Go: its table, and that the moves of a rank tell the rank."""

from __future__ import annotations

import numpy as np
import pytest

from engine.games.ranks import parse_rank
from engine.games.table import Board
from engine.opponents.move_likelihood import FEATURES, PEOPLE_FEATURES, Candidates, MoveLikelihood
from engine.opponents.people_likelihood import (
    BEGINNERS,
    KNOT_RANKS,
    KNOT_RESTRAINTS,
    SHARE,
    SHARE_BESIDE_OWN,
    TABLE,
    coefficients_of_people,
    with_people,
)
from engine.opponents.stranger_prior import stranger_posterior
from engine.opponents.transfer import move_likelihood_of
from engine.strength.rank_scale import scale_of
from engine.strength.rating_ladder import RatingLadder, ladder_for
from tests.support.stand_in import description_of

SIDES = (7, 9, 13, 19)
WITH_OWN_TABLES = (9, 13)
MOVES = 200


def ladder_of(side: int) -> RatingLadder:
    return ladder_for(Board("go", side, side), description_of("go"))


def test_each_feature_has_a_coefficient_at_each_rank() -> None:
    assert tuple(TABLE) == PEOPLE_FEATURES
    assert {len(row) for row in TABLE.values()} == {len(KNOT_RANKS)}
    assert (np.diff(KNOT_RANKS) > 0).all()
    assert tuple(BEGINNERS) == PEOPLE_FEATURES
    assert {len(row) for row in BEGINNERS.values()} == {len(KNOT_RESTRAINTS)}
    assert (np.diff(KNOT_RESTRAINTS) > 0).all()


@pytest.mark.parametrize("side", SIDES)
def test_people_are_one_style_of_several(side: int) -> None:
    table = move_likelihood_of(ladder_of(side))
    assert table.styles[0].share == (SHARE_BESIDE_OWN if side in WITH_OWN_TABLES else SHARE)
    assert sum(style.share for style in table.styles) == pytest.approx(1)
    assert table.coefficients.shape[0] == len(table.styles) > 1


@pytest.mark.parametrize("side", WITH_OWN_TABLES)
def test_a_table_of_the_ladders_own_stays_beside_the_people(side: int) -> None:
    ladder = ladder_of(side)
    own, table = MoveLikelihood.from_json(ladder.evidence), move_likelihood_of(ladder)
    knot = own.knots[len(own.knots) // 2]
    at = np.flatnonzero(table.knots == knot)
    assert table.coefficients[1:, at[0]] == pytest.approx(own.coefficients[:, len(own.knots) // 2])


@pytest.mark.parametrize("side", SIDES)
def test_below_the_ranks_beginners_are_like_weak_levels(side: int) -> None:
    ladder = ladder_of(side)
    scale = scale_of(ladder)
    assert scale is not None
    knots, rows = coefficients_of_people(ladder)
    weak = [rung for rung in ladder.rungs if rung.elo < scale.elos[0]]
    assert knots[: len(weak)].tolist() == [rung.elo for rung in weak]
    blind = [rung for rung in weak if not rung.level.needs_people]
    greed = rows[: len(blind), PEOPLE_FEATURES.index("glance")]
    assert greed.tolist() == [rung.level.greed for rung in blind]
    # Beginners by moves of people lose the more points the weaker they are.
    losses = rows[len(blind) : len(weak), PEOPLE_FEATURES.index("score_loss")]
    assert losses[0] > 0.5
    assert (np.diff(losses) < 0.1).all()
    assert knots[-1] == pytest.approx(scale.elos[-1])


def test_a_table_without_features_of_people_stays_as_it_is() -> None:
    table = MoveLikelihood(np.array([0.0, 1000.0]), np.zeros((1, 2, len(FEATURES))))
    assert with_people(table, ladder_of(9)) is table


def positions(rng: np.random.Generator) -> list[Candidates]:
    """Positions of 40 moves, with policies of the ranks that differ."""
    made = []
    for _ in range(MOVES):
        features = np.zeros((40, len(PEOPLE_FEATURES)))
        for name in ("prior", *PEOPLE_FEATURES[len(FEATURES) :]):
            weights = rng.gumbel(0, 1, 40) * 1.5
            features[:, PEOPLE_FEATURES.index(name)] = weights - np.log(np.exp(weights).sum())
        made.append(Candidates(np.arange(40), features))
    return made


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("rank", ["18k", "8k", "3d"])
def test_moves_like_those_of_a_rank_tell_the_rank(side: int, rank: str) -> None:
    ladder = ladder_of(side)
    scale, table = scale_of(ladder), move_likelihood_of(ladder)
    assert scale is not None
    elo = scale.elo_of(parse_rank(rank))
    rng = np.random.default_rng(3)
    posterior = stranger_posterior(ladder, table.styles)
    lowest, highest = posterior.interval()
    for among in positions(rng):
        chances = table.probabilities(among, np.array([elo]))[0, 0]
        move = int(rng.choice(len(chances), p=chances))
        terms = table.log_likelihood(among, move, posterior.grid)
        assert terms is not None
        posterior = posterior.after_move(terms)
    low, high = posterior.interval()
    assert low < elo < high
    assert high - low < (highest - lowest) / 3
