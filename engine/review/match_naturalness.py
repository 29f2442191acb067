"""The naturalness of a match's players, measured after its games.

The input is the rows of a match. Only the reference policy is used: no game is searched.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tqdm import tqdm

from engine.match.game_spec import GameSpec
from engine.match.record import Row
from engine.match.recorded import short_names
from engine.match.summary import colors_of
from engine.review.bench import Bench
from engine.review.judging import judged
from engine.review.measuring import measured
from engine.review.played import of_row, tells
from engine.review.report import player_lines
from engine.review.review import PlayerReview, players_of
from engine.style.measures import GameMeasure


@dataclass(frozen=True, slots=True)
class MatchNaturalness:
    """The naturalness of the players of a match."""

    reference: str  # the network of the reference policy
    players: Sequence[PlayerReview]

    def values(self) -> dict[str, Any]:
        """Returns JSON values."""
        return {
            "reference": self.reference,
            "players": [player.values() for player in self.players],
        }

    def lines(self) -> Iterator[str]:
        """Yields the players as text."""
        yield f"natural by {self.reference}:"
        yield from player_lines(self.players)


def naturalness(
    start: GameSpec,
    players: Sequence[str],
    rows: Sequence[Row],
    bench: Bench,
    *,
    at_once: int,
    quiet: bool,
) -> MatchNaturalness:
    """Measures the naturalness of all players.

    Raises SettingError if the reference cannot be loaded.
    """
    names = short_names(players)
    measures = measures_of(start, rows, bench, at_once=at_once, quiet=quiet)
    reviews = players_of((measure, colors_of(row, names)) for row, measure in measures)
    return MatchNaturalness(bench.reference_name(start.board), reviews)


def measures_of(
    start: GameSpec, rows: Sequence[Row], bench: Bench, *, at_once: int, quiet: bool
) -> list[tuple[Row, GameMeasure]]:
    """Measures the games without a fault. Raises SettingError."""
    measurable = [row for row in rows if tells(row)]
    games = [of_row(start, row) for row in measurable]
    opinions = tqdm(
        judged(bench, games, at_once),
        total=len(games),
        unit="game",
        desc="measuring",
        disable=quiet,
        file=sys.stderr,
    )
    return [
        (row, measured(game, opinion))
        for row, game, opinion in zip(measurable, games, opinions, strict=True)
    ]
