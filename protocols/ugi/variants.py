"""The games of UGI clients, by the names of the option and of the command line."""

from __future__ import annotations

import re

from engine.errors import SettingError
from engine.games.table import GAMES, Board

VARIANTS: dict[str, Board] = {
    "othello": Board("othello", 8, 8),
    "othello4": Board("othello", 4, 4),
    "othello6": Board("othello", 6, 6),
    "othello8": Board("othello", 8, 8),
    "othello10": Board("othello", 10, 10),
    "connect4": Board("connect4", 7, 6),
}
DEFAULT = "othello"
_SIZED = re.compile(r"connect4-([0-9]{1,2})x([0-9]{1,2})", re.ASCII)


def variant(name: str) -> Board:
    """Returns the variant of a name, "connect4-8x7" included; raises SettingError."""
    word = name.strip().lower()
    if word in VARIANTS:
        return VARIANTS[word]
    if found := _SIZED.fullmatch(word):
        sized = Board("connect4", int(found[1]), int(found[2]))
        if GAMES["connect4"].fits(sized.width, sized.height):
            return sized
    names = ", ".join(VARIANTS)
    raise SettingError(f"no game {name!r} here: one of {names}, connect4-WIDTHxHEIGHT")
