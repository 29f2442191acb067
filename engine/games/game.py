"""One game under way, as a value: its record, its last positions and a resignation.

A move, an undo and a resignation each return a new value. The differences between games are in
engine.games.adjudication.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from engine.errors import IllegalMoveError
from engine.games.adjudication import ADJUDICATIONS, Adjudication
from engine.games.chance import is_complete
from engine.games.game_kind import GameKind
from engine.games.game_record import RECENT, GameRecord
from engine.games.game_settings import GameInFile, GameSettings
from engine.games.position import Position
from engine.games.table import GAMES, Board


@dataclass(frozen=True, eq=False, slots=True)
class Game:
    """One game. Its positions are shared: a caller copies one before it changes it."""

    record: GameRecord
    recent: Sequence[Position]  # the last RECENT positions, oldest first, the present one last
    resigned: int | None = None  # the color that resigned; None if neither did

    @classmethod
    def of(cls, record: GameRecord) -> Self:
        """Returns the game of a record.

        Raises ValueError on a board that the game is not played on, SetupError on a setup that
        cannot stand.
        """
        return cls(record, record.last_positions(RECENT))

    @classmethod
    def new(cls, game_settings: GameSettings, size: tuple[int, int] | None = None) -> Self:
        """Returns a game at its beginning; size: (width, height), None for the usual one."""
        return cls.of(
            GameRecord(game_settings, *(size or GAMES[game_settings.game].usual_sizes[0]))
        )

    # ---- The game as it stands

    @property
    def name(self) -> str:
        """The game that is played, a key of GAMES."""
        return self.game_settings.game

    @property
    def kind(self) -> GameKind:
        """The row of GAMES of this game."""
        return GAMES[self.name]

    @property
    def adjudication(self) -> Adjudication[Any]:
        """The game's rules of turns and of ending."""
        return ADJUDICATIONS[self.name]

    @property
    def board(self) -> Board:
        """The game and the size of its board."""
        return Board(self.name, self.width, self.height)

    @property
    def game_settings(self) -> GameSettings:
        """The settings of the game: in Go its rules and komi."""
        return self.record.game_settings

    @property
    def position(self) -> Position:
        """The current position; copy it before changing it."""
        return self.recent[-1]

    @property
    def width(self) -> int:
        """Columns of the board."""
        return self.record.width

    @property
    def height(self) -> int:
        """Rows of the board."""
        return self.record.height

    @property
    def setup(self) -> tuple[tuple[int, int], ...]:
        """The setup as (color, cell)s; empty: the usual start."""
        return self.record.setup

    @property
    def first_to_move(self) -> int:
        """The color to move after the setup."""
        return self.record.first_to_move

    @property
    def moves(self) -> tuple[tuple[int, int], ...]:
        """The moves played, as (color, move)."""
        return self.record.moves

    @property
    def is_empty(self) -> bool:
        """Whether no stone stands on the board."""
        return not self.position.stones.any()

    @property
    def is_ended(self) -> bool:
        """Whether the rules or a resignation ended the game."""
        return self.resigned is not None or self.position.is_over

    @property
    def is_final(self) -> bool:
        """Whether the game is over for good; a game of Go may always be resumed."""
        return self.position.is_over and self.adjudication.resume is None

    # ---- Other games that follow from this one

    def start_over(self, size: tuple[int, int] | None = None) -> Self:
        """Returns a new game by the same settings.

        size: (width, height); None: as before. Raises ValueError on a size the game lacks.
        """
        return self.new(self.game_settings, size or (self.width, self.height))

    def load(self, record: GameInFile) -> Self:
        """Returns a game read from a file. Raises ValueError on another kind of game."""
        self._check(record.game_settings)
        return self.of(GameRecord.of(record))

    def set_up(self, stones: Iterable[tuple[int, int]], to_move: int = 0) -> Self:
        """Returns a game that begins from these stones, as (color, cell)s; none: the usual start.

        Raises SetupError on a point named twice or impossible stones.
        """
        return self.of(self.record.set_up(tuple(stones), to_move))

    def play(self, color: int, move: int) -> Self:
        """Returns the game after a move; in Go the tolerant rules of records apply.

        If the opponent was to move and could only pass, this pass is played first. Raises
        IllegalMoveError.
        """
        position, implied = self.position, None
        if self.adjudication.give_turn is None:
            position, implied = self.adjudication.at_turn_of(position, color)
        _check_legal(position, color, move)
        played = position.copy()
        played.play(move, color, tolerant=True)
        record = self.record.with_move(color, move, implied=implied)
        between = () if implied is None else (position,)
        recent = (*self.recent, *between, played)
        return replace(self, record=record, recent=recent[-RECENT:], resigned=None)

    def play_all(
        self, moves: Iterable[Callable[[Position], tuple[int, int]]]
    ) -> tuple[Self, Exception | None]:
        """Plays moves like `play`, up to the first exception, in time linear in their number.

        moves: functions from the position before a move to its (color, move). Returns the game
        after the moves played, and the exception of the next one, or None.
        """
        position, error = self.position.copy(), None
        played, implied = list(self.moves), set(self.record.implied)
        try:
            for read in moves:
                color, move = read(position)
                if self.adjudication.give_turn is None:
                    position, passed = self.adjudication.at_turn_of(position, color)
                    if passed is not None:
                        implied.add(len(played))
                        played.append((1 - color, passed))
                _check_legal(position, color, move)
                position.play(move, color, tolerant=True)
                played.append((color, move))
        except Exception as raised:
            error = raised
        if len(played) == len(self.moves):
            return self, error
        record = replace(self.record, moves=tuple(played), implied=frozenset(implied))
        return self.of(record), error

    def undo(self, number: int = 1) -> Self:
        """Returns the game without so many moves, and without the passes implied by them.

        Raises CannotUndoError if there are fewer; the setup stays.
        """
        return self.of(self.record.without_last(number))

    def agree(self, game_settings: GameSettings) -> Self:
        """Returns the game by other settings; ValueError on those of another game."""
        self._check(game_settings)
        return (
            self
            if game_settings == self.game_settings
            else self.of(replace(self.record, game_settings=game_settings))
        )

    def resign(self, color: int) -> Self:
        """Returns the game after the resignation of a color."""
        return replace(self, resigned=color)

    def _check(self, game_settings: GameSettings) -> None:
        if game_settings.game != self.name:
            raise ValueError(f"a game of {self.name} cannot become one of {game_settings.game}")


def _check_legal(position: Position, color: int, move: int) -> None:
    if not position.is_legal(move, color, tolerant=True):
        raise IllegalMoveError("illegal move")
    if not is_complete(position, move):
        raise IllegalMoveError("the move lacks its outcome")
