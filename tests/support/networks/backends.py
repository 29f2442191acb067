"""The backends that the tests run: all that compare with a reference, and the usual one."""

from __future__ import annotations

from engine.networks.runtime import BACKENDS, choose_backend


def has_gpu() -> bool:
    """Tests for a GPU of torch's."""
    return BACKENDS["cuda"].missing() is None


def compared_backends() -> list[str]:
    """The backends for comparisons in fp32; the GPU's where there is one."""
    return [name for name in BACKENDS if name != "cuda" or has_gpu()]


def choose_usual(backend: str) -> None:
    """Puts a backend first in the order of "auto"; raises BackendError if it is unavailable."""
    chosen = choose_backend(backend)
    others = {name: row for name, row in BACKENDS.items() if name != chosen}
    row = BACKENDS[chosen]
    BACKENDS.clear()
    BACKENDS[chosen] = row
    BACKENDS.update(others)
