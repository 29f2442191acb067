"""A student: the same from the same seed, kept whole in its checkpoint, at rest in the end."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from engine.networks.architecture import arrays
from engine.networks.checks import check
from engine.networks.one_policy import one_policy
from engine.networks.torch_model import Policy, TorchNetwork
from engine.training.go.student import (
    HUMAN,
    TAUGHT,
    Checkpoint,
    Student,
    StudentProgress,
    Totals,
    new_student,
    read_checkpoint,
    shape_of,
    student_shape,
    write_checkpoint,
)


def some_rows(rows: int, size: int) -> tuple[torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(3)
    planes = (torch.rand(rows, 22, size, size, generator=generator) < 0.2).float()
    return planes, torch.randn(rows, 19, generator=generator)


def a_student() -> Student:
    """Returns a student with changed running statistics."""
    student = new_student("small", student_shape(blocks=2, channels=12), seed=4)
    student.network(*some_rows(8, 9))
    return student


def test_a_new_student_is_a_well_formed_network() -> None:
    student = new_student("small", student_shape(blocks=3, channels=12), seed=4)
    check(student.network.export())
    assert student.parameters == sum(array.size for _, array in arrays(student.network.export()))


def test_the_seed_decides_the_first_weights() -> None:
    shape = student_shape(blocks=2, channels=12)
    first, same, other = (new_student("x", shape, seed).network.planes.weight for seed in (1, 1, 2))
    assert torch.equal(first, same)
    assert not torch.equal(first, other)


def test_a_checkpoint_keeps_everything(tmp_path: Path) -> None:
    student = a_student().after(Totals(60.0, 1000, 10))
    progress = StudentProgress(steps=3, seconds=1.5, positions=70, human_positions=20, drawn=[1, 2])
    path = tmp_path / "checkpoint.safetensors"
    write_checkpoint(Checkpoint(student, progress, {"average.x": torch.arange(3)}), path)
    again = read_checkpoint(path)
    assert (again.student.name, again.student.shape) == (student.name, student.shape)
    assert again.student.totals == student.totals
    assert again.progress == progress
    assert again.finished().totals == Totals(61.5, 1070, 13, 20)
    assert {name: part.tolist() for name, part in again.tensors.items()} == {"average.x": [0, 1, 2]}
    kept = again.student.network.state_dict()
    assert all(torch.equal(kept[name], part) for name, part in student.network.state_dict().items())
    assert [left.name for left in tmp_path.iterdir()] == ["checkpoint.safetensors"]


def test_a_checkpoint_with_one_policy_gets_a_second(tmp_path: Path) -> None:
    shape = shape_of(blocks=2, channels=12)
    early = new_student("small", shape, seed=4)
    write_checkpoint(Checkpoint(early), tmp_path / "early")
    again = read_checkpoint(tmp_path / "early").student.network.eval()
    rows = some_rows(4, 9)
    for ours, other in zip(again(*rows), early.network.eval()(*rows), strict=True):
        torch.testing.assert_close(ours, other.expand_as(ours))


def test_what_is_no_checkpoint_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.safetensors"
    path.write_bytes(b"nothing of the kind")
    with pytest.raises(ValueError, match="is no checkpoint of a student"):
        read_checkpoint(path)


def test_each_policy_is_a_network_of_its_own() -> None:
    both = a_student().network
    assert isinstance(both.policy, Policy)
    assert both.policy.pass_output is not None
    torch.nn.init.normal_(both.policy.pass_output.weight)
    rows = some_rows(4, 9)
    expected = both.eval()(*rows)
    for policy in (TAUGHT, HUMAN):
        architecture = one_policy(both.export(), policy)
        check(architecture)
        found = TorchNetwork(architecture).eval()(*rows)
        torch.testing.assert_close(found.policy[:, 0], expected.policy[:, policy])
        torch.testing.assert_close(found.value, expected.value)
        torch.testing.assert_close(found.ownership, expected.ownership)


def test_frozen_norms_stay_while_the_rest_learns() -> None:
    student = a_student()
    before = {name: part.clone() for name, part in student.network.named_buffers()}
    student.network.train()
    student.freeze_norms()
    student.network(*some_rows(4, 7))
    assert all(torch.equal(part, before[name]) for name, part in student.network.named_buffers())
    student.network.train()
    student.network(*some_rows(4, 7))
    assert not all(
        torch.equal(part, before[name]) for name, part in student.network.named_buffers()
    )


def test_normalization_is_the_same_with_a_mask_that_hides_nothing() -> None:
    with_mask, without = (
        new_student("small", student_shape(2, 12), seed=4).network for _ in range(2)
    )
    rows = some_rows(8, 9)
    masked = with_mask(*rows, mask=torch.ones(8, 1, 9, 9))
    for part, other in zip(masked, without(*rows), strict=True):
        torch.testing.assert_close(part, other, atol=1e-4, rtol=1e-4)
    other_state = without.state_dict()
    for name, part in with_mask.state_dict().items():
        torch.testing.assert_close(part, other_state[name], atol=1e-3, rtol=1e-3)
