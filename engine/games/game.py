"""One game as far as it has gone, as a value: its record, its last positions, a resignation.

Knows who may move and what can be taken back; each change gives a new value. Game-specific
adjudication is in the table of engine.games.adjudication. Knows no search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from engine.errors import IllegalMoveError
from engine.games.adjudication import ADJUDICATIONS, Adjudication
from engine.games.game_record import RECENT, GameRecord
from engine.games.game_settings import GameInFile, GameSettings
from engine.games.position import Position
from engine.games.table import GAMES, Board, GameKind


@dataclass(frozen=True, eq=False, slots=True)
class Game:
    """One game. Its positions are shared: a caller copies one before it changes it."""

    record: GameRecord
    recent: Sequence[Position]  # the last RECENT positions, oldest first, the present one last
    resigned: int | None = None  # the color that gave up; None while nobody has

    @classmethod
    def of(cls, record: GameRecord) -> Self:
        """Returns the game of a record.

        Raises ValueError on a board that the game is not played on, SetupError on a setup that
        cannot stand.
        """
        return cls(record, record.last_positions(RECENT))

    @classmethod
    def new(cls, terms: GameSettings, size: tuple[int, int] | None = None) -> Self:
        """Returns a game at its beginning; size: (width, height), None for the usual one."""
        return cls.of(GameRecord(terms, *(size or GAMES[terms.game].usual_sizes[0])))

    # ---- The game as it stands

    @property
    def name(self) -> str:
        """The game that is played, a key of GAMES."""
        return self.terms.game

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
    def terms(self) -> GameSettings:
        """The settings that the players agreed on."""
        return self.record.terms

    @property
    def position(self) -> Position:
        """The current position."""
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
        """The stones that the game began with, as (color, cell); empty for the usual beginning."""
        return self.record.setup

    @property
    def first_to_move(self) -> int:
        """The color that was to move after the setup."""
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
        """Whether the rules ended the game for good; in Go players may always go on."""
        return self.position.is_over and self.adjudication.resume is None

    # ---- Other games that follow from this one

    def start_over(self, size: tuple[int, int] | None = None) -> Self:
        """Returns a new game by the same terms, on a board of (width, height) or of this size.

        Raises ValueError on a board that the game is not played on.
        """
        return self.new(self.terms, size or (self.width, self.height))

    def load(self, record: GameInFile) -> Self:
        """Returns a game of the same kind that was read from a file."""
        self._check(record.terms)
        return self.of(GameRecord.of(record))

    def set_up(self, stones: Iterable[tuple[int, int]], to_move: int = 0) -> Self:
        """Returns a game that begins from these stones, (color, cell); from none as usual.

        Raises SetupError on a point named twice or stones that cannot stand.
        """
        return self.of(self.record.set_up(tuple(stones), to_move))

    def play(self, color: int, move: int) -> Self:
        """Returns the game after a move of a color. Raises IllegalMoveError.

        Go is tolerant, as of records. Where the other color was to move and could only pass, that
        pass is played first.
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
        """Plays moves as `play` does, up to the first error, in time linear in their number.

        moves: each returns its (color, move), given the position before it. Returns the game after
        the moves that could be played, and the error of the next one, or None.
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
        """Returns the game without its last moves and the passes that they implied.

        Raises CannotUndoError where there are not so many moves; the setup stays.
        """
        return self.of(self.record.without_last(number))

    def agree(self, terms: GameSettings) -> Self:
        """Returns the same game by other terms."""
        self._check(terms)
        return self if terms == self.terms else self.of(replace(self.record, terms=terms))

    def resign(self, color: int) -> Self:
        """Returns the game after a color gave up."""
        return replace(self, resigned=color)

    def _check(self, terms: GameSettings) -> None:
        if terms.game != self.name:
            raise ValueError(f"a game of {self.name} cannot become one of {terms.game}")


def _check_legal(position: Position, color: int, move: int) -> None:
    if not position.is_legal(move, color, tolerant=True):
        raise IllegalMoveError("illegal move")
