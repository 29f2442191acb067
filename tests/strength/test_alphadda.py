"""AlphaDDA's equations and constants against numbers worked out by hand from the paper."""

from __future__ import annotations

import numpy as np
import pytest

from engine.games.table import Board
from engine.strength.alphadda import (
    PUBLISHED,
    Balance,
    Constants,
    Damage,
    Simulations,
    mean_value,
    published,
    read_constants,
)

BOARDS = {
    "connect4": Board("connect4", 7, 6),
    "othello6": Board("othello", 6, 6),
    "othello8": Board("othello", 8, 8),
}
# vbar c, then N_sim on each board: 10^(-A (vbar c + B)) by hand, rounded up, at most N_max.
SIMULATIONS = [
    (1.0, 7, 7, 14),  # 10^0.8 = 6.31, 10^0.84 = 6.92, 10^1.12 = 13.18
    (0.8, 16, 14, 48),  # 10^1.2 = 15.85, 10^1.12 = 13.18, 10^1.68 = 47.86
    (0.5, 64, 35, 332),  # 10^1.8 = 63.10, 10^1.54 = 34.67, 10^2.52 = 331.13
    (0.4, 100, 48, 400),  # 10^2 and no more, 10^1.68 = 47.86, 10^2.8 = 630.96
    (0.25, 200, 78, 400),  # 10^2.3 = 199.53, 10^1.89 = 77.62
    (0.0, 200, 174, 400),  # 10^2.8 = 630.96, 10^2.24 = 173.78
    (-1.0, 200, 200, 400),
]
# vbar c, then P_drop: A (vbar c + P_drop0) between 0 and 0.95.
DROPOUTS = [
    (-1.0, 0.0, 0.0, 0.0),
    (0.2, 0.0, 0.0, 0.0),
    (0.25, 0.5, 0.0, 0.0),
    (0.29, 0.9, 0.0, 0.0),
    (0.3, 0.95, 0.0, 0.0),
    (0.6, 0.95, 0.5, 0.0),
    (0.68, 0.95, 0.9, 0.0),
    (0.92, 0.95, 0.95, 0.4),
    (0.945, 0.95, 0.95, 0.9),
    (1.0, 0.95, 0.95, 0.95),
]


@pytest.mark.parametrize(("own_value", "connect4", "othello6", "othello8"), SIMULATIONS)
def test_simulations_are_those_of_the_equation(
    own_value: float, connect4: int, othello6: int, othello8: int
) -> None:
    found = [PUBLISHED[name].simulations.visits(own_value) for name in BOARDS]
    assert found == [connect4, othello6, othello8]


@pytest.mark.parametrize(("own_value", "connect4", "othello6", "othello8"), DROPOUTS)
def test_dropouts_are_those_of_the_equation(
    own_value: float, connect4: float, othello6: float, othello8: float
) -> None:
    found = [PUBLISHED[name].damage.dropout(own_value) for name in BOARDS]
    assert found == pytest.approx([connect4, othello6, othello8], abs=1e-12)


@pytest.mark.parametrize(("name", "least"), [("connect4", 7), ("othello6", 7), ("othello8", 14)])
def test_alphadda1_never_searches_less_than_that(name: str, least: int) -> None:
    visits = [PUBLISHED[name].simulations.visits(v) for v in np.linspace(-1, 1, 2001)]
    assert min(visits) == visits[-1] == least
    assert sorted(visits, reverse=True) == visits


def test_alphadda1_makes_one_simulation_at_least() -> None:
    """Constants of no table: round(10 ** -20.0, 9) is 0, and the paper has N_sim >= 1."""
    assert [Simulations(1, 20.0, 1.0, 200).visits(value) for value in (0.0, 0.99)] == [1, 1]


def test_the_mean_is_of_the_last_values_or_of_all_of_fewer() -> None:
    values = [1.0, -0.5, 0.25, 0.125]
    assert mean_value(values, 1) == 0.125
    assert mean_value(values, 3) == pytest.approx((-0.5 + 0.25 + 0.125) / 3)
    assert mean_value(values, 9) == pytest.approx(0.875 / 4)
    with pytest.raises(ValueError, match="last 3 of 0"):
        mean_value([], 3)
    with pytest.raises(ValueError, match="last 0 of 4"):
        mean_value(values, 0)


@pytest.mark.parametrize(
    ("board", "row"),
    [
        (Board("connect4", 7, 6), "connect4"),
        (Board("connect4", 8, 7), "connect4"),
        (Board("othello", 4, 4), "othello6"),
        (Board("othello", 6, 6), "othello6"),
        (Board("othello", 8, 8), "othello8"),
        (Board("othello", 10, 10), "othello8"),
        (Board("go", 9, 9), "othello8"),
    ],
)
def test_a_board_has_its_own_constants_or_the_nearest(board: Board, row: str) -> None:
    assert published(board) is PUBLISHED[row]


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        (Simulations, "3,2,-1.4,200", Simulations(3, 2.0, -1.4, 200)),
        (Damage, "4,20,-.9", Damage(4, 20.0, -0.9)),
        (Balance, "1,0.75", Balance(1, 0.75)),
    ],
)
def test_constants_are_read(
    kind: type[Simulations | Damage | Balance], text: str, expected: Constants
) -> None:
    found = read_constants(kind, text)
    assert found == expected
    assert isinstance(found.positions, int)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "3",
        "3,2,-1.4",
        "0,2,-1.4,200",
        "3,2,-1.4,1e7",
        "3,1e308,-1.4,200",
        "3,nan,-1.4,200",
        "1.5,2,1,200",
        "3,two,1,200",
        "3,inf,1,200",
        "3,nan,1,200",
        "inf,2,1,200",
        "3,2,1,200,5",
        "3,2,1,0",
        "9,2,-1.4,200",
    ],
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=f"constants '{text}' are not N_H,A,B,N_MAX"):
        read_constants(Simulations, text)
