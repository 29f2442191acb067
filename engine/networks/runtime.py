"""From a network file to an evaluator: detects the format and selects the backend.

The backends are imported when selected; importing this module costs nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from engine.games.evaluator import Evaluator
from engine.networks.architecture import Architecture, NetworkFileError
from engine.networks.katago import read_katago
from engine.networks.lc0 import is_lc0, read_lc0
from engine.networks.rated_networks import RatedEvaluator, rated_files
from engine.util.backends import PRECISIONS
from engine.util.optional_modules import absent

# Files of the NVIDIA driver on Linux: usual, in containers, and of Windows' subsystem for Linux.
DRIVER_PATHS = ("/proc/driver/nvidia", "/dev/nvidiactl", "/dev/dxg")


class BackendError(ValueError):
    """A backend or a precision is unavailable on this machine; the text has the reason."""


@dataclass(frozen=True)
class Backend:
    """One way to run networks."""

    missing: Callable[[], str | None]  # the reason it is unavailable here; None: available
    # (network, precision or "auto", threads or None for all) -> evaluator
    start: Callable[[Architecture, str, int | None], Evaluator]
    precisions: Callable[[], tuple[str, ...]]  # those available here, the fastest first


def read_network(path: Path) -> Architecture:
    """Reads a network file of any known format. Raises NetworkFileError with the reason."""
    if _is_ours(path):
        from engine.networks.sparring import read_sparring  # noqa: PLC0415 (not always needed)

        return read_sparring(path)
    return read_lc0(path) if is_lc0(path) else read_katago(path)


def read_card(path: Path) -> Mapping[str, Any]:
    """Reads the card of a network file, {} without one. Raises NetworkFileError as above."""
    if _is_ours(path):
        from engine.networks import sparring  # noqa: PLC0415 (not always needed)

        return sparring.read_card(path)
    return {}


def _is_ours(path: Path) -> bool:
    """Tests for a safetensors file: the length of a header, then a brace."""
    try:
        with path.open("rb") as file:
            return file.read(9)[8:] == b"{"
    except OSError as error:
        raise NetworkFileError(f"{path}: cannot be read: {error.strerror}") from error


def load_evaluator(
    path: str | Path,
    *,
    backend: str = "auto",
    precision: str = "auto",
    threads: int | None = None,
) -> Evaluator:
    """Loads the network of a file, ready to run; of a folder, all of its networks of human ratings.

    backend: "auto" or a key of BACKENDS; precision: one of PRECISIONS, "auto" is the fastest one of
    unchanged play; threads: None uses every core. Raises NetworkFileError for the file,
    BackendError for missing capabilities of the machine.
    """
    if precision not in PRECISIONS:
        raise BackendError(f"unknown precision {precision!r}: one of {', '.join(PRECISIONS)}")
    row = BACKENDS[choose_backend(backend, precision)]
    rated = rated_files(Path(path))
    if rated:
        started = {
            rating: _started(row, read_network(file), precision, threads)
            for rating, file in rated.items()
        }
        return RatedEvaluator(started)
    return _started(row, read_network(Path(path)), precision, threads)


def _started(
    row: Backend, architecture: Architecture, precision: str, threads: int | None
) -> Evaluator:
    """Returns the evaluator of a network. Raises BackendError where the machine cannot run it."""
    try:
        return row.start(architecture, precision, threads)
    except BackendError:
        raise
    except (ValueError, MemoryError) as error:
        raise BackendError(f"cannot run {architecture.name} on this machine: {error}") from error


def choose_backend(wanted: str = "auto", precision: str = "auto") -> str:
    """Returns the key of BACKENDS to use: `wanted`, or for "auto" the first available one.

    Raises BackendError for an unknown or unavailable backend.
    """
    if wanted not in ("auto", *BACKENDS):
        raise BackendError(f"unknown backend {wanted!r}: auto or one of {', '.join(BACKENDS)}")
    reasons = {}
    for name in BACKENDS if wanted == "auto" else (wanted,):
        row = BACKENDS[name]
        reason = row.missing()
        if reason is None and precision not in ("auto", *row.precisions()):
            reason = f"it computes in {' or '.join(row.precisions())}, not in {precision}"
        if reason is None:
            return name
        reasons[name] = reason
    if wanted != "auto":
        raise BackendError(f"backend {wanted!r} cannot be used: {reasons[wanted]}")
    summary = "; ".join(f"{name}: {reason}" for name, reason in reasons.items())
    raise BackendError(f"no backend works on this machine ({summary})")


def _start_native(architecture: Architecture, precision: str, threads: int | None) -> Evaluator:
    from engine.networks.native_backend import NativeEvaluator  # noqa: PLC0415 (when chosen)

    return NativeEvaluator(architecture, precision=precision, threads=threads)


def _native_precisions() -> tuple[str, ...]:
    from engine.networks.native_backend import native_precisions  # noqa: PLC0415 (when chosen)

    return native_precisions()


def _without(module: str) -> Callable[[], str | None]:
    """Returns the test of a backend that needs `module`."""
    return lambda: None if find_spec(module) else absent(module)


def _start_openvino(architecture: Architecture, precision: str, threads: int | None) -> Evaluator:
    from engine.networks.openvino_backend import OpenVinoEvaluator  # noqa: PLC0415 (a second)

    return OpenVinoEvaluator(architecture, precision=precision, threads=threads)


_no_torch = _without("torch")


def _no_cuda() -> str | None:
    if reason := _no_torch():
        return reason
    if not _has_nvidia_driver():
        return "no NVIDIA driver"
    import torch  # noqa: PLC0415 (costs a second)

    return None if torch.cuda.is_available() else "torch finds no GPU"


def _has_nvidia_driver() -> bool:
    """Tests whether importing torch may find a GPU; always True outside Linux."""
    return sys.platform != "linux" or any(Path(path).exists() for path in DRIVER_PATHS)


def _start_torch(architecture: Architecture, precision: str, threads: int | None) -> Evaluator:
    from engine.networks.torch_backend import TorchEvaluator  # noqa: PLC0415 (costs a second)

    return TorchEvaluator(architecture, device="cpu", precision=precision, threads=threads)


def _start_cuda(architecture: Architecture, precision: str, threads: int | None) -> Evaluator:
    from engine.networks.torch_backend import TorchEvaluator  # noqa: PLC0415 (costs a second)

    return TorchEvaluator(architecture, device="cuda", precision=precision, threads=threads)


def _always() -> None:
    return None


def _openvino_precisions() -> tuple[str, ...]:
    from engine.networks.openvino_backend import openvino_precisions  # noqa: PLC0415 (a second)

    return openvino_precisions()


# In the order of "auto".
BACKENDS: dict[str, Backend] = {
    "cuda": Backend(_no_cuda, _start_cuda, lambda: ("fp16", "bf16", "fp32")),
    "native": Backend(_always, _start_native, _native_precisions),
    "openvino": Backend(_without("openvino"), _start_openvino, _openvino_precisions),
    "torch": Backend(_no_torch, _start_torch, lambda: ("fp32", "bf16")),
}
