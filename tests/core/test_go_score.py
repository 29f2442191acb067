"""Counting under each rule set, on drawn boards: areas, seki, tax, button, handicap, the encore."""

from __future__ import annotations

import pytest

from engine._core import GoPosition, GoRules
from engine.games.rules import RULE_SETS
from engine.games.table import read_vertex
from tests.support.diagrams import SEKI, drawing_of, position_of

AREA = {tax: GoRules(tax=tax) for tax in ("NONE", "SEKI", "ALL")}
TERRITORY = {tax: GoRules(tax=tax, scoring="TERRITORY") for tax in ("NONE", "SEKI", "ALL")}


def play_all(position: GoPosition, moves: str) -> GoPosition:
    for text in moves.split():
        position.play(read_vertex(text, position.width, position.height))
    return position


def drawn(diagram: str) -> str:
    return "\n".join(" ".join(line.split()) for line in diagram.strip().splitlines())


OPEN_DAME = """
. X . O .
. X . O .
. X . O .
"""
FILLED = """
. X X O .
. X X O .
. X X O .
"""
# C3 is dead in Black's eye and H2 in White's: everything here is pass-alive.
DEAD_STONES = """
. X . X X O . O .
X X O X X O O O O
. X . X X O X . O
X X X X X O O O O
"""


# Black's lead without komi; the six numbers are for area scoring taxed NONE, SEKI, ALL and then for
# territory scoring. Stones set up count as moves under territory scoring.
@pytest.mark.parametrize(
    ("diagram", "area", "territory"),
    [
        (OPEN_DAME, (0, 0, 0), (0, 0, 0)),  # 3 points each; none while dame make it a seki
        (FILLED, (3, 3, 3), (0, 0, 0)),  # 3 territory each
        (DEAD_STONES, (4, 4, 4), (1, 1, 1)),  # 5 points and a dead stone against 4 and one
        (SEKI, (2, 2, 2), (0, 0, 0)),  # 2 eyes each outside, 1 each in the seki
    ],
)
def test_scores(diagram: str, area: tuple[int, int, int], territory: tuple[int, int, int]) -> None:
    by_rules = [
        *zip(AREA.values(), area, strict=True),
        *zip(TERRITORY.values(), territory, strict=True),
    ]
    for rules, lead in by_rules:
        assert position_of(diagram, rules, komi=0.5).black_score == lead - 0.5, rules


@pytest.mark.parametrize(
    ("diagram", "rules", "picture"),
    [
        (
            OPEN_DAME,
            AREA["NONE"],
            """
            X X . O O
            X X . O O
            X X . O O
            """,
        ),
        (OPEN_DAME, AREA["SEKI"], OPEN_DAME),
        (
            DEAD_STONES,
            TERRITORY["SEKI"],
            """
            X X X X X O O O O
            X X X X X O O O O
            X X X X X O O O O
            X X X X X O O O O
            """,
        ),
        (
            SEKI,
            AREA["NONE"],
            """
            X X O O O X X X X O O
            X X O O O . X X X O O
            X X O O O X X X X O O
            """,
        ),
        (
            SEKI,
            TERRITORY["SEKI"],
            """
            X X O O O X X X X O O
            X X O . O . X . X O O
            X X O O O X X X X O O
            """,
        ),
        (
            SEKI,
            TERRITORY["NONE"],
            """
            X X O O O X X X X O O
            X X O O O . X X X O O
            X X O O O X X X X O O
            """,
        ),
    ],
)
def test_areas(diagram: str, rules: GoRules, picture: str) -> None:
    assert drawing_of(position_of(diagram, rules).area()) == drawn(picture)


def test_tax_on_all_groups_takes_two_points_each() -> None:
    two_groups = """
    . X O X .
    X X O X X
    . X O X .
    X X O X X
    O O O O O
    . O . O .
    """
    leads = [position_of(two_groups, rules).black_score for rules in AREA.values()]
    assert leads == [16 - 14, 16 - 14, (16 - 2 * 2) - (14 - 2)]


# ---- Bonuses


@pytest.mark.parametrize(("bonus", "points"), [("0", 0), ("N", 3), ("N-1", 2)])
@pytest.mark.parametrize("as_moves", [False, True])
def test_white_is_paid_for_handicap_stones(bonus: str, points: int, as_moves: bool) -> None:
    rules = GoRules(white_handicap_bonus=bonus)
    position = GoPosition(9, 9, rules, 0.5)
    if as_moves:
        play_all(position, "C3 pass G7 pass G3 E5")
    else:
        position.setup([(0, read_vertex(text, 9, 9)) for text in ("C3", "G7", "G3")])
        position.to_move = 1
    assert position.white_bonus == points + 0.5
    assert position.handicap_stones == 3


@pytest.mark.parametrize(
    ("moves", "stones"),
    [
        ("C3", 0),  # an ordinary first move
        ("C3 G7 G3", 0),
        ("C3 pass G7", 2),
        ("pass pass G7 pass C3", 2),
        ("C3 pass pass pass G7", 2),  # Black passed, too: White did not pass twice running
        ("pass C3 G7 pass G3", 0),  # White moved first
    ],
)
def test_handicap_stones_are_blacks_moves_before_whites(moves: str, stones: int) -> None:
    position = play_all(GoPosition(9, 9, GoRules(white_handicap_bonus="N")), moves)
    assert position.handicap_stones == stones
    assert position.white_bonus == 7.5 + stones


def test_white_moving_twice_running_means_a_set_up_position() -> None:
    position = GoPosition(9, 9, GoRules(white_handicap_bonus="N"))
    for move, color in ((10, 0), (20, 0), (81, 1), (81, 1), (30, 0)):
        position.play(move, color)
    assert position.handicap_stones == 0


@pytest.mark.parametrize(
    ("moves", "lead"), [("pass pass pass", 0.5), ("E5 pass E6 pass pass", 81 - 0.5)]
)
def test_the_first_pass_takes_the_button(moves: str, lead: float) -> None:
    position = play_all(GoPosition(9, 9, GoRules(button=True), 0.0), moves)
    assert position.is_over
    assert position.black_score == lead
    unfinished = play_all(GoPosition(9, 9, GoRules(button=True), 0.0), "pass pass")
    assert not unfinished.is_over


# ---- The end, and the encore of territory scoring

DEAD_BUT_NOT_TAKEN = """
. . X O .
. . X O .
O . X O .
. . X O .
. . X O .
"""


def test_two_passes_end_the_game_where_the_encore_is_prevented() -> None:
    position = play_all(position_of(DEAD_BUT_NOT_TAKEN, RULE_SETS["japanese"]), "pass pass")
    assert position.is_over
    assert position.phase == 0
    assert position.black_score == 0 - 5  # A3 counts as alive, so Black's side is dame
    assert position.features()[1][:5].tolist() == [1, 0, 0, 0, 0]  # one of the passes is shown
    position.play(0)
    assert not position.is_over
    assert position.features()[1][:5].tolist() == [0, 1, 0, 0, 0]


def test_the_encore_takes_dead_stones_at_no_cost() -> None:
    position = position_of(DEAD_BUT_NOT_TAKEN, RULE_SETS["japanese"])
    position.prevent_encore = False
    phases = []
    for _ in range(4):
        play_all(position, "pass")
        phases.append(position.phase)
    assert phases == [0, 1, 1, 2]
    play_all(position, "B3 pass A4 pass A2 pass")
    assert position.captured == (0, 1)
    assert not position.is_over
    play_all(position, "pass")
    assert position.is_over
    assert position.black_score == 10 + 1 - 5


def test_a_ko_in_the_encore_is_retaken_after_a_pass_for_it() -> None:
    ko = """
    . X O . .
    X O . O .
    . X O . .
    . . . . .
    . . . . .
    """
    position = position_of(ko, RULE_SETS["japanese"])
    position.prevent_encore = False
    play_all(position, "pass pass C4")
    assert position.ko_move == -1
    retake = read_vertex("B4", 5, 5)
    stones = position.stones
    assert position.is_legal(retake)  # it stands for a pass that lifts the ban
    position.play(retake)
    assert (position.stones == stones).all()
    play_all(position, "E1 B4")
    assert position.captured == (1, 1)


def test_passing_again_in_the_same_position_ends_the_game_under_simple_ko() -> None:
    # Black passes on A2 against B2, a cycle of captures brings that back, and Black passes again.
    rules = GoRules(ko="SIMPLE", suicide=False)
    position = play_all(GoPosition(2, 2, rules), "A2 B2 pass A1 pass B1 A2 B2")
    assert position.consecutive_passes == 0
    assert position.pass_would_end_game
    play_all(position, "pass")
    assert position.is_over
    assert position.consecutive_passes == 1


@pytest.mark.parametrize(("rules", "ends"), [("japanese", False), ("chinese", True)])
def test_whether_a_pass_would_end_game_or_phase(rules: str, ends: bool) -> None:
    position = GoPosition(9, 9, RULE_SETS[rules])
    assert not position.pass_would_end_phase
    play_all(position, "E5 pass")
    assert position.pass_would_end_phase
    assert position.pass_would_end_game == ends


def test_end_and_score_counts_the_board_as_it_is() -> None:
    position = position_of(FILLED, RULE_SETS["chinese"], komi=2.5)
    position.end_and_score()
    assert (position.is_over, position.winner, position.black_score) == (True, 0, 0.5)
    drawn_game = position_of(FILLED, RULE_SETS["chinese"], komi=3.0)
    drawn_game.end_and_score()
    assert (drawn_game.winner, drawn_game.black_score) == (-1, 0.0)


# What a board counts that is all Black's: 56, 16 and 9 points of 9x9 on lines 1-2, 3, 4-5, and
# 192, 48 and 121 of 19x19 on lines 1-3, 4 and beyond.
@pytest.mark.parametrize(
    ("size", "beta", "line", "lead"),
    [
        (9, 0.0, 4, 81),
        (9, 0.2, 4, 72 * 0.8 + 8 + 1.2),
        (9, 0.2, 3, 56 * 0.8 + 16 + 9 * 1.2),
        (9, -0.2, 3, 56 * 1.2 + 16 + 9 * 0.8),
        (19, 0.2, 4, 192 * 0.8 + 48 + 121 * 1.2),
    ],
)
def test_weighted_territory(size: int, beta: float, line: int, lead: float) -> None:
    position = GoPosition(size, size, AREA["NONE"], 0.0)
    position.setup([(0, 0)])
    position.weigh_territory(beta, line)
    assert position.black_score == pytest.approx(lead)


ENCLOSED = """
O O O O O O O
O X X X X X O
O X X X X X O
O X X . X X O
O X X X X X O
O X X X X X O
O O O O O O .
"""


def test_who_has_the_centre_wins_by_weighted_territory() -> None:
    # 16 points of Black's on line 2, 9 farther in; 24 of White's on the border.
    position = position_of(ENCLOSED, AREA["NONE"], komi=2.5)
    black, white = (int((position.area() == side).sum()) for side in (1, -1))
    assert (black, white) == (25, 24)
    plain, weighed = position.copy(), position.copy()
    weighed.weigh_territory(0.2, 2)
    assert plain.black_score == -1.5
    assert weighed.black_score == pytest.approx(16 + 9 * 1.2 - 24 * 0.8 - 2.5)
    for each, winner in ((plain, 0.0), (weighed, 1.0)):
        each.end_and_score()
        assert (each.black_score > 0) == bool(winner)


@pytest.mark.parametrize(("beta", "line"), [(1.5, 4), (float("nan"), 4), (0.2, 0)])
def test_weights_that_cannot_be_are_refused(beta: float, line: int) -> None:
    quoted = f"middle_line {line}" if line < 1 else f"beta {beta:.1f}"
    with pytest.raises(ValueError, match=quoted):
        GoPosition(9, 9, AREA["NONE"]).weigh_territory(beta, line)
