"""The frontier study: each persona's balance, and the naturalness of its moves.

The input is records of matches and measurements. Their pairs are (persona, opponent), unless the
caller names the opponents.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from engine.errors import SettingError
from engine.lab.balance import Bout, color_of, distance_of
from engine.match.record import Row
from engine.match.recorded import Recorded, short_names
from engine.match.summary import pair_of
from engine.review.bench import Bench
from engine.review.match_naturalness import measures_of
from engine.review.review import PlayerReview, player_of
from engine.style.measures import GameMeasure, MeanEstimate, values_of

Measured = tuple[Row, GameMeasure]


@dataclass(frozen=True, slots=True)
class FrontierPoint:
    """The results of one persona against one opponent: a point of the picture."""

    bout: Bout
    review: PlayerReview  # the persona's measures, over the games without a fault

    @property
    def win_loss(self) -> MeanEstimate:
        """|share won - share lost|."""
        measured = distance_of(self.bout.tally())
        return MeanEstimate(measured.value, measured.interval)

    @property
    def opponent_wins(self) -> MeanEstimate:
        """The opponent's share of the points; a draw is half."""
        tally = self.bout.tally()
        low, high = tally.interval()
        return MeanEstimate(1 - tally.rate, (1 - high, 1 - low))

    def values(self) -> dict[str, Any]:
        """Returns JSON values."""
        tally = self.bout.tally()
        return {
            "persona": self.bout.persona,
            "opponent": self.bout.opponent,
            "wins": tally.wins,
            "losses": tally.losses,
            "draws": tally.draws,
            **{name: values_of(axis.of(self)) for name, axis in BALANCES.items()},
            **{name: value for name, value in self.review.values().items() if name != "player"},
        }


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis of the picture."""

    of: Callable[[FrontierPoint], MeanEstimate | None]
    about: str


BALANCES: dict[str, Axis] = {
    "win-loss": Axis(lambda point: point.win_loss, "|share won - share lost|"),
    "opponent-wins": Axis(lambda point: point.opponent_wins, "points that the opponent won"),
}
NATURALS: dict[str, Axis] = {
    "unnatural": Axis(lambda point: point.review.side.unnatural, "share of moves under .05"),
    "natural": Axis(lambda point: point.review.side.natural, "geometric mean probability"),
    "distance": Axis(lambda point: point.review.side.distance, "mean distance to the last move"),
}


def points(
    matches: Sequence[Recorded],
    against: Sequence[str],
    bench: Bench,
    *,
    at_once: int,
    quiet: bool,
) -> list[FrontierPoint]:
    """Returns all personas of all matches; games of the same two players are joined.

    against: the opponents, by the names of the match or of `short_names`; empty: the second of each
    pair. Raises SettingError for matches of several boards, for no game against an opponent, and
    for a reference network that cannot be loaded.
    """
    _check_boards(matches)
    texts = list(dict.fromkeys(text for match in matches for text in match.players))
    names = dict(zip(texts, short_names(texts), strict=True))
    unknown = [name for name in against if name not in {*texts, *names.values()}]
    if unknown:
        raise SettingError(
            f"nobody is called {unknown[0]!r}: there are {', '.join(names.values())}"
        )
    measured: dict[tuple[str, str], list[Measured]] = {}
    played: dict[tuple[str, str], list[Row]] = {}
    for match in matches:
        rows = [row for each in match.rows if (row := facing(each, match, names, against))]
        for row in rows:
            played.setdefault(_names_of(row, match, names), []).append(row)
        for row, measure in measures_of(match.start, rows, bench, at_once=at_once, quiet=quiet):
            measured.setdefault(_names_of(row, match, names), []).append((row, measure))
    if not played:
        raise SettingError(f"no game against {' or '.join(against)}" if against else "no games")
    return [
        _point(persona, opponent, rows, measured.get((persona, opponent), []))
        for (persona, opponent), rows in played.items()
    ]


def _check_boards(matches: Sequence[Recorded]) -> None:
    first = matches[0]
    for match in matches[1:]:
        if match.start.board != first.start.board:
            raise SettingError(
                f"{str(first.path)!r} is of {first.start.name}, {str(match.path)!r} of "
                f"{match.start.name}: no picture holds both"
            )


def facing(row: Row, match: Recorded, names: dict[str, str], against: Sequence[str]) -> Row | None:
    """Returns the game with its pair as (persona, opponent).

    None unless exactly one is an opponent.
    """
    first, second = pair_of(row)
    if not against:
        return row
    theirs = [
        text in against or names[text] in against
        for text in (match.players[first], match.players[second])
    ]
    if theirs[0] == theirs[1]:
        return None
    return row | {"pair": [second, first]} if theirs[0] else row


def _names_of(row: Row, match: Recorded, names: dict[str, str]) -> tuple[str, str]:
    persona, opponent = pair_of(row)
    return names[match.players[persona]], names[match.players[opponent]]


def _point(
    persona: str, opponent: str, rows: Sequence[Row], measured: Sequence[Measured]
) -> FrontierPoint:
    review = player_of(persona, [(measure, color_of(row)) for row, measure in measured])
    return FrontierPoint(Bout(persona, opponent, tuple(rows)), review)
