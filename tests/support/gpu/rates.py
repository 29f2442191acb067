"""Evaluations a second of the evaluator and of other ways to run the same network.

The other ways copy their inputs to the device and their outputs back, one batch after the other.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import torch

from engine.games.evaluator import Slot
from engine.lab.speed import fill, stored_places
from engine.networks.architecture import Architecture, NetworkFileError
from engine.networks.buffers import INPUTS, Buffers
from engine.networks.description import describe
from engine.networks.runtime import read_network
from engine.networks.torch_backend import PRECISIONS, TorchEvaluator
from engine.networks.torch_card import float32_products
from engine.networks.torch_model import TorchNetwork
from tests.support.gpu.settings import B6, Rows, Settings, rate

IN_FLIGHT = ((True, 2), (True, 1), (False, 2), (False, 1))  # uses graphs, workers
PROVIDERS = ("TensorrtExecutionProvider", "CUDAExecutionProvider", "CPUExecutionProvider")


def slots_of(settings: Settings, evaluator: TorchEvaluator, rows: int, count: int) -> list[Slot]:
    """Returns slots with positions of games in all rows."""
    slots: list[Slot] = [evaluator.open(settings.size, settings.size, rows) for _ in range(count)]
    fill(slots, [place.position() for place in stored_places()[settings.size]])
    return slots


def flights(settings: Settings) -> Rows:
    """Graphs and batches in flight: evaluations a second, with or without each."""
    for network in settings.networks:
        for batch in settings.batches[:2]:
            for uses_graphs, workers in IN_FLIGHT:
                evaluator = settings.evaluator(
                    network, settings.precision, workers=workers, uses_graphs=uses_graphs
                )
                slots = slots_of(settings, evaluator, batch, workers)
                yield {
                    "network": network,
                    "batch": batch,
                    "graphs": uses_graphs,
                    "in_flight": workers,
                    "rate": rate(_in_turn(slots, batch), batch, settings.seconds),
                }
                evaluator.close()


def own_rates(settings: Settings) -> Rows:
    """The evaluator's evaluations a second with two slots, and the time of one batch alone."""
    for network in settings.networks:
        for precision in settings.precisions:
            evaluator = settings.evaluator(network, precision)
            is_usual = precision == settings.precision
            for batch in settings.batches if is_usual else settings.batches[:1]:
                began = time.perf_counter()
                slots = slots_of(settings, evaluator, batch, 2)
                opening = time.perf_counter() - began
                alone = rate(_in_turn(slots[:1], batch), batch, settings.seconds / 2)
                yield {
                    "network": network,
                    "precision": precision,
                    "batch": batch,
                    "rate": rate(_in_turn(slots, batch), batch, settings.seconds),
                    "alone_ms": 1000 * batch / alone,
                    "opening_seconds": opening,
                }
            evaluator.close()


def eager(settings: Settings) -> Rows:
    """torch without graphs, as one writes it."""
    yield from _torch_rates(settings, "eager", lambda model: model)


def eager_benchmark(settings: Settings) -> Rows:
    """The same with cuDNN's choice of kernels by measurement."""
    torch.backends.cudnn.benchmark = True
    yield from _torch_rates(settings, "eager, cudnn.benchmark", lambda model: model)


def compiled(settings: Settings) -> Rows:
    """torch.compile with CUDA graphs; on a processor its tracing alone."""
    options: dict[str, Any] = {"backend": "eager"}
    if settings.device.startswith("cuda"):
        options = {"mode": "reduce-overhead"}
    yield from _torch_rates(
        settings, "compile", lambda model: torch.compile(model, dynamic=False, **options)
    )


def onnx_runtime(settings: Settings) -> Rows:
    """ONNX Runtime with TensorRT in fp16 if it has it, else with CUDA."""
    for module in ("onnxruntime", "onnx"):
        if find_spec(module) is None:
            yield {"skipped": f"{module} is not installed"}
            return
    import onnxruntime  # type: ignore[import-not-found, unused-ignore]  # noqa: PLC0415 (optional)

    from engine.networks.onnx_model import write_onnx  # noqa: PLC0415 (optional)

    provider = next(name for name in PROVIDERS if name in onnxruntime.get_available_providers())
    if provider == PROVIDERS[-1] and settings.device.startswith("cuda"):
        yield {"skipped": "this ONNX Runtime has neither TensorRT nor CUDA"}
        return
    options = {"trt_fp16_enable": True} if provider == PROVIDERS[0] else {}
    for network in (B6,) if settings.is_tiny else settings.networks:
        architecture = read_network(settings.path(network))
        with TemporaryDirectory() as folder:
            try:
                write_onnx(Path(folder) / "network.onnx", architecture)
            except NetworkFileError as error:
                yield {"network": network, "skipped": str(error)}
                continue
            session = onnxruntime.InferenceSession(
                str(Path(folder) / "network.onnx"), providers=[(provider, options)]
            )
        wanted = [each.name for each in session.get_inputs()]
        for batch in settings.batches:
            inputs = _inputs(settings, architecture, batch)
            rows = {name: np.asarray(inputs[name], np.float32) for name in wanted}
            step = lambda rows=rows, session=session: session.run(None, rows)  # noqa: E731
            yield {
                "network": network,
                "way": provider,
                "batch": batch,
                "rate": rate(step, batch, settings.seconds),
            }


def _torch_rates(settings: Settings, way: str, made: Callable[[TorchNetwork], Any]) -> Rows:
    dtype, device = PRECISIONS[settings.precision], torch.device(settings.device)
    is_gpu = device.type == "cuda"
    for batch in settings.batches:
        for network in settings.networks:
            architecture = read_network(settings.path(network))
            plain = TorchNetwork(architecture).to(device).freeze(dtype)
            host = {
                name: torch.from_numpy(values)
                for name, values in _inputs(settings, architecture, batch).items()
            }
            if is_gpu:
                host = {name: values.pin_memory() for name, values in host.items()}

            def step(model: Any, host: Any = host) -> None:
                given = {
                    name: values.to(device, non_blocking=True) for name, values in host.items()
                }
                planes = given["spatial"].to(dtype).contiguous(memory_format=torch.channels_last)
                for output in model(planes, given["globals"], given["metadata"]):
                    output.cpu()

            with torch.no_grad(), float32_products():
                step(plain)  # a transformer keeps the turns of its heads, outside any graph
                began, model = time.perf_counter(), made(plain)
                step(model)
                opening = time.perf_counter() - began
                speed = rate(partial(step, model), batch, settings.seconds)
            yield {
                "network": network,
                "way": way,
                "batch": batch,
                "rate": speed,
                "opening_seconds": opening,
            }


def _inputs(settings: Settings, architecture: Architecture, batch: int) -> dict[str, Any]:
    rows = Buffers(describe(architecture), settings.size, settings.size, batch)
    positions = [place.position() for place in stored_places()[settings.size]]
    fill([rows], positions)  # type: ignore[list-item]
    return {name: getattr(rows, name) for name in INPUTS}


def _in_turn(slots: list[Slot], rows: int) -> Callable[[], None]:
    """Returns a step: waits for the oldest slot and starts it again; the others stay in flight."""
    for slot in slots[1:]:
        slot.start(rows)
    order = [*slots[1:], slots[0]]

    def step() -> None:
        order[-1].start(rows)
        order[0].wait()
        order.append(order.pop(0))

    return step
