"""The levels that a balance controller plans, by the standing, the belief and the board."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from engine.games.table import Board
from engine.opponents import score_model
from engine.opponents.advantage import FIRST_MOVE, Advantage
from engine.opponents.balance_controller import (
    FREE,
    LEEWAYS,
    BalanceController,
    Leeway,
    PlannedLevel,
    cautious,
    leeway_of,
)
from engine.opponents.posterior import Posterior
from engine.opponents.win_model import guessed
from engine.strength.target_win_rate import TargetWinRate
from engine.values import Standing
from tests.support.balance import HIGHEST, LOWEST, OUTCOME, START, controlled, known


def steered(
    posterior: Posterior,
    standing: Standing,
    aim: TargetWinRate | None = None,
    before: float | None = None,
) -> PlannedLevel:
    return controlled(posterior, aim).plan(standing, before)


@pytest.mark.parametrize("elo", [100.0, 700.0, 1400.0])
def test_at_the_start_the_level_is_the_opponents(elo: float) -> None:
    found = steered(known(elo), START)
    assert found.level_elo == pytest.approx(elo, abs=5)
    assert found.win_rate == pytest.approx(0.5, abs=0.01)


def test_the_level_meets_the_strength_that_steered_games_showed() -> None:
    posterior = replace(known(700), steered_deviation=300.0)
    told = -0.5 * ((posterior.grid - 1000) / 30) ** 2
    found = steered(posterior.after_steered_game(told), START)
    assert found.level_elo == pytest.approx(1000, abs=10)


def test_another_target_is_so_many_elo_away() -> None:
    # 75% are odds of 3, 190.85 Elo, against somebody whose strength is known well.
    found = steered(known(700, 10), START, TargetWinRate(chance=0.75, caution=0))
    assert found.level_elo == pytest.approx(890.85, abs=5)


@pytest.mark.parametrize("target", [0.3, 0.5, 0.6])
@pytest.mark.parametrize("phase", [0.0, 0.3, 0.8])
def test_the_mean_win_rate_over_the_posterior_is_the_target(target: float, phase: float) -> None:
    posterior = known(700, 300).after_results(500, 1)
    found = steered(posterior, Standing(phase, 0.6, 0.0), TargetWinRate(chance=target, caution=0))
    assert found.win_rate == pytest.approx(target, abs=0.002)
    by_hand = posterior.density @ OUTCOME.win_rates(
        found.level_elo, posterior.grid, Standing(phase, 0.6, 0.0)
    )
    assert found.win_rate == pytest.approx(by_hand)


def test_the_opponents_advantage_counts_until_the_standing_contains_it() -> None:
    levels = []
    for phase in (0.0, 0.05, 0.1):
        control = replace(controlled(known(700, 10)), advantage=Advantage(((0.0, 200.0),)))
        standing = Standing(phase, 0.5, 0.0)
        given = control.plan(standing).level_elo
        levels.append(given - controlled(known(700, 10)).plan(standing).level_elo)
    assert levels[0] == pytest.approx(200, abs=2)
    assert levels[1] == pytest.approx(100, abs=2)
    assert levels[2] == pytest.approx(0, abs=2)


@pytest.mark.parametrize("board", FIRST_MOVE)
@pytest.mark.parametrize("theirs", [False, True])
def test_a_stronger_level_wins_more_with_either_first_move(board: str, theirs: bool) -> None:
    first = FIRST_MOVE[board]
    control = replace(controlled(known(1500, 10)), advantage=first if theirs else first.turned())
    win_rates = [control.win_rate(elo, START) for elo in range(0, 1700, 50)]
    assert win_rates == sorted(set(win_rates))


def test_it_stays_on_the_ladder_and_reports_the_win_rate_there() -> None:
    champion = steered(known(2000), START)
    assert champion.level_elo == pytest.approx(HIGHEST, abs=1)
    assert champion.win_rate == pytest.approx(1 / 11, abs=0.01)
    hopeless = steered(known(-600), START)
    assert hopeless.level_elo == pytest.approx(LOWEST, abs=1)
    assert hopeless.win_rate > 0.85


def test_ahead_it_plays_weaker_and_behind_stronger() -> None:
    levels = [steered(known(700), Standing(0.5, rate, 0.0)).level_elo for rate in (0.2, 0.5, 0.8)]
    assert levels[0] > levels[1] > levels[2]


def test_without_closeness_it_plays_at_the_opponents_level_in_any_standing() -> None:
    for rate in (0.05, 0.95):
        found = steered(known(700), Standing(0.5, rate, 0.0), TargetWinRate(closeness=0, caution=0))
        assert found.level_elo == pytest.approx(700, abs=5)


def test_the_last_moves_may_be_played_fairly() -> None:
    aim = TargetWinRate(fair_ending=True, caution=0)
    assert steered(known(700), Standing(0.85, 0.9, 0.0), aim).level_elo == pytest.approx(700, abs=5)
    assert steered(known(700), Standing(0.75, 0.9, 0.0), aim).level_elo < 600


def test_the_level_changes_no_faster_than_it_may() -> None:
    aim = TargetWinRate(most_change_elo=100, caution=0)
    assert steered(known(100), START, aim, before=900).level_elo == pytest.approx(800, abs=1)
    assert steered(known(1500), START, aim, before=900).level_elo == pytest.approx(1000, abs=1)
    assert steered(known(950), START, aim, before=900).level_elo == pytest.approx(950, abs=5)


def in_leeway(rate: float, sighted_elo: float = -math.inf) -> float:
    """Returns the level of a move with this win rate, from one of 700 Elo at the game's start."""
    control = BalanceController(
        TargetWinRate(caution=0),
        known(700),
        guessed(LOWEST, HIGHEST),
        LOWEST,
        HIGHEST,
        leeway=Leeway(fall_elo=100.0, rise_elo=300.0),
        first=START,
        sighted_elo=sighted_elo,
    )
    return control.plan(Standing(0.5, rate, 0.0), 700.0).level_elo


@pytest.mark.parametrize(("rate", "level_elo"), [(0.99, 600.0), (0.5, 700.0), (0.01, 1000.0)])
def test_a_leeway_bounds_the_fall_and_the_rise_of_a_level_in_a_game(
    rate: float, level_elo: float
) -> None:
    assert in_leeway(rate) == pytest.approx(level_elo, abs=1)


@pytest.mark.parametrize(("sighted_elo", "level_elo"), [(650.0, 650.0), (750.0, 600.0)])
def test_a_level_with_a_policy_falls_to_none_without_one(
    sighted_elo: float, level_elo: float
) -> None:
    """A level that is blind from the start falls as far as its leeway lets it."""
    assert in_leeway(0.99, sighted_elo) == pytest.approx(level_elo, abs=1)


@pytest.mark.parametrize("elo", [300.0, 800.0, 1400.0])
def test_in_go_a_level_is_as_weak_as_its_balanced_play_is_stronger(elo: float) -> None:
    """The plan names the level of the start, whatever the level of the move."""
    model = score_model.guessed(LOWEST, HIGHEST)
    start = Standing(0.0, 0.5, 0.0, deviation=13.0, open_points=70.0)
    control = BalanceController(
        TargetWinRate(caution=0),
        known(elo, 10),
        model,
        LOWEST,
        HIGHEST,
        leeway=leeway_of(Board("go", 9, 9)),
        first=start,
    )
    planned = control.plan(start)
    met = model.balanced_strengths(np.array([elo]))
    assert planned.level_elo == pytest.approx(met[0], abs=10)
    assert planned.level_elo < elo - 50
    behind = control.plan(replace(start, lead=-25.0, phase=0.3))
    assert behind.level_elo > planned.level_elo + 100
    assert behind.start_elo == planned.start_elo
    assert planned.level_elo == pytest.approx(planned.start_elo, abs=1)


def test_in_go_a_level_rises_no_more_than_it_falls_and_further_in_long_games() -> None:
    leeways = [leeway_of(Board("go", side, side)) for side in (9, 13, 19)]
    assert [each.fall_elo for each in leeways] == [150.0, 150.0, 800.0]
    assert all(each.rise_elo == each.fall_elo for each in leeways)


@pytest.mark.parametrize(
    ("side", "lead", "fall_elo"),
    [
        (9, -5.0, 150.0),
        (9, 8.0, 150.0),
        (9, 18.0, 282.0),
        (9, 95.0, 414.0),
        (13, 11.0, 150.0),
        (13, 26.0, 546.0),
        (13, 95.0, 942.0),
        (19, 40.0, 800.0),
    ],
)
def test_a_level_falls_further_far_ahead(side: int, lead: float, fall_elo: float) -> None:
    leeway = leeway_of(Board("go", side, side))
    assert leeway.fall_elo_at(lead, side) == pytest.approx(fall_elo)


def test_a_level_falls_as_far_by_the_same_lead_a_line() -> None:
    small, large = (
        BalanceController(
            TargetWinRate(caution=0),
            known(1500, 10),
            guessed(LOWEST, HIGHEST),
            LOWEST,
            HIGHEST,
            leeway=leeway_of(Board("go", side, side)),
            first=START,
            lines=side,
        ).plan(Standing(0.5, 0.999, 2.0 * side), 1500.0)
        for side in (7, 13)
    )
    assert small.start_elo - small.level_elo == pytest.approx(150 + 1.1 * 360, abs=2)
    assert large.level_elo == pytest.approx(small.level_elo, abs=1)


def test_in_go_another_target_is_farther_away_because_balancing_takes_most_of_a_levels_effect() -> (
    None
):
    model = score_model.guessed(LOWEST, HIGHEST)
    start = Standing(0.0, 0.5, 0.0, deviation=13.0, open_points=70.0)
    control = BalanceController(
        TargetWinRate(chance=0.6, caution=0), known(800, 10), model, LOWEST, HIGHEST
    )
    planned = control.plan(start)
    assert planned.win_rate == pytest.approx(0.6, abs=0.01)
    away = 400 * math.log10(1.5) / model.margins.share
    met = model.balanced_strengths(np.array([800.0]))
    assert planned.level_elo == pytest.approx(met[0] + away, abs=10)


def test_without_a_leeway_the_level_of_the_start_is_the_moves() -> None:
    planned = steered(known(700), Standing(0.5, 0.8, 0.0))
    assert planned.start_elo == planned.level_elo


def test_a_stranger_is_taken_for_stronger_while_there_is_time_to_give_a_lead_back() -> None:
    aim = TargetWinRate(caution=1)
    stranger = known(700, 250)
    early, middle, late = (
        steered(stranger, replace(START, phase=phase), aim).level_elo for phase in (0.0, 0.25, 0.6)
    )
    assert early > 800
    assert early > middle > late > 710


def test_caution_costs_less_in_connect4_where_natural_moves_give_no_lead_back() -> None:
    stranger = replace(controlled(known(700, 300), TargetWinRate()), leeway=LEEWAYS["connect4"])
    without = replace(stranger, leeway=Leeway(caution=0))
    natural = replace(stranger, is_natural=True)
    levels = [each.plan(START).level_elo for each in (without, natural, stranger)]
    assert levels[0] + 50 < levels[1] < levels[2] - 200
    usual = replace(stranger, leeway=FREE, is_natural=True)
    assert levels[1] < usual.plan(START).level_elo


@pytest.mark.parametrize("game", ["go", "chess"])
def test_no_caution_counts_where_the_level_carries_the_evenness(game: str) -> None:
    stranger = replace(controlled(known(700, 300), TargetWinRate()), leeway=LEEWAYS[game])
    bold = replace(stranger, settings=TargetWinRate(caution=0.0))
    assert stranger.plan(START).level_elo == bold.plan(START).level_elo
    usual = replace(stranger, leeway=FREE)
    assert usual.plan(START).level_elo > stranger.plan(START).level_elo + 30


@pytest.mark.parametrize("board", [Board("connect4", 7, 6)])
def test_unnatural_play_begins_above_the_prior_of_a_weak_stranger(board: Board) -> None:
    """It gives any lead back, but takes none from a strong stranger."""
    stranger = replace(controlled(known(500, 250), TargetWinRate()), leeway=leeway_of(board))
    usual = replace(stranger, leeway=FREE)
    assert stranger.plan(START).level_elo > usual.plan(START).level_elo + 30
    natural = replace(stranger, is_natural=True)
    assert natural.plan(START).level_elo < usual.plan(START).level_elo - 30


def test_in_chess_a_level_hardly_falls_when_it_is_ahead() -> None:
    settings, winning = TargetWinRate(caution=0), Standing(0.8, 0.99, 0.0)
    chess = BalanceController(
        settings, known(700), guessed(LOWEST, HIGHEST), LOWEST, HIGHEST,
        leeway=leeway_of(Board("chess", 8, 8)), first=START,
    )  # fmt: skip
    start = chess.plan(START).level_elo
    assert start - 201 < chess.plan(winning, start).level_elo < start - 100
    free = replace(chess, leeway=FREE)
    assert free.plan(winning, start).level_elo < start - 400


def test_a_board_has_its_own_leeway_or_its_games() -> None:
    assert leeway_of(Board("go", 13, 13)) is leeway_of(Board("go", 11, 11)) is LEEWAYS["go"]
    assert leeway_of(Board("othello", 6, 6)) is FREE


def test_in_go_a_level_falls_and_rises_further_against_beginners() -> None:
    assert leeway_of(Board("go", 9, 9), is_with_beginner=True).fall_elo == 450.0
    assert leeway_of(Board("go", 19, 19), is_with_beginner=True).fall_elo == 800.0
    assert leeway_of(Board("othello", 6, 6), is_with_beginner=True) is FREE


def test_the_models_leaning_raises_the_target() -> None:
    leaning = replace(OUTCOME, leaning=np.array([0.0, 0.0, 0.0, 0.0, 0.5]))
    weak, strong = (
        BalanceController(TargetWinRate(), known(elo, 10), leaning, LOWEST, HIGHEST).target
        for elo in (0.0, 1600.0)
    )
    assert weak == pytest.approx(0.5)
    assert strong == pytest.approx(1 / (1 + math.exp(-0.5)), abs=0.01)


def test_caution_takes_the_same_belief_for_higher() -> None:
    grid = np.arange(-1000.0, 3000.0, 25.0)
    density = np.exp(-0.5 * ((grid - 800) / 150) ** 2)
    density /= density.sum()
    feared = cautious(density, 1.5, grid)
    assert feared @ grid == pytest.approx(800 + 1.5 * 150, abs=1)
    assert feared.sum() == pytest.approx(1)
    assert cautious(density, 0, grid) is density
