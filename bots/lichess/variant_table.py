"""The variants whose moves the bot knows on the wire: one row a variant, of all servers together.

A variant without a row is declined; so is one whose game the engine does not play.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from bots.lichess import notation
from bots.lichess.start_position import StartPosition, chess_start, go_start, othello_start
from bots.lichess.wire_values import USUAL_START

# PlayStrategy's rules of Go; dead stones are captured before a pass (fpok0).
AREA_SUPERKO = "koPOSITIONALscoreAREAtaxNONEsui0whb0fpok0"

ReadMoves = Callable[[Sequence[str], StartPosition, int], list[str]]
WriteMove = Callable[[str, Sequence[str], StartPosition, int], str]
ReadStart = Callable[[str, int], StartPosition]


@dataclass(frozen=True, slots=True)
class WireVariant:
    """One variant: its game in the engine, and its moves on the wire."""

    game: str  # of the engine
    size: int
    read: ReadMoves
    write: WriteMove
    read_start: ReadStart
    rules: str | None = None  # of Go

    def start(self, text: str) -> StartPosition:
        """Returns the start of a message. Raises WireError on one without a meaning here."""
        return StartPosition() if text == USUAL_START else self.read_start(text, self.size)


def _go(size: int) -> WireVariant:
    return WireVariant("go", size, notation.read_go, notation.write_go, go_start, AREA_SUPERKO)


def _othello(size: int) -> WireVariant:
    return WireVariant(
        "othello", size, notation.read_othello, notation.write_othello, othello_start
    )


def _chess(read: ReadMoves) -> WireVariant:
    return WireVariant("chess", 8, read, notation.write_chess, chess_start)


VARIANTS: Mapping[str, WireVariant] = {
    "flipello": _othello(8),
    "flipello10": _othello(10),
    "go9x9": _go(9),
    "go13x13": _go(13),
    "go19x19": _go(19),
    "standard": _chess(notation.read_chess),
    "fromPosition": _chess(notation.read_chess960),
    "chess960": _chess(notation.read_chess960),
}
# The games that the engine plays.
PLAYED_GAMES = frozenset({"go", "othello"})
