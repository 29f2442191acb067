"""A stand-in for a CUDA device on the CPU: a recording of operations, computed again at each run.

Like a CUDA graph it knows the places of tensors alone: a value that Python computed while it was
recorded stays as it was. It refuses operations that wait for a device.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from engine.networks.torch_card import WARM_UP_PASSES, Forward

WAITING = {"aten::_local_scalar_dense", "aten::nonzero", "aten::is_nonzero", "aten::equal"}


class Recording(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Records the operations within it."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.steps: list[tuple[Any, Any, Any, list[Tensor]]] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        assert func._schema.name not in WAITING, f"{func} waits for the device"
        result = func(*args, **(kwargs or {}))
        self.steps.append((func, args, kwargs or {}, _tensors(result)))
        return result

    @torch.inference_mode()
    def replay(self) -> None:
        """Computes every step again, into the tensors of the recording."""
        for func, args, kwargs, made in self.steps:
            again = [
                leaf for leaf in tree_leaves(func(*args, **kwargs)) if isinstance(leaf, Tensor)
            ]
            for place, values in zip(made, again, strict=True):
                if place.data_ptr() != values.data_ptr():
                    place.copy_(values)


def _tensors(result: Any) -> list[Tensor]:
    return [leaf for leaf in tree_leaves(result) if isinstance(leaf, Tensor)]


class RecordedCard:
    """See engine/networks/torch_card.py's CudaCard."""

    def __init__(self) -> None:
        self.recorded = 0  # graphs
        self.batches = 0
        self._thread = threading.get_ident()

    def prepare(self, forward: Forward) -> tuple[Callable[[], None], dict[str, Tensor]]:
        assert threading.get_ident() == self._thread
        for _ in range(WARM_UP_PASSES):
            forward()
        recording = Recording()
        with recording:
            outputs = forward()
        self.recorded += 1
        return recording.replay, outputs

    def pinned(self, host: Tensor) -> Tensor:
        return host.clone()

    def launch(self, *steps: Callable[[], None]) -> None:
        assert threading.get_ident() == self._thread
        for step in steps:
            step()
        self.batches += 1

    def wait(self) -> None:
        pass
