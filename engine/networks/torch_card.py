"""A CUDA device as one worker uses it: one stream, recorded graphs, and its errors in words.

The caller passes the computation of a network as a function. Graphs are recorded one at a time in
the process: CUDA refuses calls that wait for the whole device while any stream is recorded. All
graphs of a worker share one pool of memory, because the worker runs them one after the other.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import torch
from torch import Tensor

Forward = Callable[[], dict[str, Tensor]]

WARM_UP_PASSES = 3  # cuDNN and cuBLAS choose their kernels and take their memory before a recording
MEBIBYTE = 1 << 20
_RECORDING = threading.Lock()


class CudaCard:
    """The stream of one worker on a device. For the worker's thread alone."""

    def __init__(self, device: torch.device, *, uses_graphs: bool = True) -> None:
        """Makes the device the thread's current one."""
        torch.cuda.set_device(device)
        self._uses_graphs = uses_graphs
        self._stream = torch.cuda.Stream(device)  # type: ignore[no-untyped-call]
        self._pool = torch.cuda.graph_pool_handle()
        self._done = torch.cuda.Event()  # type: ignore[no-untyped-call]

    def prepare(self, forward: Forward) -> tuple[Callable[[], None], dict[str, Tensor]]:
        """Returns a function that computes `forward` again, and its outputs [...].

        The outputs stay at their places in memory, and so must all tensors that `forward` reads.
        """
        with _RECORDING, float32_products(), torch.cuda.stream(self._stream):
            # Other streams wrote the inputs and the weights.
            torch.cuda.synchronize()
            for _ in range(WARM_UP_PASSES):
                outputs = forward()
            self._stream.synchronize()
            if not self._uses_graphs:
                return _into(forward, outputs), outputs
            graph = torch.cuda.CUDAGraph()
            # Other threads allocate memory and wait for their own streams meanwhile.
            mode = "thread_local"
            with torch.cuda.graph(graph, self._pool, self._stream, capture_error_mode=mode):
                outputs = forward()
            return graph.replay, outputs

    def pinned(self, host: Tensor) -> Tensor:
        """Returns a copy of a tensor [...] in memory that the device reads and writes itself."""
        return host.pin_memory()

    def launch(self, *steps: Callable[[], None]) -> None:
        """Starts the steps on the stream, in this order."""
        with torch.cuda.stream(self._stream):
            for step in steps:
                step()
            self._done.record(self._stream)

    def wait(self) -> None:
        """Waits for the launched steps, with the GIL released."""
        self._done.synchronize()


def card_of(device: torch.device, *, uses_graphs: bool) -> CudaCard | None:
    """Returns a worker's card; None for the CPU."""
    return CudaCard(device, uses_graphs=uses_graphs) if device.type == "cuda" else None


def _into(forward: Forward, outputs: dict[str, Tensor]) -> Callable[[], None]:
    def compute() -> None:
        with _RECORDING, float32_products(), torch.inference_mode():
            for name, output in forward().items():
                outputs[name].copy_(output)

    return compute


@contextmanager
def float32_products() -> Iterator[None]:
    """Computes products of float32 numbers in full in this process meanwhile, not as TF32.

    torch's default is TF32 for convolutions, with 10 bits of mantissa.
    """
    parts = torch.backends.cudnn.conv, torch.backends.cuda.matmul  # type: ignore[attr-defined]
    before = [part.fp32_precision for part in parts]
    try:
        for part in parts:
            part.fp32_precision = "ieee"
        yield
    finally:
        for part, precision in zip(parts, before, strict=True):
            part.fp32_precision = precision


@contextmanager
def memory_errors_in_words(device: torch.device, purpose: str) -> Iterator[None]:
    """Raises MemoryError with the device's free memory if it has too little for `purpose`."""
    try:
        yield
    except RuntimeError as error:
        if not _is_of_memory(error):
            raise
        free, total = torch.cuda.mem_get_info(device)
        raise MemoryError(
            f"the GPU has too little memory for {purpose}: {free // MEBIBYTE} of "
            f"{total // MEBIBYTE} MiB are free"
        ) from error


def _is_of_memory(error: BaseException | None) -> bool:
    """Tests the error and those before it: the end of a broken recording raises another one."""
    while error is not None:
        if isinstance(error, torch.OutOfMemoryError) or "ALLOC_FAILED" in str(error):
            return True
        error = error.__cause__ or error.__context__
    return False


def indexed(device: str) -> torch.device:
    """Returns the device; "cuda" alone is the current one with its number."""
    return (
        torch.device("cuda", torch.cuda.current_device())
        if device == "cuda"
        else torch.device(device)
    )


def device_text(device: torch.device) -> str:
    """Returns the device in words."""
    if device.type == "cuda":
        return torch.cuda.get_device_name(device)
    return f"processor, {torch.get_num_threads()} threads"
