"""The results of games in a tracker: standings, margins, surpluses of wins, games left early."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.games.table import Board
from engine.opponents.advantage import Advantage
from engine.opponents.posterior import Posterior
from engine.opponents.score_model import guessed as guessed_scores
from engine.opponents.tracker import OpponentTracker, of_stranger
from engine.opponents.win_model import guessed
from engine.play.game_end import cause_of_end
from engine.strength.target_win_rate import PAID_BACK, TargetWinRate
from engine.util.elo import POINTS_PER_LOG_ODDS
from engine.values import Standing
from tests.support.stand_in import description_of
from tests.support.trackers import OTHELLO, search_of, session_of, stranger


def test_a_game_tells_the_opponent_how_it_went() -> None:
    tracker = stranger(search_of())
    for level in (600.0, None, 800.0):
        tracker = tracker.played(level)
    assert tracker.levels == (600.0, 800.0)
    lost = tracker.ended(0.0, now_seconds=100.0)
    won = tracker.ended(1.0, now_seconds=100.0)
    assert lost.opponent.games == 1
    assert (
        lost.opponent.posterior.mean < tracker.opponent.posterior.mean < won.opponent.posterior.mean
    )
    again = won.in_game_on(OTHELLO)
    assert again is not None
    assert again.levels == ()
    assert again.opponent is won.opponent
    assert won.in_game_on(Board("othello", 8, 8)) is None


def test_steered_games_of_go_tell_the_strength_in_steered_games() -> None:
    tracker = of_stranger(Board("go", 9, 9), description_of("go"))
    standing = Standing(0.1, 0.5, 0.0, deviation=13.0, open_points=70.0)
    before = tracker.opponent.posterior
    assert before.steered_deviation == tracker.win_model.gain_deviation > 0
    after = tracker.played(2000.0, standing).ended(1.0, 1.0, margin=-20.0).opponent.posterior
    assert after.strength.tolist() == before.strength.tolist()
    risen = float((after.steered_density - before.steered_density) @ after.grid)
    assert risen > after.mean - before.mean > 0


def test_a_steered_games_result_is_judged_by_how_it_stood_not_by_the_level_it_came_to() -> None:
    # The strong win from a won position, the weak may not; an even one may go to anybody.
    tracker = stranger(search_of())
    tables = guessed(tracker.ladder.lowest, tracker.ladder.highest)  # fitted to no game
    tracker = replace(tracker, win_model=tables)
    lost, even = Standing(0.5, 0.1, 0.0), Standing(0.5, 0.5, 0.0)
    means = {
        (stood.win_rate, points): tracker.played(1200.0, stood).ended(points, 1.0).opponent
        for stood in (lost, even)
        for points in (0.0, 1.0)
    }
    found = {key: opponent.posterior.mean for key, opponent in means.items()}
    before = tracker.opponent.posterior.mean
    assert found[0.1, 0.0] < before - 20 < before + 5 < found[0.1, 1.0]
    assert found[0.5, 0.0] == pytest.approx(before) == found[0.5, 1.0]
    # Many turns of one game tell of one result.
    twice = tracker.played(1200.0, lost).played(700.0, lost).ended(1.0, 1.0).opponent
    assert twice.posterior.mean == pytest.approx(found[0.1, 1.0])


@pytest.mark.parametrize("stood", [None, Standing(0.5, 0.1, 0.0)])
def test_a_result_counts_in_part_beside_the_judged_moves_of_its_game(
    stood: Standing | None,
) -> None:
    """The surplus counts all of it."""
    tracker = stranger(search_of())
    half = replace(tracker, move_likelihood=replace(tracker.move_likelihood, result_share=0.5))
    before, gained, surplus = tracker.opponent.posterior.strength, [], []
    for playing in (tracker, half, replace(half, updates=3)):
        after = playing.played(700.0, stood).ended(1.0, 1.0, target=0.5).opponent
        change = after.posterior.strength - before
        gained.append(float(np.ptp(change[np.abs(tracker.opponent.posterior.grid - 700) < 500])))
        surplus.append(after.surplus)
    assert gained[1] == pytest.approx(gained[0])
    assert gained[2] == pytest.approx(gained[0] / 2)
    assert surplus == [-0.5] * 3


@pytest.mark.parametrize("phase", [None, 0.0, 0.1])
def test_a_result_counts_against_the_opponents_advantage(phase: float | None) -> None:
    """Of a steered game nothing: it was kept even whatever they were given."""
    tracker = stranger(search_of())
    stood = None if phase is None else Standing(phase, 0.5, 0.0)
    tracker = tracker.played(700.0, stood)
    means = [
        replace(tracker, advantage=Advantage(((0.0, elo),))).ended(1.0, 1.0).opponent.posterior.mean
        for elo in (0.0, 300.0)
    ]
    assert means[0] > means[1] + 60 if phase is None else abs(means[0] - means[1]) < 10


@pytest.mark.parametrize(
    ("standing", "points"),
    [
        (Standing(0.97, 0.99, 12.5, deviation=0.5, open_points=0.2), 1.0),
        (Standing(0.97, 0.01, -12.5, deviation=0.5, open_points=0.2), 0.0),
        (Standing(0.97, 0.5, 0.5, deviation=3.0, open_points=3.0), None),
        (Standing(0.5, 0.99, 12.5, deviation=0.5, open_points=0.2), None),
        (None, None),
    ],
)
def test_a_game_left_late_with_a_certain_result_has_points(
    standing: Standing | None, points: float | None
) -> None:
    board = Board("go", 9, 9)
    tracker = of_stranger(board, description_of("go"))
    assert tracker.decided_points() is None
    assert tracker.played(1200.0, standing).decided_points() == points


def test_a_game_left_in_a_decided_position_is_learned_from_once() -> None:
    for standing, learned in (
        (Standing(0.97, 0.01, -12.5, deviation=0.5, open_points=0.2), 1),
        (Standing(0.97, 0.5, 0.5, deviation=3.0, open_points=3.0), 0),
    ):
        session = session_of("even", "go")
        session.genmove(0)
        model = session.opponent_model
        assert model.tracker is not None
        before = model.tracker.opponent.posterior.mean
        model.tracker = model.tracker.played(1200.0, standing)
        session.start_over()
        assert model.tracker is not None
        assert model.tracker.opponent.games == learned
        assert (model.tracker.opponent.posterior.mean > before) == bool(learned)


def even_game_of_go(levels: Sequence[float] = (1400.0, 1400.0)) -> OpponentTracker:
    """A game of even turns, before its end."""
    tracker = of_stranger(Board("go", 9, 9), description_of("go"))
    for at, level in enumerate(levels):
        still_open = 70.0 - 60.0 * at / len(levels)
        standing = Standing(0.1, 0.5, -3.0, deviation=10.0, open_points=still_open)
        tracker = tracker.played(level, standing, level)
    return tracker


def test_a_loss_by_half_a_point_moves_the_belief_nearly_as_a_result_and_one_by_40_more() -> None:
    tracker = even_game_of_go()
    means = {
        margin: tracker.ended(1.0, 0.0, margin=margin).opponent.posterior.mean
        for margin in (-0.5, None, -40.0)
    }
    before = tracker.opponent.posterior.mean
    assert before + 200 < means[-0.5] < means[None] < means[-40.0] - 100


def test_the_start_levels_count_and_not_the_levels_of_a_game_that_went_badly() -> None:
    tracker = even_game_of_go()
    risen = replace(tracker, levels=(1400.0, 2000.0))
    for margin in (None, -0.5):
        means = [
            each.ended(1.0, 0.0, margin=margin).opponent.posterior.mean for each in (tracker, risen)
        ]
        assert means[0] == means[1]


def test_a_surplus_of_wins_moves_the_level_of_go_by_the_elo_of_other_games() -> None:
    """Whole results are noise: by the share, one of them would move the level 2.5 times as far."""
    tracker = of_stranger(Board("go", 9, 9), description_of("go"))
    model = replace(guessed_scores(-800.0, 3000.0), apart=np.ones(5))
    sure = Posterior.of_stranger(-800.0, 3000.0, mean_elo=1000.0, deviation_elo=1.0)
    start = Standing(0.0, 0.5, 0.0, deviation=13.0, open_points=70.0)
    elos = []
    for surplus in (0.0, 1.0):
        opponent = replace(tracker.opponent, posterior=sure, surplus=surplus)
        met = replace(tracker, opponent=opponent, win_model=model)
        elos.append(met.controller(TargetWinRate()).plan(start).level_elo)
    odds = math.log((0.5 - PAID_BACK) / (0.5 + PAID_BACK))
    assert elos[1] - elos[0] == pytest.approx(odds * POINTS_PER_LOG_ODDS, rel=0.1)


@pytest.mark.parametrize(("points", "lead"), [(0.0, -3.0), (1.0, None)])
def test_the_last_lead_is_a_margin_where_it_agrees_with_the_result(
    points: float, lead: float | None
) -> None:
    assert even_game_of_go().last_lead(points) == lead
    assert even_game_of_go(()).last_lead(points) is None


@pytest.mark.parametrize(
    ("won_by", "margin"), [("12.5", 12.5), ("0.5", 0.5), ("R", 25.0), ("T", None), ("", None)]
)
def test_a_sessions_margin_is_the_score_or_the_lead_at_a_resignation(
    won_by: str, margin: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    margins: list[float | None] = []
    ended = OpponentTracker.ended

    def noted(tracker: OpponentTracker, *values: Any, **more: Any) -> OpponentTracker:
        margins.append(more["margin"])
        return ended(tracker, *values, **more)

    session = session_of("even", "go")
    session.genmove(0)
    model = session.opponent_model
    assert model.tracker is not None
    stood = Standing(0.5, 0.9, 25.0, deviation=5.0, open_points=30.0)
    model.tracker = model.tracker.played(1200.0, stood)
    monkeypatch.setattr(OpponentTracker, "ended", noted)
    session.finish(1.0, won_by)
    assert margins == [margin]


def test_the_margin_of_a_game_on_the_board_is_its_score() -> None:
    session = session_of("even", "othello")
    session.start_over((6, 6))
    rng = np.random.default_rng(3)
    while not session.game.position.is_over:
        if session.game.position.to_move == 0:
            session.genmove(0)
        else:
            session.play(1, int(rng.choice(session.game.position.legal_moves())))
    score = session.final_status().black_score
    points = 0.5 if score == 0 else float(score > 0)
    assert cause_of_end(session.game, session.final_status, 0, points) == f"{abs(score):g}"
    assert cause_of_end(session.game, session.final_status, 0, 1 - points) in ("", "0")
    assert cause_of_end(session.game, session.final_status, None, points) == ""
