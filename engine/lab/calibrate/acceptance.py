"""A ladder laid rung by rung from random play, each gap certain to be about 100 Elo.

As KataGo's ladder of human ranks was made: a rung plays its neighbour until Wilson's interval of
the gap lies within the limits, and is then never touched again. Another place on the settings curve
is tried where the gap is certain to be no 100, or no certainty comes. About 550 games suffice for a
gap of 100. A try ends at the calibration's seconds, and its rung stays without that certainty.

Each try has a record of its own in the output folder (up01-1.jsonl: the first rung above random
play, first try), and a killed calibration goes on with the try under way.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from engine.lab.calibrate.calibration import Calibration, Playing, calibrate, round_of
from engine.lab.calibrate.curve import EloCurve
from engine.lab.calibrate.games import Row
from engine.lab.calibrate.joint_fit import joint_ratings
from engine.lab.calibrate.round import CalibrationEffort, CalibrationRound
from engine.match.record import MatchRecord
from engine.util.elo import Z_95

MOST_ELO = 400.0  # of an estimated gap: all points or none give no number
LEAST_STEP = 0.5  # of the settings curve; nearer places are the same one
LEAST_FACTOR, MOST_FACTOR = 0.4, 2.5  # change of the distance from one try to the next
STEP_ELO = 60.0  # a larger difference between tries around the wanted gap may be a step
FEWEST_BATCHES = 4  # before a gap is refused for its estimate


@dataclass(frozen=True, slots=True)
class Acceptance:
    """The wanted gaps in Elo, and the games for one of them."""

    low: float = 70.0
    high: float = 130.0
    batch: int = 60  # games from one look at the interval to the next; even, for both colors
    most_games: int = 1500  # of one try
    tries: int = 8  # of one rung; the nearest one stays if none is accepted

    @property
    def wanted(self) -> float:
        """The middle of the limits."""
        return (self.low + self.high) / 2

    def verdict(self, tried: CalibrationRound) -> bool | None:
        """Returns whether the gap is accepted; None: more games are needed.

        A gap is refused once it is certain to be no wanted one, and once all games would hardly
        make it certain: its estimate is then too near to a limit.
        """
        (tally,) = tried.tallies()
        low, estimate, high = tally.elo()
        if self.low <= low and high <= self.high:
            return True
        if tally.games >= self.most_games or not low <= self.wanted <= high:
            return False
        half = (high - low) / 2
        at_last = half * math.sqrt(tally.games / self.most_games)
        room = (self.high - self.low) / 2 - at_last + half / Z_95 / 2
        is_late = tally.games >= FEWEST_BATCHES * self.batch
        return False if is_late and abs(estimate - self.wanted) > room else None


def calibrate_accepted(
    calibration: Calibration,
    acceptance: Acceptance,
    folder: Path,
    players: Playing,
    on_row: Callable[[CalibrationRound, Row], None],
) -> list[CalibrationRound]:
    """Returns the rounds of a calibration, and at last the round of its accepted rungs.

    The calibration's own rounds tell the curve; few games suffice. on_row, errors: of `calibrate`.
    """
    rounds = calibrate(calibration, folder, players, on_row)
    elos = [rating.elo for rating in joint_ratings(rounds)]
    curve = EloCurve.through(rounds[-1].places, elos)
    layer = RungLayer(calibration, acceptance, folder, players, on_row, curve)
    return [*rounds, layer.lay()]


@dataclass
class RungLayer:
    """Lays the rungs of one calibration."""

    calibration: Calibration
    acceptance: Acceptance
    folder: Path
    players: Playing
    on_row: Callable[[CalibrationRound, Row], None]  # called with every game, earlier runs' too
    curve: EloCurve  # a first guess of the Elo along the settings curve

    def lay(self) -> CalibrationRound:
        """Returns a round of all rungs with their games against their neighbours.

        Raises RecordFileError if the folder holds another calibration.
        """
        down = list(self._towards(self.curve.places[0], "down"))
        up = list(self._towards(self.curve.places[-1], "up"))
        tried = [*down[::-1], *up]
        places = (*(each.places[0] for each in tried), tried[-1].places[1])
        laid = round_of(self.calibration, places, CalibrationEffort(self.acceptance.most_games, 0))
        for rung, each in enumerate(tried):
            for row in each.rows:
                game = int(row["game"]) * len(laid.pairs) + rung
                laid.add({**row, "game": game, "tags": [rung, rung + 1]})
        return laid

    def _towards(self, end: float, name: str) -> Iterator[CalibrationRound]:
        """Yields the last try of each rung from random play to an end of the curve."""
        base, rung = 0.0, 0
        while abs(base - end) >= LEAST_STEP:
            rung += 1
            tried = self._rung(base, end, f"{name}{rung:02}")
            yield tried
            base = tried.places[0 if end < 0 else 1]

    def _rung(self, base: float, end: float, name: str) -> CalibrationRound:
        """Returns the accepted try of a rung beside `base`, else the nearest one."""
        sign = 1.0 if end > base else -1.0
        place = self.curve.place_of(self.curve.elo_of(base) + sign * self.acceptance.wanted)
        tries: list[CalibrationRound] = []
        for number in range(1, self.acceptance.tries + 1):
            place = end if sign * (place - end) > -LEAST_STEP else place
            place = place if sign * (place - base) >= LEAST_STEP else base + sign * LEAST_STEP
            tried = self._tried(min(base, place), max(base, place), f"{name}-{number}")
            tries.append(tried)
            is_end = place == end and gap_of(tried) <= self.acceptance.high
            verdict = self.acceptance.verdict(tried)
            if verdict or is_end:
                return tried
            if verdict is None:
                break  # out of time
            place = base + sign * self._next_distance(tries)
            if any(abs(abs(place - base) - distance_of(each)) < LEAST_STEP for each in tries):
                break  # the curve has a step there
        return min(tries, key=lambda each: abs(gap_of(each) - self.acceptance.wanted))

    def _next_distance(self, tries: list[CalibrationRound]) -> float:
        """Returns the next distance to try: by the Elo a unit of all tries, weighted by games.

        Between tries of very different gaps around the wanted one it is interpolated.
        """
        wanted = self.acceptance.wanted
        small = [each for each in tries if gap_of(each) < wanted]
        large = [each for each in tries if gap_of(each) >= wanted]
        if small and large:
            near, far = max(small, key=distance_of), min(large, key=distance_of)
            rise, across = gap_of(far) - gap_of(near), distance_of(far) - distance_of(near)
            if rise > STEP_ELO and across > 0:
                return distance_of(near) + (wanted - gap_of(near)) / rise * across
        gaps = sum(len(each.rows) * distance_of(each) * gap_of(each) for each in tries)
        squares = sum(len(each.rows) * distance_of(each) ** 2 for each in tries)
        last = distance_of(tries[-1])
        factor = wanted / max(gaps / squares * last, 1.0)
        return last * min(max(factor, LEAST_FACTOR), MOST_FACTOR)

    def _tried(self, low: float, high: float, name: str) -> CalibrationRound:
        """Returns a try of two places, played until its verdict or the end of its time."""
        effort = CalibrationEffort(self.acceptance.batch, self.calibration.effort.seconds)
        tried = round_of(self.calibration, (round(low, 3), round(high, 3)), effort)
        tried.seed = zlib.crc32(f"{self.calibration.seed} {name}".encode())
        header = self.calibration.header(name, tried) | {"games": self.acceptance.most_games}
        with MatchRecord(self.folder / f"{name}.jsonl", header) as record:
            earlier = {int(row["game"]): row for row in record.rows}
            while True:
                for game in range(len(tried.rows), tried.effort.games):
                    if game in earlier:
                        tried.add(earlier[game])
                        self.on_row(tried, earlier[game])
                for row in self.players.play(tried.jobs()):
                    record.append(row)
                    tried.add(row)
                    self.on_row(tried, row)
                is_out_of_time = len(tried.rows) < tried.effort.games
                if is_out_of_time or self.acceptance.verdict(tried) is not None:
                    return tried
                more = tried.effort.games + self.acceptance.batch
                tried.effort = replace(tried.effort, games=more)


def gap_of(tried: CalibrationRound) -> float:
    """Returns the estimated Elo between the two rungs of a try, within +-MOST_ELO."""
    (tally,) = tried.tallies()
    return min(max(tally.elo()[1], -MOST_ELO), MOST_ELO)


def distance_of(tried: CalibrationRound) -> float:
    """Returns the distance of the two rungs of a try on the settings curve."""
    return tried.places[1] - tried.places[0]
