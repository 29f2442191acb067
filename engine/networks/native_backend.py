"""Networks on the processor by the core's own arithmetic (engine/core/network/cpu_network.h).

The arithmetic is in single precision, or on processors that multiply them faster, with bfloat16 in
the 3x3 convolutions and in the matrices of bottlenecks and transformer blocks, or with integers of
16 bits in those matrices alone (int16). In int8 the feed-forward layers of transformers
multiply bytes, and the rest is in the faster of these. The architecture becomes a list of the
core's steps; boards of any size and batches of any number run without compiling.
"""

from __future__ import annotations

from engine._core import CpuNetwork, CpuRows, CpuWorkers, ProcessorTurns
from engine.networks.architecture import (
    Architecture,
    Attention,
    Block,
    Bottleneck,
    FeedForward,
)
from engine.networks.buffers import Buffers
from engine.networks.description import describe, every_block
from engine.networks.native_steps import build_network
from engine.networks.processor import cores, is_faster, processor_name

# A batch is no faster per row than single rows. Two rows halve the caller's cost of a batch on few
# cores, on which many batches in flight are useless.
PREFERRED_ROWS = 2
FEW_CORES = 4
# Blocks whose matrices multiply integers in int16.
WITH_MATRICES = (Attention, Bottleneck, FeedForward)
ROUNDING = {"bf16": CpuNetwork.has_bf16, "int16": CpuNetwork.has_int16}
PROCESSOR_TURNS = ProcessorTurns(cores())  # of all searches of this process


class NativeEvaluator:
    """A network on the processor's cores; see engine/games/evaluator.py for the contract."""

    backend = "native"

    def __init__(
        self,
        architecture: Architecture,
        *,
        precision: str = "auto",
        threads: int | None = None,
        instructions: str = "",
        turns: ProcessorTurns = PROCESSOR_TURNS,
    ) -> None:
        """instructions: the name of a set of vector instructions, for tests; "": the best one."""
        self.network = describe(architecture)
        if precision == "auto":
            precision = usual_precision(architecture, instructions)
        int8 = precision == "int8"
        if int8 and not _has(architecture, FeedForward):
            raise ValueError("int8 is for feed-forward layers, and it has none")
        if precision == "int16" and not _has(architecture, *WITH_MATRICES):
            raise ValueError("int16 is for bottlenecks and transformers, and it has none")
        self.precision = precision
        threads = threads or cores()
        rest = native_precisions(instructions)[0] if int8 else precision
        built = build_network(
            architecture, instructions, bf16=rest == "bf16", int16=rest == "int16", int8=int8
        )
        self._workers = CpuWorkers(built, threads, turns)
        self.device = f"{processor_name()}, {threads} threads, {built.instructions}"
        self.preferred_rows = PREFERRED_ROWS if threads <= FEW_CORES else 1
        self.slots = threads + 1

    def open(self, width: int, height: int, capacity: int) -> NativeSlot:
        """Returns a new slot."""
        return NativeSlot(self, self._workers, (width, height, capacity))


class NativeSlot(Buffers):
    """Buffers that the core's threads read and write in place."""

    def __init__(
        self, evaluator: NativeEvaluator, workers: CpuWorkers, shape: tuple[int, int, int]
    ) -> None:
        super().__init__(evaluator.network, *shape)
        self._running = False
        self.core_rows = self._rows = CpuRows(
            workers,
            spatial=self.spatial,
            globals=self.globals,
            metadata=self.metadata,
            optimism=self.optimism,
            policy=self.policy,
            value=self.value,
            misc=self.misc,
            ownership=self.ownership,
        )

    def start(self, rows: int) -> None:
        """Starts evaluating the first `rows` rows. Raises ValueError for an invalid number."""
        self.check_rows(rows)
        if self._running:
            raise RuntimeError("the slot is still evaluating: wait for it first")
        self._running = True
        self._rows.start(rows, self.dropout, self.next_seed(rows))

    def wait(self) -> None:
        """Waits for all outputs of the started rows."""
        self._rows.wait()
        self._running = False


def usual_precision(architecture: Architecture, instructions: str = "") -> str:
    """Returns the precision of a network by default. instructions: as of native_precisions."""
    usual, *others = native_precisions(instructions)
    return others[0] if usual == "int16" and not _has(architecture, *WITH_MATRICES) else usual


def _has(architecture: Architecture, *kinds: type[Block]) -> bool:
    """Tells whether it has a block of these kinds."""
    return any(isinstance(block, kinds) for block in every_block(architecture.blocks))


def native_precisions(instructions: str = "") -> tuple[str, ...]:
    """Returns the precisions of this processor, the usual one first, as measured.

    bf16 comes before int16, which rounds fewer products. int16 and int8 are for networks with
    bottlenecks or transformer blocks alone; int8 is never usual, for its errors.
    instructions: the name of a set of vector instructions; "": the best one.
    """
    present = [name for name, has in ROUNDING.items() if has(instructions)]
    faster = [name for name in present if is_faster(name, instructions)]
    slower = [name for name in present if name not in faster]
    in_bytes = ["int8"] if CpuNetwork.has_int8(instructions) else []
    return (*faster, "fp32", *slower, *in_bytes)
