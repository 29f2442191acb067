"""One game being played: its terms, setup and moves, from which the position follows.

Knows who may move and what can be taken back. It keeps the list of moves and derives the position;
it leaves what is particular about a game to the tables of engine.games.adjudication, and knows no
search. A session is one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from engine.errors import IllegalMoveError
from engine.games.adjudication import ADJUDICATIONS
from engine.games.game_record import RECENT, GameRecord
from engine.games.game_settings import GameInFile, GameSettings
from engine.games.position import Position
from engine.games.table import GAMES, Board, GameKind


class Game:
    """One game. Used by one thread at a time."""

    def __init__(self, terms: GameSettings) -> None:
        self._kind = GAMES[terms.game]
        self._adjudication = ADJUDICATIONS[terms.game]
        self.recent: Sequence[Position] = ()  # the last RECENT positions, the present one last
        self._resigned: int | None = None  # the color that gave up
        self._go_on(GameRecord(terms, *self._kind.usual_sizes[0]))

    # ---- The game as it stands

    @property
    def kind(self) -> GameKind:
        """The game being played."""
        return self._kind

    @property
    def terms(self) -> GameSettings:
        """What the players agreed on."""
        return self._record.terms

    @property
    def position(self) -> Position:
        """The current position; a copy of it must be made before it is changed."""
        return self.recent[-1]

    @property
    def width(self) -> int:
        """Columns of the board."""
        return self._record.width

    @property
    def height(self) -> int:
        """Rows of the board."""
        return self._record.height

    @property
    def board(self) -> Board:
        """The game's kind and the size of its board."""
        return Board(self.terms.game, self.width, self.height)

    @property
    def setup(self) -> tuple[tuple[int, int], ...]:
        """The stones the game began with, as (color, move); none: as it always begins."""
        return self._record.setup

    @property
    def first_to_move(self) -> int:
        """The color that was to move after the setup."""
        return self._record.first_to_move

    @property
    def moves(self) -> tuple[tuple[int, int], ...]:
        """The moves played, as (color, move)."""
        return self._record.moves

    @property
    def resigned(self) -> int | None:
        """The color that gave up; None while nobody has."""
        return self._resigned

    @property
    def is_empty(self) -> bool:
        """Whether no stone stands on the board."""
        return not self.position.stones.any()

    @property
    def is_final(self) -> bool:
        """Whether the game is over for good; in Go players may always go on."""
        return self.position.is_over and self._adjudication.resume is None

    # ---- Changing the game

    def start_over(self, size: tuple[int, int] | None = None) -> None:
        """Clears the board for a new game, of another (width, height) where one is given.

        Raises ValueError, with nothing changed, on a board that the game is not played on.
        """
        self._begin(GameRecord(self.terms, *(size or (self.width, self.height))))

    def set_up(self, stones: Iterable[tuple[int, int]], to_move: int = 0) -> None:
        """Begins a game from these stones, (color, cell); from none as it always begins.

        Raises SetupError, with nothing changed, on a point named twice or stones that can't stand.
        """
        self._go_on(self._record.set_up(tuple(stones), to_move))

    def load(self, record: GameInFile) -> None:
        """Takes over a game of the same kind that was read from a file."""
        self._check(record.terms)
        self._begin(GameRecord.of(record))

    def play(self, color: int, move: int) -> None:
        """Plays a move of a color. Raises IllegalMoveError; Go is tolerant, as of records.

        Where the other color was to move and could only pass, that pass is played first.
        """
        position, implied = self.position, None
        if self._adjudication.give_turn is None:
            position, implied = self._adjudication.at_turn_of(position, color)
        if not position.is_legal(move, color, tolerant=True):
            raise IllegalMoveError("illegal move")
        played = position.copy()
        played.play(move, color, tolerant=True)
        game_record = self._record.with_move(color, move, implied=implied)
        between = () if implied is None else (position,)
        self._arrive(game_record, (*self.recent, *between, played))

    def play_all(self, moves: Iterable[Callable[[Position], tuple[int, int]]]) -> None:
        """Plays moves as `play` does, in time linear in their number.

        moves: each tells its (color, move), given the position that it is played in. What one of
        them raises, and IllegalMoveError, leaves the moves before it played.
        """
        position = self.position.copy()
        played, implied = list(self.moves), set(self._record.implied)
        try:
            for read in moves:
                color, move = read(position)
                if self._adjudication.give_turn is None:
                    position, passed = self._adjudication.at_turn_of(position, color)
                    if passed is not None:
                        implied.add(len(played))
                        played.append((1 - color, passed))
                if not position.is_legal(move, color, tolerant=True):
                    raise IllegalMoveError("illegal move")
                position.play(move, color, tolerant=True)
                played.append((color, move))
        finally:
            if len(played) > len(self.moves):
                now = replace(self._record, moves=tuple(played), implied=frozenset(implied))
                self._go_on(now)

    def undo(self, number: int = 1) -> None:
        """Takes the last moves back, with passes that were implied by them.

        Raises CannotUndoError, with nothing changed, where there are not so many; the setup stays.
        """
        self._go_on(self._record.without_last(number))

    def agree(self, terms: GameSettings) -> None:
        """Changes the terms of the game under way; the game itself stays."""
        self._check(terms)
        if terms != self.terms:
            self._go_on(replace(self._record, terms=terms))

    def resign(self, color: int) -> None:
        """Notes that a color gave up."""
        self._resigned = color

    def _check(self, terms: GameSettings) -> None:
        if terms.game != self.terms.game:
            raise ValueError(f"a session of {self.terms.game} cannot become one of {terms.game}")

    def _begin(self, game_record: GameRecord) -> None:
        """Takes up another game."""
        self._go_on(game_record)

    def _go_on(self, game_record: GameRecord) -> None:
        self._arrive(game_record, game_record.last_positions(RECENT))

    def _arrive(self, game_record: GameRecord, recent: Sequence[Position]) -> None:
        """Notes how the game stands now, by its last positions."""
        self._record, self.recent = game_record, recent[-RECENT:]
        self._resigned = None
