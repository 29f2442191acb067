"""The leads after the likely moves of a level: by searches, else by the network."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.games.table import Board
from engine.networks.raw import evaluate_each
from engine.play.steps.leads import TRUSTED_VISITS, after_move
from engine.play.steps.level_leads import (
    LIKELY_SHARE,
    MOST_LIKELY,
    leads_of_level,
    likely_moves,
    standings_with,
)
from engine.play.steps.request import MoveRequest
from engine.search.search import Search
from engine.style.naturalness import Excess, Floors
from engine.values import HURRIED_SECONDS, Limit, Standing
from tests.support.stand_in import StandInEvaluator

BEFORE = Standing(0.3, 0.6, 2.0, deviation=9.0, open_points=40.0)


def test_the_fewest_moves_that_hold_the_share_are_likely() -> None:
    assert likely_moves(np.array([0.02, 0.9, 0.04, 0.04])).tolist() == [False, True, True, True]
    assert likely_moves(np.array([0.04, LIKELY_SHARE, 0.01])).tolist() == [False, True, False]
    assert likely_moves(np.array([1.0, 0.0])).tolist() == [True, False]


def test_no_more_moves_than_a_batch_are_likely() -> None:
    flat = likely_moves(np.full(2 * MOST_LIKELY, 0.5 / MOST_LIKELY))
    assert flat.sum() == MOST_LIKELY


def test_a_move_has_the_best_known_lead() -> None:
    evaluator = StandInEvaluator(game="go")
    search, position = Search(evaluator, seed=3), Board("go", 5, 5).start()
    search.set_position(position)
    report = search.run(Limit(visits=60))
    trusted = [each for each in report.moves if each.edge_visits >= TRUSTED_VISITS]
    glanced = [each for each in report.moves if 0 < each.edge_visits < TRUSTED_VISITS]
    visited = {each.move for each in report.moves if each.edge_visits > 0}
    new = [move for move in range(25) if move not in visited]
    assert (len(trusted) > 0, len(glanced) > 1, len(new) > 2) == (True, True, True)
    best = max(each.score_lead for each in (*trusted, *glanced))
    losses = np.full(26, np.nan)
    losses[[trusted[0].move, glanced[0].move, new[0]]] = 7.0, 5.0, 3.0
    request = MoveRequest(
        position, Limit(visits=60), excess=Excess(Floors(0.05, 24.0), np.ones(26), losses, 0.75)
    )
    moves = np.array([trusted[0].move, glanced[0].move, glanced[1].move, *new[:3]])
    probabilities = np.array([0.2, 0.2, 0.2, 0.2, 0.2, 0.0])
    leads = leads_of_level(search, request, report, moves, probabilities)
    network = -evaluate_each(evaluator, [after_move(position, new[1])])[0].lead
    assert leads[:5] == pytest.approx(
        [
            trusted[0].score_lead,
            best - 5.0,
            glanced[1].score_lead,
            best - 3.0,
            min(network, best),
        ]
    )
    assert np.isnan(leads[5])  # unlikely
    hurried = replace(request, limit=Limit(seconds=HURRIED_SECONDS / 2))
    leads = leads_of_level(search, hurried, report, moves, probabilities)
    assert np.isnan(leads).tolist() == [False, False, False, False, True, True]


def test_standings_follow_the_leads() -> None:
    after = standings_with(
        np.array([-4.0, np.nan]), Board("go", 5, 5).start(), np.arange(2), BEFORE
    )
    assert after == [replace(BEFORE, lead=-4.0), None]
