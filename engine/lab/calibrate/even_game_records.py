"""Games kept even, from the records of matches against players of known Elo."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from engine.lab.balance import color_of
from engine.lab.placed_games import PlacedGame, placed_games
from engine.match.game_spec import GameSpec
from engine.match.record import Row
from engine.review.played import final_value, margin_of, of_row, tells
from engine.training.opponents.recorded_even_games import RecordedEvenGame


def recorded_even_games(
    paths: Sequence[Path], start: GameSpec, places: Mapping[str, float]
) -> tuple[list[RecordedEvenGame], Counter[str]]:
    """Returns the records' games with the first player's levels, and the games left out.

    The latter are the number of games against each opponent without a place. places: the Elo of
    opponents that are no levels, by their texts. Raises UsageError for a record of another board
    and for no game at all; RecordFileError, OSError.
    """
    wanted = "game with levels, against an opponent of known Elo,"
    placed, left_out = placed_games(paths, start, places, _is_even, wanted)
    return [_game_of(each) for each in placed], left_out


def _is_even(row: Row) -> bool:
    """Tests whether the game tells its winner and the first player's levels."""
    return tells(row) and any(level is not None for level in row.get("levels", ()))


def _game_of(placed: PlacedGame) -> RecordedEvenGame:
    row, color = placed.row, color_of(placed.row)
    value, margin = final_value(row), margin_of(row)
    return RecordedEvenGame(
        name=f"{placed.match.path}:{row['game']}",
        rival=placed.rival,
        elo=placed.elo,
        color=color,
        game_record=of_row(placed.match.start, row).game_record,
        levels=(*(None for _ in row["opening"]), *row["levels"]),
        points=value if color == 0 else 1 - value,
        margin=margin if margin is None or color == 0 else -margin,
    )
