"""The tiles of 3x3 convolutions on a CPU: every size of board, alone and among others."""

from __future__ import annotations

import numpy as np
import pytest

from engine.networks.native_backend import NativeEvaluator
from tests.support.instructions import INSTRUCTION_SETS, skip_unless_present
from tests.support.networks import plain_forward
from tests.support.networks.shapes import network, positions

SHAPE = "version 8"
TOLERANCES = {"fp32": 2e-4, "bf16": 0.05}  # shares of the greatest output
WITH_BF16 = ("avx512-bf16", "amx-bf16")
# Every cut into tiles of sides 3 to 5, or to 4, of one side and of two: (height, width).
SIZES = [(2, 3), (4, 5), (5, 8), (6, 7), (9, 10), (11, 13), (13, 14), (16, 17), (18, 19), (19, 3)]
BOARDS = 7


@pytest.mark.parametrize(
    ("instructions", "precision"),
    [(each, "fp32") for each in INSTRUCTION_SETS] + [(each, "bf16") for each in WITH_BF16],
)
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_a_board_has_the_same_outputs_alone_and_among_others(
    size: tuple[int, int], instructions: str, precision: str
) -> None:
    skip_unless_present(instructions)
    height, width = size
    tolerance = TOLERANCES[precision]
    architecture = network(SHAPE)
    evaluator = NativeEvaluator(
        architecture, precision=precision, threads=1, instructions=instructions
    )
    inputs = positions(architecture, np.random.default_rng(5), BOARDS, height, width)
    together, alone = (evaluator.open(width, height, rows) for rows in (BOARDS, 1))
    for slot, rows in ((together, slice(BOARDS)), (alone, slice(BOARDS - 1, BOARDS))):
        slot.spatial[:], slot.globals[:] = inputs[0][rows], inputs[1][rows]
        slot.start(len(slot.spatial))
        slot.wait()
    last = [each[-1] for each in inputs]
    policy, value, _, ownership = plain_forward.forward(architecture, *last)
    for name, expected in (("policy", policy), ("value", value), ("ownership", ownership)):
        got = getattr(alone, name)[0]
        assert np.abs(got - expected).max() < tolerance * np.abs(expected).max()
        np.testing.assert_array_equal(getattr(together, name)[-1], got)
