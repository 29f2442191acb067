"""Every backend against the plain forward pass, on every kind of architecture."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from engine.networks import native_backend
from engine.networks.architecture import Architecture, Block, FeedForward, Residual
from engine.networks.native_backend import NativeEvaluator, native_precisions
from engine.networks.openvino_backend import OpenVinoEvaluator, batches
from engine.networks.torch_backend import TorchEvaluator
from engine.networks.torch_model import TorchNetwork
from tests.support.instructions import INSTRUCTION_SETS, skip_unless_present
from tests.support.networks import plain_forward
from tests.support.networks.backends import has_gpu
from tests.support.networks.plain_transformer import feed_forward_in_bytes
from tests.support.networks.shapes import SHAPES, network, positions
from tests.support.networks.transformers import TRANSFORMERS

IN_WORDS = ["avx2", "avx2-vnni", "avx512-vnni", "avx512-bf16"]  # sets of instructions
SIZES = [(7, 7), (9, 13), (19, 2)]  # height, width
TOLERANCE = 2e-4


def openvino(architecture: Architecture) -> Any:
    return OpenVinoEvaluator(architecture, precision="fp32", threads=2)


def torch_on_cpu(architecture: Architecture) -> Any:
    return TorchEvaluator(architecture, device="cpu", precision="fp32")


def torch_on_gpu(architecture: Architecture) -> Any:
    return TorchEvaluator(architecture, device="cuda", precision="fp32")


def native(instructions: str) -> Callable[[Architecture], NativeEvaluator]:
    return lambda architecture: NativeEvaluator(
        architecture, precision="fp32", threads=2, instructions=instructions
    )


MAKERS: dict[str, Callable[[Architecture], Any]] = {
    "native": native(""),
    **{f"native {name}": native(name) for name in INSTRUCTION_SETS},
    "openvino": openvino,
    "torch": torch_on_cpu,
    **({"cuda": torch_on_gpu} if has_gpu() else {}),
}


def maker(backend: str) -> Callable[[Architecture], Any]:
    """The row of MAKERS; skips one whose instructions are absent."""
    name = backend.removeprefix("native ")
    if name in INSTRUCTION_SETS:
        skip_unless_present(name)
    return MAKERS[backend]


def expected_rows(
    architecture: Architecture,
    spatial: NDArray[Any],
    globals_: NDArray[Any],
    metadata: NDArray[Any],
    optimism: NDArray[Any],
) -> Any:
    rows = zip(spatial, globals_, metadata, optimism, strict=True)
    return [plain_forward.forward(architecture, *row) for row in rows]


def assert_slot_matches(slot: Any, expected: Any) -> None:
    for row, (policy, value, misc, ownership) in enumerate(expected):
        np.testing.assert_allclose(slot.policy[row], policy, atol=TOLERANCE, rtol=TOLERANCE)
        np.testing.assert_allclose(slot.value[row], value, atol=TOLERANCE, rtol=TOLERANCE)
        padded = np.zeros(6)
        padded[: len(misc)] = misc
        np.testing.assert_allclose(slot.misc[row], padded, atol=TOLERANCE, rtol=TOLERANCE)
        np.testing.assert_allclose(slot.ownership[row], ownership, atol=TOLERANCE, rtol=TOLERANCE)


def fill(slot: Any, rows: Sequence[Any]) -> None:
    for name, values in zip(("spatial", "globals", "metadata", "optimism"), rows, strict=False):
        getattr(slot, name)[: len(values)] = values


def evaluated(evaluator: Any, inputs: Sequence[Any], capacity: int = 0) -> Any:
    """A slot with the outputs of all rows of the inputs; capacity: of the slot, 0 for just them."""
    rows, _, height, width = inputs[0].shape
    slot = evaluator.open(width, height, capacity or rows)
    fill(slot, inputs)
    slot.start(rows)
    slot.wait()
    return slot


def answers(slot: Any, expected: Any) -> list[tuple[Any, Any]]:
    """Policy, value and ownership of each row of a slot, beside the expected ones."""
    return [
        pair
        for row, (policy, value, _, ownership) in enumerate(expected)
        for pair in (
            (slot.policy[row], policy),
            (slot.value[row], value),
            (slot.ownership[row], ownership),
        )
    ]


def distance(slot: Any, expected: Any) -> float:
    """The mean difference of a slot's outputs from the rows expected, as a share of their size."""
    pairs = answers(slot, expected)
    return float(
        np.mean([np.abs(one - other).mean() / np.abs(other).max() for one, other in pairs])
    )


@pytest.mark.parametrize("instructions", IN_WORDS)
def test_words_are_usual_for_transformers_alone(
    instructions: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    skip_unless_present(instructions)
    monkeypatch.setattr(native_backend, "is_faster", lambda precision, _name: precision == "int16")
    found = [
        NativeEvaluator(network(name), instructions=instructions).precision
        for name in ("othello", "transformer", "transformer of bottlenecks")
    ]
    assert found == ["fp32", "int16", "int16"]


@pytest.mark.parametrize(
    ("precision", "blocks"),
    [("int8", "feed-forward layers"), ("int16", "bottlenecks and transformers")],
)
def test_whole_numbers_are_for_transformers_alone(precision: str, blocks: str) -> None:
    if precision not in native_precisions():
        pytest.skip(f"the processor has no {precision}")
    with pytest.raises(ValueError, match=f"{precision} is for {blocks}, and it has none"):
        NativeEvaluator(network("othello"), precision=precision)


@pytest.mark.parametrize("backend", MAKERS)
@pytest.mark.parametrize("name", [*SHAPES, *TRANSFORMERS])
def test_outputs_are_those_of_the_plain_forward_pass(name: str, backend: str) -> None:
    architecture = network(name)
    evaluator = maker(backend)(architecture)
    rng = np.random.default_rng(3)
    for height, width in SIZES:
        inputs = (*positions(architecture, rng, 3, height, width), rng.random(3).astype("f4"))
        slot = evaluated(evaluator, inputs, capacity=4)
        assert_slot_matches(slot, expected_rows(architecture, *inputs))


@pytest.mark.parametrize("instructions", ["avx2-vnni", "avx512-vnni"])
@pytest.mark.parametrize("name", TRANSFORMERS)
def test_the_native_backend_in_int8_has_products_of_bytes(
    name: str, instructions: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    skip_unless_present(instructions)
    architecture = network(name)
    evaluator = NativeEvaluator(
        architecture, precision="int8", threads=2, instructions=instructions
    )
    rng = np.random.default_rng(4)
    for height, width in SIZES:
        inputs = (*positions(architecture, rng, 2, height, width), np.zeros(2))
        slot = evaluated(evaluator, inputs)
        exact = expected_rows(architecture, *inputs)
        with monkeypatch.context() as patch:
            patch.setitem(plain_forward.BRANCHES, FeedForward, feed_forward_in_bytes)
            rounded = expected_rows(architecture, *inputs)
        # A number halfway between two bytes may fall to either side; the rest is in words.
        assert distance(slot, rounded) < 0.3 * distance(slot, exact) < 0.03


@pytest.mark.parametrize("instructions", IN_WORDS)
@pytest.mark.parametrize("name", [*TRANSFORMERS, "version 14, nested"])
def test_the_native_backend_in_int16_is_near_the_plain_forward_pass(
    name: str, instructions: str
) -> None:
    skip_unless_present(instructions)
    architecture = network(name)
    single, words = (
        NativeEvaluator(architecture, precision=precision, threads=2, instructions=instructions)
        for precision in ("fp32", "int16")
    )
    rng = np.random.default_rng(5)
    for height, width in SIZES:
        inputs = (*positions(architecture, rng, 2, height, width), np.zeros(2))
        slot = evaluated(words, inputs)
        assert distance(slot, expected_rows(architecture, *inputs)) < 1e-3
        assert not np.array_equal(slot.policy, evaluated(single, inputs).policy)


@pytest.mark.parametrize("instructions", IN_WORDS)
def test_the_largest_sums_of_words_fit(instructions: str) -> None:
    """Each of equal units is the largest of its row, and so is each weight of its column."""
    skip_unless_present(instructions)
    drawn = network("transformer")
    blocks = tuple(with_equal_units(block) for block in drawn.blocks)
    architecture = replace(drawn, blocks=blocks)
    evaluator = NativeEvaluator(architecture, precision="int16", instructions=instructions)
    inputs = (*positions(architecture, np.random.default_rng(6), 2, 9, 9), np.zeros(2))
    assert distance(evaluated(evaluator, inputs), expected_rows(architecture, *inputs)) < 1e-3


def with_equal_units(block: Block) -> Block:
    """The same block; each unit of a feed-forward layer has the weights of the first."""
    if not isinstance(block, FeedForward):
        return block
    linear, gate = (
        replace(layer, weights=np.repeat(layer.weights[:, :1], layer.weights.shape[1], 1))
        for layer in (block.linear, block.gate)
    )
    out = replace(block.out, weights=np.repeat(block.out.weights[:1], len(block.out.weights), 0))
    return replace(block, linear=linear, gate=gate, out=out)


@pytest.mark.parametrize("instructions", ["avx512-bf16", "amx-bf16"])
@pytest.mark.parametrize("name", SHAPES)
def test_the_native_backend_in_bf16_is_near_the_plain_forward_pass(
    name: str, instructions: str
) -> None:
    skip_unless_present(instructions)
    architecture = network(name)
    evaluator = NativeEvaluator(
        architecture, precision="bf16", threads=2, instructions=instructions
    )
    rng = np.random.default_rng(3)
    for height, width in SIZES:
        inputs = (*positions(architecture, rng, 2, height, width), np.zeros(2))
        slot = evaluated(evaluator, inputs)
        for found, expected in answers(slot, expected_rows(architecture, *inputs)):
            assert np.abs(found - expected).max() < 0.05 * np.abs(expected).max()
            assert not np.array_equal(found, expected)


@pytest.mark.parametrize("backend", MAKERS)
def test_any_number_of_rows_is_evaluated_and_no_others(backend: str) -> None:
    architecture = network("version 8")
    evaluator = maker(backend)(architecture)
    rng = np.random.default_rng(4)
    inputs = (*positions(architecture, rng, 7, 5, 5), np.zeros(7, "f4"))
    expected = expected_rows(architecture, *inputs)
    slot = evaluator.open(5, 5, 7)
    fill(slot, inputs)
    for rows in range(1, 8):
        slot.policy[:] = slot.value[:] = slot.misc[:] = slot.ownership[:] = 99
        slot.start(rows)
        slot.wait()
        assert_slot_matches(slot, expected[:rows])
        assert (slot.policy[rows:] == 99).all()


@pytest.mark.parametrize("backend", MAKERS)
@pytest.mark.parametrize("rows", [0, -1, 5])
def test_wrong_numbers_of_rows_are_refused(backend: str, rows: int) -> None:
    slot = maker(backend)(network("version 8")).open(5, 5, 4)
    with pytest.raises(ValueError, match=f"cannot evaluate {rows} rows in a slot of 4"):
        slot.start(rows)


@pytest.mark.parametrize("backend", MAKERS)
def test_a_slot_cannot_be_started_twice(backend: str) -> None:
    slot = maker(backend)(network("version 8")).open(5, 5, 4)
    slot.start(4)
    with pytest.raises(RuntimeError, match="wait"):
        slot.start(4)
    slot.wait()
    slot.start(1)
    slot.wait()


@pytest.mark.parametrize("backend", MAKERS)
def test_sessions_share_an_evaluator_from_their_own_threads(backend: str) -> None:
    architecture = network("version 11, mish")
    evaluator = maker(backend)(architecture)
    failures = []

    def session(seed: int) -> None:
        rng = np.random.default_rng(seed)
        height, width = SIZES[seed % len(SIZES)]
        slot = evaluator.open(width, height, 3)
        for _ in range(5):
            inputs = (*positions(architecture, rng, 2, height, width), np.zeros(2, "f4"))
            fill(slot, inputs)
            slot.start(2)
            slot.wait()
            try:
                assert_slot_matches(slot, expected_rows(architecture, *inputs))
            except AssertionError as error:
                failures.append(error)

    threads = [threading.Thread(target=session, args=(seed,)) for seed in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_errors_of_the_torch_worker_reach_the_waiting_slot() -> None:
    evaluator = torch_on_cpu(network("version 8"))
    slot = evaluator.open(5, 5, 2)
    slot.globals = np.zeros((2, 7), np.float32)
    slot.start(2)
    with pytest.raises(ValueError, match="broadcast"):
        slot.wait()
    slot = evaluator.open(5, 5, 2)
    slot.start(2)
    slot.wait()
    evaluator.close()
    with pytest.raises(RuntimeError, match="closed"):
        slot.start(2)


@pytest.mark.parametrize("rows", [1, 2, 3, 7, 13, 64, 65, 127, 200])
def test_batches_cover_the_rows_once_with_powers_of_two(rows: int) -> None:
    found = batches(rows)
    covered = [row for first, size in found for row in range(first, first + size)]
    assert covered == list(range(rows))
    assert all(size & (size - 1) == 0 for _, size in found)


@pytest.mark.parametrize("name", [*SHAPES, *TRANSFORMERS])
def test_padded_boards_give_the_outputs_of_unpadded_ones(name: str) -> None:
    architecture = network(name)
    model = TorchNetwork(architecture).eval()
    rng = np.random.default_rng(6)
    side = 19
    spatial = torch.zeros(len(SIZES), architecture.planes.inputs, side, 13)
    mask = torch.zeros(len(SIZES), 1, side, 13)
    rows, globals_, metadata = [], [], []
    for index, (height, width) in enumerate(SIZES):
        row = positions(architecture, rng, 1, height, width)
        spatial[index, :, :height, :width] = torch.tensor(row[0][0])
        mask[index, :, :height, :width] = 1
        rows.append(row)
        globals_.append(row[1][0])
        metadata.append(row[2][0])
    with torch.no_grad():
        found = model(
            spatial, torch.tensor(np.array(globals_)), torch.tensor(np.array(metadata)), mask
        )
    for index, (height, width) in enumerate(SIZES):
        policy, value, _, ownership = plain_forward.forward(
            architecture, rows[index][0][0], rows[index][1][0], rows[index][2][0]
        )
        logits = found.policy[index, 0].numpy()
        if architecture.game == "connect4":
            logits = logits[:width]
        else:
            moves = logits[:-1].reshape(side, 13)[:height, :width]
            logits = np.append(moves.ravel(), logits[-1])
        np.testing.assert_allclose(logits, policy, atol=TOLERANCE, rtol=TOLERANCE)
        np.testing.assert_allclose(found.value[index], value, atol=TOLERANCE, rtol=TOLERANCE)
        points = found.ownership[index].reshape(side, 13)[:height, :width].ravel()
        np.testing.assert_allclose(points, ownership, atol=TOLERANCE, rtol=TOLERANCE)


@pytest.mark.parametrize("name", ["version 8", "version 15, metadata", *TRANSFORMERS])
def test_training_moves_the_weights_and_the_export_plays_like_the_module(name: str) -> None:
    architecture = network(name)
    model = TorchNetwork(architecture).train()
    rng = np.random.default_rng(7)
    spatial, globals_, metadata = map(torch.tensor, positions(architecture, rng, 8, 7, 7))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for _ in range(3):
        found = model(spatial.float(), globals_, metadata)
        loss = found.policy[:, 0].logsumexp(1).mean() + found.value.square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    exported = model.export()
    assert not np.array_equal(exported.planes.weights, architecture.planes.weights)
    with torch.no_grad():
        found = model(spatial.float(), globals_, metadata)
    policy, value, _, _ = plain_forward.forward(
        exported, spatial[0].numpy(), globals_[0].numpy(), metadata[0].numpy()
    )
    np.testing.assert_allclose(found.policy[0, 0], policy, atol=TOLERANCE, rtol=TOLERANCE)
    np.testing.assert_allclose(found.value[0], value, atol=TOLERANCE, rtol=TOLERANCE)


def test_a_masked_batch_normalizes_by_the_points_on_its_boards() -> None:
    architecture = network("version 8")
    alone, padded = TorchNetwork(architecture).train(), TorchNetwork(architecture).train()
    rng = np.random.default_rng(8)
    spatial, globals_, _ = map(torch.tensor, positions(architecture, rng, 4, 7, 7))
    wide = torch.zeros(4, architecture.planes.inputs, 9, 11)
    wide[:, :, :7, :7] = spatial
    mask = torch.zeros(4, 1, 9, 11)
    mask[:, :, :7, :7] = 1
    first = alone(spatial.float(), globals_)
    second = padded(wide, globals_, None, mask)
    np.testing.assert_allclose(
        first.value.detach(), second.value.detach(), atol=TOLERANCE, rtol=TOLERANCE
    )
    one, two = (model.state_dict()["tip.variance"] for model in (alone, padded))
    np.testing.assert_allclose(one, two, atol=TOLERANCE, rtol=TOLERANCE)


@pytest.mark.parametrize("backend", MAKERS)
def test_dilated_convolutions(backend: str) -> None:
    architecture = network("version 8")
    block = architecture.blocks[0]
    assert isinstance(block, Residual)
    block = replace(block, first=replace(block.first, dilation=(2, 3)))
    architecture = replace(architecture, blocks=(block, *architecture.blocks[1:]))
    rng = np.random.default_rng(9)
    inputs = (*positions(architecture, rng, 1, 9, 7), np.zeros(1, "f4"))
    slot = maker(backend)(architecture).open(7, 9, 1)
    fill(slot, inputs)
    slot.start(1)
    slot.wait()
    assert_slot_matches(slot, expected_rows(architecture, *inputs))
