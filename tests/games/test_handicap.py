"""Handicap stones on boards of all sizes."""

from __future__ import annotations

import pytest

from engine.games import handicap
from engine.games.table import write_vertex

# size -> stones of the largest pattern, in order
PATTERNS = {
    (19, 19): "D4 Q16 D16 Q4 D10 Q10 K16 K4 K10",
    (13, 13): "D4 K10 D10 K4 D7 K7 G10 G4 G7",
    (9, 9): "C3 G7 C7 G3 C5 G5 E7 E3 E5",
    (12, 12): "C3 K10 C10 K3",
    (7, 7): "C3 E5 C5 E3",
    (9, 13): "C4 G10 C10 G4 C7 G7 E10 E4 E7",
}


@pytest.mark.parametrize("size", PATTERNS, ids=str)
def test_fixed_patterns(size: tuple[int, int]) -> None:
    names = PATTERNS[size].split()
    assert handicap.most_fixed(*size) == len(names)
    moves = [write_vertex(move, *size) for move in handicap.fixed(*size, len(names))]
    assert moves == names


@pytest.mark.parametrize(("stones", "middle"), [(4, 0), (5, 1), (6, 0), (7, 1), (8, 0), (9, 1)])
def test_odd_numbers_from_five_have_one_in_the_middle(stones: int, middle: int) -> None:
    moves = handicap.fixed(19, 19, stones)
    assert len(set(moves)) == stones
    assert moves.count(9 * 19 + 9) == middle


@pytest.mark.parametrize(
    ("size", "stones"), [((19, 19), 10), ((19, 19), 1), ((8, 8), 5), ((6, 6), 2), ((7, 19), 5)]
)
def test_no_pattern(size: tuple[int, int], stones: int) -> None:
    with pytest.raises(ValueError, match=str(stones)):
        handicap.fixed(*size, stones)


@pytest.mark.parametrize("size", [(2, 2), (2, 19), (3, 3), (5, 5), (8, 8), (9, 9), (19, 19)])
@pytest.mark.parametrize("stones", [2, 3, 9, 10, 40])
def test_free_stones_are_apart_and_few(size: tuple[int, int], stones: int) -> None:
    width, height = size
    moves = handicap.free(width, height, stones)
    assert 2 <= len(moves) <= stones
    assert len(set(moves)) == len(moves)
    assert len(moves) <= max(2, width * height // 4)
    assert all(0 <= move < width * height for move in moves)
