"""The settings curve behind the rating ladders: from perverse play to the strongest.

CURVES is the table, with levels and their approximate Elo for each game. Calibration measures the
true Elo of a setting with a network; engine.strength.rating_ladder holds the results.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, fields

from engine.games.ranks import parse_rank
from engine.strength.level import NO_RANK, RANDOM, Level


@dataclass(frozen=True, slots=True)
class Knot:
    """A knot of the curve; settings between two knots are interpolated."""

    elo: float  # the assumed Elo, the curve's parameter
    level: Level


# The network of human moves knows too little of moves of a smaller policy.
HARDLY_PLAYED = 0.005


def _people(
    rank: str,
    visits: int = 1,
    restraint: float = 0.0,
    *,
    index: float = 1.0,
    greed: float = 0.0,
    floor: float = HARDLY_PLAYED,
) -> Level:
    """Returns a level of people of a rank such as "8k"."""
    return Level(
        visits=visits,
        index=index,
        greed=greed,
        floor=floor,
        rank=parse_rank(rank),
        restraint=restraint,
    )


# A network of human moves of chess has no rank as its input; this one stands for its players.
PLAYERS = 1.0
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
    # Blind and greedy below the weakest people, then people from 20 kyu to 9 dan, then searches.
    # Up to 10 kyu the imitated moves lose as much as those of people; above it a search holds them
    # back until they do, in positions of KGS as a stronger network judges them.
    "go": (
        Knot(-1000.0, Level(index=-0.5, greed=-1.0)),
        Knot(-300.0, Level(index=0.0, greed=-0.3)),
        Knot(0.0, RANDOM),
        Knot(200.0, Level(index=0.0, greed=0.3)),
        Knot(450.0, Level(index=0.0, greed=1.0)),
        Knot(800.0, Level(index=0.0, greed=2.5)),
        Knot(1300.0, _people("20k", index=0.4, greed=1.5)),
        Knot(1800.0, _people("20k")),
        Knot(1850.0, _people("15k")),
        Knot(2000.0, _people("10k")),
        Knot(2230.0, _people("5k", 24, 18.0)),
        Knot(2320.0, _people("1k", 40, 30.0)),
        Knot(2570.0, _people("3d", 100, 60.0)),
        Knot(2780.0, _people("6d", 150, 90.0)),
        Knot(2850.0, _people("9d", 400, 100.0)),
        Knot(2880.0, Level(visits=64, index=4.0, floor=0.01)),
        Knot(3120.0, Level(visits=200, index=6.0, floor=0.005)),
        Knot(3400.0, Level(visits=800, index=10.0)),
    ),
    # The moves of people at a temperature of 1 / index, then the policy of the search's network,
    # then its search. Play between two knots draws each move from one of them, which mixes two
    # networks. The Elo are guesses.
    "chess": (
        Knot(-300.0, Level(index=0.0, greed=-3.0)),
        Knot(0.0, RANDOM),
        Knot(300.0, Level(index=0.0, greed=3.0)),
        Knot(600.0, Level(index=0.35, rank=PLAYERS)),
        Knot(850.0, Level(index=0.6, rank=PLAYERS)),
        Knot(1150.0, Level(index=1.0, rank=PLAYERS)),
        Knot(1450.0, Level(index=1.0)),
        Knot(1650.0, Level(index=2.0, floor=0.02)),
        Knot(1800.0, Level(visits=16, index=3.0, floor=0.02)),
        Knot(2000.0, Level(visits=100, index=6.0, floor=0.01)),
        Knot(2300.0, Level(visits=800, index=10.0)),
    ),
}


def knots_of(game: str) -> Sequence[Knot]:
    """Returns the game's knots, in rising order."""
    return CURVES[game]


def level_at(game: str, elo: float) -> Level:
    """Returns the level at an assumed Elo; beyond the curve, the level at its end.

    Between a level of people and one of another policy no setting lies: there the lower one stays.
    """
    knots = knots_of(game)
    above = min(max(bisect_right([knot.elo for knot in knots], elo), 1), len(knots) - 1)
    lower, upper = knots[above - 1], knots[above]
    share = min(max((elo - lower.elo) / (upper.elo - lower.elo), 0.0), 1.0)
    if share < 1.0 and not _has_between(lower.level, upper.level):
        return lower.level
    if share in (0.0, 1.0):
        return upper.level if share else lower.level
    values: dict[str, float] = {}
    for field in fields(Level):
        low, high = getattr(lower.level, field.name), getattr(upper.level, field.name)
        values[field.name] = low + share * (high - low)
    if NO_RANK in (lower.level.rank, upper.level.rank):  # of one that uses no policy
        values["rank"] = max(lower.level.rank, upper.level.rank)
    visits = lower.level.visits * (upper.level.visits / lower.level.visits) ** share
    return Level(
        visits=round(visits),
        solve=lower.level.solve and upper.level.solve,  # costs time: only among the strongest
        **{k: v for k, v in values.items() if k not in ("visits", "solve")},
    )


def _has_between(lower: Level, upper: Level) -> bool:
    """Tests whether levels lie between two of these policies: the same kind, or one of none."""
    same = (lower.rank == NO_RANK) is (upper.rank == NO_RANK)
    return same or not (lower.needs_network and upper.needs_network)
