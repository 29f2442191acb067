"""A calibration from its first game to the ladder, in rounds of games.

The rungs of a round are cut from the curve of the round before.

The output folder has one record for each round (JSON lines, like a match's) and the ladder's file.
A killed calibration resumes at the end of its records.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from engine.games.evaluator import NetworkDescription
from engine.games.table import Board
from engine.lab.calibrate.curve import EloCurve, rising
from engine.lab.calibrate.games import CalibrationJob, Row
from engine.lab.calibrate.joint_fit import joint_ratings
from engine.lab.calibrate.round import CalibrationEffort, CalibrationRound, games_of
from engine.match.game_spec import GameSpec
from engine.match.record import MatchRecord
from engine.strength.level import RANDOM
from engine.strength.rating_ladder import RatingLadder, Rung
from engine.strength.settings_curve import knots_of


@dataclass(frozen=True, slots=True)
class Stage:
    """The target of one round: the distance of its rungs, and its share of the games."""

    step_elo: float  # Elo between neighbouring rungs; in the first round by the assumed curve
    share: float  # share of the games asked for
    # Smoothing of the curve's steps, before its rungs are cut: more for a curve from fewer games.
    smoothing: float = 0.25


class Playing(Protocol):
    """A source of played games."""

    def play(self, jobs: Iterable[CalibrationJob]) -> Iterator[Row]:
        """Yields rows as games end; takes jobs as players are free."""


THOROUGH = (Stage(150.0, 0.1), Stage(100.0, 0.4), Stage(100.0, 1.0), Stage(100.0, 1.0, 0.05))
QUICK = (Stage(200.0, 0.25), Stage(200.0, 1.0))
THOROUGH_AGAIN, QUICK_AGAIN = THOROUGH[2:], QUICK[1:]  # where a ladder has the curve already


@dataclass(frozen=True, slots=True)
class Calibration:
    """The settings of a calibration: the network, the board and the number of games."""

    start: GameSpec
    network: NetworkDescription
    effort: CalibrationEffort  # the effort of the last round
    seed: int = 1
    stages: Sequence[Stage] = THOROUGH
    lowest: float | None = None  # lower end of the settings curve; None: the curve's own
    highest: float | None = None
    human: NetworkDescription | None = None  # network of human moves; None: the network stands in
    engine: str = ""  # command line of the engine whose values the levels have; empty: none
    former: RatingLadder | None = None  # its curve places the first rungs; None: the assumed one

    def header(self, number: int | str, each: CalibrationRound) -> dict[str, object]:
        """Returns the header of a round's record. number: of the round, or the name of a try."""
        return {
            "board": self.start.name,
            "network": self.network.name,
            "parameters": self.network.parameters,
            "digest": self.network.digest,
            **({} if self.human is None else {"human": self.human.digest}),
            **({"engine": self.engine} if self.engine else {}),
            "seed": self.seed,
            "round": number,
            "games": each.effort.games,
            "seconds": round(each.effort.seconds, 3),
            "places": list(each.places),
            "levels": [level.to_json() for level in each.levels],
        }

    def chain(self) -> EloCurve:
        """Returns the former ladder's curve of the chain, or the assumed one, within the ends."""
        knots = knots_of(self.start.board, has_engine=bool(self.engine))
        elos = [corner.elo for corner in knots]
        low = elos[0] if self.lowest is None else max(elos[0], min(self.lowest, 0.0))
        high = elos[-1] if self.highest is None else min(elos[-1], max(self.highest, 100.0))
        assumed = EloCurve((low, 0.0, high), (low, 0.0, high))
        if self.former is None:
            return assumed
        known = self.former.elo_by_place()
        return assumed.like(list(known), list(known.values()))


def calibrate(
    calibration: Calibration,
    folder: Path,
    players: Playing,
    on_row: Callable[[CalibrationRound, Row], None],
) -> list[CalibrationRound]:
    """Returns the rounds, all played; the last one's rungs become the ladder's.

    on_row is called with every game, those of earlier runs too. Raises RecordFileError if the
    folder holds another calibration.
    """
    folder.mkdir(parents=True, exist_ok=True)
    curve = calibration.chain()
    rounds: list[CalibrationRound] = []
    for number, stage in enumerate(calibration.stages, 1):
        if rounds:
            elos = [rating.elo for rating in joint_ratings(rounds)]
            curve = EloCurve.through(rounds[-1].places, elos, stage.smoothing)
        games = max(2, 2 * round(stage.share * calibration.effort.games / 2))
        effort = CalibrationEffort(games, stage.share * calibration.effort.seconds)
        places = tuple(round(place, 3) for place in curve.cut(stage.step_elo))
        each = round_of(calibration, places, effort)
        path = folder / f"round{number}.jsonl"
        with MatchRecord(path, calibration.header(number, each)) as record:
            for row in record.rows:
                each.add(row)
                on_row(each, row)
            for row in _played(each, players, record):
                on_row(each, row)
        rounds.append(each)
    return rounds


def round_of(
    calibration: Calibration, places: Sequence[float], effort: CalibrationEffort
) -> CalibrationRound:
    """Returns a round at these places without games."""
    return CalibrationRound(
        calibration.start, tuple(places), effort, calibration.seed, bool(calibration.engine)
    )


def _played(each: CalibrationRound, players: Playing, record: MatchRecord) -> Iterator[Row]:
    for row in players.play(each.jobs()):
        record.append(row)
        each.add(row)
        yield row


def ladder_of(calibration: Calibration, rounds: Sequence[CalibrationRound]) -> RatingLadder:
    """Returns the last round's rungs as a ladder, rated by the games of all rounds.

    Rungs without a significant order are merged.
    """
    last = rounds[-1]
    ratings = joint_ratings(rounds)
    zero = last.places.index(0.0)
    # Random play stays at 0: the rungs below it and above it are ordered apart.
    elos = [*rising([r.elo for r in ratings[:zero]]).tolist(), 0.0]
    elos += rising([r.elo for r in ratings[zero + 1 :]]).tolist()
    rungs: list[Rung] = []
    for place, elo in enumerate(round(elo, 1) for elo in elos):
        if place != zero and (elo == 0 or (elo < 0) is not (place < zero)):
            continue  # no better or worse than random play, by chance
        if rungs and elo <= rungs[-1].elo:
            rungs.pop()  # of two equal rungs the one meant to be stronger stays
        level = RANDOM if place == zero else last.levels[place]
        rungs.append(Rung(elo, round(ratings[place].error, 1), level))
    board = calibration.start.board
    return RatingLadder(
        board=Board(board.game, board.width, board.height),
        network=calibration.network.name,
        parameters=calibration.network.parameters,
        digest=calibration.network.digest,
        human_network="" if calibration.human is None else calibration.human.name,
        human_digest="" if calibration.human is None else calibration.human.digest,
        rungs=tuple(rungs),
        games=games_of(rounds),
        engine=calibration.engine,
    )
