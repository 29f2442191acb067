"""Networks through torch: on a GPU in half precision, or on the CPU in place of other backends.

One worker thread takes the waiting jobs of all slots of all sessions, of one board size at a time,
and runs them as one batch. On a GPU two batches are in flight: the next one is copied in while one
computes; each batch size is a CUDA graph recorded once. On the CPU the same code calls the network
directly.
"""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from engine.games.evaluator import NetworkDescription
from engine.networks.architecture import Architecture, describe
from engine.networks.buffers import INPUTS, OUTPUTS, Buffers
from engine.networks.torch_dropout import Dropout
from engine.networks.torch_model import TorchNetwork

PRECISIONS = {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}
LARGEST_BATCH = {"cuda": 256, "cpu": 32}
PREFERRED_ROWS = {"cuda": 64, "cpu": 16}
IN_FLIGHT = 2


class TorchEvaluator:
    """A network on one torch device; see engine/games/evaluator.py for the contract."""

    backend = "torch"

    def __init__(
        self,
        architecture: Architecture,
        *,
        device: str = "cpu",
        precision: str = "auto",
        threads: int | None = None,
    ) -> None:
        self.network = describe(architecture)
        self._device = torch.device(device)
        kind = self._device.type
        if threads and kind == "cpu":
            torch.set_num_threads(threads)
        if precision == "auto":
            precision = "fp16" if kind == "cuda" else "fp32"
        self.precision = precision
        self.device = _device_text(self._device)
        self.preferred_rows = PREFERRED_ROWS[kind]
        self.slots = IN_FLIGHT
        self._largest = LARGEST_BATCH[kind]
        self._model = TorchNetwork(architecture).to(self._device).freeze(PRECISIONS[precision])
        self._plans: dict[_PlanKey, _Plan] = {}
        self._waiting: deque[_Job] = deque()
        self._news = threading.Condition()
        self._closed = False
        self._worker = threading.Thread(target=self._work, name="torch evaluator", daemon=True)
        self._worker.start()

    def open(self, width: int, height: int, capacity: int) -> TorchSlot:
        """Returns a new slot; on a GPU records the graph of its full batch unless already done."""
        slot = TorchSlot(self, width, height, capacity)
        if self._device.type == "cuda":
            slot.start(capacity)
            slot.wait()
        return slot

    def close(self) -> None:
        """Ends the worker after the waiting jobs; slots cannot be started afterwards."""
        with self._news:
            self._closed = True
            self._news.notify()
        self._worker.join()

    def submit(self, slot: TorchSlot, rows: int) -> list[_Job]:
        """Queues the first `rows` rows of a slot, in jobs no larger than the largest batch.

        Raises RuntimeError after close.
        """
        seed = slot.next_seed(rows)
        jobs = [
            _Job(slot, slice(first, min(first + self._largest, rows)), slot.dropout, seed + first)
            for first in range(0, rows, self._largest)
        ]
        with self._news:
            if self._closed:
                raise RuntimeError("the evaluator is closed")
            self._waiting.extend(jobs)
            self._news.notify()
        return jobs

    def _work(self) -> None:
        running: deque[tuple[_Plan, list[_Job]]] = deque()
        turn = 0
        while True:
            jobs = self._take(block=not running)
            if not jobs and not running:
                return
            if jobs:
                try:
                    plan = self._plan(jobs, turn)
                    plan.launch(jobs)
                    running.append((plan, jobs))
                    turn = (turn + 1) % IN_FLIGHT
                except Exception as error:  # reported to the waiting slot
                    _finish(jobs, error)
            if running and (not jobs or len(running) == IN_FLIGHT):
                plan, jobs = running.popleft()
                try:
                    plan.collect(jobs)
                    _finish(jobs, None)
                except Exception as error:  # reported to the waiting slot
                    _finish(jobs, error)

    def _take(self, *, block: bool) -> list[_Job]:
        """Returns jobs of one board size for one batch; none when closed or not blocking."""
        with self._news:
            while block and not self._waiting and not self._closed:
                self._news.wait()
            jobs: list[_Job] = []
            rows = 0
            while self._waiting:
                job = self._waiting[0]
                if jobs and (job.size != jobs[0].size or rows + job.rows > self._largest):
                    break
                jobs.append(self._waiting.popleft())
                rows += job.rows
            return jobs

    def _plan(self, jobs: list[_Job], turn: int) -> _Plan:
        rows = sum(job.rows for job in jobs)
        batch = rows if self._device.type == "cpu" else 1 << (rows - 1).bit_length()
        key = _PlanKey(*jobs[0].size, batch, turn, any(job.dropout for job in jobs))
        if key not in self._plans:
            self._plans[key] = _Plan(
                self._model,
                self.network,
                device=self._device,
                dtype=PRECISIONS[self.precision],
                key=key,
            )
        return self._plans[key]


class TorchSlot(Buffers):
    """Buffers that the worker copies from and to."""

    def __init__(self, evaluator: TorchEvaluator, width: int, height: int, capacity: int) -> None:
        super().__init__(evaluator.network, width, height, capacity)
        self._evaluator = evaluator
        self._jobs: list[_Job] = []

    def start(self, rows: int) -> None:
        """Starts evaluating the first `rows` rows. Raises ValueError for an invalid number."""
        self.check_rows(rows)
        if self._jobs:
            raise RuntimeError("the slot is still evaluating: wait for it first")
        self._jobs = self._evaluator.submit(self, rows)

    def wait(self) -> None:
        """Waits for all outputs of the started rows. Raises the worker's error, if any."""
        jobs, self._jobs = self._jobs, []
        for job in jobs:
            job.done.wait()
        for job in jobs:
            if job.error is not None:
                raise job.error


@dataclass(eq=False)
class _Job:
    """Rows of a slot evaluated together."""

    slot: TorchSlot
    part: slice
    dropout: float
    dropout_seed: int  # of its first row
    done: threading.Event = field(default_factory=threading.Event)
    error: BaseException | None = None

    @property
    def rows(self) -> int:
        return int(self.part.stop - self.part.start)

    @property
    def size(self) -> tuple[int, int]:
        return self.slot.size


class _PlanKey(NamedTuple):
    """The key of a plan; plans of different turns can be in flight together."""

    height: int
    width: int
    batch: int
    turn: int
    damaged: bool  # at least one row has a dropout


class _Plan:
    """Buffers of one batch size on the host and on the device, with their execution."""

    def __init__(
        self,
        model: TorchNetwork,
        network: NetworkDescription,
        *,
        device: torch.device,
        dtype: torch.dtype,
        key: _PlanKey,
    ) -> None:
        self._model, self._dtype = model, dtype
        self._cuda = device.type == "cuda"
        shapes = Buffers(network, key.width, key.height, key.batch)
        arrays = {name: getattr(shapes, name) for name in INPUTS + OUTPUTS}
        if key.damaged:
            arrays |= {"dropout": np.zeros(key.batch), "seed": np.zeros(key.batch, np.int64)}
        self._host = {}
        for name, array in arrays.items():
            host = torch.from_numpy(array)
            self._host[name] = host.pin_memory() if self._cuda else host
        self._arrays = {name: host.numpy() for name, host in self._host.items()}
        self._inputs = {n: host.to(device) for n, host in self._host.items() if n not in OUTPUTS}
        self._graph: torch.cuda.CUDAGraph | None = None
        self._outputs: dict[str, Tensor] = {}
        if self._cuda:
            self._record()

    def launch(self, jobs: list[_Job]) -> None:
        """Starts a batch; on a GPU it returns before the result."""
        for job, rows in _places(jobs):
            for name in INPUTS:
                self._arrays[name][rows] = getattr(job.slot, name)[job.part]
            if "dropout" in self._arrays:
                self._arrays["dropout"][rows] = job.dropout
                self._arrays["seed"][rows] = job.dropout_seed + np.arange(job.rows)
        if self._graph is None:
            self._compute()
            return
        with torch.cuda.stream(self._stream):
            for name, values in self._inputs.items():
                values.copy_(self._host[name], non_blocking=True)
            self._graph.replay()
            for name, output in self._outputs.items():
                self._host[name].copy_(output, non_blocking=True)
            self._done.record(self._stream)

    def collect(self, jobs: list[_Job]) -> None:
        """Waits for the batch and copies its outputs to the slots."""
        if self._cuda:
            self._done.synchronize()
        for job, rows in _places(jobs):
            for name in OUTPUTS:
                getattr(job.slot, name)[job.part] = self._arrays[name][rows]

    def _record(self) -> None:
        self._stream = torch.cuda.Stream()  # type: ignore[no-untyped-call]
        self._done = torch.cuda.Event()  # type: ignore[no-untyped-call]
        with torch.cuda.stream(self._stream):
            for _ in range(3):  # lets cuDNN choose before the graph is recorded
                self._forward()
            self._stream.synchronize()
            self._graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self._graph, stream=self._stream):
                self._outputs = self._forward()

    def _compute(self) -> None:
        for name, output in self._forward().items():
            self._host[name].copy_(output)

    @torch.inference_mode()
    def _forward(self) -> dict[str, Tensor]:
        spatial = self._inputs["spatial"].to(self._dtype)
        spatial = spatial.contiguous(memory_format=torch.channels_last)
        dropout = None
        if "dropout" in self._inputs:
            dropout = Dropout(self._inputs["dropout"], self._inputs["seed"])
        raw = self._model(
            spatial, self._inputs["globals"], self._inputs["metadata"], dropout=dropout
        )
        policy = raw.policy[:, 0]
        if raw.policy.shape[1] > 1:
            policy = torch.lerp(policy, raw.policy[:, 1], self._inputs["optimism"][:, None])
        return {
            "policy": policy,
            "value": raw.value,
            "misc": raw.misc,
            "ownership": raw.ownership,
        }


def _places(jobs: list[_Job]) -> list[tuple[_Job, slice]]:
    """Returns each job with its rows in the batch."""
    places = []
    first = 0
    for job in jobs:
        places.append((job, slice(first, first + job.rows)))
        first += job.rows
    return places


def _finish(jobs: list[_Job], error: BaseException | None) -> None:
    for job in jobs:
        job.error = error
        job.done.set()


def _device_text(device: torch.device) -> str:
    if device.type == "cuda":
        return torch.cuda.get_device_name(device)
    return f"processor, {torch.get_num_threads()} threads"
