"""Game records in SGF: reading of the main lines of a file's games, writing of a game.

sgfmill reads the grammar. This module reads the properties of a game of Go: size, komi, rules,
players, setup stones, moves and result. Variations and comments are skipped.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from sgfmill import sgf_grammar

from engine._core import GoPosition, GoRules
from engine.errors import RecordError, SettingError
from engine.games.game_settings import GoSettings
from engine.games.rules import (
    checked_komi,
    customary_komi,
    parse_rules_and_komi,
    rules_json,
    rules_name,
)

LARGEST_FILE = 10 * 2**20  # bytes
KOMI_IN_HUNDREDTHS = ("foxwq", "SGFC:2.0")  # programs in AP with KM in hundredths
FEWEST_POINTS = 5.0  # a smaller komi in hundredths is in stones, half of the points
LETTERS = "abcdefghijklmnopqrstuvwxyz"
STONES = {"AB": 0, "AW": 1}  # property -> color
MOVES = {"B": 0, "W": 1}
COLOR_NAMES = ("B", "W")
# Properties of the root about the game, kept as they are.
INFORMATION = ("GN", "EV", "RO", "DT", "PC", "TM", "OT", "BT", "WT", "SO", "CP")

Moves = Sequence[tuple[int, int]]
Node = dict[str, list[str]]
T = TypeVar("T")


@dataclass(frozen=True)
class SgfGame:
    """A game of Go read from a file."""

    width: int
    height: int
    rules: GoRules
    komi: float  # points for White
    setup: Moves  # (color, cell)
    first_to_move: int  # color
    moves: Moves  # (color, move)
    result: str = ""  # "B+3.5", "W+R"; empty: unknown
    names: tuple[str, str] = ("", "")  # names of Black and White; empty: unknown
    ranks: tuple[str, str] = ("", "")  # BR and WR as written; empty: unknown
    # Other properties about the game, such as the date and the place: pairs of name and value.
    information: tuple[tuple[str, str], ...] = ()
    warnings: tuple[str, ...] = ()  # sentences on unusable properties of the file

    @property
    def game_settings(self) -> GoSettings:
        """The rules and the komi."""
        return GoSettings(self.rules, self.komi)


def read(data: bytes, rules: GoRules, *, until: int | None = None) -> SgfGame:
    """Returns the main line of the first game, up to the move before number `until`, from 1.

    rules: those of a file without rules, or with unknown ones; the game then has a warning on the
    latter. Retaking a ko and suicide are allowed. Raises RecordError on any other unplayable game.
    """
    return _record(_parsed(data, sgf_grammar.parse_sgf_game), rules, until)


def read_all(data: bytes, rules: GoRules) -> list[SgfGame | RecordError]:
    """Returns all games in the data, read like `read`; an unplayable game is its RecordError.

    Raises RecordError if the data is not SGF.
    """
    games = list[SgfGame | RecordError]()
    for tree in _parsed(data, sgf_grammar.parse_sgf_collection):
        try:
            games.append(_record(tree, rules, None))
        except RecordError as error:
            games.append(error)
    return games


def _parsed(data: bytes, parse: Callable[[bytes], T]) -> T:
    """Returns the data parsed by sgfmill. Raises RecordError if the data is too long or not SGF."""
    if len(data) > LARGEST_FILE:
        raise RecordError(f"the record has more than {LARGEST_FILE} bytes")
    try:
        return parse(data)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"not an SGF record: {error}") from error


def _record(tree: sgf_grammar.Coarse_game_tree, rules: GoRules, until: int | None) -> SgfGame:
    """Returns the main line of the tree. Raises RecordError if it cannot be played."""
    nodes = [
        {name: [value.decode("utf-8", "replace") for value in values] for name, values in node}
        for node in map(dict.items, sgf_grammar.main_sequence_iter(tree))
    ]
    root = nodes[0]
    if root.get("GM", ["1"])[0].strip() != "1":
        raise RecordError(f"not a game of Go: GM[{root['GM'][0]}]")
    width, height = _size(root)
    rules, komi, warnings = _game_settings(root, rules, width * height)
    line = _Line(width, height, rules, komi)
    for node in nodes:
        if not line.follow(node, until):
            break
    black, white, black_rank, white_rank = (
        _text(root.get(name, [""])[0]).strip() for name in ("PB", "PW", "BR", "WR")
    )
    return replace(
        line.record(root.get("RE", [""])[0]),
        names=(black, white),
        ranks=(black_rank, white_rank),
        information=tuple((name, _text(root[name][0])) for name in INFORMATION if name in root),
        warnings=tuple(warnings),
    )


def write(record: SgfGame) -> bytes:
    """Returns the game as an SGF file, in UTF-8."""
    tree = sgf_grammar.Coarse_game_tree()
    tree.sequence = [
        encoded(root_of(record)),
        *(
            encoded({COLOR_NAMES[color]: [point_name(move, record.width, record.height)]})
            for color, move in record.moves
        ),
    ]
    return bytes(sgf_grammar.serialise_game_tree(tree))


def root_of(record: SgfGame) -> Node:
    """Returns the root's properties of the game, unescaped."""
    size = f"{record.width}"
    if record.width != record.height:
        size += f":{record.height}"
    root: Node = {
        "FF": ["4"],
        "GM": ["1"],
        "CA": ["UTF-8"],
        "SZ": [size],
        "KM": [f"{record.komi:g}"],
        "RU": [rules_name(record.rules) or rules_json(record.rules)],
    }
    named = zip(("PB", "PW", "BR", "WR"), (*record.names, *record.ranks), strict=True)
    root |= {name: [text] for name, text in named if text}
    root |= {name: [text] for name, text in record.information}
    if record.result:
        root["RE"] = [record.result]
    for name, color in STONES.items():
        if points := [move for who, move in record.setup if who == color]:
            root[name] = [point_name(move, record.width, record.height) for move in points]
    if record.setup:
        root["PL"] = [COLOR_NAMES[record.first_to_move]]
        if all(color == 0 for color, _ in record.setup) and len(record.setup) > 1:
            root["HA"] = [str(len(record.setup))]
    return root


def encoded(node: Node) -> dict[str, list[bytes]]:
    """Returns the properties of a node escaped, in UTF-8."""
    return {name: [_escaped(value) for value in values] for name, values in node.items()}


def point_name(move: int, width: int, height: int) -> str:
    """Returns the SGF text of a move or a cell; empty for a pass."""
    if move == width * height:
        return ""
    return LETTERS[move % width] + LETTERS[move // width]


@dataclass
class _Line:
    """A game under construction, node by node."""

    width: int
    height: int
    rules: GoRules
    komi: float
    setup: list[tuple[int, int]] = field(default_factory=list)
    moves: list[tuple[int, int]] = field(default_factory=list)
    first_to_move: int = 0

    def __post_init__(self) -> None:
        self.position = GoPosition(self.width, self.height, self.rules, self.komi)
        self.moves_read = 0  # moves before a setup included

    def follow(self, node: Node, until: int | None) -> bool:
        """Applies the node's setup and moves; False before the move number `until`."""
        if node.keys() & {"AB", "AW", "AE", "PL"}:
            self._set_up(node)
        for name, color in MOVES.items():
            for text in node.get(name, [])[:1]:
                self.moves_read += 1
                if until is not None and self.moves_read >= until:
                    return False
                self._play(color, text)
        return True

    def record(self, result: str) -> SgfGame:
        """Returns the game so far."""
        return SgfGame(
            self.width,
            self.height,
            self.rules,
            self.komi,
            tuple(self.setup),
            self.first_to_move,
            tuple(self.moves),
            result,
        )

    def _play(self, color: int, text: str) -> None:
        move = self._move(text)
        try:
            self.position.play(move, color, tolerant=True)
        except ValueError as error:
            where = f"move {self.moves_read}, {COLOR_NAMES[color]}[{text}]"
            raise RecordError(f"{where}: not a legal move") from error
        self.moves.append((color, move))

    def _set_up(self, node: Node) -> None:
        """Makes this node's board the start of the game."""
        stones: dict[int, int] = {
            move: int(stone) - 1 for move, stone in enumerate(self.position.stones.ravel()) if stone
        }
        for text in node.get("AE", []):
            for move in self._points(text):
                stones.pop(move, None)
        for name, color in STONES.items():
            for text in node.get(name, []):
                stones.update((move, color) for move in self._points(text))
        to_move = self.position.to_move
        if "PL" in node:
            to_move = 1 if node["PL"][0].strip().upper().startswith("W") else 0
        elif not self.moves and stones and all(color == 0 for color in stones.values()):
            to_move = 1  # a handicap
        self.setup = [(color, move) for move, color in sorted(stones.items())]
        self.moves = []
        self.first_to_move = to_move
        try:
            self.position.setup(self.setup)
        except ValueError as error:
            raise RecordError(f"setup after move {self.moves_read}: {error}") from error
        self.position.to_move = to_move

    def _points(self, text: str) -> list[int]:
        """Returns the cells of a point, or of a rectangle of points."""
        first, _, last = text.partition(":")
        corners = [self._move(first), self._move(last or first)]
        if self.width * self.height in corners:
            raise RecordError(f"[{text}] is not a point")
        (top, left), (bottom, right) = (divmod(corner, self.width) for corner in corners)
        return [
            y * self.width + x
            for y in range(min(top, bottom), max(top, bottom) + 1)
            for x in range(min(left, right), max(left, right) + 1)
        ]

    def _move(self, text: str) -> int:
        name = text.strip()
        if name in {"", "tt"}:  # boards here have no 20th line, so tt is FF[3]'s pass
            return self.width * self.height
        x, y = (LETTERS.find(letter) for letter in name) if len(name) == 2 else (-1, -1)
        if not (0 <= x < self.width and 0 <= y < self.height):
            raise RecordError(f"[{text}] is not on the {self.width}x{self.height} board")
        return y * self.width + x


def _size(root: Node) -> tuple[int, int]:
    text = root.get("SZ", ["19"])[0]
    first, _, second = text.partition(":")
    try:
        width, height = int(first), int(second or first)
        GoPosition(width, height, GoRules(), 0.0)
    except (ValueError, TypeError) as error:
        raise RecordError(f"unacceptable size SZ[{text}]") from error
    return width, height


def _game_settings(root: Node, default: GoRules, area: int) -> tuple[GoRules, float, list[str]]:
    """Returns rules, komi in points and warnings; area: points of the board."""
    warnings: list[str] = []
    rules, komi = default, None
    if "RU" in root:
        text = root["RU"][0]
        try:
            rules, komi = _rules_and_komi(text)
        except SettingError as error:
            named = rules_name(default) or rules_json(default)
            warnings.append(f"RU[{text}] cannot be used, the rules are {named}: {error}")
    if komi is None:
        komi = customary_komi(rules)
    if "KM" in root:
        try:
            komi = checked_komi(_komi_in_points(root, rules, area))
        except ValueError as error:
            warnings.append(f"KM[{root['KM'][0]}] cannot be used, the komi is {komi:g}: {error}")
    return rules, komi, warnings


def _rules_and_komi(text: str) -> tuple[GoRules, float | None]:
    """Returns rules and komi of RU, or of its part before a comma, as in "Chinese, Pair Go"."""
    try:
        return parse_rules_and_komi(text)
    except SettingError:
        first, comma, _ = text.partition(",")
        if not comma:
            raise
        return parse_rules_and_komi(first)


def _komi_in_points(root: Node, rules: GoRules, area: int) -> float:
    """Returns the komi of KM in points; area: points of the board. Raises ValueError on text.

    Chinese counting gives the surplus over half the board: 3.75 are 7.5 points. Fox writes either
    in hundredths: 375 or 650.
    """
    komi = float(root["KM"][0])
    by_fox = any(name in text for text in root.get("AP", []) for name in KOMI_IN_HUNDREDTHS)
    if abs(komi) >= 100 and (by_fox or abs(komi) > area):
        komi /= 100
        return komi * 2 if abs(komi) < FEWEST_POINTS else komi
    has_quarters = (komi * 4).is_integer() and not (komi * 2).is_integer()
    return komi * 2 if has_quarters and rules.scoring == "AREA" else komi


def _text(value: str) -> str:
    """Returns a property's value as simple text, without escapes."""
    return bytes(sgf_grammar.simpletext_value(value.encode())).decode()


def _escaped(value: str) -> bytes:
    return bytes(sgf_grammar.escape_text(value.encode()))
