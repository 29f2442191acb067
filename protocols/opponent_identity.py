"""The identity of an opponent as a client states it: a name, or an object in JSON.

The object names the account on its server, and may state the server's rating. The greeting's option
`opponent`, `sparring-opponent`, NBoard's `set opponent` and UGI's option `Opponent` all take it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from engine.errors import SettingError
from engine.opponents import OpponentName, ServerRating
from engine.util.registry import unknown_name

TEXTS = ("server", "account", "name", "kind", "pool")
NUMBERS = ("rating", "deviation", "games")
FLAGS = ("provisional",)
FIELDS = (*TEXTS, *NUMBERS, *FLAGS)


@dataclass(frozen=True, slots=True)
class OpponentIdentity:
    """An opponent's name, and the rating on its server."""

    name: OpponentName
    rating: ServerRating | None = None  # None: the client states none

    def to_text(self) -> str:
        """Returns the text that identity_of reads."""
        if not self.name.server and self.rating is None:
            return self.name.name
        fields: dict[str, Any] = {"server": self.name.server, "account": self.name.name}
        if self.name.alias:
            fields["name"] = self.name.alias
        if self.rating is not None:
            stated = self.rating
            fields |= {"kind": stated.kind, "pool": stated.pool, "rating": stated.rating}
            fields |= {"deviation": stated.deviation, "games": stated.games}
            fields["provisional"] = stated.is_provisional
        # GTP takes "#" as the start of a comment, and two spaces as one.
        text = json.dumps({name: value for name, value in fields.items() if value is not None})
        return text.replace("#", "\\u0023").replace("  ", " \\u0020")


def identity_of(text: str) -> OpponentIdentity:
    """Returns the identity of a text: an object in JSON, or the name of a player here.

    Raises SettingError on an impossible one.
    """
    if not text.lstrip().startswith("{"):
        return OpponentIdentity(OpponentName(text))
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SettingError(f"not an opponent in JSON: {text[:80]}") from error
    return identity_of_fields(fields)


def identity_of_fields(fields: dict[str, Any]) -> OpponentIdentity:
    """Returns the identity of an object's fields; raises SettingError on an impossible one."""
    for field, value in fields.items():
        _check(field, value)
    values = {field: value for field, value in fields.items() if value is not None}
    account, shown = values.get("account", ""), values.get("name", "")
    alias = shown if account and shown != account else ""
    name = OpponentName(account or shown, values.get("server", ""), alias)
    stated = {each: values[each] for each in ("kind", "pool", *NUMBERS) if each in values}
    if "provisional" in values:
        stated["is_provisional"] = values["provisional"]
    if not stated:
        return OpponentIdentity(name)
    try:
        return OpponentIdentity(name, ServerRating.from_json(stated))
    except ValueError as error:
        raise SettingError(str(error)) from error


def _check(name: str, value: object) -> None:
    """Raises SettingError on an unknown field, or on a value of another type; None is absent."""
    if name not in FIELDS:
        raise SettingError(str(unknown_name("an opponent has no field", name, FIELDS)))
    is_right = (
        isinstance(value, bool)
        if name in FLAGS
        else isinstance(value, str)
        if name in TEXTS
        else isinstance(value, int | float) and not isinstance(value, bool)
    )
    if value is not None and not is_right:
        raise SettingError(f"an opponent's {name} is not {repr(value)[:80]}")
