"""One round of a calibration: rungs, the games between them, and their ratings.

A round chooses the pairs (neighbours and next neighbours), decides when a pair has enough games,
and fits the ratings. The caller passes the player of the games and stores their rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from engine.lab.calibrate.games import CalibrationJob, Row, opened
from engine.match.game_spec import GameSpec
from engine.match.tally import Tally
from engine.strength.level import Level
from engine.strength.settings_curve import level_at
from engine.util.elo import Meeting, Rating, fit

REACH = 2  # steps between rungs of a pair, at most
FEWEST_GAMES = 8  # the fewest games of a pair, whatever their length


@dataclass(frozen=True, slots=True)
class CalibrationEffort:
    """The number of games of a pair of rungs."""

    games: int  # the most games of a pair
    seconds: float  # a pair beyond this time gets only its fewest games


@dataclass(frozen=True, slots=True)
class Pair:
    """Two rungs of a pair, by their numbers."""

    lower: int
    upper: int


@dataclass
class CalibrationRound:
    """The rungs of a round, at places on the settings curve, and their games so far."""

    start: GameSpec  # the start, without an opening
    places: tuple[float, ...]  # places on the curve, rising
    effort: CalibrationEffort
    seed: int
    has_engine: bool = False  # whether the levels have the values of another engine
    rows: list[Row] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        """Starts with no game."""
        count = len(self.places)
        self.levels: list[Level] = [
            level_at(self.start.board, place, has_engine=self.has_engine) for place in self.places
        ]
        self.pairs = [
            Pair(lower, lower + step)
            for step in range(1, REACH + 1)
            for lower in range(count - step)
        ]
        self._seconds = dict.fromkeys(self.pairs, 0.0)
        self._played: set[int] = set()

    @property
    def most_games(self) -> int:
        """Games, if none is left out for its time."""
        return self.effort.games * len(self.pairs)

    def add(self, row: Row) -> None:
        """Adds a played game."""
        self.rows.append(row)
        self._played.add(int(row["game"]))
        self._seconds[Pair(*row["tags"])] += float(row["seconds"])

    def jobs(self) -> Iterator[CalibrationJob]:
        """Yields the unplayed games, pair by pair in turn, each opening with both colors.

        Games added meanwhile count: a pair beyond its time gets no more.
        """
        for lap in range(self.effort.games):
            for number, pair in enumerate(self.pairs):
                game = lap * len(self.pairs) + number
                if game not in self._played and self._wants(pair, lap):
                    yield self._job(game, lap, pair)

    def _wants(self, pair: Pair, lap: int) -> bool:
        return lap < FEWEST_GAMES or self._seconds[pair] < self.effort.seconds

    def _job(self, game: int, lap: int, pair: Pair) -> CalibrationJob:
        levels = self.levels[pair.lower], self.levels[pair.upper]
        return CalibrationJob(
            game,
            levels if lap % 2 == 0 else levels[::-1],
            opened(self.start, self.seed, lap // 2),
            self.seed,
            (pair.lower, pair.upper),
        )

    # ---- Results of the games

    def meetings(self) -> list[Meeting]:
        """Returns the pairs' scores; the points are the upper rung's."""
        points = dict.fromkeys(self.pairs, 0.0)
        games = dict.fromkeys(self.pairs, 0)
        for row in self.rows:
            pair = Pair(*row["tags"])
            lap = int(row["game"]) // len(self.pairs)
            points[pair] += 1 - row["points"] if lap % 2 == 0 else row["points"]
            games[pair] += 1
        return [
            Meeting(pair.upper, pair.lower, points[pair], games[pair])
            for pair in self.pairs
            if games[pair]
        ]

    def duplicates(self) -> list[list[tuple[float, float]]]:
        """Returns the upper rung's points in both games of each opening, for each pair."""
        points: dict[Pair, dict[int, float]] = {pair: {} for pair in self.pairs}
        for row in self.rows:
            lap = int(row["game"]) // len(self.pairs)
            points[Pair(*row["tags"])][lap] = 1 - row["points"] if lap % 2 == 0 else row["points"]
        return [
            [(by_lap[lap], by_lap[lap + 1]) for lap in by_lap if lap % 2 == 0 and lap + 1 in by_lap]
            for by_lap in points.values()
        ]

    def tallies(self) -> list[Tally]:
        """Returns the results of each rung against the one below it."""
        tallies = [Tally() for _ in range(len(self.places) - 1)]
        for row in self.rows:
            lower, upper = row["tags"]
            if upper == lower + 1:
                is_swapped = int(row["game"]) // len(self.pairs) % 2 == 1
                points = row["points"] if is_swapped else 1 - row["points"]
                winner = {1.0: 0, 0.0: 1}.get(points)
                tallies[lower] = tallies[lower].add(winner)
        return tallies

    def ratings(self, anchor: int | None = None) -> list[Rating]:
        """Returns Elo of the rungs from the anchor, by default random play, with 95% intervals."""
        at = self.places.index(0.0) if anchor is None else anchor
        return fit(len(self.places), self.meetings(), anchor=at, unbiased=True)

    def gaps(self) -> list[Rating]:
        """Returns each rung's Elo above the one below it."""
        return [self.ratings(lower)[lower + 1] for lower in range(len(self.places) - 1)]

    def seconds_a_game(self) -> list[float]:
        """Returns the mean seconds of each rung's games."""
        seconds: list[list[float]] = [[] for _ in self.places]
        for row in self.rows:
            for rung in row["tags"]:
                seconds[rung].append(float(row["seconds"]))
        return [sum(each) / len(each) if each else 0.0 for each in seconds]


def games_of(rounds: Sequence[CalibrationRound]) -> int:
    """Returns the number of all games."""
    return sum(len(each.rows) for each in rounds)
