"""The end of games of Go, on drawn boards and hand-made reports."""

from __future__ import annotations

import numpy as np
import pytest

from engine._core import GoPosition
from engine.games import go_ending
from engine.games.go_ending import EndingSettings, TurnEvaluation
from engine.games.rules import RULE_SETS
from engine.values import Report, RootStats
from tests.support.diagrams import SEKI, position_of

# Black has the left, White the right; C2 is a white stone that can be captured at any time.
FINISHED = """
. X . X O . O .
X X X X O O O O
. X . X O . O .
X X O X O O . O
. X . X O . O .
"""
BLACK_ROOT = RootStats(
    to_move=0, visits=100, win_rate=0.5, no_result=0.0, score_lead=0.0, score_mean=0.0,
    score_stdev=5.0, utility=0.0, weight=100.0, raw_win_rate=0.5, raw_score_lead=0.0,
    raw_score_mean=0.0, raw_score_stdev=5.0, raw_no_result=0.0, raw_win_loss_error=-1.0,
    raw_score_error=-1.0, raw_variance_time=-1.0, position_hash=0, symmetry_hash=0,
)  # fmt: skip


def report_of(position: GoPosition, owners: str, *, lead: float = 0.0) -> Report:
    """Returns a report with the drawn ownership: X Black's, O White's, . neutral."""
    values = {"X": 1.0, "O": -1.0, ".": 0.0, "?": 0.4}
    black = np.array([values[cell] for row in owners.strip().splitlines() for cell in row.split()])
    sign = 1 if position.to_move == 0 else -1
    root = RootStats(**{
        **{name: getattr(BLACK_ROOT, name) for name in RootStats.__slots__},
        "to_move": position.to_move,
        "score_lead": lead,
        "score_mean": lead,
        "utility": lead / 10,
    })  # fmt: skip
    return Report(
        root=root,
        moves=(),
        policy=np.zeros(black.size + 1, np.float32),
        seconds=0.0,
        playouts=0,
        ownership=(sign * black).astype(np.float32),
    )


OWNERS = "\n".join(["X X X X O O O O"] * 5)
C2 = 3 * 8 + 2


def passed_twice(position: GoPosition) -> GoPosition:
    position.play(position.pass_move)
    position.play(position.pass_move)
    return position


@pytest.mark.parametrize("to_move", [0, 1])
@pytest.mark.parametrize(
    ("rules", "score", "searches"),
    [
        ("tromp-taylor", 0, 0),  # C2 is in pass-alive territory: dead without a search
        ("chinese", 0, 1),
        ("japanese", 8 - 7, 1),  # territory and a prisoner
    ],
)
def test_a_finished_game_is_counted(rules: str, score: float, searches: int, to_move: int) -> None:
    position = passed_twice(position_of(FINISHED, RULE_SETS[rules], to_move=to_move))
    searched = []

    def search(shown: GoPosition) -> Report:
        searched.append(shown)
        return report_of(shown, OWNERS)

    status = go_ending.judge(position, search)
    assert np.flatnonzero(status.dead).tolist() == [C2]
    assert status.black_score == score
    assert len(searched) == searches
    assert not any(shown.is_over for shown in searched)


def test_prisoners_and_passes_count_under_territory_scoring() -> None:
    position = position_of(FINISHED, RULE_SETS["japanese"], komi=0.5)
    position.play(2 * 8 + 2)
    position.play(position.pass_move)
    position.play(4 * 8 + 2)  # captures C2: two moves in Black's own territory
    passed_twice(position)
    status = go_ending.judge(position, lambda shown: report_of(shown, OWNERS))
    assert position.captured == (0, 1)
    assert status.black_score == 8 - 7 - 2 - 0.5


def test_tromp_taylor_counts_all_stones_outside_pass_alive_territory() -> None:
    board = """
    . X . O .
    O X . O .
    . X . O .
    """
    owners = """
    X X . O O
    X X . O O
    X X . O O
    """
    for rules, dead, score in (("tromp-taylor", [], 3 - 7), ("new-zealand", [5], 0)):
        position = passed_twice(position_of(board, RULE_SETS[rules]))
        status = go_ending.judge(position, lambda shown: report_of(shown, owners))
        assert np.flatnonzero(status.dead).tolist() == dead
        assert status.black_score == score


# The dame in the middle are unfilled. A1 is dead; in the last one a white stone is in atari.
UNFILLED = """
. . X . O .
. . X . O .
. . X O . O
. X . X O .
O X X . O O
"""
# The stones beside J9 connect at F9 and J7, therefore all territory counts.
HANGING = """
. . . . X . X X .
. . . X X X O X O
. . . . . X O O .
X X X X X X O . .
O O O O O O O . .
. . . . . . . . .
O O O O O O O O O
. . . . . . . . .
. . . . . . . . .
"""
# A seki at the bottom left: connected at D1, Black has one liberty.
FALSE_EYES = """
. O O O O O O .
O X X X X O O O
X X . X O O . O
O O O X X O O O
. X X . X O . O
"""
# The same: connected at A1 and C1 too, Black has but the one eye E2.
NO_SECOND_EYE = """
. X . X . X O . .
X X X X X X O O O
O O O O X X O . O
O . O X O O O O .
. O O X X X O O O
X O X X . X O . O
. X . X . X O . .
"""


@pytest.mark.parametrize(
    ("board", "dead", "score"),
    [
        (UNFILLED, [24], 9 + 1 - 4),  # a prisoner too
        (SEKI, [], 0),  # two eyes each outside, and none of those in the seki
        (HANGING, [], 14 - 33),
        (FALSE_EYES, [], 0 - 4),
        (NO_SECOND_EYE, [], 3 - 7),
    ],
)
def test_unfilled_dame_cost_no_territory(board: str, dead: list[int], score: float) -> None:
    position = position_of(board, RULE_SETS["japanese"], komi=0.5)
    taken = np.zeros(position.stones.shape, np.bool_)
    taken.flat[dead] = True
    played = int((position.stones == 1).sum()) - int((position.stones == 2).sum())
    assert go_ending.score_without_dead(position, taken) == score - 0.5
    assert position.white_bonus == 0.5 + played, "stones set up count as moves"


def test_an_unfilled_dame_is_no_area() -> None:
    board = FINISHED.replace("X X O X O O . O", "X X O X . O . O")
    position = passed_twice(position_of(board, RULE_SETS["chinese"], komi=0.5))
    status = go_ending.judge(position, lambda shown: report_of(shown, OWNERS))
    assert status.black_score == 20 - 19 - 0.5


def test_handicap_compensation_is_counted_once() -> None:
    position = GoPosition(5, 5, RULE_SETS["chinese"], 0.5)
    position.setup([(0, 6), (0, 8)])
    position.to_move = 1
    passed_twice(position)
    status = go_ending.judge(position, lambda shown: report_of(shown, "\n".join(["X X X X X"] * 5)))
    assert status.black_score == 25 - 0.5 - 2


@pytest.mark.parametrize(
    ("komi", "lead", "score"),
    [(7.5, 3.2, 3.5), (7.5, -0.2, -0.5), (7.0, 3.2, 3.0), (7.0, 0.2, 0.0), (-6.5, 0.9, 0.5)],
)
def test_an_unfinished_game_is_estimated_to_a_possible_score(
    komi: float, lead: float, score: float
) -> None:
    position = position_of(FINISHED, RULE_SETS["tromp-taylor"], komi=komi)
    status = go_ending.judge(position, lambda shown: report_of(shown, OWNERS, lead=lead))
    assert status.black_score == score


def test_a_chain_dies_by_its_average_or_its_worst_point() -> None:
    position = position_of(". . . .\n. X X .\n. . . .", RULE_SETS["chinese"])
    for worst, best, dies in ((0.1, 0.2, True), (0.5, 0.1, False), (-0.7, 1.0, True)):
        ownership = np.zeros((3, 4), np.float32)
        ownership[1, 1:3] = worst, best
        assert go_ending.dead_stones(position, ownership).any() == dies


@pytest.mark.parametrize(("black", "white"), [(-0.4, 0.1), (0.1, 0.3), (-0.9, -0.2)])
def test_the_deader_chain_of_two_side_by_side_dies(black: float, white: float) -> None:
    position = position_of(". . . .\n. X O .\n. . . .", RULE_SETS["chinese"])
    ownership = np.zeros((3, 4), np.float32)
    ownership[1, 1:3] = black, white
    dead = go_ending.dead_stones(position, ownership)
    assert np.flatnonzero(dead).tolist() == [5 if black < -white else 6]


def test_stones_taken_still_count_in_a_position_without_its_past() -> None:
    position = GoPosition(5, 5, RULE_SETS["japanese"], 6.5)
    for move in (12, 13, 6):
        position.play(move)
    fresh = go_ending.without_history(position, position.to_move)
    assert fresh.white_bonus == position.white_bonus == 7.5


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
