from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.opponents.move_likelihood import (
    FEATURES,
    LEAST_SHARE,
    PEOPLE_FEATURES,
    PEOPLE_RANKS,
    Candidates,
    MoveLikelihood,
    basis,
    candidates,
)
from engine.opponents.player_style import PlayerStyle
from engine.opponents.posterior import Posterior
from engine.values import MoveStats, Report, RootStats
from tests.support.strength.tables import KNOTS, drawn, evidence, some_candidates

GRID = np.arange(-500.0, 2001.0, 25.0)


def stats(move: int, visits: int, win_rate: float, score_lead: float, order: int) -> MoveStats:
    nothing: dict[str, Any] = dict.fromkeys(
        ("no_result", "score_mean", "score_stdev", "utility", "lcb", "utility_lcb", "prior"), 0.0
    )
    weights: dict[str, Any] = dict.fromkeys(("weight", "edge_weight", "play_selection_value"), 0.0)
    return MoveStats(
        move=move,
        order=order,
        visits=visits,
        edge_visits=visits,
        win_rate=win_rate,
        score_lead=score_lead,
        pv=(move,),
        **nothing,
        **weights,
    )


def report() -> Report:
    """Moves 1 and 4 visited, 2 not, 0 and 3 illegal."""
    names = [name for name in RootStats.__slots__ if name not in ("bounds",)]
    zeros: dict[str, Any] = dict.fromkeys(names, 0)
    root = RootStats(**zeros)
    policy = np.array([-1, 0.6, 0.3, -1, 0.1], dtype=np.float32)
    moves = (stats(4, 6, 0.7, 5.0, 0), stats(1, 3, 0.4, -5.0, 1))
    return Report(root, moves, policy, seconds=0.1, playouts=9)


def test_features_of_a_report_by_hand() -> None:
    glance = np.array([9.0, 1.0, 2.0, 9.0, 3.0])
    found = candidates(report().policy, report().moves, glance, "othello")
    assert found.moves.tolist() == [1, 2, 4]
    columns = dict(zip(FEATURES, found.features.T.tolist(), strict=True))
    assert columns["prior"] == pytest.approx(np.log([0.6, 0.3, 0.1]))
    assert columns["visits"] == pytest.approx(np.log([3.6 / 10, 0.3 / 10, 6.1 / 10]))
    assert columns["rate_loss"] == pytest.approx([0.3, 0, 0])
    assert columns["score_loss"] == pytest.approx([np.tanh(1), 0, 0])
    assert columns["unvisited"] == [0, 1, 0]
    assert columns["glance"] == [1, 2, 3]


def test_a_report_without_visits_has_candidates_too() -> None:
    found = candidates(report().policy, (), np.zeros(5), "go")
    assert np.isfinite(found.features).all()
    assert found.features[:, FEATURES.index("unvisited")].tolist() == [1, 1, 1]


def test_chances_sum_to_one_over_the_legal_moves() -> None:
    rng = np.random.default_rng(0)
    for count in (2, 5, 30):
        probabilities = evidence().probabilities(some_candidates(rng, count), GRID)
        assert probabilities.shape == (1, len(GRID), count)
        assert probabilities.sum(axis=2) == pytest.approx(1)
        assert (probabilities > 0).all()


def test_random_play_takes_each_move_alike_and_strong_play_the_best() -> None:
    features = np.zeros((3, len(FEATURES)))
    features[:, FEATURES.index("rate_loss")] = [0, 0.2, 0.5]
    probabilities = evidence().probabilities(
        Candidates(np.arange(3), features), np.array([0.0, 750.0, 1500.0])
    )[0]
    assert probabilities[0] == pytest.approx([1 / 3] * 3)
    assert probabilities[1, 0] > probabilities[1, 1] > probabilities[1, 2]
    assert probabilities[2, 0] > 0.9


def test_beyond_the_ladder_moves_say_no_more_than_at_its_ends() -> None:
    among = some_candidates(np.random.default_rng(1))
    told = evidence().log_likelihood(among, 3, np.array([-400.0, 0.0, 1500.0, 2000.0]))
    assert told is not None
    assert told[0, 0] == told[0, 1]
    assert told[0, 2] == told[0, 3]


def test_a_forced_or_unknown_move_tells_nothing() -> None:
    one = Candidates(np.array([5]), np.zeros((1, len(FEATURES))))
    assert evidence().log_likelihood(one, 5, GRID) is None
    two = Candidates(np.array([5, 6]), np.zeros((2, len(FEATURES))))
    assert evidence().log_likelihood(two, 7, GRID) is None


@pytest.mark.parametrize("elo", [0.0, 400.0, 900.0, 1500.0])
def test_the_moves_of_a_known_level_reveal_it(elo: float) -> None:
    rng = np.random.default_rng(int(elo))
    table = evidence()
    posterior = Posterior.of_stranger(0, 1500, styles=[PlayerStyle(1.0, 0.0)])
    for _ in range(400):
        among = some_candidates(rng)
        told = table.log_likelihood(among, drawn(table, among, elo, rng), posterior.grid)
        assert told is not None
        posterior = posterior.after_move(told)
    low, high = posterior.interval(0.99)
    assert low <= elo + 25
    assert elo - 25 <= high
    # Beyond the table's ends all levels are alike, so that of who plays there has one end only.
    if 0 < elo < 1500:
        assert posterior.mean == pytest.approx(elo, abs=100)
        assert high - low < 500


def test_a_lower_temper_says_the_same_less_loudly() -> None:
    among = some_candidates(np.random.default_rng(2))
    loud = evidence().log_likelihood(among, 6, GRID)
    quiet = replace(evidence(), temper=0.25).log_likelihood(among, 6, GRID)
    assert loud is not None
    assert quiet == pytest.approx(0.25 * loud)


def test_interpolation_between_knots() -> None:
    knots = np.array([0.0, 100.0, 300.0])
    weights = basis([-50, 0, 25, 200, 300, 900], knots)
    assert weights.tolist() == [
        [1, 0, 0],
        [1, 0, 0],
        [0.75, 0.25, 0],
        [0, 0.5, 0.5],
        [0, 0, 1],
        [0, 0, 1],
    ]


def test_on_paper_and_back() -> None:
    table = replace(evidence(), temper=0.3, styles=(PlayerStyle(1.0, 120.0),))
    written = json.loads(json.dumps(table.to_json()))
    assert MoveLikelihood.from_json(written).to_json() == written


@pytest.mark.parametrize(
    "change",
    [
        {"features": ["prior"]},
        {"knots": [0, 0, 500, 1000]},
        {"knots": [0, 500]},
        {"coefficients": [[[float("nan")] * 6] * 4]},
        {"coefficients": [[[0.0] * 6] * 4] * 2},
        {"styles": [[1.0]]},
        {"temper": "low"},
        {"result_share": 0.0},
        {"result_share": 1.5},
    ],
)
def test_anything_but_a_table_is_an_error(change: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="not a move likelihood"):
        MoveLikelihood.from_json(evidence().to_json() | change)


def test_shares_of_three_styles_survive_being_written_down() -> None:
    styles = (
        PlayerStyle(1 / 3, 50.0),
        PlayerStyle(1 / 3, 100.0, 200.0, 900.0),
        PlayerStyle(1 / 3, 75.0),
    )
    zeros = np.zeros((3, len(KNOTS), len(FEATURES)))
    table = MoveLikelihood(KNOTS, zeros, styles, result_share=0.35)
    again = MoveLikelihood.from_json(table.to_json())
    assert again.result_share == 0.35
    older = {name: value for name, value in table.to_json().items() if name != "result_share"}
    assert MoveLikelihood.from_json(older).result_share == 1
    assert Posterior.of_stranger(0, 1500, styles=again.styles).styles == again.styles


def test_policies_of_people_are_features_of_their_own() -> None:
    people = [np.array([0.0, 0.1 * rank, 0.2, 0.0, 1.0]) for rank in range(len(PEOPLE_RANKS))]
    found = candidates(report().policy, report().moves, np.zeros(5), "go", people)
    columns = dict(zip(PEOPLE_FEATURES, found.features.T.tolist(), strict=True))
    assert columns["people 20k"] == pytest.approx(np.log([LEAST_SHARE, 0.2, 1.0]))
    assert columns["people 6d"] == pytest.approx(np.log([0.3, 0.2, 1.0]))


def test_a_table_with_people_reads_their_moves_and_no_others() -> None:
    coefficients = np.zeros((1, 2, len(PEOPLE_FEATURES)))
    coefficients[0, 0, PEOPLE_FEATURES.index("people 20k")] = 1.0
    coefficients[0, 1, PEOPLE_FEATURES.index("people 6d")] = 1.0
    table = MoveLikelihood(np.array([0.0, 2000.0]), coefficients, features=PEOPLE_FEATURES)
    assert table.needs_people
    assert not evidence().needs_people
    people = [np.array([0.0, 0.5, 0.4, 0.0, 0.1]), *[np.array([0.0, 0.1, 0.1, 0.0, 0.8])] * 3]
    among = candidates(report().policy, report().moves, np.zeros(5), "go", people)
    weak, strong = (table.log_likelihood(among, move, GRID) for move in (1, 4))
    assert weak is not None
    assert strong is not None
    assert GRID[int(weak[0].argmax())] <= 0
    assert GRID[int(strong[0].argmax())] >= 2000
    without = candidates(report().policy, report().moves, np.zeros(5), "go")
    assert table.log_likelihood(without, 1, GRID) is None
    assert MoveLikelihood.from_json(json.loads(json.dumps(table.to_json()))).needs_people
