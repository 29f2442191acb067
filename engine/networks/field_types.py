"""Tests values against the declared types of dataclass fields, of any class."""

from __future__ import annotations

import types
from functools import cache
from typing import Any, Union, get_args, get_origin, get_type_hints

hints_of = cache(get_type_hints)


def is_of(value: object, hint: Any) -> bool:  # noqa: ANN401 (a type, or a form of typing)
    """Tests whether the value has the type; an int is also a float, a bool is no number.

    >>> is_of((1, 2), tuple[int, int]), is_of((1, 2), tuple[float, ...]), is_of(True, int)
    (True, True, False)
    """
    kind, parts = get_origin(hint), get_args(hint)
    if kind in (Union, types.UnionType):
        return any(is_of(value, part) for part in parts)
    if kind is tuple:
        expected = parts[:1] * len(value) if isinstance(value, tuple) and ... in parts else parts
        return (
            isinstance(value, tuple)
            and len(value) == len(expected)
            and all(map(is_of, value, expected))
        )
    if hasattr(kind, "__value__"):  # a named alias, such as numpy's NDArray from 2.5 on
        return is_of(value, kind.__value__)
    if hint in (int, float) and isinstance(value, bool):
        return False
    return isinstance(value, int | float if hint is float else kind or hint)
