"""The moves that a balance controller prefers: those that come near its target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from engine.games.table import Board
from engine.opponents import score_model
from engine.opponents.balance_controller import (
    OPPONENT_KINDS,
    BalanceController,
    Leeway,
    StandingAfter,
    leeway_of,
)
from engine.opponents.elo_grid import Grid
from engine.strength.target_win_rate import TargetWinRate
from engine.values import Standing
from tests.support.balance import HIGHEST, LOWEST, controlled, known


def test_in_go_a_lead_of_the_opening_counts_as_much_as_a_deficit() -> None:
    model = score_model.guessed(LOWEST, HIGHEST)
    start = Standing(0.0, 0.5, 0.0, deviation=13.0, open_points=70.0)
    after: list[StandingAfter] = [replace(start, lead=lead) for lead in (8.0, 0.0, -8.0)]
    for leeway, alike in ((leeway_of(Board("go", 9, 9)), True), (Leeway(), False)):
        control = BalanceController(
            TargetWinRate(caution=0), known(800, 10), model, LOWEST, HIGHEST, leeway=leeway
        )
        balancer = control.move_balancer(after, control.kinds(0.0), 0.0)
        assert balancer is not None
        ahead, even, behind = balancer.nearness
        assert even > max(ahead, behind)
        assert bool(ahead == pytest.approx(behind)) is alike
        assert (balancer.most == balancer.least) is alike


def test_in_go_a_level_with_the_target_leaves_nothing_to_the_moves() -> None:
    """A lead that the level itself will lose is no lead to give back."""
    model = score_model.guessed(LOWEST, HIGHEST)
    control = BalanceController(
        TargetWinRate(caution=0), known(1200, 10), model, LOWEST, HIGHEST, leeway=Leeway(900, 900)
    )
    control = replace(control, first=Standing(0.0, 0.5, 0.0, deviation=13.0, open_points=70.0))
    late = Standing(0.95, 0.8, 2.0, deviation=2.0, open_points=5.0)
    level = control.plan(late).level_elo
    assert level < 1200
    assert control.from_target(late, level) < control.from_target(late) - 0.1
    after: list[StandingAfter] = [replace(late, lead=lead) for lead in (2.0, 0.0)]
    kept, given = (
        control.move_balancer(after, control.kinds(0.95), 0.95, to) for to in (level, None)
    )
    assert kept is not None
    assert given is not None
    assert np.argmax(kept.nearness) == 0
    assert np.argmax(given.nearness) == 1


def preferred(
    control: BalanceController,
    after: Sequence[StandingAfter],
    natural: list[float] | None = None,
    phase: float = 0.5,
) -> Grid:
    """The probabilities of moves with these positions after them, where play was even before."""
    probabilities = np.full(len(after), 1 / len(after)) if natural is None else np.array(natural)
    balancer = control.move_balancer(after, control.kinds(phase), phase)
    return probabilities if balancer is None else balancer.probabilities(probabilities)


def gap(
    control: BalanceController, after: Sequence[StandingAfter], drawn: list[float]
) -> float | None:
    """How far such a draw is from the target at the end of a game; None where nothing is."""
    balancer = control.move_balancer(after, control.kinds(1.0), 1.0)
    return None if balancer is None else balancer.gap(np.array(drawn))


def ended(*results: float) -> list[StandingAfter]:
    """Positions where the game is over."""
    return [np.full(len(OPPONENT_KINDS), result) for result in results]


def test_positions_are_preferred_by_how_near_they_are_to_the_target() -> None:
    control = controlled(known(1500, 30))
    after = [Standing(0.5, rate, 0.0) for rate in (0.05, 0.3, 0.5, 0.7, 0.95)]
    probabilities = preferred(control, [*after, None])
    assert probabilities.sum() == pytest.approx(1)
    assert probabilities.argmax() == 2
    # A lead can be given back later; who is behind may stay so.
    assert probabilities[1] < probabilities[3]
    assert probabilities[4] < probabilities[3]
    # What nobody looked at counts as the worst of what was.
    assert probabilities[5] == pytest.approx(probabilities[0])


@pytest.mark.parametrize("target", [0.3, 0.5, 0.7])
def test_late_in_a_game_the_win_rate_expected_of_a_move_is_the_target(target: float) -> None:
    control = controlled(known(1500, 30), TargetWinRate(chance=target, caution=0))
    won = preferred(control, ended(0.0, 1.0), [0.9, 0.1], phase=1.0)[1]
    assert won == pytest.approx(target, abs=0.02)


def test_the_gap_of_a_draw_is_its_distance_from_the_target() -> None:
    over: list[StandingAfter] = [np.full(len(OPPONENT_KINDS), won) for won in (0.0, 1.0)]
    control = controlled(known(1500, 30), TargetWinRate(chance=0.7, caution=0))
    target = control.target
    for won, apart in ((target, 0.0), (1.0, 1 - target), (0.0, target)):
        assert gap(control, over, [1 - won, won]) == pytest.approx(apart, abs=1e-6)
    fair = controlled(known(1500), TargetWinRate(fair_ending=True, caution=0))
    assert gap(fair, over, [0.5, 0.5]) is None
    assert gap(control, [None, None], [0.5, 0.5]) is None


@pytest.mark.parametrize("only", [0, 1])
def test_a_move_under_the_floor_is_never_played(only: int) -> None:
    natural = np.eye(2)[only].tolist()
    assert preferred(controlled(known(1500)), ended(1.0, 0.0), natural, 1.0).tolist() == natural


def test_against_the_weak_a_won_position_is_near_enough_to_even() -> None:
    won: list[StandingAfter] = [Standing(0.3, 0.9, 0.0), Standing(0.3, 0.5, 0.0)]
    weak, strong = (
        preferred(controlled(known(elo, 30)), won, phase=0.3)[0] for elo in (0.0, 1500.0)
    )
    assert weak > 0.4 > strong


def test_nothing_is_preferred_without_closeness_or_knowledge() -> None:
    won: list[StandingAfter] = [Standing(0.9, 0.9, 0.0), Standing(0.9, 0.5, 0.0)]
    for aim in (TargetWinRate(closeness=0, caution=0), TargetWinRate(fair_ending=True, caution=0)):
        assert preferred(controlled(known(1500), aim), won, [0.8, 0.2]).tolist() == [0.8, 0.2]
    assert preferred(controlled(known(1500)), [None, None], [0.8, 0.2]).tolist() == [0.8, 0.2]
