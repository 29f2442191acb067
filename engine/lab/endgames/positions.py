"""The positions of the endgame study: starts of even endgames, from games of Go.

The games come from SGF files or from archives of human games. An endgame begins by the limits of
Shi et al. (engine.style.endgame).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np

from engine.errors import RecordError
from engine.formats import sgf
from engine.games.position import Position
from engine.games.rules import named_rules
from engine.match.game_spec import GameSpec
from engine.networks.raw import RawOutput, evaluate_each
from engine.play.steps.leads import after_move, gain_of
from engine.search.search import Search
from engine.style.endgame import EndgameLimits
from engine.training.go.records import (
    MOVE_BITS,
    READERS,
    SET_UP,
    SIZE,
    WHITE,
    find_archives,
    read_games,
)
from engine.values import Limit

EARLIEST = 0.4  # moves a point of the board, before the first possible endgame
STRIDE = 3  # moves between examined positions

Moves = tuple[int, ...]  # moves in turn, Black first


@dataclass(frozen=True, slots=True)
class Endgame:
    """A position, as its moves from an empty board; values belong to the side to move."""

    moves: Moves
    lead: float  # lead after the best move, in points
    score_stdev: float
    gain: float  # gain of the best move over a pass, in points

    @classmethod
    def of(cls, row: dict[str, Any]) -> Self:
        """Returns the endgame of a row of values."""
        values = {name: value for name, value in row.items() if name not in {"game", "moves"}}
        return cls(tuple(row["moves"]), **values)

    def row(self, number: int) -> dict[str, Any]:
        """Returns JSON values."""
        return {"game": number, **asdict(self)}


def games_of(paths: Sequence[Path], start: GameSpec) -> Iterator[Moves]:
    """Yields the games of this board in SGF files, archives and folders, if moves alternate.

    Raises OSError for an unreadable file.
    """
    for path in paths:
        inside = sorted(path.rglob("*")) if path.is_dir() else [path]
        for file in inside:
            if file.suffix == ".sgf":
                yield from _of_file(file, start)
            elif file.name.endswith(tuple(READERS)) and start.width == start.height == SIZE:
                yield from _of_archive(file)


def _of_file(file: Path, start: GameSpec) -> Iterator[Moves]:
    try:
        record = sgf.read(file.read_bytes(), named_rules(start.rules))
    except RecordError:
        return
    fits = (record.width, record.height) == (start.width, start.height)
    if fits and not record.setup and _in_turn([color for color, _ in record.moves]):
        yield tuple(move for _, move in record.moves)


def _of_archive(file: Path) -> Iterator[Moves]:
    for archive in find_archives([file]):
        for game in read_games(archive):
            colors = [int(bool(number & WHITE)) for number in game.numbers]
            if not (game.numbers & SET_UP).any() and _in_turn(colors):
                yield tuple(int(number) & MOVE_BITS for number in game.numbers)


def _in_turn(colors: Sequence[int]) -> bool:
    return all(color == number % 2 for number, color in enumerate(colors))


def endgames(
    games: Iterable[Moves], start: GameSpec, search: Search, visits: int
) -> Iterator[Endgame]:
    """Yields the first even endgame of each game with one, by a search of `visits`."""
    for moves in games:
        endgame = first_endgame(moves, start, search, visits)
        if endgame is not None:
            yield endgame


def first_endgame(moves: Moves, start: GameSpec, search: Search, visits: int) -> Endgame | None:
    """Returns the game's first position with all the signs; None without one, or at a bad move.

    Only positions with the signs by the network alone are searched.
    """
    signs = EndgameLimits.published(start.width * start.height)
    positions = _positions(moves, start)
    raws = evaluate_each(search.evaluator, list(positions.values()))
    for (number, position), raw in zip(positions.items(), raws, strict=True):
        if _stdev(raw) >= signs.score_stdev or not signs.is_even(raw.lead):
            continue
        search.set_position(position)
        report = search.run(Limit(visits=visits))
        best = report.best
        if best is None or best.move == position.pass_move:
            continue
        stdev, gain = report.root.score_stdev, gain_of(search, position, report)
        if signs.is_even(best.score_lead) and signs.has_begun(stdev, gain):
            return Endgame(moves[:number], best.score_lead, stdev, gain)
    return None


def _positions(moves: Moves, start: GameSpec) -> dict[int, Position]:
    """Returns some of the game's later positions, by the number of moves before them."""
    positions: dict[int, Position] = {}
    position = start.empty()
    for number, move in enumerate(moves):
        if number >= EARLIEST * position.move_count and number % STRIDE == 0:
            positions[number] = position.copy()
        if position.is_over or not position.is_legal(move):
            break
        position = after_move(position, move)
    return positions


def _stdev(raw: RawOutput) -> float:
    return float(np.sqrt(max(0.0, raw.score_mean_square - raw.score_mean**2)))
