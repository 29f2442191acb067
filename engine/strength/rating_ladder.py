"""The rating ladder of a game and a network: levels calibrated in Elo, with interpolation.

Uniformly random play is 0 by definition. The module reads ladder files and finds the ladder of a
network. engine.lab.calibrate makes ladders, engine.play.steps.level plays their levels.
"""

from __future__ import annotations

import json
import logging
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Self

import numpy as np

from engine.games.evaluator import NetworkDescription
from engine.games.table import GAMES, Board
from engine.strength.level import RANDOM, Level
from engine.strength.settings_curve import WITH_ENGINE, knots_of, place_of
from engine.util.atomic_file import atomic_write
from engine.util.elo import EVERYWHERE_ELO
from engine.util.user_folders import data_folder

log = logging.getLogger("sparring")

BUNDLED = Path(__file__).resolve().parent / "ladders"
KIND = "sparring ladder"  # the first field of each file
VERSION = 1
GUESS_ERROR = 400.0  # Elo, of an uncalibrated rung


class LadderFileError(ValueError):
    """A file holds no ladder; the text quotes its path and the wrong field."""


@dataclass(frozen=True, slots=True)
class Rung:
    """One calibrated level."""

    elo: float  # random play is 0
    error: float  # half of the 95% interval, in Elo
    level: Level


@dataclass(frozen=True, slots=True)
class Mixture:
    """Play between two rungs: each move is the upper one's with probability `share`."""

    lower: Level
    upper: Level
    share: float  # probability of the upper rung, 0..1

    @property
    def most_visits(self) -> int:
        """The visits of a move, at most."""
        return max(self.lower.visits, self.upper.visits if self.share > 0 else 1)

    @property
    def is_blind(self) -> bool:
        """Tests whether each move is of a blind level."""
        return self.lower.is_blind and (self.share <= 0 or self.upper.is_blind)

    def draw(self, rng: np.random.Generator) -> Level:
        """Draws the level of the next move."""
        if self.share <= 0:
            return self.lower
        return self.upper if self.share >= 1 or rng.random() < self.share else self.lower


@dataclass(frozen=True)
class RatingLadder:
    """Levels from below random play to the strongest, in rising order."""

    board: Board
    network: str  # name of the network
    rungs: tuple[Rung, ...]
    parameters: int = (
        0  # number of the network's parameters; with the digest it tells networks of one name apart
    )
    digest: str = ""  # digest of the network; empty: calibrated before digests existed
    games: int = 0  # the number of games behind the ratings
    # Name and digest of the network of human moves that played levels with a rank; empty: none did.
    human_network: str = ""
    human_digest: str = ""
    engine: str = ""  # name of the engine whose values its levels had; empty: none
    provisional: bool = False  # uncalibrated for this network: guessed, or copied from another one
    # Coefficients of engine.opponents.move_likelihood and .win_model, fitted to the moves and
    # results of its games. Empty if they were not fitted.
    evidence: Mapping[str, Any] = field(default_factory=dict, hash=False)
    outcome: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        """Raises ValueError for rungs that do not rise, exceed the range or lack random play."""
        if len(self.rungs) < 2:
            raise ValueError(f"rungs: a ladder needs two or more, not {len(self.rungs)}")
        for rung in self.rungs:
            if not (abs(rung.elo) <= EVERYWHERE_ELO and 0 <= rung.error <= EVERYWHERE_ELO):
                raise ValueError(f"rungs: {rung.elo!r} +- {rung.error!r} is no Elo")
        for below, above in pairwise(self.rungs):
            if not below.elo < above.elo:
                raise ValueError(f"rungs: {above.elo!r} does not rise above {below.elo!r}")
        if not any(rung.elo == 0 and rung.level == RANDOM for rung in self.rungs):
            raise ValueError("rungs: none is random play at 0")

    @property
    def lowest(self) -> float:
        """Elo of the weakest play."""
        return self.rungs[0].elo

    @property
    def highest(self) -> float:
        """Elo of the strongest play."""
        return self.rungs[-1].elo

    @cached_property
    def lowest_sighted(self) -> float:
        """Elo of the weakest rung with a policy of its moves; without one, of the strongest."""
        return next((rung.elo for rung in self.rungs if not rung.level.is_blind), self.highest)

    @cached_property
    def needs_people(self) -> bool:
        """Tests whether a rung draws its moves from the human policy."""
        return any(rung.level.needs_people for rung in self.rungs)

    def at(self, elo: float) -> Mixture:
        """Returns play of that Elo, or of the nearest one on the ladder."""
        elos = [rung.elo for rung in self.rungs]
        above = min(max(bisect_right(elos, elo), 1), len(elos) - 1)
        lower, upper = self.rungs[above - 1], self.rungs[above]
        share = (elo - lower.elo) / (upper.elo - lower.elo)
        return Mixture(lower.level, upper.level, min(max(share, 0.0), 1.0))

    def elo_by_place(self) -> dict[float, float]:
        """Returns the Elo of the rungs by their places on the settings curve, rising.

        Rungs off the curve are left out.
        """
        has_engine = bool(self.engine)
        placed: dict[float, float] = {}
        for rung in self.rungs:
            place = place_of(self.board, rung.level, has_engine=has_engine)
            if place is not None:
                placed.setdefault(place, rung.elo)
        return dict(sorted(placed.items()))

    def to_json(self) -> str:
        """Returns the text of the ladder's file."""
        values = {
            "kind": KIND,
            "version": VERSION,
            "board": {
                "game": self.board.game,
                "width": self.board.width,
                "height": self.board.height,
            },
            "network": self.network,
            "parameters": self.parameters,
            "digest": self.digest,
            **({"human": self._human()} if self.human_network else {}),
            **({"engine": self.engine} if self.engine else {}),
            "games": self.games,
            "rungs": [
                {"elo": rung.elo, "error": rung.error, "level": rung.level.to_json()}
                for rung in self.rungs
            ],
            "evidence": self.evidence,
            "outcome": self.outcome,
        }
        return json.dumps(values, indent=1) + "\n"

    def _human(self) -> dict[str, str]:
        return {"network": self.human_network, "digest": self.human_digest}

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Parses to_json's text. Raises ValueError, naming the wrong field."""
        try:
            values = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ValueError(f"it is not JSON: {error}") from error
        if not isinstance(values, dict) or values.get("kind") != KIND:
            raise ValueError(f"kind: it is not {KIND!r}")
        if values.get("version") != VERSION:
            raise ValueError(f"version: {values.get('version')!r} is not {VERSION}")
        human = _field({"human": {}, **values}, "human", dict)
        return cls(
            board=_board(_field(values, "board", dict)),
            network=_field(values, "network", str),
            parameters=_field(values, "parameters", int),
            digest=_field({"digest": "", **values}, "digest", str),
            games=_field(values, "games", int),
            rungs=tuple(_rungs(_field(values, "rungs", list))),
            human_network=_field(human, "network", str) if human else "",
            human_digest=_field(human, "digest", str) if human else "",
            engine=_field({"engine": "", **values}, "engine", str),
            evidence=_field(values, "evidence", dict),
            outcome=_field(values, "outcome", dict),
        )


def _field(values: object, name: str, kind: type) -> Any:  # noqa: ANN401 (of that kind)
    if not isinstance(values, dict) or name not in values:
        raise ValueError(f"{name}: it is not there")
    if isinstance(values[name], kind) and not isinstance(values[name], bool):
        return values[name]
    raise ValueError(f"{name}: {values[name]!r} is no {kind.__name__}")


def _number(values: object, name: str) -> float:
    whole = isinstance(values, dict) and isinstance(values.get(name), int)
    try:
        return float(_field(values, name, int if whole else float))
    except OverflowError as error:
        raise ValueError(f"{name}: it is too large") from error


def _rungs(rows: Sequence[Any]) -> list[Rung]:
    rungs = []
    for number, row in enumerate(rows):
        try:
            level = Level.from_json(_field(row, "level", dict))
            rungs.append(Rung(_number(row, "elo"), _number(row, "error"), level))
        except ValueError as fault:
            raise ValueError(f"rungs: number {number}: {fault}") from fault
    return rungs


def _board(values: Mapping[str, Any]) -> Board:
    try:
        game = _field(values, "game", str)
        width, height = (_field(values, name, int) for name in ("width", "height"))
    except ValueError as fault:
        raise ValueError(f"board: {fault}") from fault
    if game not in GAMES or not GAMES[game].fits(width, height):
        raise ValueError(f"board: no game {game!r} is played on {width}x{height}")
    return Board(game, width, height)


def read_ladder(path: Path) -> RatingLadder:
    """Reads a ladder file. Raises LadderFileError, quoting the path and the wrong field."""
    try:
        status = path.stat()
        return _read(path, (status.st_ino, status.st_mtime_ns, status.st_size))
    except OSError as error:
        raise LadderFileError(f"ladder {str(path)!r} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise LadderFileError(f"{str(path)!r} holds no ladder: {error}") from error


@lru_cache(maxsize=32)
def _read(path: Path, _version: tuple[int, ...]) -> RatingLadder:
    """Reads a version of a file once; every game needs its ladder."""
    return RatingLadder.from_json(path.read_text())


def write_ladder(ladder: RatingLadder, path: Path) -> None:
    """Writes the file, and creates its folder if needed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_write(path) as unfinished:
        unfinished.write_text(ladder.to_json())


def users_path(board: Board, network: NetworkDescription, folder: Path | None = None) -> Path:
    """Path of the user's own ladder of a network. folder: of all such; None: the usual one."""
    stem = f"{board.name}-{network.name}" + (f"-{network.digest}" if network.digest else "")
    stem += WITH_ENGINE if network.has_engine else ""
    name = "".join(c if c.isalnum() or c in "-_." else "_" for c in stem)
    return (folder or data_folder() / "ladders") / f"{name}.json"


def ladder_for(
    board: Board,
    network: NetworkDescription,
    *,
    bundled: Path = BUNDLED,
    users: Path | None = None,
) -> RatingLadder:
    """Returns a network's ladder on a board: the user's own, else the bundled one.

    Without either, returns a provisional ladder: another network's on that board, or guesses. The
    levels of a network with an engine have a ladder of their own, where one is bundled. A faulty
    file of the user is ignored after a warning. Raises LadderFileError for another faulty file.
    """
    shipped = bundled / f"{board.name}.json"
    with_engine = bundled / f"{board.name}{WITH_ENGINE}.json"
    if network.has_engine and with_engine.is_file():
        shipped = with_engine
    own = _users_ladder(users_path(board, network, users))
    if own is not None and _fits(own, board, network):
        return own
    if not shipped.is_file():
        return guessed(board, network)
    ladder = read_ladder(shipped)
    return ladder if _fits(ladder, board, network) else _provisional(ladder, network)


def _users_ladder(path: Path) -> RatingLadder | None:
    """Returns the ladder in a user's file; None if there is no file, or no ladder in it."""
    try:
        status = path.stat()
    except OSError:
        return None
    return _read_or_warned(path, (status.st_ino, status.st_mtime_ns, status.st_size))


@lru_cache(maxsize=32)
def _read_or_warned(path: Path, _version: tuple[int, ...]) -> RatingLadder | None:
    """Reads a version of a file once, with one warning."""
    try:
        return read_ladder(path)
    except LadderFileError as error:
        log.warning("%s: the bundled ladder is used instead", error)
        return None


def _fits(ladder: RatingLadder, board: Board, network: NetworkDescription) -> bool:
    if bool(ladder.engine) is not network.has_engine:
        return False
    identity = (ladder.board, ladder.network, ladder.parameters, ladder.digest or network.digest)
    return identity == (board, network.name, network.parameters, network.digest)


def _provisional(ladder: RatingLadder, network: NetworkDescription) -> RatingLadder:
    """Returns another network's ladder as a provisional one for this network."""
    return replace(
        ladder,
        network=network.name,
        parameters=network.parameters,
        digest=network.digest,
        games=0,
        provisional=True,
    )


def guessed(board: Board, network: NetworkDescription) -> RatingLadder:
    """Returns a ladder without games: the knots of the settings curve, at their assumed Elo."""
    knots = knots_of(board, has_engine=network.has_engine)
    rungs = tuple(Rung(knot.elo, GUESS_ERROR, knot.level) for knot in knots)
    return RatingLadder(
        board=board,
        network=network.name,
        parameters=network.parameters,
        digest=network.digest,
        rungs=rungs,
        provisional=True,
    )


@lru_cache(maxsize=2)
def shipped_ladders(bundled: Path) -> tuple[RatingLadder, ...]:
    """Returns the ladders of a folder, read once in a process."""
    return tuple(read_ladder(path) for path in sorted(bundled.glob("*.json")))
