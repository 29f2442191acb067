"""Areas on drawn boards: left the stones, right whose each point is.

Points of the right are X for Black's, O for White's and dots for neither's.
"""

from __future__ import annotations

import pytest

from engine._core import GoRules
from tests.support.diagrams import drawing_of, position_of, rows_of

PASS_ALIVE = {
    "two eyes": """
        . X . X . .     X X X X . .
        X X X X X .     X X X X X .
        . . . . . .     . . . . . .
        """,
    "one eye": """
        . X . . . .     . . . . . .
        X X . . . .     . . . . . .
        . . . . . .     . . . . . .
        """,
    "a false eye": """
        . X O . X .     . . . . . .
        X O . X X .     . . . . . .
        X X X X . .     . . . . . .
        . . . . . .     . . . . . .
        """,
    "chains that share their eyes": """
        . X . X X .     X X X X X .
        X . X X . .     X X X X . .
        . X X . . .     X X X . . .
        X X . . . .     X X . . . .
        """,
    "a living chain does not save its neighbour": """
        . X . X . .     X X X X . .
        X X X X . .     X X X X . .
        . . . . X .     . . . . . .
        . . . X X .     . . . . . .
        """,
    "dead stones inside, and both colors": """
        O . X . X O     X X X X X O
        X X X X X O     X X X X X O
        O O O O O O     O O O O O O
        . O . O O .     O O O O O O
        """,
    "a large territory is not pass-alive": """
        . X . X . . . .     X X X X . . . .
        X X X X . . . .     X X X X . . . .
        X X X X X X X X     X X X X X X X X
        O O O O O O O O     . . . . . . . .
        . . . . . . . .     . . . . . . . .
        """,
    "but one point out of reach may lie in it": """
        . X . X . .     X X X X X X
        X X X X . .     X X X X X X
        O O O X X X     . . . X X X
        . . O O O O     . . . . . .
        """,
    "nobody's": """
        . . .     . . .
        . . .     . . .
        """,
}

# A White stone in the corner that no stone of Black touches. Where White may add a stone and commit
# suicide with both, Black's eye there is no certain one.
CORNER_STONE = {
    False: """
        O . X . X .     X X X X X .
        . X X X X .     X X X X X .
        X X . . . .     X X . . . .
        . . . . . .     . . . . . .
        """,
    True: """
        O . X . X .     . . . . . .
        . X X X X .     . . . . . .
        X X . . . .     . . . . . .
        . . . . . .     . . . . . .
        """,
}

AREAS = {
    "one color has the whole board": """
        . . . .     X X X X
        . X . .     X X X X
        . . . .     X X X X
        """,
    "empty": """
        . . .     . . .
        . . .     . . .
        """,
    "territory, dame and all stones": """
        . X . O .     X X . O O
        . X . O .     X X . O O
        . X . O .     X X . O O
        """,
    "stones alive in the open": """
        . . X . . .     . . X . . .
        . O X . . .     . O X . . .
        . . X . O .     . . X . O .
        . . X . . .     . . X . . .
        """,
    "dead stones in pass-alive territory": """
        O . X . X . .     X X X X X . .
        X X X X X . .     X X X X X . .
        . . . . . O .     . . . . . O .
        . . . . . . .     . . . . . . .
        """,
    "a region of dead stones' own": """
        . O X . X . X     X X X X X X X
        O X X X X X X     X X X X X X X
        X X . . . . .     X X . . . . .
        . . . . O . .     . . . . O . .
        """,
}

TAXED = {
    "areas next to dame keep their stones": """
        . X . O .     . X . O .
        . X . O .     . X . O .
        . X . O .     . X . O .
        """,
    "closed areas keep all": """
        . X O O .     X X O O O
        . X O . O     X X O O O
        . X O . .     X X O O O
        """,
    "an area with a stone in atari loses its territory": """
        . X O O . O     . X O O O O
        X O O . O O     X O O O O O
        X X O O O O     X X O O O O
        """,
}


def halves(drawing: str) -> tuple[str, str]:
    rows = rows_of(drawing)
    width = len(rows[0]) // 2
    left, right = (
        "\n".join(" ".join(row[half]) for row in rows)
        for half in (slice(width), slice(width, None))
    )
    return left, right


@pytest.mark.parametrize("name", PASS_ALIVE)
@pytest.mark.parametrize("suicide", [False, True])
def test_pass_alive(name: str, suicide: bool) -> None:
    board, expected = halves(PASS_ALIVE[name])
    position = position_of(board, GoRules(suicide=suicide))
    assert drawing_of(position.pass_alive()) == expected


@pytest.mark.parametrize("suicide", [False, True])
def test_pass_alive_depends_on_suicide(suicide: bool) -> None:
    board, expected = halves(CORNER_STONE[suicide])
    position = position_of(board, GoRules(suicide=suicide))
    assert drawing_of(position.pass_alive()) == expected
    position.pass_alive_under_suicide = True
    _, under_suicide = halves(CORNER_STONE[True])
    assert drawing_of(position.pass_alive()) == under_suicide


@pytest.mark.parametrize("name", AREAS)
def test_area(name: str) -> None:
    board, expected = halves(AREAS[name])
    assert drawing_of(position_of(board, GoRules()).area()) == expected


@pytest.mark.parametrize("name", TAXED)
@pytest.mark.parametrize("tax", ["SEKI", "ALL"])
def test_area_without_seki(name: str, tax: str) -> None:
    board, expected = halves(TAXED[name])
    assert drawing_of(position_of(board, GoRules(tax=tax)).area()) == expected


@pytest.mark.parametrize(("tax", "lead"), [("NONE", -3.0), ("SEKI", -3.0), ("ALL", -1.0)])
def test_living_regions_pay_the_group_tax(tax: str, lead: float) -> None:
    board = """
        . O X . X O .
        . O X . X O .
        . O X . X O .
        """
    position = position_of(board, GoRules(tax=tax))
    assert position.black_score == lead


@pytest.mark.parametrize(
    ("tax", "expected"),
    [
        ("NONE", ["X X . O O", "X X . O O", "X X . O O"]),
        ("SEKI", [". X . O .", ". X . O .", ". X . O ."]),
    ],
)
def test_only_stones_from_before_the_second_encore_count_in_seki(
    tax: str, expected: list[str]
) -> None:
    board = """
        . X . O .
        . X . O .
        . X . O .
        """
    position = position_of(board, GoRules(ko="SIMPLE", scoring="TERRITORY", tax=tax))
    position.prevent_encore = False
    for _ in range(4):
        position.play(position.pass_move)
    assert position.phase == 2
    position.play(2)
    assert drawing_of(position.area()) == "\n".join(expected)
