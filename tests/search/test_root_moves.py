"""The root moves of a search: restrictions and weights."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine._core import GoPosition, GoRules
from engine.search.search import Restriction
from engine.values import Floats, Limit, Report
from tests.support.searches import favours, make, played
from tests.support.stand_in import StandInEvaluator


def test_forbidden_root_moves_are_not_searched() -> None:
    allowed = [12, 13]
    until = [0 if move in allowed else 1 for move in range(82)]
    report = make().run(Limit(visits=100), restriction=Restriction(black=until))
    assert {move.move for move in report.moves} <= set(allowed)
    assert any(move.pv[1:] for move in report.moves)  # White is free


def test_lifting_a_restriction_searches_everything_again() -> None:
    search = make()
    search.run(Limit(visits=50), restriction=Restriction(black=[1] * 40 + [0] * 42))
    report = search.run(Limit(visits=200))
    assert any(move.move < 40 for move in report.moves)


def test_restriction_holds_on_a_board_of_another_size() -> None:
    search = make()
    until = Restriction(black=[1] * 12 + [0] * 70)
    search.run(Limit(visits=20), restriction=until)
    search.set_position(GoPosition(7, 7, GoRules(), 7.5))
    report = search.run(Limit(visits=100), restriction=Restriction(black=[1] * 49 + [0]))
    assert [move.move for move in report.moves] == [49]
    search.set_position(GoPosition(9, 9, GoRules(), 7.5))
    assert min(m.move for m in search.run(Limit(visits=100), restriction=until).moves) >= 12


def weights(changed: dict[int, float], size: int = 9) -> Floats:
    """All 1 but for these, by the number of the move."""
    made = np.ones(size * size + 1, np.float32)
    for move, weight in changed.items():
        made[move] = weight
    return made


def shape(report: Report) -> list[tuple[int, int, float]]:
    return [(m.move, m.edge_visits, m.utility) for m in report.moves]


@pytest.mark.parametrize("settings", [{}, {"root_symmetry_pruning": True}, {"root_noise": True}])
def test_neutral_weights_change_nothing(settings: dict[str, Any]) -> None:
    without = make(**settings).run(Limit(visits=300))
    for alike in (1.0, 2.0):
        weighed = make(**settings).run(Limit(visits=300), prior_weights=alike * weights({}))
        assert shape(weighed) == shape(without)


def test_a_weight_of_nought_leaves_a_move_out_and_a_larger_one_brings_visits() -> None:
    def visits(report: Report) -> dict[int, int]:
        return {move.move: move.edge_visits for move in report.moves}

    usual = make().run(Limit(visits=300))
    first, second = usual.moves[0].move, usual.moves[1].move
    tilted = make().run(Limit(visits=300), prior_weights=weights({first: 0.0}))
    assert first not in visits(tilted)
    raised = make().run(Limit(visits=300), prior_weights=weights({second: 5.0}))
    assert visits(raised)[second] > visits(usual)[second]
    assert visits(raised)[first] < visits(usual)[first]
    for report in (tilted, raised):  # the network's own policy is reported unchanged
        assert np.array_equal(report.policy, usual.policy)


def test_a_pass_of_weight_0_gets_no_visit() -> None:
    def passes(prior_weights: Floats) -> bool:
        search = make(evaluator=StandInEvaluator(favours(40, 0.0)))
        search.set_position(played(GoPosition(9, 9, GoRules(), 7.5), 40, 81))
        report = search.run(Limit(visits=60), prior_weights=prior_weights)
        return any(move.move == 81 for move in report.moves)

    assert passes(weights({}))
    assert not passes(weights({81: 0.0}))


def test_weights_of_nought_alone_are_ignored() -> None:
    usual = make().run(Limit(visits=50))
    assert shape(make().run(Limit(visits=50), prior_weights=0 * weights({}))) == shape(usual)


def test_mirrored_moves_of_different_weight_are_searched_apart() -> None:
    """On the empty board the corners are alike, but not where one is wanted more."""
    tilt = weights({0: 3.0})
    report = make(root_symmetry_pruning=True).run(Limit(visits=800), prior_weights=tilt)
    mirrors = {move.move: move.symmetry_of for move in report.moves}
    corners = {0, 8, 72, 80}
    assert not any(mirrors[move] == 0 for move in corners & set(mirrors))
    assert mirrors.get(0) is None
    assert mirrors[80] in corners - {0}


def test_other_weights_search_everything_again_and_hold_for_one_root() -> None:
    search = make()
    tilt = weights({40: 3.0})
    search.run(Limit(visits=100), prior_weights=tilt)
    assert search.run(Limit(visits=100), prior_weights=tilt.copy()).playouts == 0
    assert search.run(Limit(visits=100), prior_weights=2 * tilt).playouts == 100
    assert search.run(Limit(visits=100)).playouts == 100
    # The subgraph below the root does not depend on them and is kept when the root moves on.
    first, reply = search.run(Limit(visits=400), prior_weights=tilt).moves[0].pv[:2]
    search.set_position(played(GoPosition(9, 9, GoRules(), 7.5), first, reply), [first, reply])
    kept = search.visits
    assert kept > 1
    assert search.run(Limit(playouts=10)).root.visits == kept + 10


@pytest.mark.parametrize(
    "wrong", [np.ones(5, np.float32), weights({3: -0.5}), weights({3: np.nan})]
)
def test_weights_that_cannot_be(wrong: Floats) -> None:
    search = make()
    with pytest.raises(ValueError, match="prior weight"):
        search.run(Limit(visits=20), prior_weights=wrong)
    assert search.run(Limit(visits=20)).root.visits == 20


def test_a_prior_may_be_wanted_for_a_move_that_the_network_never_plays() -> None:
    report = make().run(Limit(visits=20), prior_weights=weights({3: 1e9}))
    assert max(report.moves, key=lambda each: each.edge_visits).move == 3
