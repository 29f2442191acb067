"""A played game for review: its moves, its winner and its counted score.

It is built from a row of a match, or from another file by engine.review.files.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from engine.games.chance import without_outcome
from engine.games.game_record import GameRecord
from engine.games.position import Position
from engine.games.table import GAMES, Board
from engine.match.game_spec import GameSpec
from engine.match.record import Row
from engine.style.distance import places

HAS_POINTS = frozenset({"go", "othello"})  # games with a meaningful lead
FAULTS = frozenset({"crashed", "hung", "refused", "illegal"})  # such games say nothing about play


@dataclass(frozen=True, slots=True)
class ReplayedGame:
    """A played game with its result."""

    game_record: GameRecord
    opening: int = 0  # number of first moves without a player's choice
    value: float | None = None  # color 0's result, 1 won, 0.5 drawn; None: decided outside play
    margin: float | None = None  # color 0's final score; None without a count
    levels: Sequence[float | None] = ()  # Elo of the level of each move after the opening
    # Ranks of color 0 and 1 on the scale of engine.games.ranks, in chess ratings; None: unknown.
    ranks: tuple[float | None, float | None] = (None, None)

    @property
    def board(self) -> Board:
        """The game and the size of its board."""
        return Board(
            self.game_record.game_settings.game, self.game_record.width, self.game_record.height
        )

    def turns(self) -> Iterator[tuple[Position, int, int]]:
        """Yields each position with the color and move played there.

        The object changes in place.
        """
        position = self.game_record.beginning()
        for color, move in self.game_record.moves:
            yield position, color, move
            position.play(move, color, tolerant=True)

    @property
    def has_chance(self) -> bool:
        """Whether it is a game of chance."""
        return GAMES[self.board.game].deal is not None

    def choices(self) -> Iterator[int]:
        """Yields the moves without their outcomes by chance."""
        for position, _, move in self.turns():
            yield without_outcome(position, move)

    def cells(self) -> Iterator[int | None]:
        """Yields the cell of each stone; None for a pass, and in games of chance."""
        for position, _, move in self.turns():
            if self.has_chance:
                yield None
                continue
            x, y = places(self.board.game, position)[move]
            yield None if math.isnan(x) else int(y) * position.width + int(x)


def of_row(start: GameSpec, row: Row) -> ReplayedGame:
    """Returns the game of a match's row; start: the match's start, without opening."""
    if row["handicap"]:
        start = replace(start, handicap=tuple(map(start.read, row["handicap"])))
    moves = [start.read(text) for text in (*row["opening"], *row["moves"])]
    game_record = GameRecord.from_start(start.game_settings, start.empty(), moves)
    return ReplayedGame(
        game_record,
        len(row["opening"]),
        final_value(row),
        margin_of(row),
        tuple(row.get("levels", ())),
    )


def final_value(row: Row) -> float:
    """Returns color 0's result: 1 won, 0.5 drawn, 0 lost."""
    return 0.5 if row["winner"] is None else float(row["winner"] == row["black"])


def margin_of(row: Row) -> float | None:
    """Returns color 0's final score; None without a count."""
    if row["how"] != "score":
        return None
    if row["result"] == "0":
        return 0.0
    return float(row["result"][2:]) * (1 if row["winner"] == row["black"] else -1)


def tells(row: Row) -> bool:
    """Whether the game has moves to judge, and no fault ended it."""
    return row["how"] not in FAULTS and bool(row["moves"])
