"""The manner of play in a match: quality of both sides' moves, changes of the lead, naturalness.

The input is the rows of a match and their judgements (engine.review.judging). engine.style.measures
defines the measures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.lab.balance import color_of
from engine.match.game_spec import GameSpec
from engine.match.record import Row
from engine.review.judging import GameJudgement
from engine.review.measuring import measured
from engine.review.played import margin_of, of_row
from engine.style.measures import MeanEstimate, Side, mean_of, side_of, values_of


@dataclass(frozen=True, slots=True)
class Manner:
    """The manner of play in some games between two players, from the first one's side."""

    games: int  # number of judged games
    ours: Side
    theirs: Side
    reversals: MeanEstimate | None  # mean number a game
    late_reversals: MeanEstimate | None  # mean number a game
    margin: MeanEstimate | None  # mean final score of the winner, in the game's points

    def values(self) -> dict[str, Any]:
        """Returns JSON values."""
        return {
            "games": self.games,
            "ours": self.ours.values(),
            "theirs": self.theirs.values(),
            "reversals": values_of(self.reversals),
            "late_reversals": values_of(self.late_reversals),
            "margin": values_of(self.margin),
        }


def manner(
    start: GameSpec, rows: Sequence[Row], judged: Mapping[int, GameJudgement]
) -> Manner | None:
    """Returns the manner of the judged games, by number; None without any."""
    known = [row for row in rows if row["game"] in judged]
    if not known:
        return None
    games = [measured(of_row(start, row), judged[row["game"]]) for row in known]
    margins = [abs(margin) for row in rows if (margin := margin_of(row)) is not None]
    ours, theirs = (
        side_of([game.of(color_of(row, side)) for game, row in zip(games, known, strict=True)])
        for side in (0, 1)
    )
    return Manner(
        games=len(known),
        ours=ours,
        theirs=theirs,
        reversals=mean_of([len(game.reversals) for game in games if game.reversals is not None]),
        late_reversals=mean_of([game.late for game in games if game.late is not None]),
        margin=mean_of(margins),
    )
