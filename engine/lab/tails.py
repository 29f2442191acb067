"""The tails of a match: games decided by much, and what each side loses when it is ahead.

A median hides a tail: an engine that throws stones whenever it leads also wins half of its games by
little. A player loses about the same with any score, hence the loss of a side that leads is divided
by its loss in an open game. engine.review judges the moves; leads are those before a move, of its
own side.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean, median
from typing import Any

from engine.lab.balance import color_of
from engine.match.game_spec import GameSpec
from engine.match.record import Row
from engine.match.summary import tally_of
from engine.review.judging import GameJudgement
from engine.review.measuring import measured
from engine.review.played import margin_of, of_row
from engine.style.measures import MoveMeasure

MUCH, FAR_TOO_MUCH = 20.0, 40.0  # points of the final score
AHEAD = 5.0  # points of lead; within AHEAD of even a game is open
THROWN_FROM, THROWN_TO = 3.5, -7.0  # a throw takes a lead of this much at once to this one

HEADS = (
    *("", "games", "points", "median", "by 20", "by 40", "greatest"),
    *("loss ahead", "open", "ratio", "throws", "the opponent's ratio", "throws"),
)


@dataclass(frozen=True, slots=True)
class Throwing:
    """The losses of one side by its lead, in points a move. None: no such move."""

    moves: int
    ahead: float | None  # mean loss with a lead above AHEAD
    within: float | None  # mean loss with a lead of at most AHEAD of either side
    throws: int  # moves from THROWN_FROM or more to THROWN_TO or less

    @property
    def ratio(self) -> float | None:
        """The loss ahead as a multiple of the loss in open games; None without both."""
        if self.ahead is None or self.within is None or self.within <= 0:
            return None
        return self.ahead / self.within


@dataclass(frozen=True, slots=True)
class Tails:
    """The tails of some games between two players, from the first one's side."""

    games: int
    points: float  # mean, 0..1
    median: float | None  # of the winner's margin; None without a counted game
    much: float | None  # share of counted games with a margin of MUCH or more
    far_too_much: float | None  # share of counted games with a margin of FAR_TOO_MUCH or more
    greatest: float | None  # margin
    ours: Throwing
    theirs: Throwing

    def values(self) -> dict[str, Any]:
        """Returns JSON values."""
        ratios = {"ours_ratio": self.ours.ratio, "theirs_ratio": self.theirs.ratio}
        return asdict(self) | ratios

    def cells(self) -> Iterator[str]:
        """Yields the numbers of a table's row, in the order of HEADS."""
        yield from (str(self.games), f"{self.points:.2f}", _text(self.median, ".1f"))
        yield from (_text(self.much, ".0%"), _text(self.far_too_much, ".0%"))
        yield _text(self.greatest, ".1f")
        yield from (_text(self.ours.ahead, ".2f"), _text(self.ours.within, ".2f"))
        for side in (self.ours, self.theirs):
            yield from (_text(side.ratio, ".1f"), f"{side.throws} of {side.moves}")


def tails(start: GameSpec, rows: Sequence[Row], judged: Mapping[int, GameJudgement]) -> Tails:
    """Returns the tails of one or more games between two players; judged: by the game's number."""
    margins = [abs(margin) for row in rows if (margin := margin_of(row)) is not None]
    moves: tuple[list[MoveMeasure], list[MoveMeasure]] = ([], [])
    for row in rows:
        if row["game"] in judged:
            game = measured(of_row(start, row), judged[row["game"]])
            for side in (0, 1):
                moves[side].extend(game.of(color_of(row, side)))
    return Tails(
        games=len(rows),
        points=tally_of(rows).rate,
        median=median(margins) if margins else None,
        much=fmean(margin >= MUCH for margin in margins) if margins else None,
        far_too_much=fmean(margin >= FAR_TOO_MUCH for margin in margins) if margins else None,
        greatest=max(margins, default=None),
        ours=throwing(moves[0]),
        theirs=throwing(moves[1]),
    )


def throwing(moves: Sequence[MoveMeasure]) -> Throwing:
    """Returns the losses of a side's moves by its lead."""
    known = [
        (each.lead, each.points)
        for each in moves
        if each.lead is not None and each.points is not None
    ]
    ahead = [lost for lead, lost in known if lead > AHEAD]
    within = [lost for lead, lost in known if -AHEAD <= lead <= AHEAD]
    return Throwing(
        moves=len(known),
        ahead=fmean(ahead) if ahead else None,
        within=fmean(within) if within else None,
        throws=sum(lead >= THROWN_FROM and lead - lost <= THROWN_TO for lead, lost in known),
    )


def _text(value: float | None, form: str) -> str:
    return "" if value is None else f"{value:{form}}"
