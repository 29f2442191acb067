"""A match read from its record: game, players and rows.

It reads the headers of matches and of measurements. engine.match.summary sums up the games.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from engine.match.game_spec import GameSpec, board_of
from engine.match.players import PLAYERS
from engine.match.record import RecordFileError, Row, read_record


@dataclass(frozen=True, slots=True)
class Recorded:
    """A finished or running match."""

    path: Path
    start: GameSpec  # without openings and handicaps: these are in the rows
    players: tuple[str, ...]
    rows: tuple[Row, ...]
    remembers: bool = False  # whether players remembered their opponents from game to game

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names, in one word each if they differ."""
        return short_names(self.players)


def recorded(path: Path) -> Recorded:
    """Returns the match of a record. Raises RecordFileError, OSError."""
    header, rows = read_record(path)
    try:
        game, width, height = board_of(header["game"])
        players = tuple(map(str, header["players"]))
        usual = GameSpec(game, width, height)
        rules, komi = header.get("rules", usual.rules), float(header.get("komi", usual.komi))
        start = GameSpec(game, width, height, rules, komi)
        start.empty()
    except (KeyError, TypeError, ValueError) as error:
        raise RecordFileError(f"{str(path)!r} is no match record: {error}") from error
    return Recorded(path, start, players, tuple(rows), bool(header.get("remember")))


def short_names(players: Sequence[str]) -> tuple[str, ...]:
    """Returns the players' texts, shortened to the parts that differ.

    >>> short_names(["sparring:even --network F", "gtp:/usr/games/gnugo --level 1", "mcts:9"])
    ('even', 'gnugo', 'mcts:9')
    >>> short_names(["gtp:gnugo --level 1", "gtp:gnugo --level 2"])
    ('gnugo --level 1', 'gnugo --level 2')
    """
    shown = [shown_name(text) for text in players]
    brief = [name.split(" ")[0] for name in shown]
    return tuple(
        long if brief.count(short) > 1 else short for long, short in zip(shown, brief, strict=True)
    )


def shown_name(player: str) -> str:
    """Returns a player's text without its kind, and a program without its folder."""
    kind, _, rest = player.partition(":")
    if kind not in PLAYERS or not rest:
        return player
    if kind == "sparring":
        return rest
    program, gap, options = rest.partition(" ")
    return PurePath(program).name + gap + options
