"""Networks on the CPU through OpenVINO: compiles a graph per board size and batch size, runs slots.

A batch is split into batches of compiled sizes (13 rows run as 8 + 4 + 1), because a graph with a
free batch size loses a fifth to a third of its speed. One request runs on one core; as many
requests in flight as there are cores use the whole machine.
"""

from __future__ import annotations

import threading

from engine._core import CpuNetwork, forced_instructions
from engine.errors import SettingError
from engine.networks.architecture import Architecture
from engine.networks.buffers import Buffers
from engine.networks.description import describe
from engine.networks.openvino_model import build_openvino_model
from engine.networks.processor import cores, is_faster, processor_name
from engine.networks.quiet_openvino import ov

DEVICE = "CPU"
# precision -> OpenVINO's name of it, and the processor capability that makes it fast
PRECISIONS = {"bf16": ("bf16", "BF16"), "fp32": ("f32", "FP32"), "fp16": ("f16", "FP16")}
LARGEST_BATCH = 64


def openvino_precisions() -> tuple[str, ...]:
    """Returns OpenVINO's precisions on this processor, the fastest first.

    bfloat16 is the last one where this processor multiplies it more slowly than float32.
    """
    if forced_instructions() and not CpuNetwork.has_bf16():
        return ("fp32",)  # OpenVINO asks the processor and ignores forced instructions
    capabilities = ov.Core().get_property(DEVICE, "OPTIMIZATION_CAPABILITIES")
    present = [name for name, (_, needed) in PRECISIONS.items() if needed in capabilities]
    if CpuNetwork.has_bf16() and not is_faster("bf16"):
        present.sort(key=lambda name: name == "bf16")
    return tuple(present)


class OpenVinoEvaluator:
    """A network on the CPU's cores; see engine/games/evaluator.py for the contract."""

    backend = "openvino"

    def __init__(
        self,
        architecture: Architecture,
        *,
        precision: str = "auto",
        threads: int | None = None,
    ) -> None:
        self.network = describe(architecture)
        if precision == "auto":
            precision = openvino_precisions()[0]
        self.precision = precision
        self.threads = threads or cores()
        self._architecture = architecture
        self._core = ov.Core()
        self.device = f"{processor_name()}, {self.threads} threads"
        self.preferred_rows = 4
        self.slots = self.threads + 1
        self._config = {
            "INFERENCE_PRECISION_HINT": PRECISIONS[precision][0],
            "INFERENCE_NUM_THREADS": self.threads,
            "NUM_STREAMS": self.threads,
        }
        self._compiled: dict[tuple[int, int, int], ov.CompiledModel] = {}
        self._compiling = threading.Lock()

    def open(self, width: int, height: int, capacity: int) -> OpenVinoSlot:
        """Returns a new slot; compiles for its full batch unless already done."""
        slot = OpenVinoSlot(self, width, height, capacity)
        for _, size in batches(capacity):
            self.compiled(height, width, size)
        return slot

    def compiled(self, height: int, width: int, batch: int) -> ov.CompiledModel:
        """Returns the network compiled for one board size and batch size, from a cache."""
        key = height, width, batch
        with self._compiling:
            if key not in self._compiled:
                model = build_openvino_model(
                    self._architecture, height=height, width=width, batch=batch
                )
                self._compiled[key] = self._core.compile_model(model, DEVICE, self._config)
            return self._compiled[key]


class OpenVinoSlot(Buffers):
    """Buffers that OpenVINO reads and writes in place."""

    def __init__(
        self, evaluator: OpenVinoEvaluator, width: int, height: int, capacity: int
    ) -> None:
        super().__init__(evaluator.network, width, height, capacity)
        self._evaluator = evaluator
        self._requests: dict[tuple[int, int], ov.InferRequest] = {}
        self._running: list[ov.InferRequest] = []

    def start(self, rows: int) -> None:
        """Starts evaluating the first `rows` rows. Raises ValueError for an invalid number."""
        self.check_rows(rows)
        if self.dropout:
            raise SettingError(
                "the backend openvino cannot damage a network: choose native or torch"
            )
        if self._running:
            raise RuntimeError("the slot is still evaluating: wait for it first")
        self._running = [self._request(first, size) for first, size in batches(rows)]
        for request in self._running:
            request.start_async()

    def wait(self) -> None:
        """Waits for all outputs of the started rows."""
        running, self._running = self._running, []
        for request in running:
            request.wait()

    def _request(self, first: int, size: int) -> ov.InferRequest:
        if (first, size) not in self._requests:
            compiled = self._evaluator.compiled(*self.size, size)
            request = compiled.create_infer_request()
            rows = slice(first, first + size)
            for port in compiled.inputs + compiled.outputs:
                name = port.any_name
                request.set_tensor(name, ov.Tensor(getattr(self, name)[rows], shared_memory=True))
            self._requests[first, size] = request
        return self._requests[first, size]


def batches(rows: int) -> list[tuple[int, int]]:
    """Splits rows into batches (first row, size) of compiled sizes: powers of two, largest first.

    >>> batches(13)
    [(0, 8), (8, 4), (12, 1)]
    """
    parts = []
    first = 0
    while first < rows:
        size = min(LARGEST_BATCH, 1 << (rows - first).bit_length() - 1)
        parts.append((first, size))
        first += size
    return parts
