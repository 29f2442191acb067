"""Settings by name, as a table of a file or a text has them, made into a value of their class.

Knows how to say what is wrong with one. Does not know which parts a persona has, nor what a setting
does.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any, get_type_hints

from engine.util.registry import unknown

KIND = "kind"  # the setting that says which of several values the others change
PLAIN: tuple[type, ...] = (bool, int, float, str)

Bases = Mapping[str, Any]  # what settings change, by the kind; by "" where there is but one


def part_of(bases: Bases, settings: Mapping[str, object]) -> object:
    """The value with these settings; ValueError quotes one that cannot be."""
    kind = settings.get(KIND, next(iter(bases)))
    if not isinstance(kind, str) or kind not in bases or (KIND in settings and "" in bases):
        raise ValueError(f"{KIND} {kind!r} is none of {', '.join(filter(None, bases)) or 'any'}")
    base = bases[kind]
    told = {name: _checked(base, name, value) for name, value in settings.items() if name != KIND}
    made: object = replace(base, **told)
    return made


def reader(bases: Bases, first: str = KIND) -> Callable[[str], object]:
    """What makes such a value of a text "KIND:SETTING=VALUE:SETTING=VALUE", any left out.

    first: the setting whose name is left out.
    """
    return lambda text: part_of(bases, settings_in(text, first))


def settings_in(text: str, first: str = KIND) -> Mapping[str, object]:
    """The settings that such a text has.

    >>> settings_in("close:low=-1.5")
    {'kind': 'close', 'low': -1.5}
    """
    told: dict[str, object] = {}
    for each in text.split(":"):
        name, equals, value = each.partition("=")
        name, value = (name, value) if equals else (first, name)
        if name in told:
            raise ValueError(f"{each!r} tells {name} again")
        told[name] = value_of(value)
    return told


def value_of(text: str) -> object:
    """A value as TOML has it, or the text itself where it is none: 0.05, true, close."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (ValueError, RecursionError):
        return text


def about(bases: Bases, name: str) -> str:
    """What a setting is, for the user; empty where nothing is told."""
    for base in bases.values():
        for field in fields(base):
            if field.name == name:
                return str(field.metadata.get("about", ""))
    return ""


def _checked(base: Any, name: str, value: object) -> object:  # noqa: ANN401 (of a dataclass)
    """The value of a setting, as its class wants it."""
    hints = get_type_hints(type(base))
    if name not in hints:
        raise unknown("no setting", name, list(hints))
    wanted = hints[name]
    if wanted is float and type(value) is int:
        try:
            return float(value)
        except OverflowError as error:
            raise ValueError(f"{name} {str(value)[:9]}... is too large") from error
    if wanted in PLAIN and type(value) is not wanted:
        raise ValueError(f"{name} {value!r} is no {wanted.__name__}")
    return value
