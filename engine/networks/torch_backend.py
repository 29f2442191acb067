"""Networks through torch: on a GPU in half precision, or on the CPU in place of other backends.

A worker thread takes the waiting jobs of all slots of all sessions, of one board size at a time,
and runs them as one batch. On a GPU two workers keep two batches in flight, and each batch size is
a CUDA graph recorded once. On the CPU one worker calls the network directly.
"""

from __future__ import annotations

import threading
import weakref
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import torch

from engine.networks.architecture import Architecture
from engine.networks.buffers import Buffers
from engine.networks.description import describe
from engine.networks.torch_card import card_of, device_text, indexed, memory_errors_in_words
from engine.networks.torch_model import TorchNetwork
from engine.networks.torch_plan import BatchPlan, FrozenNetwork, PlanKey

PRECISIONS = {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}
LARGEST_BATCH = {"cuda": 256, "cpu": 32}
PREFERRED_ROWS = {"cuda": 64, "cpu": 16}
WORKERS = {"cuda": 2, "cpu": 1}
SLOTS = 2
CLOSING_SECONDS = 5.0  # the longest wait for a worker's last batch


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
        workers: int | None = None,
        uses_graphs: bool = True,
    ) -> None:
        """`workers`, None: the device's usual number, and `uses_graphs` are for measurements.

        Raises MemoryError if the device has too little memory.
        """
        self.network = describe(architecture)
        self._device = indexed(device)
        kind = self._device.type
        if threads and kind == "cpu":
            torch.set_num_threads(threads)
        if precision == "auto":
            precision = "fp16" if kind == "cuda" else "fp32"
        self.precision = precision
        self.device = device_text(self._device)
        self.preferred_rows = PREFERRED_ROWS[kind]
        self.slots = SLOTS
        dtype = PRECISIONS[precision]
        with memory_errors_in_words(self._device, f"the network {self.network.name}"):
            model = TorchNetwork(architecture).to(self._device).freeze(dtype)
        frozen = FrozenNetwork(model, self.network, self._device, dtype)
        self._queue = _Queue(LARGEST_BATCH[kind])
        # The threads hold no reference to the evaluator: its memory is free when nobody uses it.
        threads_of_workers = [
            threading.Thread(
                target=_work,
                args=(self._queue, frozen, uses_graphs),
                name=f"torch evaluator {number}",
                daemon=True,
            )
            for number in range(workers or WORKERS[kind])
        ]
        for worker in threads_of_workers:
            worker.start()
        self._end = weakref.finalize(self, _close, self._queue, threads_of_workers)
        # A program that ends within a call of CUDA may crash.
        self._end.atexit = kind == "cuda"

    def open(self, width: int, height: int, capacity: int) -> TorchSlot:
        """Returns a new slot; on a GPU records the graph of its full batch unless already done.

        Raises MemoryError if the device has too little memory for it.
        """
        slot = TorchSlot(self, width, height, capacity)
        if self._device.type == "cuda":
            slot.start(capacity)
            slot.wait()
        return slot

    def close(self) -> None:
        """Ends the workers after the waiting jobs; slots cannot be started afterwards."""
        self._end()

    def submit(self, slot: TorchSlot, rows: int) -> list[_Job]:
        """Queues the first `rows` rows of a slot, in jobs no larger than the largest batch.

        Raises RuntimeError after close.
        """
        seed, largest = slot.next_seed(rows), self._queue.largest
        jobs = [
            _Job(slot, slice(first, min(first + largest, rows)), slot.dropout, seed + first)
            for first in range(0, rows, largest)
        ]
        self._queue.put(jobs)
        return jobs


class TorchSlot(Buffers):
    """Buffers that the workers copy from and to."""

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
    """Rows of a slot evaluated together; see torch_plan.RowRange."""

    slot: Buffers
    part: slice
    dropout: float
    dropout_seed: int
    done: threading.Event = field(default_factory=threading.Event)
    error: BaseException | None = None

    @property
    def rows(self) -> int:
        return int(self.part.stop - self.part.start)

    @property
    def size(self) -> tuple[int, int]:
        return self.slot.size


class _Queue:
    """The waiting jobs of all slots. Safe to use from several threads."""

    def __init__(self, largest: int) -> None:
        self.largest = largest  # rows of a batch
        self._waiting: deque[_Job] = deque()
        self._news = threading.Condition()
        self._closed = False

    def put(self, jobs: Sequence[_Job]) -> None:
        """Adds jobs. Raises RuntimeError after close."""
        with self._news:
            if self._closed:
                raise RuntimeError("the evaluator is closed")
            self._waiting.extend(jobs)
            self._news.notify(len(jobs))

    def close(self) -> None:
        """Ends the queue after the waiting jobs."""
        with self._news:
            self._closed = True
            self._news.notify_all()

    def take(self) -> list[_Job]:
        """Waits for jobs, and returns those of one board size for one batch; [] at the end."""
        with self._news:
            while not self._waiting and not self._closed:
                self._news.wait()
            jobs: list[_Job] = []
            rows = 0
            while self._waiting:
                job = self._waiting[0]
                if jobs and (job.size != jobs[0].size or rows + job.rows > self.largest):
                    break
                jobs.append(self._waiting.popleft())
                rows += job.rows
            return jobs


def _work(queue: _Queue, network: FrozenNetwork, uses_graphs: bool) -> None:  # noqa: FBT001
    """Runs batches until the queue ends."""
    plan_of: PlanOf | None = None

    def run(jobs: Sequence[_Job]) -> None:
        nonlocal plan_of
        if plan_of is None:
            plan_of = _planner(network, uses_graphs=uses_graphs)
        plan_of(jobs).run(jobs)

    while _finish(queue.take(), run):
        pass


def _finish(jobs: Sequence[_Job], run: Callable[[Sequence[_Job]], None]) -> bool:
    """Runs the jobs and reports to their slots; returns False without jobs.

    An idle worker holds no job, and with it no slot and no evaluator.
    """
    error: BaseException | None = None
    try:
        if jobs:
            run(jobs)
    except Exception as raised:  # reported to the waiting slots
        error = raised
    for job in jobs:
        job.error = error
        job.done.set()
    return bool(jobs)


PlanOf = Callable[[Sequence[_Job]], BatchPlan]


def _planner(network: FrozenNetwork, *, uses_graphs: bool) -> PlanOf:
    """Returns a worker's plans by the jobs of a batch, made when first needed."""
    card = card_of(network.device, uses_graphs=uses_graphs)
    plans: dict[PlanKey, BatchPlan] = {}

    def plan_of(jobs: Sequence[_Job]) -> BatchPlan:
        rows = sum(job.rows for job in jobs)
        batch = rows if card is None else 1 << (rows - 1).bit_length()
        height, width = jobs[0].size
        key = PlanKey(height, width, batch, any(job.dropout for job in jobs))
        if key not in plans:
            purpose = f"a batch of {batch} on {width}x{height}"
            with memory_errors_in_words(network.device, purpose):
                plans[key] = BatchPlan(network, card, key)
        return plans[key]

    return plan_of


def _close(queue: _Queue, workers: Sequence[threading.Thread]) -> None:
    """Ends the workers. The collector of garbage may call this, in any thread."""
    queue.close()
    for worker in workers:
        if worker is not threading.current_thread():
            worker.join(CLOSING_SECONDS)
