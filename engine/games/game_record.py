"""The record of a game as a value: settings, board size, setup and moves.

The position is derived from it. The record marks implied passes among the moves. It does not check
moves: the game does, before it adds one.
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
    """One game from its start to its latest move."""

    game_settings: GameSettings
    width: int
    height: int
    setup: tuple[tuple[int, int], ...] = ()  # (color, cell); empty: the usual start
    first_to_move: int = 0  # color
    moves: tuple[tuple[int, int], ...] = ()  # (color, move)
    implied: frozenset[int] = frozenset()  # indices in moves of the passes added by the rules

    @classmethod
    def of(cls, record: GameInFile) -> Self:
        """Returns the record of a game read from a file."""
        return cls(
            record.game_settings,
            record.width,
            record.height,
            tuple(record.setup),
            record.first_to_move,
            tuple(record.moves),
        )

    @classmethod
    def from_start(cls, game_settings: GameSettings, start: Position, moves: Iterable[int]) -> Self:
        """Returns the record of moves played in turn from a position; the position is unchanged."""
        position = start.copy()
        played: list[tuple[int, int]] = []
        for move in moves:
            played.append((position.to_move, move))
            position.play(move)
        usual = game_settings.begin(start.width, start.height)
        setup = () if start.is_same(usual) else tuple(placed_stones(start))
        return cls(game_settings, start.width, start.height, setup, start.to_move, tuple(played))

    def beginning(self) -> Position:
        """Returns the position after the setup.

        Raises SetupError on impossible stones, ValueError on a size the game lacks.
        """
        position = self.game_settings.begin(self.width, self.height)
        if not self.setup and self.first_to_move == position.to_move:
            return position
        try:
            position.setup(list(self.setup) or placed_stones(position), self.first_to_move)
        except ValueError as error:
            raise SetupError(f"Illegal stone placements - {error}") from error
        return position

    def position(self) -> Position:
        """Returns the position after all moves."""
        return self.last_positions(1)[0]

    def last_positions(self, number: int) -> list[Position]:
        """Returns the last positions, at most so many, the current one last."""
        position = self.beginning()
        positions: list[Position] = []
        for index, (color, move) in enumerate(self.moves):
            if index > len(self.moves) - number:
                positions.append(position.copy())
            position.play(move, color, tolerant=True)
        return [*positions, position]

    def set_up(self, stones: Sequence[tuple[int, int]], to_move: int) -> Self:
        """Returns the record of a game from these stones, (color, cell), without moves."""
        return replace(
            self, setup=tuple(stones), first_to_move=to_move, moves=(), implied=frozenset()
        )

    def with_move(self, color: int, move: int, *, implied: int | None = None) -> Self:
        """Returns the record with one more move; implied: the opponent's pass to put before it."""
        if implied is None:
            return replace(self, moves=(*self.moves, (color, move)))
        return replace(
            self,
            moves=(*self.moves, (1 - color, implied), (color, move)),
            implied=self.implied | {len(self.moves)},
        )

    def without_last(self, number: int) -> Self:
        """Returns the record without so many moves at its end, and the passes implied by them.

        Raises CannotUndoError if there are fewer moves.
        """
        if number > len(self.moves) - len(self.implied):
            raise CannotUndoError("cannot undo")
        left = len(self.moves)
        for _ in range(number):
            left -= 2 if left - 2 in self.implied else 1
        implied = frozenset(index for index in self.implied if index < left)
        return replace(self, moves=self.moves[:left], implied=implied)


RECENT = 8  # positions of the game in a move request
