"""`sparring match`: players against each other, headless, every opening from both sides.

Knows the command's options, the record and the summary. Does not know how a game is played
(protocols.referee) nor how engines are told things (protocols.players).

The record has one JSON line that says which match it is, then one a game. A match that was killed
goes on where its record ends; more games may be added to a finished one.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tqdm import tqdm

from engine import handicap
from engine.games import GAMES, write_vertex
from engine.rules import RULE_SETS
from protocols.cli import Say, UsageError
from protocols.engine_process import EngineLostError, EngineRefusedError
from protocols.match_run import Pairing, Plan, Row, Table, play_all
from protocols.openings import opening
from protocols.players import Budget, PlayerTextError, Start, command_line
from protocols.tally import Tally

GAME = re.compile(r"go(\d{1,2})(?:x(\d{1,2}))?")
SMALLEST = 7  # points a side; below it openings and engines make no sense
HEADER = ("game", "players", "seed", "visits", "seconds", "rules", "komi", "handicap", "referee")
LETTERS = "AB"  # the players in reports
EPILOG = """\
players:
  "gtp:COMMAND"    a GTP engine, by its command line: "gtp:gnugo --mode gtp --level 10"
  "sparring:full"  this engine; options of `sparring gtp` may follow: "sparring:full --network F"

examples:
  sparring match go9 sparring:full "gtp:gnugo --mode gtp --level 10 --chinese-rules" \\
      --games 100 --seconds 1 --rules chinese --record gnugo9.jsonl
  sparring match go13 sparring:full "gtp:katago gtp -model F -config C" --games 200 --visits 200
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `sparring match`."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EPILOG
    add = parser.add_argument
    add("game", metavar="GAME", help="go7 to go19, or as go9x13")
    add("players", metavar="PLAYER", nargs=2, help="see below")
    add("--games", type=int, default=100, metavar="N", help="default: %(default)s")
    add("--seed", type=int, default=1, metavar="S", help="of the openings; default: %(default)s")
    add("--visits", type=int, metavar="N", help="visits a move, where the engine can be told")
    add("--seconds", type=float, metavar="T", help="seconds a move, where the engine can be told")
    add("--rules", default="tromp-taylor", choices=sorted(RULE_SETS), metavar="NAME",
        help="as chinese or japanese; default: %(default)s")  # fmt: skip
    add("--komi", type=float, default=7.5, help="default: %(default)s")
    add("--handicap", type=int, default=0, metavar="N", help="Black's stones, on the fixed points")
    add("--no-openings", action="store_true", help="begin on the empty board")
    add("--referee", metavar="COMMAND", help="a GTP engine that counts where players don't agree")
    add("--patience", type=float, default=300.0, metavar="T",
        help="seconds of silence after which an engine has lost; default: %(default)s")  # fmt: skip
    add("--at-once", type=int, default=1, metavar="N", help="games at the same time")
    add("--record", type=Path, metavar="FILE", help="JSON lines, one a game; goes on if it exists")
    add("--json", action="store_true", help="print the summary as JSON")
    add("--quiet", action="store_true", help="no progress bar")


def run(options: argparse.Namespace, say: Say) -> int:
    """Plays the match; 0 when all games were played, 1 when an engine would not go on."""
    match = Match(options)
    failure = ""
    try:
        match.check_engines()
        match.play(quiet=options.quiet)
    except (EngineLostError, EngineRefusedError) as error:
        failure = f"stopped: {error}"
    if match.rows:
        summary = Summary(options.players, match.rows)
        say(json.dumps(summary.values()) if options.json else "\n".join(summary.lines()))
    if failure:
        raise UsageError(failure)
    return 0


class Match:
    """The games to be played and those that were, in memory and in the record."""

    def __init__(self, options: argparse.Namespace) -> None:
        width, height = board_size(options.game)
        for text in options.players:
            try:
                command_line(text)
            except PlayerTextError as error:
                raise UsageError(str(error)) from error
        stones = handicap_stones(width, height, options.handicap)
        self.start = Start(width, height, options.rules, options.komi, handicap=stones)
        self.plan = Plan(
            players=tuple(options.players),
            budget=Budget(options.visits, options.seconds),
            patience=options.patience,
            referee=options.referee,
        )
        self.games: int = options.games
        self.seed: int = options.seed
        self.openings: bool = not options.no_openings and not stones
        self.at_once = max(1, options.at_once)
        self.header: Row = {name: getattr(options, name) for name in HEADER}
        self.header["openings"] = self.openings
        self.rows: list[Row] = []
        self.record: Path | None = options.record
        if self.record is not None:
            self.rows = open_record(self.record, self.header)

    def check_engines(self) -> None:
        """Starts both players once; raises EngineLostError, EngineRefusedError when one won't."""
        if len(self.rows) >= self.games:
            return
        table = Table(self.plan)
        try:
            for index in (0, 1):
                table.player(index).begin(self.start)
        finally:
            table.close()

    def pairings(self) -> list[Pairing]:
        """The games not played yet: an opening for each two, colors exchanged."""
        played = {row["game"] for row in self.rows}
        return [self._pairing(number) for number in range(self.games) if number not in played]

    def _pairing(self, number: int) -> Pairing:
        rng = random.Random(f"{self.seed} {number // 2}")  # noqa: S311 - openings are no secret
        start = self.start
        if self.openings:
            start = replace(start, opening=opening(start.width, start.height, rng))
        return Pairing(number, black=number % 2, start=start)

    def play(self, *, quiet: bool) -> None:
        """Plays what is left, showing the running result on stderr and keeping the record."""
        tally = tally_of(self.rows)
        with tqdm(
            total=self.games, initial=len(self.rows), unit="game", disable=quiet, file=sys.stderr
        ) as bar:
            bar.set_postfix_str(str(tally))
            for row in play_all(self.plan, self.pairings(), self.at_once):
                self.rows.append(row)
                if self.record is not None:
                    append(self.record, row)
                tally = tally.add(row["winner"])
                bar.set_postfix_str(str(tally), refresh=False)
                bar.update()


def board_size(game: str) -> tuple[int, int]:
    """Width and height of a game's name as "go9"; raises UsageError."""
    found = GAME.fullmatch(game)
    if found is None:
        raise UsageError(f"no game {game!r}: go7 to go19, or as go9x13")
    width = int(found[1])
    height = int(found[2] or width)
    if min(width, height) < SMALLEST or not GAMES["go"].fits(width, height):
        raise UsageError(f"no board {game!r}: sides are {SMALLEST} to 19")
    return width, height


def handicap_stones(width: int, height: int, stones: int) -> tuple[str, ...]:
    """The vertices of so many stones on fixed points; raises UsageError where there are none."""
    if not stones:
        return ()
    try:
        moves = handicap.fixed(width, height, stones)
    except ValueError as error:
        raise UsageError(str(error)) from error
    return tuple(write_vertex(move, width, height) for move in moves)


def open_record(path: Path, header: Row) -> list[Row]:
    """The games in the record at `path`, which is begun when absent.

    A last line that was not written to its end is taken out. Raises UsageError when the file
    holds another match.
    """
    text = path.read_text() if path.exists() else ""
    whole = text[: text.rfind("\n") + 1]
    if not whole:
        path.write_text(json.dumps(header) + "\n")
        return []
    if whole != text:
        path.write_text(whole)
    try:
        found, *rows = [json.loads(line) for line in whole.splitlines()]
    except ValueError as error:
        raise UsageError(f"{str(path)!r} is no match record: {error}") from error
    for name, value in header.items():
        if found.get(name) != value:
            raise UsageError(
                f"{str(path)!r} holds another match: its {name} is {found.get(name)!r}"
            )
    return rows


def append(path: Path, row: Row) -> None:
    """Adds a game to the record, on disk when this returns."""
    with path.open("a") as file:
        file.write(json.dumps(row) + "\n")
        file.flush()
        os.fsync(file.fileno())


def tally_of(rows: Sequence[Row]) -> Tally:
    """Wins, losses and draws of the first player."""
    tally = Tally()
    for row in rows:
        tally = tally.add(row["winner"])
    return tally


class Summary:
    """What a match came to."""

    def __init__(self, players: Sequence[str], rows: Sequence[Row]) -> None:
        self.players = players
        self.rows = rows
        self.tally = tally_of(rows)

    def values(self) -> dict[str, Any]:
        """The summary as JSON values, from the first player's side."""
        low, high = self.tally.interval()
        return {
            "players": list(self.players),
            "games": self.tally.games,
            "wins": self.tally.wins,
            "losses": self.tally.losses,
            "draws": self.tally.draws,
            "rate": self.tally.rate,
            "interval": [low, high],
            "elo": [finite(elo) for elo in self.tally.elo()],
            "as_black": self._points(0),
            "as_white": self._points(1),
            "ended": dict(Counter(self._ending(row) for row in self.rows)),
            "efforts": [self._effort(index) for index in (0, 1)],
        }

    def _points(self, black: int) -> list[int]:
        tally = tally_of([row for row in self.rows if row["black"] == black])
        return [tally.wins, tally.losses, tally.draws]

    def _ending(self, row: Row) -> str:
        if row["judge"]:
            return f"{row['how']} by {row['judge']}"
        loser = None if row["winner"] is None else LETTERS[1 - row["winner"]]
        return f"{loser} {row['how']}" if loser else str(row["how"])

    def _effort(self, index: int) -> dict[str, float | None]:
        efforts = [row["efforts"][index] for row in self.rows]

        def total(name: str) -> float:
            return float(sum(effort[name] for effort in efforts))

        moves, counted = total("moves"), total("counted_moves")
        return {
            "moves": int(moves),
            "seconds_per_move": total("seconds") / moves if moves else None,
            "longest_seconds": max((e["longest_seconds"] for e in efforts), default=0.0),
            "visits_per_move": total("visits") / counted if counted else None,
        }

    def lines(self) -> list[str]:
        """The summary for people."""
        values = self.values()
        low, likely, high = self.tally.elo()
        lines = [f"{letter}: {text}" for letter, text in zip(LETTERS, self.players, strict=True)]
        lines.append(
            f"A {self.tally} of {self.tally.games} games,"
            f" Elo {likely:+.0f} ({low:+.0f}..{high:+.0f})"
        )
        for name in ("as_black", "as_white"):
            wins, losses, draws = values[name]
            lines.append(f"A {name.replace('_', ' ')}: +{wins} -{losses} ={draws}")
        lines.append("ended: " + ", ".join(f"{n} {how}" for how, n in values["ended"].items()))
        lines += [self._effort_line(index) for index in (0, 1)]
        return lines

    def _effort_line(self, index: int) -> str:
        effort = self._effort(index)
        if effort["seconds_per_move"] is None:
            return f"{LETTERS[index]} made no moves"
        visits = effort["visits_per_move"]
        told = "visits not told" if visits is None else f"{visits:.0f} visits a move"
        return (
            f"{LETTERS[index]}: {effort['moves']} moves, {effort['seconds_per_move']:.2f} s a move"
            f" (longest {effort['longest_seconds']:.2f}), {told};"
            f" allowed {self.rows[-1]['limits'][index]}"
        )


def finite(number: float) -> float | None:
    """The number, or None for an infinite one, which JSON has not."""
    return number if abs(number) != float("inf") else None
