"""The report of `sparring lab endgames`: a row a method, as text, CSV and JSON.

It sums up rows of a match with pairs (method, opponent) and the judgements of these games.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.lab.balance import color_of
from engine.match.game_spec import GameSpec
from engine.match.record import Row
from engine.match.summary import pair_of
from engine.match.summary import side_of as winning_side
from engine.match.tally import Tally
from engine.report.tables import aligned, flat, write_csv, write_findings
from engine.review.judging import GameJudgement
from engine.review.measuring import measured
from engine.review.played import margin_of, of_row
from engine.style.measures import (
    MeanEstimate,
    Side,
    interval_text,
    mean_of,
    median_of,
    side_of,
    values_of,
)
from engine.util.atomic_file import atomic_write

HEADS = (
    *("", "games", "won", "as wanted", "near", "margin", "median distance"),
    *("moves", "natural", "under .05", "points lost a move"),
)


@dataclass(frozen=True, slots=True)
class EndgameOutcome:
    """The games of one method of ending, from its side."""

    method: str
    tally: Tally
    margins: tuple[float | None, ...]  # final scores from the method's side; None: not counted
    side: Side  # measures of the method's moves
    target: tuple[float, float]  # the least and the greatest target margin

    def distances(self) -> list[float]:
        """Returns the distance of each counted margin from 0."""
        return [abs(margin) for margin in self.margins if margin is not None]

    def within(self, beyond: float) -> Tally:
        """Counts the games: won within `beyond` points of the target margins, else lost."""
        low, high = self.target
        tally = Tally()
        for margin in self.margins:
            hit = margin is not None and low - beyond <= margin <= high + beyond
            tally = tally.add(0 if hit else 1)
        return tally

    def values(self, beyond: float) -> dict[str, Any]:
        """Returns JSON values."""
        counted = [margin for margin in self.margins if margin is not None]
        return {
            "method": self.method,
            "games": self.tally.games,
            "won": {"value": self.tally.rate, "interval": list(self.tally.interval())},
            "as_wanted": _shared(self.within(0)),
            "near": _shared(self.within(beyond)),
            "margin": values_of(mean_of(counted)),
            "median_distance": values_of(median_of(self.distances())),
            **self.side.values(),
        }

    def cells(self, beyond: float) -> list[str]:
        """Returns a row of HEADS."""
        counted = [margin for margin in self.margins if margin is not None]
        return [
            self.method,
            str(self.tally.games),
            _share(self.tally),
            _share(self.within(0)),
            _share(self.within(beyond)),
            interval_text(mean_of(counted), "+.1f"),
            interval_text(median_of(self.distances()), ".1f"),
            str(self.side.moves),
            interval_text(self.side.natural, ".3f"),
            interval_text(self.side.unnatural, ".1%"),
            interval_text(self.side.points, ".2f"),
        ]


def _share(tally: Tally) -> str:
    return MeanEstimate(tally.rate, tally.interval()).text(".0%") if tally.games else ""


def _shared(tally: Tally) -> dict[str, Any]:
    return values_of(MeanEstimate(tally.rate, tally.interval()) if tally.games else None)


@dataclass(frozen=True, slots=True)
class EndgameReport:
    """The report of the study on one board."""

    start: GameSpec
    opponent: str
    positions: int
    outcomes: Sequence[EndgameOutcome]
    beyond: float  # a near margin is at most this number of points outside the target margins

    def values(self) -> dict[str, Any]:
        """Returns JSON values."""
        return {
            "game": self.start.name,
            "opponent": self.opponent,
            "positions": self.positions,
            "beyond": self.beyond,
            "methods": [outcome.values(self.beyond) for outcome in self.outcomes],
        }

    def lines(self) -> Iterator[str]:
        """Yields the table as text."""
        yield f"{self.start.name}, {self.positions} endgames, against {self.opponent}"
        rows = [outcome.cells(self.beyond) for outcome in self.outcomes]
        yield from ["", *aligned([HEADS, *rows])]

    def write(self, folder: Path) -> None:
        """Writes all of it into the folder."""
        rows = [flat(outcome.values(self.beyond)) for outcome in self.outcomes]
        with atomic_write(folder / "endgames.csv") as path:
            write_csv(path, rows)
        write_findings(folder, "endgames", self.lines(), self.values())


def outcomes(
    start: GameSpec,
    methods: Sequence[str],
    rows: Sequence[Row],
    judged: Mapping[int, GameJudgement],
    target: tuple[float, float],
) -> list[EndgameOutcome]:
    """Returns the outcome of each method; its number is the pair's first player's."""
    return [
        _outcome(start, method, [row for row in rows if pair_of(row)[0] == number], judged, target)
        for number, method in enumerate(methods)
    ]


def _outcome(
    start: GameSpec,
    method: str,
    rows: Sequence[Row],
    judged: Mapping[int, GameJudgement],
    target: tuple[float, float],
) -> EndgameOutcome:
    tally = Tally()
    for row in rows:
        tally = tally.add(winning_side(row))
    moves = [
        measured(of_row(start, row), judged[row["game"]]).of(color_of(row))
        for row in rows
        if row["game"] in judged
    ]
    return EndgameOutcome(
        method, tally, tuple(_margin(row) for row in rows), side_of(moves), target
    )


def _margin(row: Row) -> float | None:
    """Returns the final score from the method's side."""
    margin = margin_of(row)
    if margin is None:
        return None
    return margin if color_of(row) == 0 else -margin
