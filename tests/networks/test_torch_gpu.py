"""The GPU's path of the torch backend, as far as a machine without a GPU can run it."""

from __future__ import annotations

import gc
import threading
import time
import weakref
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from engine.networks import runtime, torch_backend
from engine.networks.katago import read_katago
from engine.networks.torch_backend import TorchEvaluator
from engine.networks.torch_card import float32_products, memory_errors_in_words
from engine.networks.torch_dropout import Dropout
from engine.networks.torch_model import TorchNetwork
from tests.networks.test_backends import fill
from tests.support.gpu.agreement import cases
from tests.support.gpu.settings import B6, B10, VARIANTS, Settings
from tests.support.networks.backends import choose_usual
from tests.support.networks.katago_reference import reference_position, size_of
from tests.support.networks.recorded_card import RecordedCard
from tests.support.networks.shapes import SHAPES, network, positions
from tests.support.networks.transformers import TRANSFORMERS

SIZES = [(7, 7), (5, 9)]  # height, width


@pytest.fixture
def cards(monkeypatch: pytest.MonkeyPatch) -> list[RecordedCard]:
    """The cards of all workers, which record on the CPU."""
    made: list[RecordedCard] = []

    def card_of(device: torch.device, *, uses_graphs: bool) -> RecordedCard:
        made.append(RecordedCard())
        return made[-1]

    monkeypatch.setattr(torch_backend, "card_of", card_of)
    return made


@pytest.mark.parametrize("name", [*SHAPES, *TRANSFORMERS])
def test_a_recorded_batch_computes_the_inputs_of_each_run(
    name: str, cards: list[RecordedCard]
) -> None:
    architecture = network(name)
    model = TorchNetwork(architecture).freeze()
    evaluator = TorchEvaluator(architecture, precision="fp32", workers=1)
    rng = np.random.default_rng(3)
    for height, width in (*SIZES, *SIZES):
        slot = evaluator.open(width, height, 4)
        for rows in (3, 4, 1):
            inputs = positions(architecture, rng, rows, height, width)
            spatial, globals_, metadata = map(torch.tensor, inputs)
            optimism = rng.random(rows).astype("f4")
            fill(slot, (*inputs, optimism))
            slot.policy[:] = 99
            slot.start(rows)
            slot.wait()
            expected = model(spatial.float(), globals_, metadata)
            policy = expected.policy[:, 0]
            if evaluator.network.policies > 1:
                share = torch.tensor(optimism)[:, None]
                policy = policy.lerp(expected.policy[:, 1], share)
            for found, wanted in (
                (slot.policy, policy),
                (slot.value, expected.value),
                (slot.misc, expected.misc),
                (slot.ownership, expected.ownership),
            ):
                np.testing.assert_allclose(found[:rows], wanted, atol=1e-4, rtol=1e-4)
            assert (slot.policy[rows:] == 99).all()
    (card,) = cards
    assert card.recorded == len(SIZES) * 2  # of 4 and of 1 row
    assert card.batches == len(SIZES) * 2 * 3


def test_a_recorded_dropout_follows_its_seed(cards: list[RecordedCard]) -> None:
    architecture = network("version 8")
    rng = np.random.default_rng(4)
    inputs = positions(architecture, rng, 3, 7, 7)

    def policies(evaluator: TorchEvaluator) -> list[Any]:
        slot = evaluator.open(7, 7, 3)
        fill(slot, inputs)
        slot.dropout, slot.dropout_seed = 0.3, 7
        found = []
        for _ in range(2):
            slot.start(3)
            slot.wait()
            found.append(slot.policy.copy())
        return found

    first, second = policies(TorchEvaluator(architecture, workers=1))
    assert cards[0].recorded == 1
    assert not np.allclose(first, second)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(torch_backend, "card_of", lambda device, uses_graphs: None)
        plain = policies(TorchEvaluator(architecture))
    np.testing.assert_allclose([first, second], plain, atol=1e-4)


def test_two_batches_are_in_flight_at_once(
    cards: list[RecordedCard], monkeypatch: pytest.MonkeyPatch
) -> None:
    both = threading.Barrier(2)
    monkeypatch.setattr(RecordedCard, "wait", lambda self: both.wait(timeout=20))
    evaluator = TorchEvaluator(network("version 8"), workers=2)
    slots = [evaluator.open(5, 5, 2), evaluator.open(6, 6, 2)]  # sizes that share no batch
    for slot in slots:
        slot.start(2)
    for slot in slots:
        slot.wait()
    assert [card.batches for card in cards] == [1, 1]


def test_an_unused_evaluator_ends_its_workers() -> None:
    evaluator = TorchEvaluator(network("version 8"), workers=2)
    slot = evaluator.open(5, 5, 2)
    slot.start(2)
    slot.wait()
    workers = [each for each in threading.enumerate() if "torch evaluator" in each.name]
    gone = weakref.ref(evaluator)
    del evaluator, slot
    gc.collect()
    assert gone() is None
    end = time.monotonic() + 10
    while any(worker.is_alive() for worker in workers[-2:]) and time.monotonic() < end:
        time.sleep(0.01)
    assert not any(worker.is_alive() for worker in workers[-2:])


def test_a_full_card_is_reported_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda device: (300 << 20, 8192 << 20))
    device = torch.device("cuda", 0)

    def broken_recording() -> None:
        """The end of a recording hides the error within it."""
        try:
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB")
        finally:
            raise RuntimeError("CUDA error: operation failed due to a previous error")

    with (
        pytest.raises(MemoryError, match="too little memory for a batch of 256: 300 of 8192 MiB"),
        memory_errors_in_words(device, "a batch of 256"),
    ):
        broken_recording()
    with pytest.raises(RuntimeError, match="other"), memory_errors_in_words(device, "a batch"):
        raise RuntimeError("other")


def test_a_network_too_large_for_the_card_is_refused_in_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def full(*_: object) -> None:
        raise torch.OutOfMemoryError("CUDA out of memory")

    monkeypatch.setattr(TorchNetwork, "freeze", full)
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda device: (1 << 20, 2 << 20))
    with pytest.raises(MemoryError, match="too little memory for the network"):
        TorchEvaluator(network("version 8"))


def test_the_tests_choose_a_usual_backend(monkeypatch: pytest.MonkeyPatch) -> None:
    before = dict(runtime.BACKENDS)
    try:
        choose_usual("torch")
        assert runtime.choose_backend() == "torch"
        assert before == runtime.BACKENDS
        missing = replace(before["cuda"], missing=lambda: "no NVIDIA driver")
        monkeypatch.setitem(runtime.BACKENDS, "cuda", missing)
        with pytest.raises(runtime.BackendError, match="'cuda' cannot be used: no NVIDIA driver"):
            choose_usual("cuda")
        assert runtime.choose_backend() == "torch"
    finally:
        runtime.BACKENDS.clear()
        runtime.BACKENDS.update(before)


@pytest.mark.parametrize("path", ["/proc/driver/nvidia", "/dev/nvidiactl", "/dev/dxg", None])
def test_torch_is_imported_where_a_driver_may_be(
    path: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Containers may lack the first path, Windows' subsystem for Linux has the last one alone."""
    monkeypatch.setattr(Path, "exists", lambda self: str(self) == path)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr("sys.platform", "linux")
    reason = runtime.BACKENDS["cuda"].missing()
    assert reason == (None if path else "no NVIDIA driver")


def test_full_products_are_no_tf32_and_leave_the_settings_of_training() -> None:
    parts = torch.backends.cudnn.conv, torch.backends.cuda.matmul  # type: ignore[attr-defined]
    before = [part.fp32_precision for part in parts]
    assert before[0] == "tf32", "torch's default changed: is float32_products needed?"
    with float32_products():
        assert [part.fp32_precision for part in parts] == ["ieee", "ieee"]
    assert [part.fp32_precision for part in parts] == before


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32], ids=str)
@pytest.mark.parametrize("name", [*SHAPES, *TRANSFORMERS])
def test_a_pass_on_the_gpu_mixes_no_devices_and_waits_for_nothing(
    name: str, dtype: torch.dtype
) -> None:
    """Tensors of torch's "meta" device have no values: to read one or to mix devices raises."""
    architecture = network(name)
    rows, side = 4, 7
    with torch.inference_mode():
        model = TorchNetwork(architecture).to("meta").freeze(dtype)
        spatial = torch.empty(
            rows, architecture.planes.inputs, side, side, dtype=dtype, device="meta"
        )
        globals_ = torch.empty(rows, architecture.globals.inputs, device="meta")
        encoder = architecture.metadata
        metadata = torch.empty(rows, encoder.first.inputs if encoder else 0, device="meta")
        seed = torch.empty(rows, dtype=torch.int64, device="meta")
        dropout = Dropout(torch.empty(rows, dtype=torch.float64, device="meta"), seed)
        for damage in (None, dropout):
            found = model(
                spatial.contiguous(memory_format=torch.channels_last),
                globals_,
                metadata,
                dropout=damage,
            )
            assert {part.device.type for part in found} == {"meta"}
            assert {part.dtype for part in found} == {torch.float32}


class LargestHalf(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """The largest number in half precision of all operations within it; infinite for NaN."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.largest = 0.0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        for part in tree_leaves(result):
            if isinstance(part, Tensor) and part.dtype == torch.float16 and part.numel():
                size = float(part.abs().max())
                self.largest = max(self.largest, float("inf") if np.isnan(size) else size)
        return result


@pytest.mark.parametrize("network_name", [B6, B10, *VARIANTS])
def test_half_precision_stays_far_below_its_largest_number(
    network_name: str, katago_data: Path
) -> None:
    """74 and 72 were the largest numbers of the first two on every fourth reference position."""
    settings = Settings(katago_data, "cpu")
    entries = dict(cases(settings))[network_name]
    small = [entry for entry in entries if max(size_of(entry)) <= 9][:1]
    model = TorchNetwork(read_katago(settings.path(network_name))).freeze(torch.float16)
    for entry in small:
        spatial, globals_ = map(torch.tensor, reference_position(entry).features())
        with torch.no_grad(), LargestHalf() as halves:
            model(spatial[None].half(), globals_[None])
        assert 1 < halves.largest < torch.finfo(torch.float16).max / 100
    assert small


def test_the_recording_of_the_tests_refuses_to_wait_for_the_device() -> None:
    def forward() -> dict[str, Tensor]:
        values = torch.ones(3)
        return {"policy": values * float(values.sum())}

    with pytest.raises(AssertionError, match="waits for the device"):
        RecordedCard().prepare(forward)
