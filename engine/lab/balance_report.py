"""The report of `sparring lab balance`: tables as text, rows for spreadsheets, JSON, a picture.

It formats the results of engine.lab.balance and engine.lab.manner.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

from engine.lab.balance import Bout, MatchBalance, by_chance, distance_of
from engine.lab.duplicate_games import distance_without_noise, mean_result
from engine.lab.manner import Manner, manner
from engine.lab.published import published
from engine.lab.tails import HEADS, tails
from engine.match.game_spec import GameSpec
from engine.match.tally import Tally
from engine.report.pictures import Bar, bars, save
from engine.report.tables import aligned, flat, write_csv, write_findings
from engine.review.judging import GameJudgement
from engine.review.played import HAS_POINTS
from engine.style.measures import MeanEstimate, Side, interval_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MANNER_HEADS = (
    *("", "judged", "lost a move", "by the opponent", "reversals", "late", "margin"),
    *("natural", "under .05", "distance", "the opponent's"),
)

DUPLICATE_HEADS = ("equal chance in both games", "pairs", "won - lost")


@dataclass(frozen=True, slots=True)
class BalanceReport:
    """The report of the study on one board."""

    start: GameSpec
    balances: Sequence[MatchBalance]
    judged: Mapping[int, GameJudgement]  # judgements by the game's number
    remember: bool

    def manner(self, bout: Bout) -> Manner | None:
        """Returns the manner of the games between two players."""
        return manner(self.start, bout.rows, self.judged)

    def published(self, bout: Bout) -> float | None:
        """Returns the paper's value; None if the opponent was remembered."""
        return None if self.remember else published(self.start, bout.persona, bout.opponent)

    def values(self) -> dict[str, Any]:
        """Returns JSON values."""
        return {
            "game": self.start.name,
            "remember": self.remember,
            "personas": [self._values(balance) for balance in self.balances],
        }

    def _values(self, balance: MatchBalance) -> dict[str, Any]:
        values = balance.values(self.start.kind.colors)
        for opponent, bout in zip(values["opponents"], balance.bouts, strict=True):
            how = self.manner(bout)
            opponent["published"] = self.published(bout)
            opponent["manner"] = None if how is None else how.values()
            if self.start.game in HAS_POINTS:
                opponent["tails"] = tails(self.start, bout.rows, self.judged).values()
            if self.start.kind.deal is not None:
                pairs = bout.duplicates()
                mean, half = mean_result(pairs)
                by_pairs = {"pairs": len(pairs), "mean": mean, "half": half}
                opponent["duplicates"] = by_pairs if len(pairs) > 1 else None
        return values

    def lines(self) -> Iterator[str]:
        """Yields the tables as text."""
        known = "remembering from game to game" if self.remember else "nothing known before a game"
        yield f"{self.start.name}, {known}"
        for balance in self.balances:
            yield ""
            yield from aligned([self._heads(balance), *self._rows(balance)])
            rows = [cells for bout in balance.bouts if (cells := self._manner_cells(bout))]
            if rows:
                yield from ["", *aligned([MANNER_HEADS, *rows])]
            if self.start.game in HAS_POINTS:
                yield from ["", *aligned([HEADS, *self._tail_rows(balance)])]
            if self.start.kind.deal is not None:
                yield from ["", *aligned([DUPLICATE_HEADS, *self._duplicate_rows(balance)])]

    def _heads(self, balance: MatchBalance) -> list[str]:
        colors = [f"as {color}" for color in self.start.kind.colors]
        return [
            balance.persona,
            "won",
            "lost",
            "drawn",
            "|win-loss|",
            *colors,
            "by chance",
            "paper",
        ]

    def _rows(self, balance: MatchBalance) -> Iterator[list[str]]:
        for bout in balance.bouts:
            tally = bout.tally()
            yield [
                bout.opponent,
                *map(str, (tally.wins, tally.losses, tally.draws)),
                str(distance_of(tally)),
                *(_signed(bout.tally(color)) for color in (0, 1)),
                f"{by_chance(tally):.2f}",
                _share(self.published(bout)),
            ]
        papers = [self.published(bout) for bout in balance.bouts]
        known = [paper for paper in papers if paper is not None]
        whole = len(known) == len(papers)
        blank = ["", "", ""]
        yield [
            f"mean of {len(papers)}",
            *blank,
            str(balance.mean),
            *(f"{balance.by_color(color):.2f}" for color in (0, 1)),
            f"{balance.by_chance:.2f}",
            _share(fmean(known) if whole else None),
        ]
        worst = f"worst: {balance.worst_opponent}"
        yield [worst, *blank, str(balance.worst), "", "", "", _share(max(known) if whole else None)]

    def _tail_rows(self, balance: MatchBalance) -> Iterator[list[str]]:
        """Yields the rows of the tails' table, the last one for all opponents together."""
        for bout in balance.bouts:
            yield [bout.opponent, *tails(self.start, bout.rows, self.judged).cells()]
        every = [row for bout in balance.bouts for row in bout.rows]
        yield [f"all {len(balance.bouts)}", *tails(self.start, every, self.judged).cells()]

    def _duplicate_rows(self, balance: MatchBalance) -> Iterator[list[str]]:
        """Yields the rows of the table of duplicate games, the last one for all opponents."""
        played = [bout.duplicates() for bout in balance.bouts]
        means = [mean_result(pairs) for pairs in played]
        for bout, pairs, (mean, half) in zip(balance.bouts, played, means, strict=True):
            yield [bout.opponent, str(len(pairs)), f"{mean:+.2f} +-{half:.2f}"]
        yield ["root mean square", "", f"{distance_without_noise(means):.2f}"]

    def _manner_cells(self, bout: Bout) -> list[str] | None:
        how = self.manner(bout)
        if how is None:
            return None
        return [
            bout.opponent,
            str(how.games),
            *(_lost(side) for side in (how.ours, how.theirs)),
            _number(how.reversals, ".1f"),
            _number(how.late_reversals, ".1f"),
            _number(how.margin, ".1f"),
            interval_text(how.ours.natural, ".3f"),
            interval_text(how.ours.unnatural, ".1%"),
            _number(how.ours.distance, ".2f"),
            f"{_number(how.theirs.natural, '.3f')}, {_number(how.theirs.unnatural, '.1%')}",
        ]

    def write(self, folder: Path) -> None:
        """Writes the tables, the rows, the JSON and a picture into the folder."""
        values = self.values()
        opponents = [flat(each) for persona in values["personas"] for each in persona["opponents"]]
        write_csv(folder / "balance.csv", opponents)
        write_findings(folder, "balance", self.lines(), values)
        save(folder / "balance.png", self.picture)

    def picture(self) -> Figure:
        """Draws |win-loss| by opponent, the personas side by side."""
        distances = {
            balance.persona: [self._bar(bout) for bout in balance.bouts]
            for balance in self.balances
        }
        return bars(distances, f"{self.start.name}: |wins - losses|, and the paper's as lines")

    def _bar(self, bout: Bout) -> Bar:
        distance = distance_of(bout.tally())
        return Bar(bout.opponent, distance.value, distance.interval, self.published(bout))


def _signed(tally: Tally) -> str:
    """Returns the share won less the share lost, of one color's games."""
    return f"{(tally.wins - tally.losses) / tally.games:+.2f}" if tally.games else ""


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _number(estimate: MeanEstimate | None, form: str) -> str:
    """Returns the value as text, without its interval."""
    return "" if estimate is None else f"{estimate.value:{form}}"


def _lost(side: Side) -> str:
    points = _number(side.points, ".2f")
    return _number(side.loss, ".3f") + (f" ({points})" if points else "")
