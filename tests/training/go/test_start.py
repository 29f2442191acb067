"""A student that begins with a network: the same outputs, statistics of its positions."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest
import torch

from engine.errors import SettingError
from engine.networks.fresh import fresh_architecture
from engine.networks.sparring import write_sparring
from engine.networks.torch_layers import Norm
from engine.networks.torch_model import TorchNetwork
from engine.training.go.distill import Machine
from engine.training.go.positions import BoardShare, QuickGoGames
from engine.training.go.start import earlier_student, split_statistics, student_of
from engine.training.go.student import (
    Checkpoint,
    Totals,
    read_checkpoint,
    shape_of,
    write_checkpoint,
)
from engine.training.go.teacher import teacher_of
from engine.training.go.validation import draw_samples

BOARDS = (BoardShare(7, 7, 1.0), BoardShare(5, 8, 1.0))
MACHINE = Machine(torch.device("cpu"), torch.float32, torch.float32)
NETWORK = fresh_architecture("small", shape_of(2, 12), np.random.default_rng(3))


def some_rows(rows: int, seed: int) -> tuple[torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(seed)
    planes = torch.rand(rows, 22, 7, 7, generator=generator) < 0.2
    return planes.to(torch.uint8), torch.randn(rows, 19, generator=generator)


@torch.no_grad()
def assert_same_outputs(student: TorchNetwork) -> None:
    """Asserts that both policies and all else are those of NETWORK."""
    planes, globals_ = some_rows(4, seed=9)
    expected = TorchNetwork(NETWORK).eval()(planes.float(), globals_)
    for part, other in zip(student.eval()(planes.float(), globals_), expected, strict=True):
        torch.testing.assert_close(part, other.expand_as(part), atol=1e-4, rtol=1e-4)


def test_a_student_computes_what_its_network_does() -> None:
    student = student_of(NETWORK)
    assert student.name == "small"
    assert_same_outputs(student.network)


def test_statistics_are_those_of_the_inputs_and_change_no_output() -> None:
    student = student_of(NETWORK)
    first, last = student.network.blocks[0].before, student.network.tip
    assert isinstance(first, Norm)
    assert isinstance(last, Norm)
    split_statistics(student.network, [some_rows(16, seed=1), some_rows(8, seed=2)])
    assert_same_outputs(student.network)
    seen: list[torch.Tensor] = []
    last.register_forward_pre_hook(lambda _, values: seen.append(values[0]))
    for seed, rows in ((1, 16), (2, 8)):
        planes, globals_ = some_rows(rows, seed)
        student.network.eval()(planes.float(), globals_)
    values = torch.cat(seen).transpose(0, 1).flatten(1).detach()
    torch.testing.assert_close(last.mean, values.mean(1), atol=1e-4, rtol=1e-3)
    torch.testing.assert_close(last.variance, values.var(1, correction=0), atol=1e-4, rtol=1e-3)


def test_learning_continues_near_the_network(tmp_path: Path) -> None:
    path = tmp_path / "network.safetensors"
    write_sparring(path, NETWORK, {})
    student = earlier_student(path, BOARDS[:1], MACHINE, 1)
    assert (student.origin, student.totals) == ("small of network.safetensors", Totals())
    games = QuickGoGames(BOARDS[0], 8, seed=7, threads=1, pinned=False)
    samples = draw_samples(
        teacher_of(NETWORK, MACHINE, 1), games, positions=200, device=MACHINE.device
    )
    planes, globals_ = samples.planes, samples.globals
    with torch.no_grad():
        at_rest = student.network.eval()(planes.float(), globals_)
        learning = student.network.train()(planes.float(), globals_)
        plain = student_of(NETWORK).network.train()(planes.float(), globals_)
    # Without the statistics a batch in training has quite other outputs than in play.
    apart, unmeasured = (float((part.policy - at_rest.policy).std()) for part in (learning, plain))
    assert apart < 0.3 * unmeasured, (apart, unmeasured)


def test_the_origin_tells_the_training_on_the_card(tmp_path: Path) -> None:
    path = tmp_path / "network.safetensors"
    totals = asdict(Totals(seconds=120.0, positions=4_000))
    write_sparring(path, NETWORK, {"teacher": "a teacher", "totals": totals})
    student = earlier_student(path, BOARDS, MACHINE, 1)
    told = "small of network.safetensors (4,000 positions in 2 minutes, judged by a teacher)"
    assert student.origin == told
    write_checkpoint(Checkpoint(student), tmp_path / "checkpoint.safetensors")
    assert read_checkpoint(tmp_path / "checkpoint.safetensors").student.origin == told


def test_a_network_of_another_shape_is_refused(tmp_path: Path) -> None:
    other = fresh_architecture("other", replace(shape_of(2, 12), head=8), np.random.default_rng(3))
    path = tmp_path / "network.safetensors"
    for wrong in (other, replace(NETWORK, tip=replace(NETWORK.tip, activation="mish"))):
        write_sparring(path, wrong, {})
        with pytest.raises(SettingError, match="another shape than the networks that learn"):
            earlier_student(path, BOARDS, MACHINE, 1)


def test_a_file_of_neither_kind_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "games.zip"
    path.write_bytes(b"neither")
    with pytest.raises(SettingError, match=r"no checkpoint of a student.*as a network"):
        earlier_student(path, BOARDS, MACHINE, 1)
