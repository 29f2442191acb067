"""Games kept even, from the records of matches against players of known Elo.

The first player of a pair kept the games even, as in the records of `sparring lab balance`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from engine.errors import UsageError
from engine.lab.balance import color_of
from engine.match.game_spec import GameSpec
from engine.match.record import Row
from engine.match.recorded import Recorded, recorded
from engine.match.summary import pair_of
from engine.review.played import final_value, margin_of, of_row, tells
from engine.training.opponents.recorded_even_games import RecordedEvenGame

LEVEL = "sparring:level:"  # a player of the ladder; its Elo follows
RANDOM = {"random": 0.0}  # the zero of every ladder


def recorded_even_games(
    paths: Sequence[Path], start: GameSpec, places: Mapping[str, float]
) -> tuple[list[RecordedEvenGame], Counter[str]]:
    """Returns the records' games with the first player's levels, and the games left out.

    The latter are the number of games against each opponent without a place. places: the Elo of
    opponents that are no levels, by their texts. Raises UsageError for a record of another board
    and for no game at all; RecordFileError, OSError.
    """
    games: list[RecordedEvenGame] = []
    left_out: Counter[str] = Counter()
    for path in paths:
        match = recorded(path)
        if match.start.board != start.board:
            raise UsageError(f"{str(path)!r} is a record of {match.start.name}, not {start.name}")
        for row in match.rows:
            if not tells(row) or all(level is None for level in row.get("levels", ())):
                continue
            rival = match.players[pair_of(row)[1]]
            elo = place_of(rival, places)
            if elo is None:
                left_out[rival] += 1
            else:
                games.append(_game_of(match, row, rival, elo))
    if not games:
        names = ", ".join(repr(str(path)) for path in paths)
        raise UsageError(f"no game with levels, against an opponent of known Elo, in {names}")
    return games, left_out


def _game_of(match: Recorded, row: Row, rival: str, elo: float) -> RecordedEvenGame:
    color = color_of(row)
    value, margin = final_value(row), margin_of(row)
    return RecordedEvenGame(
        name=f"{match.path}:{row['game']}",
        rival=rival,
        elo=elo,
        color=color,
        game_record=of_row(match.start, row).game_record,
        levels=(*(None for _ in row["opening"]), *row["levels"]),
        points=value if color == 0 else 1 - value,
        margin=margin if margin is None or color == 0 else -margin,
    )


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
