"""Games of recorded matches against players of known Elo.

The first player of a pair is the one that is measured, as in the records of `sparring lab balance`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.errors import UsageError
from engine.match.game_spec import GameSpec
from engine.match.record import Row
from engine.match.recorded import Recorded, recorded
from engine.match.summary import pair_of

LEVEL = "sparring:level:"  # a player of the ladder; its Elo follows
RANDOM = {"random": 0.0}  # the zero of every ladder


@dataclass(frozen=True, slots=True)
class PlacedGame:
    """A recorded game against an opponent of known Elo."""

    match: Recorded
    row: Row
    rival: str  # the opponent's text
    elo: float  # the opponent's


def placed_games(
    paths: Sequence[Path],
    start: GameSpec,
    places: Mapping[str, float],
    counts: Callable[[Row], bool],
    wanted: str,
) -> tuple[list[PlacedGame], Counter[str]]:
    """Returns the records' games, and the numbers of games against each opponent without a place.

    places: the Elo of opponents that are no levels, by their texts. counts: tests whether a row is
    a game to take. wanted: the words for such a game in the error where there is none. Raises
    UsageError for this, and for a record of another board; RecordFileError, OSError.
    """
    games: list[PlacedGame] = []
    left_out: Counter[str] = Counter()
    for path in paths:
        match = recorded(path)
        if match.start.board != start.board:
            raise UsageError(f"{str(path)!r} is a record of {match.start.name}, not {start.name}")
        for row in filter(counts, match.rows):
            rival = match.players[pair_of(row)[1]]
            elo = place_of(rival, places)
            if elo is None:
                left_out[rival] += 1
            else:
                games.append(PlacedGame(match, row, rival, elo))
    if not games:
        raise UsageError(f"no {wanted} in {', '.join(repr(str(path)) for path in paths)}")
    return games, left_out


def left_out_lines(left_out: Counter[str]) -> Iterator[str]:
    """Yields a line for each opponent without a place."""
    for rival, number in left_out.items():
        yield f"left out: {number} games against {rival!r}, for want of --placed {rival!r}=ELO"


def place_of(player: str, places: Mapping[str, float]) -> float | None:
    """Returns a player's Elo on the ladder; None if it is unknown.

    >>> place_of("sparring:level:1500", {}), place_of("gtp:gnugo", {"gtp:gnugo": 1900.0})
    (1500.0, 1900.0)
    """
    known = {**RANDOM, **places}
    level = player.removeprefix(LEVEL)
    if player in known or level == player:
        return known.get(player)
    try:
        return float(level)
    except ValueError:
        return None
