"""The results of a match: each pair's score, and one table of ratings for more than two players.

The input is the rows of a record, also of older versions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any, Self

from engine.match.record import Row
from engine.match.tally import Tally
from engine.util import elo

TWO_PLAYERS = [0, 1]  # the pair of old rows without one: matches had two players then


def pair_of(row: Row) -> tuple[int, int]:
    """Returns the players of a game, by their numbers in the match."""
    first, second = row.get("pair", TWO_PLAYERS)
    return first, second


def colors_of(row: Row, names: Sequence[str]) -> tuple[str, str]:
    """Returns the names of color 0 and color 1."""
    first, second = pair_of(row)
    return names[row["black"]], names[second if row["black"] == first else first]


def letter(player: int) -> str:
    """Returns the player's letter in reports: A to Z, then P27 and so on."""
    return chr(ord("A") + player) if player < 26 else f"P{player + 1}"


def tally_of(rows: Sequence[Row]) -> Tally:
    """Counts wins, losses and draws of each row's first player."""
    tally = Tally()
    for row in rows:
        tally = tally.add(side_of(row))
    return tally


def side_of(row: Row) -> int | None:
    """Returns the winner: 0 the pair's first player, 1 the second, None for a draw."""
    return None if row["winner"] is None else pair_of(row).index(row["winner"])


@dataclass(frozen=True, slots=True)
class EffortSummary:
    """A player's cost of its moves."""

    moves: int
    seconds_per_move: float | None  # None: no moves
    longest_seconds: float
    visits_per_move: float | None  # None: never reported

    @classmethod
    def of(cls, efforts: Sequence[Mapping[str, float]]) -> Self:
        """Returns the sum of the games' efforts in rows."""

        def total(name: str) -> float:
            return float(sum(effort[name] for effort in efforts))

        moves, counted = total("moves"), total("counted_moves")
        return cls(
            moves=int(moves),
            seconds_per_move=total("seconds") / moves if moves else None,
            longest_seconds=max((effort["longest_seconds"] for effort in efforts), default=0.0),
            visits_per_move=total("visits") / counted if counted else None,
        )

    def __str__(self) -> str:
        if self.seconds_per_move is None:
            return "no moves"
        visits = self.visits_per_move
        counted = "visits not reported" if visits is None else f"{visits:.0f} visits a move"
        longest = spent(self.longest_seconds)
        each = f"{spent(self.seconds_per_move)} a move (longest {longest})"
        return f"{self.moves} moves, {each}, {counted}"


class PairSummary:
    """The result of two players' games, from the first one's side."""

    def __init__(
        self,
        pair: tuple[int, int],
        players: Sequence[str],
        colors: tuple[str, str],
        rows: Sequence[Row],
    ) -> None:
        self.pair = pair
        self.texts = [players[index] for index in pair]
        self.colors = colors
        self.rows = rows
        self.tally = tally_of(rows)

    def values(self) -> dict[str, Any]:
        """The summary as JSON values."""
        first, second = (f"as_{color.lower()}" for color in self.colors)
        return {
            "players": self.texts,
            "games": self.tally.games,
            "wins": self.tally.wins,
            "losses": self.tally.losses,
            "draws": self.tally.draws,
            "rate": self.tally.rate,
            "interval": list(self.tally.interval()),
            "elo": [finite(number) for number in self.tally.elo()],
            first: self._points(self.pair[0]),
            second: self._points(self.pair[1]),
            "ended": dict(Counter(self._ending(row) for row in self.rows)),
            "efforts": [asdict(self.effort(index)) for index in (0, 1)],
        }

    def _points(self, black: int) -> list[int]:
        tally = tally_of([row for row in self.rows if row["black"] == black])
        return [tally.wins, tally.losses, tally.draws]

    def _ending(self, row: Row) -> str:
        if row["judge"]:
            return f"{row['how']} by {row['judge']}"
        winner = side_of(row)
        return f"{letter(self.pair[1 - winner])} {row['how']}" if winner is not None else row["how"]

    def effort(self, index: int) -> EffortSummary:
        """Returns the cost of a move of the pair's player 0 or 1."""
        return EffortSummary.of([row["efforts"][index] for row in self.rows])

    def lines(self) -> list[str]:
        """The summary for people."""
        values = self.values()
        first = letter(self.pair[0])
        low, likely, high = self.tally.elo()
        lines = [
            f"{first} {self.tally} of {self.tally.games} games,"
            f" Elo {likely:+.0f} ({low:+.0f}..{high:+.0f})"
        ]
        for color in self.colors:
            wins, losses, draws = values[f"as_{color.lower()}"]
            lines.append(f"{first} as {color}: +{wins} -{losses} ={draws}")
        lines.append("ended: " + ", ".join(f"{n} {how}" for how, n in values["ended"].items()))
        lines += [self._effort_line(index) for index in (0, 1)]
        return lines

    def short_line(self) -> str:
        """The result alone."""
        return f"{letter(self.pair[0])} against {letter(self.pair[1])}: {self.tally}"

    def _effort_line(self, index: int) -> str:
        allowed = self.rows[-1]["limits"][index]
        return f"{letter(self.pair[index])}: {self.effort(index)}; allowed {allowed}"


@dataclass(frozen=True, slots=True)
class PlayerStanding:
    """One player's place among all."""

    player: int
    points: float
    games: int
    rating: elo.Rating
    effort: EffortSummary


class MatchSummary:
    """The result of a match."""

    def __init__(
        self,
        players: Sequence[str],
        colors: tuple[str, str],
        rows: Sequence[Row],
        *,
        elo_factor: float | None = None,
    ) -> None:
        self.players = players
        self.rows = rows
        self.elo_factor = elo_factor
        by_pair: dict[tuple[int, int], list[Row]] = {
            pair: [] for pair in combinations(range(len(players)), 2)
        }
        for row in rows:
            by_pair[pair_of(row)].append(row)
        self.pairs = [
            PairSummary(pair, players, colors, pair_rows)
            for pair, pair_rows in by_pair.items()
            if pair_rows
        ]

    def standings(self) -> tuple[list[PlayerStanding], bool]:
        """Returns all players, best first, and whether a draw was added to each pair.

        Draws are added if a player has every point or none: no finite ratings fit such results.
        """
        met = [
            elo.Meeting(*pair.pair, pair.tally.wins + pair.tally.draws / 2, pair.tally.games)
            for pair in self.pairs
        ]
        try:
            ratings, leaning = elo.fit(len(self.players), met), False
        except elo.UnboundedError:
            met = self._with_draws(met)
            ratings, leaning = elo.fit(len(self.players), met, prior_draws=1.0), True
        standings = []
        for player, rating in enumerate(ratings):
            points = sum(self._points(pair, player) for pair in self.pairs)
            games = sum(pair.tally.games for pair in self.pairs if player in pair.pair)
            standings.append(PlayerStanding(player, points, games, rating, self._effort(player)))
        return sorted(standings, key=lambda standing: -standing.rating.elo), leaning

    def _with_draws(self, met: list[elo.Meeting]) -> list[elo.Meeting]:
        """Returns the meetings, with empty ones for the pairs without games."""
        pairs = {(meeting.first, meeting.second) for meeting in met}
        everyone = combinations(range(len(self.players)), 2)
        return met + [elo.Meeting(*pair, 0.0, 0) for pair in everyone if pair not in pairs]

    def _points(self, pair: PairSummary, player: int) -> float:
        if player not in pair.pair:
            return 0.0
        won = pair.tally.wins if player == pair.pair[0] else pair.tally.losses
        return won + pair.tally.draws / 2

    def _effort(self, player: int) -> EffortSummary:
        return EffortSummary.of(
            [
                row["efforts"][pair_of(row).index(player)]
                for row in self.rows
                if player in pair_of(row)
            ]
        )

    def moving(self) -> list[float] | None:
        """Returns ratings after each game, in the games' order; None unless they are wanted."""
        if self.elo_factor is None:
            return None
        points = {0: 1.0, 1: 0.0, None: 0.5}
        rows = sorted(self.rows, key=lambda row: int(row["game"]))
        games = [(*pair_of(row), points[side_of(row)]) for row in rows]
        return elo.sequential_ratings(len(self.players), games, factor=self.elo_factor)

    def values(self) -> dict[str, Any]:
        """The summary as JSON values; of two players from the first one's side."""
        moving = self.moving()
        extra: dict[str, Any] = {} if moving is None else {"moving_elo": moving}
        if len(self.players) == 2:
            return self.pairs[0].values() | extra
        standings, leaning = self.standings()
        return {
            "players": list(self.players),
            "games": len(self.rows),
            "pairs": [pair.values() for pair in self.pairs],
            "ratings": [
                {
                    "player": self.players[standing.player],
                    "elo": standing.rating.elo,
                    "error": standing.rating.error,
                    "points": standing.points,
                    "games": standing.games,
                    "effort": asdict(standing.effort),
                }
                for standing in standings
            ],
            "ratings_lean_on_draws": leaning,
            **extra,
        }

    def lines(self) -> list[str]:
        """The summary for people."""
        lines = [f"{letter(index)}: {text}" for index, text in enumerate(self.players)]
        if len(self.players) == 2:
            lines += self.pairs[0].lines()
        else:
            lines += [pair.short_line() for pair in self.pairs]
            lines += self._table()
        moving = self.moving()
        if moving is not None:
            ratings = ", ".join(
                f"{letter(index)} {rating:.0f}" for index, rating in enumerate(moving)
            )
            lines.append(f"Elo moved by {self.elo_factor:g} a game: {ratings}")
        return lines

    def _table(self) -> list[str]:
        standings, leaning = self.standings()
        width = max(len(text) for text in self.players)
        lines = ["Elo (maximum likelihood, the mean is 0) and half of its 95% interval:"]
        for standing in standings:
            text = self.players[standing.player]
            lines.append(
                f"  {letter(standing.player)} {text:<{width}} {standing.rating.elo:+7.0f}"
                f" +-{standing.rating.error:4.0f}  {standing.points:g} of {standing.games},"
                f" {standing.effort}"
            )
        if leaning:
            lines.append("  (a draw was added to each pair: some took every point, or none)")
        return lines


def finite(number: float) -> float | None:
    """Returns the number, or None for an infinite one: JSON has no infinity."""
    return number if abs(number) != float("inf") else None


def spent(seconds: float) -> str:
    """Returns seconds in words.

    >>> spent(1.25), spent(0.0034), spent(0.000012)
    ('1.25 s', '3.4 ms', '12 us')
    """
    if seconds >= 0.1:
        return f"{seconds:.2f} s"
    return f"{seconds * 1e3:.1f} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.0f} us"
