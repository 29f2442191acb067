"""The variants whose moves the bot knows on the wire: one row a variant, of all servers together.

A variant without a row is declined.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from bots.lichess import notation
from bots.lichess.start_position import StartPosition, chess_start, go_start, othello_start
from bots.lichess.wire_values import USUAL_START

# PlayStrategy's rules of Go; dead stones are captured before a pass (fpok0).
AREA_SUPERKO = "koPOSITIONALscoreAREAtaxNONEsui0whb0fpok0"

# Names of chess in `sparring-start`; castling in Chess960 is the king that takes its rook.
CHESS, CHESS960 = "chess", "chess960"

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
    name: str = ""  # of chess, before the FEN of `sparring-start`
    has_custom_start: bool = False  # every game begins from a position of the challenger's

    def start(self, text: str) -> StartPosition:
        """Returns the start of a message. Raises WireError on one without a meaning here."""
        return StartPosition() if text == USUAL_START else self.read_start(text, self.size)

    def start_text(self, start: StartPosition) -> str:
        """Returns a start of chess as `sparring-start` takes it; empty: the usual one.

        >>> VARIANTS["chess960"].start_text(StartPosition())
        'chess960'
        """
        if self.name in ("", CHESS) and not start.fen:
            return ""
        return f"{self.name} {start.fen}".strip()

    def claims_draw(self, move: str) -> bool:
        """Tests whether a move claims a draw: the engine passes in chess once the game is drawn."""
        return bool(self.name) and move.lower() == notation.PASS


def _go(size: int) -> WireVariant:
    return WireVariant("go", size, notation.read_go, notation.write_go, go_start, AREA_SUPERKO)


def _othello(size: int) -> WireVariant:
    return WireVariant(
        "othello", size, notation.read_othello, notation.write_othello, othello_start
    )


def _chess(read: ReadMoves, name: str, *, has_custom_start: bool = False) -> WireVariant:
    return WireVariant(
        CHESS,
        8,
        read,
        notation.write_chess,
        chess_start,
        name=name,
        has_custom_start=has_custom_start,
    )


VARIANTS: Mapping[str, WireVariant] = {
    "flipello": _othello(8),
    "flipello10": _othello(10),
    "go9x9": _go(9),
    "go13x13": _go(13),
    "go19x19": _go(19),
    "standard": _chess(notation.read_chess, CHESS),
    "chess960": _chess(notation.read_chess960, CHESS960),
    "fromPosition": _chess(notation.read_chess960, CHESS960, has_custom_start=True),
}
