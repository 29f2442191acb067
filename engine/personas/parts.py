"""Settings by name, from a table of a file or from a text, made into a value of their class.

An error quotes the wrong setting. The parts of a persona are in engine.personas.table; their
classes give the settings a meaning.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any, get_type_hints

from engine.util.registry import unknown_name

KIND = "kind"  # the setting that selects one of several values to change
PLAIN: tuple[type, ...] = (bool, int, float, str)

Bases = Mapping[str, Any]  # the values to change, by kind; by "" if there is only one


def part_of(bases: Bases, settings: Mapping[str, object]) -> object:
    """Returns the value with these settings changed. Raises ValueError, quoting a wrong one."""
    kind = settings.get(KIND, next(iter(bases)))
    if not isinstance(kind, str) or kind not in bases or (KIND in settings and "" in bases):
        raise ValueError(f"{KIND} {kind!r} is none of {', '.join(filter(None, bases)) or 'any'}")
    base = bases[kind]
    changes = {
        name: _checked(base, name, value) for name, value in settings.items() if name != KIND
    }
    made: object = replace(base, **changes)
    return made


def reader(bases: Bases, first: str = KIND) -> Callable[[str], object]:
    """Returns a reader of the text "KIND:SETTING=VALUE:SETTING=VALUE", any part left out.

    first: the setting given without its name.
    """
    return lambda text: part_of(bases, settings_in(text, first))


def settings_in(text: str, first: str = KIND) -> Mapping[str, object]:
    """Parses the settings of such a text. Raises ValueError for a repeated one.

    >>> settings_in("close:low=-1.5")
    {'kind': 'close', 'low': -1.5}
    """
    settings: dict[str, object] = {}
    for each in text.split(":"):
        name, equals, value = each.partition("=")
        name, value = (name, value) if equals else (first, name)
        if name in settings:
            raise ValueError(f"{each!r} sets {name} again")
        settings[name] = value_of(value)
    return settings


def value_of(text: str) -> object:
    """Parses a TOML value such as 0.05, true or "close"; returns any other text as it is."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (ValueError, RecursionError):
        return text


def about(bases: Bases, name: str) -> str:
    """Returns the description of a setting for the user; empty if it has none."""
    for base in bases.values():
        for field in fields(base):
            if field.name == name:
                return str(field.metadata.get("about", ""))
    return ""


def _checked(base: Any, name: str, value: object) -> object:  # noqa: ANN401 (of a dataclass)
    """Returns a setting's value as its class expects it. Raises ValueError for a wrong type."""
    hints = get_type_hints(type(base))
    if name not in hints:
        raise unknown_name("no setting", name, list(hints))
    expected = hints[name]
    if expected is float and type(value) is int:
        try:
            return float(value)
        except OverflowError as error:
            raise ValueError(f"{name} {str(value)[:9]}... is too large") from error
    if expected in PLAIN and type(value) is not expected:
        raise ValueError(f"{name} {value!r} is no {expected.__name__}")
    return value
