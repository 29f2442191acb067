"""The report of a calibration: a table of rungs, a page and a picture of both curves.

It words the levels and intervals of a calibration.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from engine.games.ranks import rank_text
from engine.lab.calibrate.joint_fit import joint_ratings
from engine.lab.calibrate.round import CalibrationRound, games_of
from engine.lab.duplicate_games import chance_share
from engine.report.pictures import blank, save
from engine.report.tables import aligned
from engine.strength.level import Level
from engine.strength.rating_ladder import RatingLadder
from engine.util.atomic_file import atomic_write

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PAGE, PICTURE = "calibration.md", "calibration.png"
HEADS = ("Elo", "+-", "above the last", "+-", "games", "s a game", "plays")
WANTED_GAP = (70.0, 130.0)  # Elo between neighbours


def _players(level: Level) -> str:
    """Returns the rank or the rating of the level's players."""
    return rank_text(level.rank, 1) if level.rank else f"{level.rating:.0f}"


def in_words(level: Level) -> str:
    """Returns a level's effective settings in words.

    >>> in_words(Level(visits=8, index=2.0, floor=0.02))
    '8 visits, index 2, floor 2%'
    >>> in_words(Level(visits=8, rank=22, restraint=1.2))
    'people of 13k, 8 visits, policy index 1, restraint 1.2'
    >>> in_words(Level(index=0.6, rating=1100))
    'people of 1100, policy index 0.6'
    """
    if not level.needs_network and not level.needs_heuristic:
        return "any move"
    words = [f"people of {_players(level)}"] if level.needs_people else []
    if level.visits > 1:
        words.append(f"{level.visits} visits")
    if level.needs_network:
        is_alone = level.visits == 1 or level.needs_people
        words.append(f"{'policy index' if is_alone else 'index'} {level.index:.3g}")
    if level.uses_utilities:
        words.append(f"restraint {level.restraint:.3g}")
    if level.greed:
        words.append(f"greed {level.greed:.3g}")
    for name, share in (("floor", level.floor), ("random", level.random_share)):
        if share:
            words.append(f"{name} {share:.2g}" if share < 0.01 else f"{name} {share:.0%}")
    if level.worst_share:
        words.append(f"worst {level.worst_share:.0%}")
    if level.solve:
        words.append("solver")
    return ", ".join(words)


@dataclass(frozen=True, slots=True)
class CalibrationReport:
    """A finished calibration."""

    rounds: Sequence[CalibrationRound]
    ladder: RatingLadder

    def table(self) -> list[list[str]]:
        """Returns the last round's rungs, weakest first, with a head."""
        last = self.rounds[-1]
        ratings, gaps = joint_ratings(self.rounds), last.gaps()
        games, seconds = _games(last), last.seconds_a_game()
        rows = [list(HEADS)]
        for rung, rating in enumerate(ratings):
            gap = ["", ""]
            if rung:
                gap = [f"{gaps[rung - 1].elo:+.0f}", f"{gaps[rung - 1].error:.0f}"]
            rows.append(
                [
                    f"{rating.elo:+.0f}",
                    f"{rating.error:.0f}",
                    *gap,
                    str(games[rung]),
                    f"{seconds[rung]:.3g}",
                    in_words(last.levels[rung]),
                ]
            )
        return rows

    def _rounds(self) -> str:
        return "1 round" if len(self.rounds) == 1 else f"{len(self.rounds)} rounds"

    def lines(self) -> Iterator[str]:
        """Yields all of it as text."""
        ladder = self.ladder
        human = f" with {ladder.human_network}" if ladder.human_network else ""
        yield (
            f"{ladder.board.name}, {ladder.network}{human}: {ladder.games} games in "
            f"{self._rounds()}; Elo of random play is 0, intervals are 95%"
        )
        yield from aligned([[row[-1], *row[:-1]] for row in self.table()])
        yield self.summary()
        if self.rounds[-1].start.kind.deal is not None:
            yield self.chance()

    def chance(self) -> str:
        """Returns the share of chance in the last round's results as a sentence."""
        duplicates = self.rounds[-1].duplicates()
        share, half = chance_share(duplicates)
        return (
            f"equal chance explains {share:.0%} +- {half:.0%} of the results' variance, in "
            f"{sum(map(len, duplicates))} pairs of duplicate games"
        )

    def summary(self) -> str:
        """Returns length and evenness of the ladder in words."""
        elos = [rung.elo for rung in self.ladder.rungs]
        gaps = [above - below for below, above in pairwise(elos)]
        low, high = WANTED_GAP
        even = sum(low <= gap <= high for gap in gaps)
        merged = len(self.rounds[-1].places) - len(elos)
        ends = [tally.elo() for tally in self.rounds[-1].tallies()]
        sure = sum(low <= least and most <= high for least, _, most in ends)
        return (
            f"{len(elos)} rungs from {elos[0]:+.0f} to {elos[-1]:+.0f}, {elos[-1] - elos[0]:.0f} "
            f"in all; {even} of {len(gaps)} neighbours {low:.0f} to {high:.0f} apart"
            f", {sure} of them for certain"
            + (f"; {merged} merged, as their order was chance" if merged else "")
        )

    def write(self, folder: Path) -> bool:
        """Writes the page and the picture; returns False without matplotlib."""
        rows = self.table()
        table = [rows[0], ["---"] * len(rows[0]), *rows[1:]]
        page = [
            f"# The ladder of {self.ladder.network} on {self.ladder.board.name}",
            "",
            f"{games_of(self.rounds)} games in {self._rounds()}, the last of "
            f"{len(self.rounds[-1].rows)}. A rung's Elo rests on all of them, its distance from "
            "the rung below on the last round. Elo of uniformly random play is 0, intervals are "
            "95%.",
            "",
            *("| " + " | ".join(row) + " |" for row in table),
            "",
            self.summary() + ".",
            "",
        ]
        with atomic_write(folder / PAGE) as unfinished:
            unfinished.write_text("\n".join(page))
        return save(folder / PICTURE, self.picture)

    def picture(self) -> Figure:
        """Draws Elo along the chain, each round's.

        Raises ModuleNotFoundError without matplotlib.
        """
        figure, axes = blank(f"{self.ladder.network}, {self.ladder.board.name}")
        for number, each in enumerate(self.rounds, 1):
            ratings = each.ratings()
            axes.errorbar(
                np.array(each.places),
                [rating.elo for rating in ratings],
                yerr=[rating.error for rating in ratings],
                fmt="o-" if each is self.rounds[-1] else "o",
                alpha=1.0 if each is self.rounds[-1] else 0.4,
                markersize=4,
                capsize=2,
                label=f"round {number}, {len(each.rows)} games",
            )
        axes.set_xlabel("place on the chain of settings")
        axes.set_ylabel("Elo, random play 0")
        axes.grid(alpha=0.3)
        axes.legend()
        return figure


def _games(each: CalibrationRound) -> list[int]:
    games = [0] * len(each.places)
    for row in each.rows:
        for rung in row["tags"]:
            games[rung] += 1
    return games
