"""The report of `sparring lab estimate`: tables as text, rows for spreadsheets, JSON, a picture.

It formats the ladder places of opponents and the estimates of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.lab.estimation import BOTH, CHECKED, WAYS, Accuracy, StrengthEstimate, accuracy, after
from engine.lab.held_out import STEADY, Stranger, short
from engine.lab.placing import LadderPlace
from engine.match.game_spec import GameSpec
from engine.report.pictures import PlotLine, lines, save
from engine.report.tables import aligned, flat, write_csv, write_findings
from engine.strength.rating_ladder import RatingLadder

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True)
class EstimateReport:
    """The report of the study on one board."""

    start: GameSpec
    ladder: RatingLadder
    places: Mapping[str, LadderPlace]  # ladder places by the player's text
    strangers: Sequence[Stranger]
    estimates: Sequence[StrengthEstimate]

    def of_kind(self, kind: str) -> list[StrengthEstimate]:
        """Returns the estimates of steady, changing or sandbagging strangers."""
        return [each for each in self.estimates if each.stranger.kind == kind]

    @property
    def kinds(self) -> list[str]:
        """The kinds of strangers present."""
        return list(dict.fromkeys(each.kind for each in self.strangers))

    def accuracies(self, chosen: Sequence[StrengthEstimate]) -> dict[str, dict[int, Accuracy]]:
        """Returns the accuracies by way of estimation, of those present, and number of games."""
        present = {each.way for each in chosen}
        return {
            way: {
                games: grade
                for games in CHECKED
                if (grade := accuracy(after(chosen, games, way))) is not None
            }
            for way in WAYS
            if way in present
        }

    def of(self, stranger: Stranger) -> list[StrengthEstimate]:
        """Returns the estimates of one stranger."""
        return [each for each in self.estimates if each.stranger == stranger]

    def values(self) -> dict[str, Any]:
        """Returns JSON values."""
        ladder = self.ladder
        return {
            "game": self.start.name,
            "ladder": {
                "network": ladder.network,
                "provisional": ladder.provisional,
                "lowest": ladder.lowest,
                "highest": ladder.highest,
            },
            "places": {short(text): place.values() for text, place in self.places.items()},
            "kinds": {kind: self._graded(self.of_kind(kind)) for kind in self.kinds},
            "strangers": {each.name: self._graded(self.of(each)) for each in self.strangers},
        }

    def _graded(self, chosen: Sequence[StrengthEstimate]) -> dict[str, Any]:
        return {
            way: {str(games): grade.values() for games, grade in grades.items()}
            for way, grades in self.accuracies(chosen).items()
        }

    def lines(self) -> Iterator[str]:
        """Yields the tables as text."""
        ladder = self.ladder
        kind = "provisional ladder" if ladder.provisional else "ladder"
        yield (
            f"{self.start.name}, {kind} of {ladder.network},"
            f" {ladder.lowest:+.0f}..{ladder.highest:+.0f} Elo"
        )
        rows = [
            [short(text), *_cells_of(place)]
            for text, place in sorted(self.places.items(), key=lambda item: item[1].elo)
        ]
        yield from ["", *aligned([["placed", "Elo", "games"], *rows])]
        heads = ["", *(f"after {games}" for games in CHECKED)]
        for kind in self.kinds:
            graded = self.accuracies(self.of_kind(kind))
            cells = [[f"by {way}", *_cells(grades)] for way, grades in graded.items()]
            yield from ["", *aligned([[f"all {kind}", *heads[1:]], *cells])]
        each = [
            [stranger.name, *_cells(self.accuracies(self.of(stranger))[BOTH])]
            for stranger in self.strangers
        ]
        yield from ["", *aligned([["each, by both", *heads[1:]], *each])]

    def write(self, folder: Path) -> None:
        """Writes the tables, the estimates, the JSON and a picture into the folder."""
        write_csv(folder / "estimate.csv", [flat(each.values()) for each in self.estimates])
        write_findings(folder, "estimate", self.lines(), self.values())
        save(folder / "estimate.png", self.picture)

    def picture(self) -> Figure:
        """Draws the mean distance from the truth by the number of games, a line a way."""
        drawn, steady = [], self.of_kind(STEADY)
        for way in WAYS:
            games = sorted({each.games for each in steady})
            graded = [(number, accuracy(after(steady, number, way))) for number in games]
            points = [(float(number), grade.distance, 0.0) for number, grade in graded if grade]
            if points:
                drawn.append(PlotLine(f"by {way}", points, joined=True))
        title = f"{self.start.name}: estimates of opponents who stay who they are"
        return lines(drawn, title, "games", "mean distance from the truth, Elo")


def _cells_of(place: LadderPlace) -> list[str]:
    """Returns the Elo and the number of games; a given place has neither an error nor games."""
    if not place.games:
        return [f"{place.elo:+.0f}", "given"]
    return [f"{place.elo:+.0f} +-{place.error:.0f}", str(place.games)]


def _cells(grades: Mapping[int, Accuracy]) -> list[str]:
    return [str(grades[games]) if games in grades else "" for games in CHECKED]
