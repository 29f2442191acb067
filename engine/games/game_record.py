"""The course of a game as a value: terms, board, setup and moves, from which the position follows.

Knows which passes nobody had to name. Checks no move: the session does, before it adds one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Self

from engine.errors import CannotUndoError, SetupError
from engine.games.game_settings import GameInFile, GameSettings
from engine.games.position import Position, placed_stones


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game from its beginning to now."""

    terms: GameSettings
    width: int
    height: int
    setup: tuple[tuple[int, int], ...] = ()  # (color, cell); none: as the game always begins
    first_to_move: int = 0
    moves: tuple[tuple[int, int], ...] = ()  # (color, move)
    implied: frozenset[int] = frozenset()  # indices of the passes among them that nobody named

    @classmethod
    def of(cls, record: GameInFile) -> Self:
        """The course of a game that was read from a file."""
        return cls(
            record.terms,
            record.width,
            record.height,
            tuple(record.setup),
            record.first_to_move,
            tuple(record.moves),
        )

    @classmethod
    def from_start(cls, terms: GameSettings, start: Position, moves: Iterable[int]) -> Self:
        """The course of these moves, each by the color whose turn it is; start stays as it is."""
        position = start.copy()
        played: list[tuple[int, int]] = []
        for move in moves:
            played.append((position.to_move, move))
            position.play(move)
        usual = terms.begin(start.width, start.height)
        setup = () if start.is_same(usual) else tuple(placed_stones(start))
        return cls(terms, start.width, start.height, setup, start.to_move, tuple(played))

    def beginning(self) -> Position:
        """The position after the setup. Raises SetupError, ValueError on an unplayable board."""
        position = self.terms.begin(self.width, self.height)
        if not self.setup and self.first_to_move == position.to_move:
            return position
        try:
            position.setup(list(self.setup) or placed_stones(position), self.first_to_move)
        except ValueError as error:
            raise SetupError(f"Illegal stone placements - {error}") from error
        return position

    def position(self) -> Position:
        """The position after all moves."""
        return self.last_positions(1)[0]

    def last_positions(self, number: int) -> list[Position]:
        """The last positions, so many of them as there are, the present one last."""
        position = self.beginning()
        positions: list[Position] = []
        for index, (color, move) in enumerate(self.moves):
            if index > len(self.moves) - number:
                positions.append(position.copy())
            position.play(move, color, tolerant=True)
        return [*positions, position]

    def set_up(self, stones: Sequence[tuple[int, int]], to_move: int) -> Self:
        """The same board from these stones, nothing played yet."""
        return replace(
            self, setup=tuple(stones), first_to_move=to_move, moves=(), implied=frozenset()
        )

    def with_move(self, color: int, move: int, *, implied: int | None = None) -> Self:
        """The course with one more move, after an implied pass of the other color."""
        if implied is None:
            return replace(self, moves=(*self.moves, (color, move)))
        return replace(
            self,
            moves=(*self.moves, (1 - color, implied), (color, move)),
            implied=self.implied | {len(self.moves)},
        )

    def without_last(self, number: int) -> Self:
        """The course without its last moves, and without the passes that they implied.

        Raises CannotUndoError where there are not so many moves.
        """
        if number > len(self.moves) - len(self.implied):
            raise CannotUndoError("cannot undo")
        left = len(self.moves)
        for _ in range(number):
            left -= 2 if left - 2 in self.implied else 1
        implied = frozenset(index for index in self.implied if index < left)
        return replace(self, moves=self.moves[:left], implied=implied)


RECENT = 8  # positions of the game that a turn shows
