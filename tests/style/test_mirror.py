"""Mirror Go: the test for a mirroring opponent, and the factors in favour of the centre."""

from __future__ import annotations

import numpy as np
import pytest

from engine.style.mirror import CENTRE_POLICY, centre_factors, is_mirrored

CELLS = 361


def mirrored(number: int) -> list[tuple[int, int]]:
    """So many moves of Black on 19x19, each answered at the opposite point."""
    cells = [(0, 20 + 3 * index) for index in range(number)]
    return [each for move in cells for each in (move, (1, CELLS - 1 - move[1]))]


def test_fourteen_mirrored_answers_are_mirror_go() -> None:
    assert is_mirrored(mirrored(14), 0, CELLS)
    assert not is_mirrored(mirrored(13), 0, CELLS)
    assert not is_mirrored(mirrored(14), 1, CELLS), "White mirrors, not Black"
    assert not is_mirrored([], 0, CELLS)


def test_the_last_answer_is_a_mirrored_one() -> None:
    moves = mirrored(16)
    assert not is_mirrored([*moves, (0, 200), (1, 201)], 0, CELLS)
    assert not is_mirrored([*moves, (0, CELLS), (1, CELLS)], 0, CELLS), "passes are no mirror"
    other = [(0, 150), (1, 151)] * 20
    assert not is_mirrored([*moves, *other, (0, 100), (1, 260)], 0, CELLS)


def test_the_centre_gains_its_share_of_the_policy() -> None:
    policy = np.full(82, 1 / 82, np.float32)
    factors = centre_factors(policy, 81)
    assert factors is not None
    weighted = policy * factors
    after = weighted / weighted.sum()
    assert after[40] == pytest.approx(1 / 82 + CENTRE_POLICY * (1 - 1 / 82), rel=1e-4)
    assert set(np.delete(factors, 40)) == {1.0}


def test_no_factor_without_a_free_centre() -> None:
    policy = np.full(82, 1 / 82, np.float32)
    policy[40] = -1
    assert centre_factors(policy, 81) is None
    assert centre_factors(np.full(65, 1 / 65, np.float32), 64) is None
