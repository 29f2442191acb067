"""How a result came about: how well both sides played, how the lead changed, how natural it looked.

Knows rows of a match and what judges thought of them (protocols.strength.judging). A move's loss is
what its side's value falls by; it may be below 0 where the judge had not seen how good a move was,
and such errors cancel in the mean. Somebody leads with a value of LEADS or more; reversals are
changes of who leads, late ones those in the last fifth of a game.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from protocols.match.record import Row
from protocols.match.start import Start
from protocols.strength.balance import color_of

LEADS = 0.6  # of a value, 0..1
LATE = 0.2  # the share of a game's moves that are its last ones
UNNATURAL = 0.05  # below it a move's probability counts as unnatural
SMALLEST = 1e-4  # probabilities below it count as this in the geometric mean
HAS_POINTS = frozenset({"go", "othello"})  # games in which a lead is worth counting


@dataclass(frozen=True, slots=True)
class Side:
    """How one side played."""

    moves: int
    loss: float  # of value, a move
    points: float | None  # lost a move; None in games without
    natural: float  # geometric mean of the reference's probability of its moves
    unnatural: float  # the share of moves that the reference thinks unlikely

    def values(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "moves": self.moves,
            "loss": self.loss,
            "points_lost": self.points,
            "natural": self.natural,
            "unnatural": self.unnatural,
        }


@dataclass(frozen=True, slots=True)
class Manner:
    """How some games between two players went, from the first one's side."""

    games: int  # judged
    ours: Side
    theirs: Side
    reversals: float  # a game
    late_reversals: float  # a game
    margin: float | None  # mean final score of the winner, in the game's points

    def values(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "games": self.games,
            "ours": self.ours.values(),
            "theirs": self.theirs.values(),
            "reversals": self.reversals,
            "late_reversals": self.late_reversals,
            "margin": self.margin,
        }


def manner(start: Start, rows: Sequence[Row], judged: Mapping[int, Row]) -> Manner | None:
    """How those of the games went that were judged, by number; None where none was."""
    known = [(row, judged[row["game"]]) for row in rows if row["game"] in judged]
    if not known:
        return None
    changes = [reversals(found["values"]) for _, found in known]
    margins = [margin for row in rows if (margin := margin_of(row)) is not None]
    return Manner(
        games=len(known),
        ours=_side(start, known, 0),
        theirs=_side(start, known, 1),
        reversals=_mean([float(len(found)) for found in changes]),
        late_reversals=_mean(
            [late(found, row) for found, (row, _) in zip(changes, known, strict=True)]
        ),
        margin=_mean(margins) if margins else None,
    )


def _side(start: Start, known: Sequence[tuple[Row, Row]], side: int) -> Side:
    losses, points, likely = list[float](), list[float](), list[float]()
    for row, found in known:
        color = color_of(row, side)
        for number in moves_of(start, row, color):
            losses.append(fall(found["values"], number, color))
            points.append(fall(found["leads"], number, color))
            if found["likely"][number] is not None:
                likely.append(max(SMALLEST, found["likely"][number]))
    return Side(
        moves=len(losses),
        loss=_mean(losses),
        points=_mean(points) if start.game in HAS_POINTS else None,
        natural=math.exp(_mean([math.log(each) for each in likely])) if likely else 1.0,
        unnatural=_mean([float(each < UNNATURAL) for each in likely]),
    )


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else 0.0


def moves_of(start: Start, row: Row, color: int) -> Iterator[int]:
    """The numbers, after the opening, of the color's moves; in every game colors take turns."""
    first = 1 if row["handicap"] else 0
    for number in range(len(row["moves"])):
        forced = start.passes_are_forced and row["moves"][number] == "pass"
        if (first + len(row["opening"]) + number) % 2 == color and not forced:
            yield number


def fall(series: Sequence[float], number: int, color: int) -> float:
    """By how much a move lowered its color's side of a series of color 0's."""
    change = series[number] - series[number + 1]
    return change if color == 0 else -change


def reversals(values: Sequence[float]) -> list[int]:
    """The numbers of the positions at which the lead had come to the other side.

    >>> reversals([0.5, 0.7, 0.5, 0.3, 0.2, 0.9])
    [3, 5]
    """
    leads = [(number, value > 0.5) for number, value in enumerate(values) if led(value)]
    return [number for (_, before), (number, after) in pairwise(leads) if before != after]


def led(value: float) -> bool:
    """Whether somebody leads."""
    return max(value, 1 - value) >= LEADS


def late(changes: Sequence[int], row: Row) -> float:
    """How many of a game's reversals are late ones."""
    return float(sum(number > (1 - LATE) * len(row["moves"]) for number in changes))


def margin_of(row: Row) -> float | None:
    """The winner's final score; None where nobody counted it."""
    if row["how"] != "score":
        return None
    return 0.0 if row["result"] == "0" else float(row["result"][2:])
