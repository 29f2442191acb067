"""The settings curve behind the rating ladders: from perverse play to the strongest.

CURVES is the table, with levels and their approximate Elo for each game. Calibration measures the
true Elo of a setting with a network; engine.strength.rating_ladder holds the results.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from math import isclose, log
from typing import Any

from engine.games.ranks import parse_rank
from engine.games.table import Board
from engine.strength.level import ANY_LOSS, NO_RANK, RANDOM, Level


@dataclass(frozen=True, slots=True)
class Knot:
    """A knot of the curve; settings between two knots are interpolated."""

    elo: float  # the assumed Elo, the curve's parameter
    level: Level


# The network of human moves knows too little of moves of a smaller policy.
HARDLY_PLAYED = 0.005
PLAUSIBLE = 0.01  # the least policy of a beginner's move
READ_VISITS = 24  # of a level that reads


def _people(
    rank: str,
    visits: int = 1,
    restraint: float = 0.0,
    *,
    index: float = 1.0,
    floor: float = HARDLY_PLAYED,
    most_loss: float = ANY_LOSS,
) -> Level:
    """Returns a level of people of a rank such as "8k"."""
    return Level(
        visits=visits,
        index=index,
        floor=floor,
        rank=parse_rank(rank),
        restraint=restraint,
        reading=READ_VISITS if most_loss < ANY_LOSS else 0,
        most_loss=most_loss,
    )


def _players(
    rating: float,
    visits: int = 1,
    restraint: float = 0.0,
    *,
    index: float = 1.0,
    floor: float = HARDLY_PLAYED,
) -> Level:
    """Returns a level of players of chess of a rating."""
    return Level(visits=visits, index=index, floor=floor, rating=rating, restraint=restraint)


# The ends of Go's curves: blind play, greedy play, and searches beyond the strongest people.
BLIND_IN_GO = (
    Knot(-1000.0, Level(index=-0.5, greed=-1.0)),
    Knot(-300.0, Level(index=0.0, greed=-0.3)),
    Knot(0.0, RANDOM),
    Knot(200.0, Level(index=0.0, greed=0.3)),
    Knot(450.0, Level(index=0.0, greed=1.0)),
)
SEARCHES_OF_GO = (
    Knot(2880.0, Level(visits=64, index=4.0, floor=0.01)),
    Knot(3120.0, Level(visits=200, index=6.0, floor=0.005)),
    Knot(3400.0, Level(visits=800, index=10.0)),
)


def _beginner(weakness: float, most_loss: float = ANY_LOSS) -> Level:
    """Returns a level of Go weaker than people of 20k: a search prefers their losing moves.

    A blind level of that strength plays moves of no player. weakness: the weight of the search's
    utility, in nats a unit. most_loss: in points, of a move that it reads.
    """
    return _people("20k", 16, -weakness, index=0.4, floor=PLAUSIBLE, most_loss=most_loss)


def _readers(*bounds: float) -> tuple[Knot, ...]:
    """Returns a curve of Go whose people read.

    bounds: in points, on the loss of a move of a beginner, of 20k, 17k, 14k, 12k, 11k, 9k, 8k, and
    of 6k with all stronger people.
    """
    of_beginner, of_20k, of_17k, of_14k, of_12k, of_11k, of_9k, of_8k, least = bounds
    return (
        *BLIND_IN_GO,
        Knot(730.0, Level(index=0.0, greed=2.2)),
        Knot(731.0, _beginner(100.0, of_beginner)),  # nothing lies between the two
        Knot(810.0, _beginner(30.0, of_beginner)),
        Knot(980.0, _beginner(15.0, of_beginner)),
        Knot(1480.0, _beginner(0.0, of_20k)),
        Knot(1640.0, _people("17k", index=0.4, most_loss=of_17k)),
        Knot(1800.0, _people("14k", index=0.6, most_loss=of_14k)),
        Knot(1900.0, _people("12k", most_loss=of_12k)),
        Knot(1980.0, _people("11k", most_loss=of_11k)),
        Knot(2060.0, _people("9k", most_loss=of_9k)),
        Knot(2160.0, _people("8k", most_loss=of_8k)),
        Knot(2250.0, _people("6k", most_loss=least)),
        Knot(2330.0, _people("5k", 24, 18.0, most_loss=least)),
        Knot(2420.0, _people("1k", 40, 30.0, most_loss=least)),
        Knot(2620.0, _people("3d", 100, 60.0, most_loss=least)),
        Knot(2780.0, _people("6d", 150, 90.0, most_loss=least)),
        Knot(2850.0, _people("9d", 400, 100.0, most_loss=least)),
        *SEARCHES_OF_GO,
    )


# Moves of players of 1100 at a temperature of 1 / index down to random play, of players up to 1900,
# and of these at a low temperature.
PLAYERS_OF_CHESS = (
    Knot(-300.0, Level(index=0.0, greed=-3.0)),
    Knot(0.0, RANDOM),
    Knot(300.0, _players(1100.0, index=0.3, floor=0.001)),
    Knot(700.0, _players(1100.0, index=0.6)),
    Knot(1100.0, _players(1100.0)),
    Knot(1500.0, _players(1900.0)),
    Knot(1700.0, _players(1900.0, index=2.0, floor=0.02)),
)


# Levels a little above random play use only the one-ply heuristic. Stronger ones mix in more and
# more of the network's policy, at last a search.
CURVES: dict[str, tuple[Knot, ...]] = {
    "connect4": (
        Knot(-900.0, Level(index=0.0, greed=-3.0)),
        Knot(-600.0, Level(index=0.0, greed=-1.0)),
        Knot(0.0, RANDOM),
        Knot(500.0, Level(index=0.0, greed=1.0)),
        Knot(700.0, Level(index=0.0, greed=3.0)),
        Knot(850.0, Level(index=0.4, greed=2.0)),
        Knot(1050.0, Level(index=1.0, greed=1.0, floor=0.01)),
        Knot(1200.0, Level(index=3.0, floor=0.02)),
        Knot(1350.0, Level(visits=16, index=2.0, floor=0.02)),
        Knot(1500.0, Level(visits=100, index=4.0, floor=0.01)),
        Knot(1650.0, Level(visits=800, index=10.0, solve=True)),
    ),
    "darkchess": (
        Knot(-900.0, Level(index=0.0, greed=-3.0)),
        Knot(-500.0, Level(index=0.0, greed=-0.7)),
        Knot(0.0, RANDOM),
        Knot(250.0, Level(index=0.0, greed=0.7)),
        Knot(500.0, Level(index=1.0, greed=0.8)),
        Knot(700.0, Level(index=3.0, floor=0.01)),
        Knot(900.0, Level(visits=16, index=2.0, floor=0.005)),
        Knot(1100.0, Level(visits=100, index=4.0)),
        Knot(1300.0, Level(visits=800, index=10.0)),
        Knot(1500.0, Level(visits=5000, index=10.0)),
    ),
    "einstein": (
        Knot(-900.0, Level(index=0.0, greed=-3.0)),
        Knot(-400.0, Level(index=0.0, greed=-0.7)),
        Knot(0.0, RANDOM),
        Knot(250.0, Level(index=0.0, greed=0.7)),
        Knot(450.0, Level(index=1.0, greed=0.8)),
        Knot(600.0, Level(visits=16, index=2.0)),
        Knot(750.0, Level(visits=100, index=4.0)),
        Knot(850.0, Level(visits=800, index=10.0)),
        Knot(900.0, Level(visits=5000, index=10.0)),
    ),
    "othello": (
        Knot(-900.0, Level(index=-3.0, greed=-3.0)),
        Knot(-350.0, Level(index=-1.0, greed=-0.7)),
        Knot(0.0, RANDOM),
        Knot(200.0, Level(index=0.0, greed=1.0)),
        Knot(350.0, Level(index=0.5, greed=1.2)),
        Knot(500.0, Level(index=1.0, greed=0.8, floor=0.01)),
        Knot(700.0, Level(index=3.0, floor=0.02)),
        Knot(900.0, Level(visits=16, index=2.0, floor=0.02)),
        Knot(1200.0, Level(visits=64, index=4.0, floor=0.01)),
        Knot(1450.0, Level(visits=200, index=6.0, floor=0.005)),
        Knot(1650.0, Level(visits=600, index=10.0, solve=True)),
        Knot(2000.0, Level(visits=4000, index=10.0, solve=True)),
    ),
    # Blind and greedy play, beginners by moves of 20 kyu, people from 20 kyu to 9 dan, searches. Up
    # to 10 kyu the imitated moves lose as much as those of people; above it a search holds them
    # back until they do, in positions of KGS as a stronger network judges them.
    "go": (
        *BLIND_IN_GO,
        Knot(800.0, Level(index=0.0, greed=2.5)),
        Knot(801.0, _beginner(100.0)),  # nothing lies between the two
        Knot(960.0, _beginner(30.0)),
        Knot(1110.0, _beginner(15.0)),
        Knot(1270.0, _beginner(7.0)),
        Knot(1440.0, _beginner(1.0)),
        Knot(1480.0, _people("20k", index=0.4, floor=PLAUSIBLE)),
        Knot(1680.0, _people("20k", index=0.7, floor=PLAUSIBLE)),
        Knot(1800.0, _people("20k")),
        Knot(1850.0, _people("15k")),
        Knot(2000.0, _people("10k")),
        Knot(2230.0, _people("5k", 24, 18.0)),
        Knot(2320.0, _people("1k", 40, 30.0)),
        Knot(2570.0, _people("3d", 100, 60.0)),
        Knot(2780.0, _people("6d", 150, 90.0)),
        Knot(2850.0, _people("9d", 400, 100.0)),
        *SEARCHES_OF_GO,
    ),
    # On 9x9 a tenth of the moves drawn from the human network lose 8 points or more, at any rank:
    # a network alone does not read. A level of 9x9 therefore does, a weak one for the greatest
    # losses alone, and the bound on the losses makes most of its strength.
    "go9": _readers(39.0, 28.0, 11.0, 9.0, 8.0, 6.5, 5.5, 4.5, 4.0),
    # On 13x13 a level reads too. Its bounds are half as wide again: a lost group is larger.
    "go13": _readers(39.0, 36.0, 16.0, 13.0, 12.0, 10.0, 8.0, 7.0, 6.0),
    # Players of chess, the best of them held back by a search, and the search alone.
    "chess": (
        *PLAYERS_OF_CHESS,
        Knot(1850.0, _players(1900.0, 16, 4.0)),
        Knot(2100.0, _players(1900.0, 100, 15.0)),
        Knot(2400.0, _players(1900.0, 400, 50.0)),
        Knot(2600.0, Level(visits=800, index=10.0)),
    ),
    # The same with the values of another engine, 1,000 nodes of it for a visit.
    "chess-engine": (
        *PLAYERS_OF_CHESS,
        Knot(1850.0, _players(1900.0, 8, 3.0)),
        Knot(2200.0, _players(1900.0, 12, 8.0)),
        Knot(2500.0, _players(1900.0, 16, 20.0, floor=0.002)),
        Knot(2800.0, _players(1900.0, 24, 60.0, floor=0.001)),
        Knot(3100.0, Level(visits=64, index=10.0)),
        Knot(3400.0, Level(visits=1000, index=10.0)),
    ),
}
# The fields that are linear between two knots; the visits' logarithm is too.
SLOPING = ("index", "greed", "floor", "rank", "rating", "restraint", "most_loss")
WITH_ENGINE = "-engine"  # ends the name of a curve, and of a ladder, of levels with an engine


def knots_of(board: Board, *, has_engine: bool = False) -> Sequence[Knot]:
    """Returns the knots of the board or its game, in rising order.

    has_engine: whether the levels have the values of another engine.
    """
    usual = CURVES.get(board.name, CURVES[board.game])
    return CURVES.get(board.game + WITH_ENGINE, usual) if has_engine else usual


def level_at(board: Board, elo: float, *, has_engine: bool = False) -> Level:
    """Returns the level at an assumed Elo; beyond the curve, the level at its end.

    Between a level of people and one of another policy no setting lies: there the lower one stays.
    has_engine: as in knots_of.
    """
    knots = knots_of(board, has_engine=has_engine)
    above = min(max(bisect_right([knot.elo for knot in knots], elo), 1), len(knots) - 1)
    lower, upper = knots[above - 1], knots[above]
    share = min(max((elo - lower.elo) / (upper.elo - lower.elo), 0.0), 1.0)
    if share < 1.0 and not _has_between(lower.level, upper.level):
        return lower.level
    if share in (0.0, 1.0):
        return upper.level if share else lower.level
    values: dict[str, Any] = {}
    for field in fields(Level):
        low, high = getattr(lower.level, field.name), getattr(upper.level, field.name)
        values[field.name] = low + share * (high - low)
    for name in ("rank", "rating"):
        low, high = getattr(lower.level, name), getattr(upper.level, name)
        if NO_RANK in (low, high):  # of one that uses no policy
            values[name] = max(low, high)
    # Just above a level that does not read the bound is so great that reading changes nothing.
    values["reading"] = max(lower.level.reading, upper.level.reading)
    visits = lower.level.visits * (upper.level.visits / lower.level.visits) ** share
    return Level(
        visits=round(visits),
        solve=lower.level.solve and upper.level.solve,  # costs time: only among the strongest
        **{k: v for k, v in values.items() if k not in ("visits", "solve")},
    )


def place_of(board: Board, level: Level, *, has_engine: bool = False) -> float | None:
    """Returns the assumed Elo at which the curve has the level; None if the level lies off it.

    Where the curve stands still, returns its lowest place. has_engine: as in knots_of.
    """
    knots = knots_of(board, has_engine=has_engine)
    for lower, upper in pairwise(knots):
        for share in sorted({0.0, 1.0, *_shares(lower.level, upper.level, level)}):
            place = lower.elo + share * (upper.elo - lower.elo)
            if _is_like(level_at(board, place, has_engine=has_engine), level):
                return place
    return None


def _shares(lower: Level, upper: Level, level: Level) -> Iterator[float]:
    """Yields the shares of the way between two levels where a field has this level's value."""
    for name in SLOPING:
        ends = getattr(lower, name), getattr(upper, name)
        yield from _share(*ends, getattr(level, name))
    yield from _share(log(lower.visits), log(upper.visits), log(level.visits))


def _share(low: float, high: float, value: float) -> Iterator[float]:
    """Yields the share of the way from low to high where the value lies, if it lies between."""
    if low != high and 0.0 <= (value - low) / (high - low) <= 1.0:
        yield (value - low) / (high - low)


def _is_like(one: Level, other: Level) -> bool:
    """Tests whether two levels are one, but for the rounding of a ladder's file."""
    return all(
        isclose(getattr(one, field.name), getattr(other, field.name), rel_tol=1e-4, abs_tol=1e-4)
        for field in fields(Level)
    )


def _has_between(lower: Level, upper: Level) -> bool:
    """Tests whether levels lie between two of these policies: the same kind, or one of none."""
    same = (lower.imitated == NO_RANK) is (upper.imitated == NO_RANK)
    return same or not (lower.needs_network and upper.needs_network)
