"""Othello games in GGF, the text format of the Generic Game Server and of NBoard.

The module reads and writes the grammar, and GGF's spelling of Othello's board, moves and results. A
text may hold several games; the number of games of a match may precede them. Unknown properties
keep their order. Only `replay` checks the legality of moves.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from engine._core import OthelloPosition
from engine.errors import RecordError
from engine.formats import transcript
from engine.games.position import placed_stones
from engine.games.table import GAMES

LARGEST_FILE = 64 * 2**20  # characters
QUOTED = 40  # most characters of a file quoted in an error
SIZES = (4, 6, 8, 10)
COLORS = {"*": 0, "X": 0, "B": 0, "O": 1, "W": 1}  # the signs of BO, in capitals
SIGNS = "*O"
MOVES = {"B": 0, "W": 1}  # property -> color
ENDINGS = ("r", "t", "s", "l")  # the letter after a result: resigned, out of time, agreed, left

# The spaces belong to the count, as a match tried from each space would take quadratic time.
_OPENING = re.compile(r"(?:(?P<count>[0-9]{1,4})\s*)?\(;", re.ASCII)
_PROPERTY = re.compile(r"\s*([A-Za-z][A-Za-z0-9]{0,9})\s*\[([^\]]*)\]", re.ASCII)
_ENDING = re.compile(r"\s*;\s*\)", re.ASCII)
_RESULT = re.compile(r"([+-]?[0-9]{1,4}(?:\.[0-9]{0,9})?)(?:\s*:\s*([a-z]))?", re.ASCII | re.I)


@dataclass(frozen=True, slots=True)
class GgfMove:
    """A move with its player's evaluation and time."""

    color: int
    move: int
    evaluation: float | None = None  # discs, from the player's view
    seconds: float | None = None  # spent on the move
    text: str = field(default="", compare=False)  # the file's spelling


@dataclass(frozen=True, slots=True)
class GgfResult:
    """A result: the difference in discs, and the kind of end if the game was not played out."""

    black_score: float  # Black's discs minus White's
    ending: str = ""  # one of ENDINGS; empty: played out

    def __str__(self) -> str:
        return f"{self.black_score:+.3f}" + (f":{self.ending}" if self.ending else "")


@dataclass(frozen=True, slots=True)
class GgfGame:
    """One game of Othello read from a file."""

    size: int = 8  # cells of a side
    stones: tuple[tuple[int, int], ...] | None = None  # (color, cell); None: the usual start
    first_to_move: int = 0  # color
    moves: tuple[GgfMove, ...] = ()
    result: GgfResult | None = None
    properties: Mapping[str, str] = field(default_factory=dict)  # all others: PB, PW, DT, TI ...
    games_in_match: int | None = None  # the number before the game; None without one

    @property
    def black(self) -> str:
        """Black's name; "" if unknown."""
        return self.properties.get("PB", "")

    @property
    def white(self) -> str:
        """White's name; "" if unknown."""
        return self.properties.get("PW", "")

    def start(self) -> OthelloPosition:
        """Returns the start position. Raises RecordError if it cannot be set up."""
        position = OthelloPosition(self.size)
        if self.stones is None and self.first_to_move == position.to_move:
            return position
        stones = placed_stones(position) if self.stones is None else list(self.stones)
        try:
            position.setup(stones, self.first_to_move)
        except ValueError as error:
            raise RecordError(f"BO: {error}") from error
        return position


def read(text: str) -> tuple[GgfGame, ...]:
    """Returns all games of a text; skips all text between them.

    Raises RecordError with the game's number and a quote of the unreadable part, and on a text
    without any game.
    """
    if len(text) > LARGEST_FILE:
        raise RecordError(f"the file has more than {LARGEST_FILE} characters")
    games: list[GgfGame] = []
    start = 0
    while opening := _OPENING.search(text, start):
        try:
            game, start = _read_game(text, opening)
        except RecordError as error:
            raise RecordError(f"game {len(games) + 1}: {error}") from error
        games.append(game)
    if not games:
        raise RecordError(f"no game of GGF: {_quoted(text.strip())}")
    return tuple(games)


def write(games: Iterable[GgfGame]) -> str:
    """Returns the games as GGF, one a line, readable by `read`."""
    return "".join(f"{write_game(game)}\n" for game in games)


def write_game(game: GgfGame) -> str:
    """Returns one game as GGF, on one line."""
    parts = [f"{game.games_in_match} " if game.games_in_match is not None else "", "(;GM[Othello]"]
    known = {"TY": str(game.size), **game.properties}
    if game.result is not None:
        known["RE"] = str(game.result)
    parts += [f"{name}[{_escaped(value)}]" for name, value in known.items()]
    parts.append(f"BO[{write_board(game.start())}]")
    for made in game.moves:
        parts.append(f"{'BW'[made.color]}[{write_move(made, game.size)}]")
    return "".join([*parts, ";)"])


def write_board(position: OthelloPosition) -> str:
    """Returns the value of BO: the size, the rows from the top, the color to move."""
    rows = ["".join("-*O"[stone] for stone in row) for row in position.stones.tolist()]
    return f"{position.width} {' '.join(rows)} {SIGNS[position.to_move]}"


def write_move(made: GgfMove, size: int) -> str:
    """Returns a move as text, with its evaluation and time if known: "F5/2.00/0.1"."""
    kind = GAMES["othello"]
    name = "PA" if made.move == size * size else kind.write_move(made.move, size, size).upper()
    evaluation = "" if made.evaluation is None else f"{made.evaluation:.2f}"
    seconds = "" if made.seconds is None else f"{made.seconds:.2f}"
    return f"{name}/{evaluation}/{seconds}".rstrip("/")


def read_move(text: str, color: int, size: int) -> GgfMove:
    """Returns the move of a text such as "F5", "f5/1.2/0.5", "F5//2" or "PA".

    Raises RecordError, quoting the text. A malformed number counts as unknown: some servers write
    other text there.
    """
    name, _, rest = text.strip().partition("/")
    evaluation, _, seconds = rest.partition("/")
    try:
        move = GAMES["othello"].read_move(name.strip(), size, size)
    except ValueError as error:
        raise RecordError(str(error)) from error
    return GgfMove(color, move, _number(evaluation), _number(seconds), text)


def replay(game: GgfGame) -> tuple[OthelloPosition, list[int]]:
    """Returns the final position and all moves, with the passes omitted by the file.

    Raises RecordError at an illegal move or at a move out of turn.
    """
    board = game.start()
    played: list[int] = []
    for number, made in enumerate(game.moves, 1):
        spelled = made.text or write_move(made, game.size)
        name = f"move {number}, {'BW'[made.color]}[{spelled[:QUOTED]}]"
        passing = board.pass_move
        if made.color != board.to_move and made.move != passing and board.is_legal(passing):
            board.play(passing)
            played.append(passing)
        if made.color != board.to_move:
            raise RecordError(f"{name}: it is {'BW'[board.to_move]}'s turn")
        try:
            played.extend(transcript.play(board, made.move))
        except ValueError as error:
            raise RecordError(f"{name}: not a legal move") from error
    return board, played


def _read_game(text: str, opening: re.Match[str]) -> tuple[GgfGame, int]:
    """Returns the game after the opening, and the index of its end."""
    pairs: list[tuple[str, str]] = []
    at = opening.end()
    while match := _PROPERTY.match(text, at):
        pairs.append((match[1].upper(), match[2]))
        at = match.end()
    ending = _ENDING.match(text, at)
    if ending is None:
        raise RecordError(f"neither a property nor ';)': {_quoted(text[at : at + QUOTED + 1])}")
    count = int(opening["count"]) if opening["count"] else None
    return _game(pairs, count), ending.end()


def _game(pairs: list[tuple[str, str]], count: int | None) -> GgfGame:
    """Returns the game of these properties; the last one of a name counts."""
    properties = {name: value for name, value in pairs if name not in MOVES}
    kind = properties.pop("GM", "Othello").strip()
    if kind.lower() not in {"othello", "reversi"}:
        raise RecordError(f"not a game of Othello: GM[{kind}]")
    size, stones, to_move = _board(properties)
    moves = tuple(read_move(value, MOVES[name], size) for name, value in pairs if name in MOVES)
    result = read_result(properties["RE"]) if "RE" in properties else None
    if result is not None:
        del properties["RE"]
    return GgfGame(size, stones, to_move, moves, result, properties, count)


def read_result(text: str) -> GgfResult | None:
    """Returns the result of a text such as "+12.000", "-64:r" or "0"; None for "?" and others."""
    match = _RESULT.fullmatch(text.strip())
    if match is None:
        return None
    ending = (match[2] or "").lower()
    return GgfResult(float(match[1]), ending if ending in ENDINGS else "")


def _board(properties: dict[str, str]) -> tuple[int, tuple[tuple[int, int], ...] | None, int]:
    """Returns size, stones and color to move by BO, removed from the properties, or by TY.

    The stones are None without BO. Raises RecordError.
    """
    if "BO" not in properties:
        digits = re.match(r"s?([0-9]{1,2})", properties.get("TY", "8").strip(), re.ASCII | re.I)
        size = int(digits[1]) if digits else 8
        if size not in SIZES:
            raise RecordError(f"TY[{properties['TY']}]: no board of size {size}")
        return size, None, 0
    text = properties.pop("BO")
    signs = "".join(text.split())
    digits = re.match(r"[0-9]{1,2}", signs, re.ASCII)
    size = int(digits[0]) if digits else 0
    cells = signs[len(digits[0]) :].upper() if digits else ""
    wrong = set(cells) - set(COLORS) - set("-.")
    if size not in SIZES or len(cells) != size * size + 1 or wrong or cells[-1] not in COLORS:
        raise RecordError(f"not a board of Othello: BO[{_quoted(text)}]")
    stones = tuple((COLORS[sign], cell) for cell, sign in enumerate(cells[:-1]) if sign in COLORS)
    return size, stones, COLORS[cells[-1]]


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _escaped(value: str) -> str:
    """Returns the value without closing brackets and line ends; GGF has no escape for them."""
    return value.replace("]", ")").replace("\n", " ").replace("\r", " ")


def _quoted(text: str) -> str:
    return repr(text if len(text) <= QUOTED else f"{text[:QUOTED]}...")
