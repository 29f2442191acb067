"""The end of games of Go, on drawn boards and hand-made reports."""

from __future__ import annotations

import pytest

from engine._core import GoPosition
from engine.games import go_ending
from engine.games.go_ending import EndingSettings, TurnEvaluation
from engine.games.rules import RULE_SETS
from engine.values import Report
from tests.support.diagrams import position_of
from tests.support.go_reports import C2, FINISHED, OWNERS, report_of


@pytest.mark.parametrize(
    ("rules", "settings", "wanted"),
    [
        ("tromp-taylor", EndingSettings(), True),
        ("tromp-taylor", EndingSettings(friendly_pass=True), False),
        ("chinese", EndingSettings(), False),
        ("japanese", EndingSettings(), False),
        ("chinese", EndingSettings(cleanup_before_pass=True), True),
        ("tromp-taylor", EndingSettings(cleanup_before_pass=False), False),
    ],
)
def test_dead_stones_are_taken_if_they_would_count(
    rules: str, settings: EndingSettings, wanted: bool
) -> None:
    position = position_of(FINISHED, RULE_SETS[rules])
    assert go_ending.wants_cleanup(position, settings) == wanted


@pytest.mark.parametrize(
    ("rules", "passes", "settings", "may"),
    [
        ("chinese", 1, EndingSettings(), True),
        ("chinese", 0, EndingSettings(), False),
        ("tromp-taylor", 1, EndingSettings(), False),
        ("tromp-taylor", 1, EndingSettings(friendly_pass=True), True),
        ("chinese", 1, EndingSettings(friendly_pass=False), False),
        ("chinese", 1, EndingSettings(cleanup_before_pass=True), False),
        ("japanese", 0, EndingSettings(), False),
        ("japanese", 1, EndingSettings(), True),
        ("aga-button", 1, EndingSettings(), False),
    ],
)
def test_a_pass_is_answered_with_a_pass_if_the_rules_allow_it(
    rules: str, passes: int, settings: EndingSettings, may: bool
) -> None:
    position = position_of(FINISHED, RULE_SETS[rules])
    for _ in range(passes):
        position.play(position.pass_move)
    assert go_ending.may_pass_friendly(position, settings) == may


@pytest.mark.parametrize(
    ("board", "owners", "gain", "passes"),
    [
        (FINISHED, OWNERS, 0.0, True),
        (FINISHED, OWNERS, 1.0, False),  # the move is worth a point
        (FINISHED.replace("O O O O\n.", ". . O O\n."), OWNERS, 0.0, False),  # open border
    ],
)
def test_nothing_is_lost_by_passing(board: str, owners: str, gain: float, passes: bool) -> None:
    position = position_of(board, RULE_SETS["chinese"], to_move=1)
    position.play(position.pass_move)  # White passes, Black answers

    def search(shown: GoPosition) -> Report:
        moved = shown.stones.astype(bool).sum() > position.stones.astype(bool).sum()
        return report_of(shown, owners, lead=-gain if moved else 0.0)  # White's view

    report = report_of(position, owners)
    assert go_ending.loses_nothing_by_passing(position, 0, report, search) == passes


@pytest.mark.parametrize(("loss", "is_safe"), [(-1.0, True), (0.5, True), (9.0, False)])
def test_a_dame_is_filled_if_it_costs_no_stones(loss: float, is_safe: bool) -> None:
    position = position_of(FINISHED, RULE_SETS["chinese"])

    def search(shown: GoPosition) -> Report:  # White's view: Black's loss is White's gain
        return report_of(shown, OWNERS, lead=loss if shown.stones.flat[C2 + 8] else 0.0)

    assert go_ending.loses_nothing_by_filling(position, C2 + 8, search) == is_safe


LOSING = TurnEvaluation(win_rate=0.01, score_lead=-30.0)
EVEN = TurnEvaluation(win_rate=0.5, score_lead=0.0)


@pytest.mark.parametrize(
    ("moves", "past", "settings", "resigns"),
    [
        (150, [EVEN, LOSING, LOSING, LOSING], EndingSettings(), True),
        (50, [EVEN, LOSING, LOSING, LOSING], EndingSettings(), False),  # too early
        (150, [EVEN, LOSING, LOSING], EndingSettings(), False),  # too soon to be sure
        (150, [EVEN, LOSING, EVEN, LOSING], EndingSettings(), False),
        (150, [EVEN, *[TurnEvaluation(0.01, -3.0)] * 3], EndingSettings(), False),  # close
        (150, [EVEN, LOSING, LOSING, LOSING], EndingSettings(allow_resignation=False), False),
        (
            120,
            [TurnEvaluation(0.01, -60.0), *[TurnEvaluation(0.01, -40.0)] * 3],
            EndingSettings(),
            False,
        ),
        (
            120,
            [TurnEvaluation(0.01, -60.0), *[TurnEvaluation(0.01, -80.0)] * 3],
            EndingSettings(),
            True,
        ),
        (
            250,
            [TurnEvaluation(0.01, -60.0), *[TurnEvaluation(0.01, -40.0)] * 3],
            EndingSettings(),
            True,
        ),
        (
            250,
            [TurnEvaluation(0.01, -60.0), *[TurnEvaluation(0.01, -15.0)] * 3],
            EndingSettings(),
            False,
        ),
    ],
)
def test_resigning(
    moves: int, past: list[TurnEvaluation], settings: EndingSettings, resigns: bool
) -> None:
    position = GoPosition(19, 19, RULE_SETS["chinese"], 7.5)
    for move in range(moves):
        position.play(move, move % 2)
    assert position.move_number == moves
    assert go_ending.should_resign(position, past, settings) == resigns
