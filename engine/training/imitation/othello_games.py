"""Training positions of Othello games from a folder of WTHOR files, one array a column.

The games of the last years are held out for validation. Forced moves and passes are positions like
others; learning and validation leave their moves out.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine._core import othello_moves, play_othello_records
from engine.errors import RecordError, SettingError
from engine.formats import wthor

SIZE = 8
CELLS = SIZE * SIZE
HELD_OUT_YEARS = 2  # the last years with games


@dataclass(frozen=True, eq=False)
class OthelloGames:
    """Positions of games in the order of play, with the games' results."""

    own: NDArray[np.uint64]  # [positions] discs of the side to move, bit y * 8 + x
    other: NDArray[np.uint64]  # [positions]
    to_move: NDArray[np.uint8]  # [positions] 0 Black, 1 White
    move: NDArray[np.uint8]  # [positions] the cell played, 64 a pass
    game: NDArray[np.int32]  # [positions] index of the game
    black: NDArray[np.uint64]  # [games] Black's discs at the end
    white: NDArray[np.uint64]  # [games]
    black_score: NDArray[np.int8]  # [games] Black's lead in discs, empty cells the winner's
    over: NDArray[np.uint8]  # [games] 0 for a game broken off: its last discs say little

    def __len__(self) -> int:
        return len(self.own)

    @property
    def count(self) -> int:
        """The number of games."""
        return len(self.black_score)

    @property
    def empties(self) -> NDArray[np.int64]:
        """Empty cells in each position, [positions]."""
        result: NDArray[np.int64] = CELLS - np.bitwise_count(self.own | self.other).astype(np.int64)
        return result

    @property
    def has_choice(self) -> NDArray[np.bool_]:
        """Whether each position has more than one move, [positions]."""
        chosen: NDArray[np.bool_] = np.bitwise_count(othello_moves(self.own, self.other)) > 1
        return chosen


@dataclass(frozen=True, eq=False)
class Split:
    """Training and validation games, split by year."""

    learned: OthelloGames
    held_out: OthelloGames
    first_held_out: int  # year
    last_held_out: int

    @property
    def known(self) -> NDArray[np.bool_]:
        """The held-out positions present in training games in the same orientation, [positions].

        The database turns all games alike: few are missed without turning them.
        """
        result: NDArray[np.bool_] = np.isin(_keys(self.held_out), _keys(self.learned))
        return result

    @property
    def years(self) -> str:
        """The years held out, in words."""
        first, last = self.first_held_out, self.last_held_out
        return str(first) if first == last else f"{first} to {last}"


def read_split(folder: Path, held_out_years: int = HELD_OUT_YEARS) -> Split:
    """Reads all games on 8x8 of a folder's .wtb files; those of the last years are held out.

    Raises SettingError for a folder without such games on both sides, or an unusable file.
    """
    by_year: dict[int, list[wthor.ThorGame]] = {}
    for path in sorted(folder.glob("*.[wW][tT][bB]")):
        try:
            file = wthor.read(path.read_bytes())
        except RecordError as error:
            raise SettingError(f"{path}: {error}") from error
        if file.size == SIZE:
            by_year.setdefault(file.year, []).extend(file.games)
    years = sorted(by_year)
    if not 0 < held_out_years < len(years):
        raise SettingError(
            f"{folder} has games of {len(years)} years: cannot hold out the last "
            f"{held_out_years} and learn from the others"
        )
    held_out = years[-held_out_years:]
    return Split(
        learned=_played(by_year, [year for year in years if year not in held_out]),
        held_out=_played(by_year, held_out),
        first_held_out=held_out[0],
        last_held_out=held_out[-1],
    )


def play_games(games: list[wthor.ThorGame]) -> OthelloGames:
    """Returns the positions of the games; raises ValueError for an illegal move."""
    cells = bytes(cell for game in games for cell in game.moves)
    lengths = np.array([len(game.moves) for game in games], np.int32)
    columns = play_othello_records(np.frombuffer(cells, np.uint8), lengths)
    scores = np.array([2 * game.black_score - CELLS for game in games], np.int8)
    return OthelloGames(**columns, black_score=scores)


def _keys(games: OthelloGames) -> NDArray[np.uint64]:
    """Returns a number for each position, uint64 [positions].

    Different ones hardly ever collide.
    """
    spread = np.uint64(0x9E3779B97F4A7C15)
    mixed = (games.own ^ games.own >> np.uint64(29)) * spread + games.other
    keys: NDArray[np.uint64] = (mixed ^ mixed >> np.uint64(32)) * spread + games.to_move
    return keys


def _played(by_year: dict[int, list[wthor.ThorGame]], years: list[int]) -> OthelloGames:
    return play_games([game for year in years for game in by_year[year]])
