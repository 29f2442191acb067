"""Tests for protocols that remember the answer for each type."""

from __future__ import annotations

from typing import Any, Generic, TypeGuard, TypeVar

T = TypeVar("T")


class TypeTest(Generic[T]):
    """Tests whether values satisfy a runtime-checkable protocol, as isinstance does.

    All values of a type must agree. isinstance compares all names of a protocol at each call, and
    a move asks several times.
    """

    def __init__(self, protocol: Any) -> None:  # noqa: ANN401 (mypy refuses protocols as type[T])
        self._protocol = protocol
        self._known: dict[type, bool] = {}

    def __call__(self, value: object) -> TypeGuard[T]:
        """Whether the value satisfies the protocol."""
        known = self._known.get(type(value))
        if known is None:
            known = self._known[type(value)] = isinstance(value, self._protocol)
        return known
