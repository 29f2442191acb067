"""The start of a game: stones on the board, the side to move first, and in Go the komi."""

from __future__ import annotations

from dataclasses import dataclass

from bots.fields import WireError

GO_LETTERS = "ABCDEFGHJKLMNOPQRST"  # of GTP, without I


@dataclass(frozen=True, slots=True)
class StartPosition:
    """The start of one game; squares as the engine's GTP spells them."""

    first_to_move: int = 0  # side
    stones: tuple[tuple[int, str], ...] = ()  # side and square, beside those of the usual start
    komi: float | None = None  # of Go
    fen: str = ""  # of chess; empty: the usual start


def go_start(fen: str, size: int) -> StartPosition:
    """Returns the start of a game of Go on PlayStrategy.

    The FEN has rows from the top, S for stones of the first player, Black, and s for White's, then
    a pocket in brackets; after it the side to move, ko, four scores, the komi in tenths, and more.
    Raises WireError on another FEN or size.

    >>> go_start("9/9/6S2/9/9/9/2S6/9/9[SSss] w - 20 65 0 0 65 0 1", 9)
    StartPosition(first_to_move=1, stones=((0, 'G7'), (0, 'C3')), komi=6.5, fen='')
    """
    words = fen.split()
    if len(words) not in (9, 10) or words[1] not in ("b", "w"):
        raise WireError(f"no start of Go: {fen[:100]!a}")
    rows = words[0].partition("[")[0].split("/")
    if len(rows) != size:
        raise WireError(f"a start of Go on {len(rows)} rows, not {size}")
    stones = []
    for down, row in enumerate(rows):
        for right, letter in enumerate(_squares(row, size)):
            if letter != " ":
                stones.append(("Ss".index(letter), f"{GO_LETTERS[right]}{size - down}"))
    try:
        komi = int(words[7]) / 10
    except ValueError as error:
        raise WireError(f"no komi of Go: {words[7][:20]!a}") from error
    return StartPosition(int(words[1] == "w"), tuple(stones), komi)


def _squares(row: str, size: int) -> str:
    """Returns a row of a FEN with a space for each empty point."""
    result, digits = "", ""
    for letter in row + "|":
        if letter.isascii() and letter.isdigit() and len(digits) < 2:
            digits += letter
            continue
        result += " " * int(digits or 0)
        digits = ""
        if letter in "Ss":
            result += letter
        elif letter != "|":
            raise WireError(f"no row of Go: {row[:40]!a}")
    if len(result) != size:
        raise WireError(f"a row of {len(result)} points, not {size}")
    return result


def othello_start(fen: str, size: int) -> StartPosition:
    """Returns the usual start of Othello; WireError on any other.

    >>> othello_start("8/8/8/3pP3/3Pp3/8/8/8[PPpp] w - - 0 1", 8).first_to_move
    0
    """
    words = fen.split()
    half = size // 2
    top, bottom = f"{half - 1}pP{half - 1}", f"{half - 1}Pp{half - 1}"
    empty = [str(size)] * (half - 1)
    usual = [*empty, top, bottom, *empty]
    if len(words) < 2 or words[0].partition("[")[0].split("/") != usual or words[1] != "w":
        raise WireError(f"no usual start of Othello: {fen[:100]!a}")
    return StartPosition()


def chess_start(fen: str, size: int) -> StartPosition:
    """Returns a start of chess by its FEN; WireError on one without the eight rows.

    >>> chess_start("4k3/8/8/8/8/8/8/4K2R b K - 0 1", 8).first_to_move
    1
    """
    words = fen.split()
    if len(words) < 3 or words[0].count("/") != size - 1 or words[1] not in ("w", "b"):
        raise WireError(f"no start of chess: {fen[:100]!a}")
    return StartPosition(int(words[1] == "b"), fen=fen)
