"""The input of a network that knows the players: KataGo's layout, the same outputs at first."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from engine.networks.fresh import fresh_architecture
from engine.networks.human_profile import ranked_profile
from engine.networks.one_policy import one_policy
from engine.networks.sparring import read_sparring, write_sparring
from engine.training.go.distill import Machine
from engine.training.go.rank_inputs import RANKS, profiles_of, strongest, with_rank_inputs
from engine.training.go.start import student_of
from engine.training.go.student import Student, new_student, shape_of, student_shape
from engine.training.go.teacher import ranked_network, teacher_of

MACHINE = Machine(torch.device("cpu"), torch.float32, torch.float32)


def some_rows(rows: int) -> tuple[torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(rows)
    planes = torch.rand(rows, 22, 7, 7, generator=generator) < 0.2
    return planes.to(torch.uint8), torch.randn(rows, 19, generator=generator)


def learned_student() -> Student:
    """A student whose encoder learned something."""
    student = with_rank_inputs(new_student("small", student_shape(2, 32), seed=1))
    encoder = student.network.encoder
    assert encoder is not None
    with torch.no_grad():
        encoder.last.weight.normal_(generator=torch.Generator().manual_seed(1))
    return student


def test_ranks_have_the_inputs_of_a_profile() -> None:
    ranks = torch.tensor([(1.0, 29.0), (17.4, 9.0), (34.0, 1.0)])
    for row, (own, other) in zip(profiles_of(ranks), ranks.tolist(), strict=True):
        profile = ranked_profile(own, other).row(0, 361)
        np.testing.assert_allclose(row[RANKS], profile[RANKS], atol=1e-5)
        assert torch.count_nonzero(row) == torch.count_nonzero(row[RANKS])


def test_an_unknown_player_has_no_input() -> None:
    assert not profiles_of(torch.zeros(2, 2)).any()


def test_a_student_begins_with_the_same_outputs_whoever_plays() -> None:
    student = new_student("small", student_shape(2, 12), seed=1)
    planes, globals_ = some_rows(3)
    before = MACHINE.answers(student.network.eval(), planes, globals_)
    knowing = with_rank_inputs(student)
    for ranks in (None, torch.tensor([(29.0, 1.0)] * 3)):
        after = MACHINE.answers(knowing.network.eval(), planes, globals_, ranks)
        for part, other in zip(before, after, strict=True):
            assert torch.equal(part, other)
    assert with_rank_inputs(knowing) is knowing


def test_the_other_inputs_of_a_profile_have_no_weight() -> None:
    encoder = with_rank_inputs(new_student("small", student_shape(2, 12), seed=1)).network.encoder
    assert encoder is not None
    weights = encoder.first.weight.detach().clone()
    assert weights[RANKS].abs().min() > 0
    weights[RANKS] = 0
    assert not weights.any()


def test_a_network_read_back_becomes_a_student_again(tmp_path: Path) -> None:
    network = one_policy(learned_student().network.export())
    write_sparring(tmp_path / "network.safetensors", network, {})
    student = student_of(read_sparring(tmp_path / "network.safetensors"))
    planes, globals_ = some_rows(2)
    ranks = torch.tensor([(20.0, 3.0), (5.0, 5.0)])
    expected = MACHINE.answers(learned_student().network.eval(), planes, globals_, ranks)
    found = MACHINE.answers(student.network.eval(), planes, globals_, ranks)
    torch.testing.assert_close(found.policy[:, 0], expected.policy[:, 0], atol=0.02, rtol=0.01)


def test_a_network_is_asked_by_ranks_and_by_default_as_9_dan() -> None:
    network = one_policy(learned_student().network.export())
    planes, globals_ = some_rows(2)
    ranked = ranked_network(network, MACHINE, threads=1)
    plain = teacher_of(network, MACHINE, threads=1)(planes, globals_).policy
    assert torch.equal(plain, ranked(planes, globals_, strongest(2)).policy)
    weak = torch.tensor([(20.0, 3.0), (1.0, 1.0)])
    mixed = ranked(planes, globals_, weak).policy
    assert not torch.allclose(mixed[0], plain[0], atol=1e-3)
    assert torch.equal(mixed[1], plain[1])


def test_a_network_without_the_input_ignores_ranks() -> None:
    network = fresh_architecture("plain", shape_of(2, 32), np.random.default_rng(1))
    planes, globals_ = some_rows(2)
    answers = ranked_network(network, MACHINE, threads=1)
    weak = torch.tensor([(20.0, 3.0)] * 2)
    assert torch.equal(answers(planes, globals_).policy, answers(planes, globals_, weak).policy)
