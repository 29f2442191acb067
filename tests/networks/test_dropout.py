"""Damaged networks: the outputs affected, the amount, the seeds, and agreement of all backends."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

from engine.networks.architecture import Architecture
from engine.networks.native_backend import NativeEvaluator
from engine.networks.openvino_backend import OpenVinoEvaluator
from engine.networks.rollout_evaluator import RolloutEvaluator
from engine.networks.torch_backend import TorchEvaluator
from tests.support.networks.backends import has_gpu
from tests.support.networks.shapes import network, positions

OUTPUTS = ("policy", "value", "misc", "ownership")
NAMES = ("version 8", "version 15, metadata", "othello", "connect4")
MAKERS: dict[str, Any] = {
    "native": lambda architecture: NativeEvaluator(architecture, precision="fp32", threads=2),
    "torch": lambda architecture: TorchEvaluator(architecture, precision="fp32"),
}
if has_gpu():
    MAKERS["cuda"] = partial(TorchEvaluator, device="cuda", precision="fp32")


def filled(evaluator: Any, architecture: Architecture, rows: int) -> Any:
    """A slot with so many rows of one position, on a board that is not square."""
    slot = evaluator.open(5, 6, rows)
    inputs = positions(architecture, np.random.default_rng(3), 1, 6, 5)
    slot.spatial[:], slot.globals[:], slot.metadata[:] = inputs
    return slot


def outputs(slot: Any, dropout: float, seed: int = 0, rows: int | None = None) -> Any:
    """The outputs of the rows, by name."""
    slot.dropout, slot.dropout_seed = dropout, seed
    slot.start(rows or len(slot.spatial))
    slot.wait()
    return {name: getattr(slot, name).copy() for name in OUTPUTS}


def linear(architecture: Architecture) -> Architecture:
    """The network without an activation in the value's hidden layer: means pass through it."""
    return replace(architecture, value=replace(architecture.value, hidden_activation="identity"))


@pytest.mark.parametrize("backend", MAKERS)
@pytest.mark.parametrize("name", NAMES)
def test_only_outputs_of_damaged_layers_change(name: str, backend: str) -> None:
    architecture = network(name)
    slot = filled(MAKERS[backend](architecture), architecture, 2)
    plain, damaged, again = outputs(slot, 0.0), outputs(slot, 0.5), outputs(slot, 0.0, seed=9)
    for output in OUTPUTS:
        np.testing.assert_array_equal(plain[output], again[output])
    for output in ("policy", "value", "misc"):
        assert not np.allclose(plain[output], damaged[output], atol=1e-3)
        assert not np.allclose(damaged[output][0], damaged[output][1], atol=1e-3)  # two masks
    np.testing.assert_array_equal(plain["ownership"], damaged["ownership"])


@pytest.mark.parametrize("backend", MAKERS)
def test_masks_are_the_seeds_and_new_for_each_evaluation(backend: str) -> None:
    architecture = network("othello")
    evaluator = MAKERS[backend](architecture)

    def policies(seed: int, batches: list[int]) -> Any:
        slot = filled(evaluator, architecture, 6)
        return np.concatenate([outputs(slot, 0.5, seed, rows)["policy"][:rows] for rows in batches])

    first = policies(7, [6])
    assert len(np.unique(first.round(4), axis=0)) == 6
    np.testing.assert_allclose(policies(7, [1, 3, 2]), first, atol=1e-5)
    assert not np.isclose(policies(8_000_000, [6]), first, atol=1e-3).all(1).any()


@pytest.mark.parametrize("name", NAMES)
def test_the_mean_of_many_masks_is_the_whole_network(name: str) -> None:
    architecture = linear(network(name))
    slot = filled(MAKERS["native"](architecture), architecture, 2000)
    damaged, plain = outputs(slot, 0.3, seed=5), outputs(slot, 0.0)
    for output in ("policy", "value", "misc"):
        of_mean = damaged[output].std(0) / np.sqrt(len(slot.spatial))
        assert (np.abs(damaged[output].mean(0) - plain[output][0]) < 5 * of_mean + 1e-4).all()
        told = plain[output][0] != 0  # absent numbers of misc stay 0
        assert (damaged[output].std(0)[told] > 0.01).all()


@pytest.mark.parametrize("name", NAMES)
def test_both_backends_drop_the_same_inputs(name: str) -> None:
    architecture = network(name)
    found = [
        outputs(filled(make(architecture), architecture, 5), 0.4, seed=0xFFFFFFFD)
        for make in MAKERS.values()
    ]
    for output in OUTPUTS:
        np.testing.assert_allclose(found[0][output], found[1][output], atol=2e-4, rtol=2e-4)


def test_the_share_that_is_dropped_is_the_probability() -> None:
    """A policy of ones with inputs of ones counts the remaining inputs."""
    architecture = network("othello")
    head = architecture.board_policy
    middle = replace(
        head.middle, scale=np.zeros_like(head.middle.scale), shift=np.ones_like(head.middle.shift)
    )
    moves = replace(head.moves, weights=np.ones_like(head.moves.weights))
    architecture = replace(architecture, policy=replace(head, middle=middle, moves=moves))
    slot = filled(MAKERS["native"](architecture), architecture, 400)
    left = outputs(slot, 0.25)["policy"][:, :30] * 0.75
    np.testing.assert_allclose(left, left.round(), atol=1e-4)
    inputs = left.size * head.moves.inputs
    assert abs(left.sum() / inputs - 0.75) < 5 * np.sqrt(0.25 * 0.75 / inputs)


def test_evaluators_without_dropout_refuse_it_clearly() -> None:
    architecture = network("othello")
    slot: Any = OpenVinoEvaluator(architecture, precision="fp32").open(6, 6, 1)
    slot.dropout = 0.5
    with pytest.raises(ValueError, match="backend openvino cannot damage a network: choose native"):
        slot.start(1)
    slot = RolloutEvaluator("othello").open(6, 6, 1)
    slot.dropout = 0.5
    with pytest.raises(ValueError, match="rollouts have no network to damage"):
        slot.start(1)


@pytest.mark.parametrize("backend", MAKERS)
@pytest.mark.parametrize("dropout", [1.0, -0.1, float("nan")])
def test_a_dropout_is_a_probability_below_1(backend: str, dropout: float) -> None:
    slot = MAKERS[backend](network("othello")).open(6, 6, 1)
    slot.dropout = dropout
    with pytest.raises(ValueError, match=f"dropout {dropout} is not a probability below 1"):
        slot.start(1)
