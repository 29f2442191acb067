"""One game under way: its settings, setup and moves; the position is derived from them.

Knows turns, undo and resignation. The differences between games are in engine.games.adjudication.
Knows no search.
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
        """The settings of the game: in Go its rules and komi."""
        return self._record.terms

    @property
    def position(self) -> Position:
        """The current position; copy it before changing it."""
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
        """The setup as (color, cell)s; empty: the usual start."""
        return self._record.setup

    @property
    def first_to_move(self) -> int:
        """The color to move after the setup."""
        return self._record.first_to_move

    @property
    def moves(self) -> tuple[tuple[int, int], ...]:
        """The moves played, as (color, move)."""
        return self._record.moves

    @property
    def resigned(self) -> int | None:
        """The color that resigned; None if neither did."""
        return self._resigned

    @property
    def is_empty(self) -> bool:
        """Whether no stone stands on the board."""
        return not self.position.stones.any()

    @property
    def is_final(self) -> bool:
        """Whether the game is over for good; a game of Go may always be resumed."""
        return self.position.is_over and self._adjudication.resume is None

    # ---- Changing the game

    def start_over(self, size: tuple[int, int] | None = None) -> None:
        """Clears the board for a new game.

        size: (width, height); None: as before. Raises ValueError, with nothing changed, on a size
        the game lacks.
        """
        self._begin(GameRecord(self.terms, *(size or (self.width, self.height))))

    def set_up(self, stones: Iterable[tuple[int, int]], to_move: int = 0) -> None:
        """Begins a game from these stones, as (color, cell)s; none: the usual start.

        Raises SetupError, with nothing changed, on a point named twice or impossible stones.
        """
        self._go_on(self._record.set_up(tuple(stones), to_move))

    def load(self, record: GameInFile) -> None:
        """Replaces the game by one read from a file. Raises ValueError on another kind of game."""
        self._check(record.terms)
        self._begin(GameRecord.of(record))

    def play(self, color: int, move: int) -> None:
        """Plays a move of a color; in Go the tolerant rules of records apply.

        If the opponent was to move and could only pass, this pass is played first. Raises
        IllegalMoveError.
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
        """Plays moves like `play`, in time linear in their number.

        moves: functions from the position before a move to its (color, move). After an exception of
        one of them, or IllegalMoveError, the moves before it stay played.
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
        """Takes back so many moves, with the passes implied by them.

        Raises CannotUndoError, with nothing changed, if there are fewer; the setup stays.
        """
        self._go_on(self._record.without_last(number))

    def agree(self, terms: GameSettings) -> None:
        """Changes the settings of the game under way; ValueError on those of another game."""
        self._check(terms)
        if terms != self.terms:
            self._go_on(replace(self._record, terms=terms))

    def resign(self, color: int) -> None:
        """Records the resignation of a color."""
        self._resigned = color

    def _check(self, terms: GameSettings) -> None:
        if terms.game != self.terms.game:
            raise ValueError(f"a session of {self.terms.game} cannot become one of {terms.game}")

    def _begin(self, game_record: GameRecord) -> None:
        """Replaces the game by another."""
        self._go_on(game_record)

    def _go_on(self, game_record: GameRecord) -> None:
        self._arrive(game_record, game_record.last_positions(RECENT))

    def _arrive(self, game_record: GameRecord, recent: Sequence[Position]) -> None:
        """Stores the record and its last positions."""
        self._record, self.recent = game_record, recent[-RECENT:]
        self._resigned = None
