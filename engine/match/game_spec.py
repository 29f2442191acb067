"""The start of a match's game: game, board, rules, opening.

NAMES lists the names of games on the command line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from engine.games import handicap
from engine.games.chance import Draw
from engine.games.game_kind import GameKind
from engine.games.game_settings import GameSettings, GoSettings, PlainSettings
from engine.games.position import Position
from engine.games.rules import USUAL_RULES, named_rules
from engine.games.table import GAMES, Board

SMALLEST_GO = 7  # points a side; openings and engines are of no use on smaller boards
NAMES = "go7 to go19 or as go9x13, othello (8x8), othello4, othello6, othello10, connect4 (7x6)"
NAMES += " or as connect4-8x7, darkchess (4x8), darkchess2x4, einstein, chess"

# Spellings of a game's name -> the game; the groups are width and height, none for one size.
PATTERNS: dict[str, re.Pattern[str]] = {
    "go": re.compile(r"go(\d{1,2})(?:x(\d{1,2}))?", re.ASCII),
    "othello": re.compile(r"othello(?:(\d{1,2})(?:x(\d{1,2}))?)?", re.ASCII),
    "connect4": re.compile(r"connect4(?:-(\d{1,2})x(\d{1,2}))?", re.ASCII),
    "darkchess": re.compile(r"darkchess(?:(\d)x(\d))?", re.ASCII),
    "einstein": re.compile(r"einstein", re.ASCII),
    "chess": re.compile(r"chess", re.ASCII),
}

# Games with forced passes: the rules allow a pass only without another move.
FORCED_PASSES = frozenset({"othello"})


@dataclass(frozen=True, slots=True)
class GameSpec:
    """The start of a game."""

    game: str  # a key of engine.games.table.GAMES
    width: int
    height: int
    rules: str = USUAL_RULES  # rules of Go
    komi: float = 0.0  # komi of Go
    opening: tuple[int, ...] = ()  # moves in turn, color 0 first, or 1 after a handicap
    handicap: tuple[int, ...] = ()  # black stones of a handicap in Go
    chance: int = 0  # seed of the outcomes: games with one seed have equal chance

    @property
    def kind(self) -> GameKind:
        """The game's row in engine.games.table."""
        return GAMES[self.game]

    @property
    def name(self) -> str:
        """The game and its board in a word for board_of, such as "othello6"."""
        return self.board.name

    @property
    def board(self) -> Board:
        """The game and the size of its board."""
        return Board(self.game, self.width, self.height)

    @property
    def passes_are_forced(self) -> bool:
        """Whether a pass is never a choice, so that the referee plays it."""
        return self.game in FORCED_PASSES

    @property
    def draw(self) -> Draw | None:
        """The draw of the outcomes; None in a game without chance."""
        return None if self.kind.deal is None else self.kind.deal(self.chance)

    @property
    def game_settings(self) -> GameSettings:
        """The settings of the game: rules and komi."""
        if self.game != GoSettings.game:
            return PlainSettings(self.game)
        return GoSettings(named_rules(self.rules), self.komi)

    def empty(self) -> Position:
        """The position before the opening."""
        position = self.game_settings.begin(self.width, self.height)
        if self.handicap:
            position.setup([(0, move) for move in self.handicap], 1)
        return position

    def position(self) -> Position:
        """The position after the opening; raises ValueError for one that is not legal."""
        position = self.empty()
        for move in self.opening:
            position.play(move)
        return position

    def opening_moves(self) -> Iterator[tuple[int, int]]:
        """The opening as (color, move)."""
        first = 1 if self.handicap else 0
        for number, move in enumerate(self.opening):
            yield (first + number) % 2, move

    def read(self, text: str) -> int:
        """Returns the move named by a text; raises ValueError with the text for any other."""
        return self.kind.read_move(text, self.width, self.height)

    def write(self, move: int) -> str:
        """The move as text."""
        return self.kind.write_move(move, self.width, self.height)


def board_of(name: str) -> tuple[str, int, int]:
    """Returns game, width and height for a name such as "go9" or "connect4-8x7".

    Raises ValueError with the name for an unknown one.
    """
    for game, pattern in PATTERNS.items():
        if match := pattern.fullmatch(name):
            kind = GAMES[game]
            usual_width, usual_height = kind.usual_sizes[0]
            across, down = (*match.groups(), None, None)[:2]
            width = int(across or usual_width)
            height = int(down or across or usual_height)
            smallest = SMALLEST_GO if game == "go" else 1
            if min(width, height) < smallest or not kind.fits(width, height):
                raise ValueError(f"no board {name!r}: there are {NAMES}")
            return game, width, height
    raise ValueError(f"no game {name!r}: there are {NAMES}")


def handicap_moves(game: str, width: int, height: int, stones: int) -> tuple[int, ...]:
    """Returns the points of a fixed handicap; raises ValueError for a game or board without one."""
    if not stones:
        return ()
    if game != "go":
        raise ValueError(f"{GAMES[game].title} has no handicap stones")
    return tuple(handicap.fixed(width, height, stones))
