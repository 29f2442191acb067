"""Series of games of an estimator, from the records of matches against players of known Elo.

A record of `sparring lab balance --remember` has a series for each opponent of a persona. Without
--remember every game is a series of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.lab.estimation import StrengthEstimate, final_estimates
from engine.lab.held_out import Stranger, stranger
from engine.lab.placed_games import PlacedGame, placed_games
from engine.lab.placing import LadderPlace
from engine.match.game_spec import GameSpec
from engine.match.record import Row
from engine.match.summary import pair_of


@dataclass(frozen=True, slots=True)
class RecordedSeries:
    """The estimates of recorded series, and the opponents' given places by text."""

    estimates: tuple[StrengthEstimate, ...]
    places: Mapping[str, LadderPlace]
    left_out: Counter[str]  # games against opponents without a place

    @property
    def strangers(self) -> tuple[Stranger, ...]:
        """The opponents that have a place."""
        return tuple(stranger(text) for text in self.places)


def recorded_series(
    paths: Sequence[Path], start: GameSpec, places: Mapping[str, float]
) -> RecordedSeries:
    """Returns the estimates after each game of the records.

    places: the Elo of opponents that are no levels, by their texts. Raises UsageError for a record
    of another board, and for no game with an estimate; RecordFileError, OSError.
    """
    wanted = "estimate of an opponent of known Elo"
    placed, left_out = placed_games(paths, start, places, _is_estimated, wanted)
    given = {
        each.rival: LadderPlace(each.elo, (each.elo, each.elo), games=0)
        for each in sorted(placed, key=lambda each: each.elo)
    }
    chosen = [
        estimate
        for number, games in enumerate(_series(placed))
        for estimate in final_estimates(
            stranger(games[0].rival), number, [each.row for each in games], games[0].elo
        )
    ]
    return RecordedSeries(tuple(chosen), given, left_out)


def _is_estimated(row: Row) -> bool:
    """Tests whether the first player has an estimate of the second after the game."""
    return ((row.get("known") or [None])[0] or {}).get("opponent") is not None


def _series(placed: Sequence[PlacedGame]) -> list[list[PlacedGame]]:
    """Returns the games of each series, in their order."""
    series: dict[tuple[object, ...], list[PlacedGame]] = {}
    for each in sorted(placed, key=lambda each: int(each.row["game"])):
        number = None if each.match.remembers else each.row["game"]
        series.setdefault((each.match.path, pair_of(each.row), number), []).append(each)
    return list(series.values())
