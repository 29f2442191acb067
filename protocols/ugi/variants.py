"""The games that UGI clients may choose, by the names of the option and of the command line."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.games import GAMES
from engine.position import Position
from engine.records import SettingError


@dataclass(frozen=True, slots=True)
class Variant:
    """A game on a board."""

    game: str  # a key of GAMES
    width: int
    height: int

    def start(self) -> Position:
        """The position it begins with."""
        return GAMES[self.game].new_position(self.width, self.height)


VARIANTS: dict[str, Variant] = {
    "othello": Variant("othello", 8, 8),
    "othello4": Variant("othello", 4, 4),
    "othello6": Variant("othello", 6, 6),
    "othello8": Variant("othello", 8, 8),
    "othello10": Variant("othello", 10, 10),
    "connect4": Variant("connect4", 7, 6),
}
DEFAULT = "othello"
_SIZED = re.compile(r"connect4-([0-9]{1,2})x([0-9]{1,2})", re.ASCII)


def variant(name: str) -> Variant:
    """The variant of that name, "connect4-8x7" included. SettingError quotes one that is none."""
    word = name.strip().lower()
    if word in VARIANTS:
        return VARIANTS[word]
    if found := _SIZED.fullmatch(word):
        sized = Variant("connect4", int(found[1]), int(found[2]))
        if GAMES["connect4"].fits(sized.width, sized.height):
            return sized
    names = ", ".join(VARIANTS)
    raise SettingError(f"no game {name!r} here: one of {names}, connect4-WIDTHxHEIGHT")
