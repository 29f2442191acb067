"""The values that several messages share: names, numbers, sides, players."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bots import fields
from bots.lichess.server_table import BotServer

USUAL_START = "startpos"
LONGEST_NAME = 60
LONGEST_WORD = 4000  # a FEN of a large board with pockets fits
_IDENTITY = re.compile(r"[A-Za-z0-9_-]{4,24}", re.ASCII)


@dataclass(frozen=True, slots=True)
class ServerPlayer:
    """One player in a message."""

    name: str
    title: str = ""  # "BOT" for bots
    rating: float | None = None  # of the game's speed and variant
    is_provisional: bool = False
    computer_level: int | None = None  # of the server's own engine; None: a player

    @property
    def is_bot(self) -> bool:
        """Whether a program plays."""
        return self.title == "BOT" or self.computer_level is not None

    def is_named(self, name: str) -> bool:
        """Tests the name; names differ by more than their capitals."""
        return self.name.lower() == name.lower()


def read_text(source: Mapping[str, Any], name: str) -> str:
    """Returns a text; empty where the field is missing or null."""
    value = source.get(name)
    return "" if value is None else fields.text(value, name, longest=LONGEST_WORD)


def read_number(source: Mapping[str, Any], name: str, usual: float = 0.0) -> float:
    """Returns a number, at least 0; `usual` where the field is missing or null."""
    value = source.get(name)
    return usual if value is None else max(0.0, fields.number(value, name))


def read_identity(source: Mapping[str, Any], name: str) -> str:
    """Returns the identity of a game or challenge; WireError unless it fits into an address."""
    value = fields.text(source.get(name), name)
    if not _IDENTITY.fullmatch(value):
        raise fields.wrong(name, "an identity", value)
    return value


def read_variant(source: Mapping[str, Any]) -> str:
    """Returns the key of the variant; PyChess writes it as the name alone."""
    variant = fields.mapping(source.get("variant"), "variant")
    key = read_text(variant, "key") or read_text(variant, "name")
    if not key:
        raise fields.wrong("variant", "a variant with a key", variant)
    return key


def player_of(value: object, name: str) -> ServerPlayer:
    """Returns the player of a message's object; name: the name of the value in an error."""
    source = fields.mapping(value, name)
    level = source.get("aiLevel", source.get("ai"))
    player = read_text(source, "name") or read_text(source, "username") or read_text(source, "id")
    if not player and level is None:
        raise fields.wrong(name, "a player with a name", source)
    rating = source.get("rating")
    return ServerPlayer(
        name=player[:LONGEST_NAME] or f"computer level {fields.integer(level, 'aiLevel')}",
        title=read_text(source, "title"),
        rating=None if rating is None else fields.number(rating, "rating"),
        is_provisional=fields.truth(source.get("provisional"), "provisional"),
        computer_level=None if level is None else fields.integer(level, "aiLevel"),
    )


def side_of(value: object, server: BotServer) -> int | None:
    """Returns the side by its name; None for "random" and for a missing one."""
    if value is None or value == "random":
        return None
    name = fields.text(value, "side").lower()
    if name not in server.sides:
        raise fields.wrong("side", f"one of {', '.join(server.sides)}", value)
    return server.sides.index(name)


def sides_of(source: Mapping[str, Any], first: str, second: str) -> tuple[bool, bool]:
    """Returns two truth values, of the first and of the second side; missing ones are false."""
    return fields.truth(source.get(first), first), fields.truth(source.get(second), second)
