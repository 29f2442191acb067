from __future__ import annotations

import pytest

from engine.strength.given import given_elo

THREE = [(0, 60), (0, 72), (0, 288)]
GIVEN = [
    # Black's setup, first to move, komi, area; Black's Elo from and to
    ([], 0, 7.0, 361, (0, 0)),
    ([], 0, 7.5, 361, (-5, -2)),
    ([], 0, 0.5, 361, (40, 55)),  # half a rank: the turn without komi
    (THREE[:2], 1, 0.5, 361, (140, 150)),  # two stones are a rank and a half
    (THREE, 1, 0.5, 361, (240, 250)),
    ([], 0, 0.5, 81, (190, 220)),
    ([(0, 1), (1, 2)], 0, 7.5, 361, (0, 0)),  # a position, no handicap
    ([(0, move) for move in range(31)], 1, 7.5, 361, (0, 0)),
]


@pytest.mark.parametrize(("setup", "first", "komi", "area", "elo"), GIVEN)
def test_what_black_is_given_white_gives(
    setup: list[tuple[int, int]], first: int, komi: float, area: int, elo: tuple[float, float]
) -> None:
    black = given_elo(0, setup, first, komi, area)
    assert elo[0] <= black <= elo[1]
    assert given_elo(1, setup, first, komi, area) == -black
