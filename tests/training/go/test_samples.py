"""Samples: boards turned and turned back, impossible outputs left out, human moves."""

from __future__ import annotations

import pytest
import torch

from engine.networks.torch_model import Outputs
from engine.training.go.positions import PositionRows
from engine.training.go.samples import (
    NOBODY,
    label,
    masked_policy,
    masked_value,
    symmetries,
    turn,
    turn_back,
    turn_points,
    turn_samples,
    unlabelled,
)


def cells(height: int, width: int) -> torch.Tensor:
    return torch.arange(height * width, dtype=torch.float32).reshape(1, 1, height, width)


# Where the cells of
#   0 1 2
#   3 4 5
# stand after each symmetry: bit 0 flips y, bit 1 flips x, bit 2 then transposes.
TURNED = {
    0: [[0, 1, 2], [3, 4, 5]],
    1: [[3, 4, 5], [0, 1, 2]],
    2: [[2, 1, 0], [5, 4, 3]],
    3: [[5, 4, 3], [2, 1, 0]],
    4: [[0, 3], [1, 4], [2, 5]],
    5: [[3, 0], [4, 1], [5, 2]],
    6: [[2, 5], [1, 4], [0, 3]],
    7: [[5, 2], [4, 1], [3, 0]],
}


@pytest.mark.parametrize("symmetry", TURNED)
def test_boards_turn_and_turn_back(symmetry: int) -> None:
    board = cells(2, 3)
    turned = turn(board, symmetry)
    assert turned[0, 0].tolist() == TURNED[symmetry]
    assert torch.equal(turn_back(turned, symmetry), board)


def test_rectangles_keep_their_shape_under_half_of_the_symmetries() -> None:
    assert (symmetries(9, 9), symmetries(9, 13)) == (8, 4)
    assert all(turn(cells(2, 3), symmetry).shape == (1, 1, 2, 3) for symmetry in range(4))


def test_passing_stays_last() -> None:
    moves = torch.tensor([[0.0, 1, 2, 3, 4, 5, 99]])
    assert turn_points(moves, torch.Size((1, 22, 2, 3)), 3).tolist() == [[5, 4, 3, 2, 1, 0, 99]]


def rows(count: int, height: int, width: int) -> PositionRows:
    generator = torch.Generator().manual_seed(1)
    planes = torch.randint(0, 2, (count, 22, height, width), generator=generator)
    legal = torch.ones(count, height * width + 1, dtype=torch.uint8)
    legal[:, 2] = 0
    return PositionRows(planes.to(torch.uint8), torch.randn(count, 19, generator=generator), legal)


def equivariant(planes: torch.Tensor, globals_: torch.Tensor) -> Outputs:
    """A network equivariant under turns: it likes points of plane 3."""
    points = planes[:, 3].flatten(1).float()
    return Outputs(
        torch.cat((points, points.new_zeros(len(points), 1)), dim=1)[:, None],
        globals_[:, :3],
        globals_[:, 3:9],
        points,
    )


@pytest.mark.parametrize("turns", [range(8), (5, 6)])
def test_a_teacher_that_turns_with_the_board_says_the_same_turned(turns: range) -> None:
    asked = rows(3, 5, 5)
    upright, logits = label(equivariant, asked, [0])
    turned, _ = label(equivariant, asked, list(turns))
    torch.testing.assert_close(turned.policy, upright.policy)
    torch.testing.assert_close(turned.ownership, upright.ownership)
    torch.testing.assert_close(logits.softmax(dim=1), upright.policy.float(), atol=1e-3, rtol=0)


def test_a_sample_turns_as_one() -> None:
    samples, _ = label(equivariant, rows(3, 5, 7), [0])
    turned = turn_samples(samples, 3)
    again, _ = label(equivariant, PositionRows(turned.planes, turned.globals, turned.legal), [0])
    for part, other in zip(turned, again, strict=True):
        torch.testing.assert_close(part, other)


def test_what_the_rules_forbid_has_no_probability() -> None:
    policy = masked_policy(torch.zeros(1, 4), torch.tensor([[1, 0, 1, 0]], dtype=torch.uint8))
    assert policy.tolist() == [[0.5, 0, 0.5, 0]]
    simple_ko, superko, territory = torch.zeros(19), torch.zeros(19), torch.zeros(19)
    superko[6] = 1
    territory[6] = territory[9] = 1
    value = masked_value(torch.zeros(3, 3), torch.stack((simple_ko, superko, territory)))
    assert (value[:, 2] > 0).tolist() == [True, False, True]
    torch.testing.assert_close(value.sum(dim=1), torch.ones(3))


def test_a_human_move_turns_with_the_policy() -> None:
    """A sample with its policy on the human's move keeps it there in every symmetry."""
    samples = unlabelled(rows(36, 5, 7))
    moves = torch.arange(36)
    policy = torch.nn.functional.one_hot(moves, 36).half()
    samples = samples._replace(policy=policy, human=moves)
    for symmetry in range(4):
        turned = turn_samples(samples, symmetry)
        assert torch.equal(turned.policy.argmax(dim=1), turned.human)
    nobody = samples._replace(human=torch.full((36,), NOBODY))
    assert torch.equal(turn_samples(nobody, 3).human, nobody.human)
