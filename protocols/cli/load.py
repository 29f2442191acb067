"""The subcommand `sparring lab load`: a resident engine with many games at once.

It starts an engine of its own, with files of its own, and plays through the engine's Unix socket.
engine.lab.served_games plays, engine.lab.load_report summarizes.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from engine.errors import UsageError
from engine.games.table import Board
from engine.lab.load_rates import bare_rate, drawn_positions, lone_rates
from engine.lab.load_report import (
    BoardRates,
    ProcessReading,
    board_values,
    page,
    quantiles,
    reading_of,
    resource_values,
    work_by_board,
)
from engine.lab.served_games import (
    AnswerError,
    PlayTally,
    SocketGame,
    close_idle,
    open_idle,
    state_of,
)
from engine.play.networks import load, networks_of
from protocols.cli.argument_types import count, count_or_none, positive
from protocols.cli.options import Say
from protocols.cli.serve import use_all_descriptors

BOARDS = ("go9", "go19", "othello8", "connect4")
START_SECONDS, END_SECONDS = 60.0, 60.0
WARM_UP_SECONDS = 15.0
RATE_SECONDS = 3.0  # of each rate of a board, before and after the games
LONE_SECONDS = 6.0  # of the games of a board searched alone
POSITIONS = 32  # of a board, for its bare network
READINGS = 60
RECORD = re.compile(r"\b(WARNING|ERROR|CRITICAL)\b", re.IGNORECASE)
EPILOG = """\
The engine plays by the bundled networks. The rates of the bare networks are measured in this
process before and after the games, those of the same games searched alone after them, with the
engine idle.

examples:
  sparring lab load                                  64 games, 1000 idle connections, 10 minutes
  sparring lab load --games 16 --idle 0 --minutes 60 --visits 20 --pause 0.5
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `sparring lab load`."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EPILOG
    add = parser.add_argument
    add("--games", type=count, default=64, metavar="N", help="games at once; default: %(default)s")
    add("--boards", default=",".join(BOARDS), metavar="NAMES",
        help="boards of the games, in turn; default: %(default)s")  # fmt: skip
    add("--idle", type=count_or_none, default=1000, metavar="N",
        help="connections that only wait; default: %(default)s")  # fmt: skip
    add("--minutes", type=positive, default=10.0, metavar="T", help="default: %(default)g")
    add("--seconds", type=positive, default=5.0, metavar="T",
        help="of a move; default: %(default)g, as without a clock")  # fmt: skip
    add("--visits", type=count, metavar="N", help="of a move, in place of the seconds")
    add("--pause", type=positive, default=0.0, metavar="T",
        help="seconds between two moves of a game; default: none")  # fmt: skip
    add("--json", action="store_true", help="print one JSON object")


def run(options: argparse.Namespace, say: Say) -> int:
    """Measures and prints the report; returns 1 after an error of a client, else 0."""
    try:
        boards = [Board.of_name(name) for name in options.boards.split(",")]
    except ValueError as error:
        raise UsageError(str(error)) from error
    use_all_descriptors()
    try:
        values = measure(boards, options)
    except (OSError, AnswerError) as error:
        raise UsageError(f"the measurement failed: {error}") from error
    say(json.dumps(values) if options.json else "\n".join(page(values)))
    return 1 if values["errors"] else 0


def measure(boards: Sequence[Board], options: argparse.Namespace) -> dict[str, Any]:
    """Returns the values of the report; raises OSError and AnswerError.

    options: games, idle, minutes, seconds, visits, pause.
    """
    rates = Rates(boards)
    with TemporaryDirectory() as folder, engine(Path(folder), options) as path:
        rates.measure(min(RATE_SECONDS, 6 * options.minutes))
        waiting = open_idle(path, options.idle)
        stop = threading.Event()
        budget = {"visits": options.visits} if options.visits else {"seconds": options.seconds}
        games = [
            SocketGame(path, boards[number % len(boards)], budget, stop, options.pause)
            for number in range(options.games)
        ]
        for game in games:
            game.start()
        time.sleep(min(WARM_UP_SECONDS, 15 * options.minutes))
        before, begun = state_of(path), time.monotonic()
        readings = list(read(path, begun, 60 * options.minutes))
        after, seconds = state_of(path), time.monotonic() - begun
        stop.set()
        for game in games:
            game.join()
        errors = [error for game in games for error in game.tally.errors]
        errors += close_idle(waiting)
        rates.measure(min(RATE_SECONDS, 6 * options.minutes))
        log = (Path(folder) / "log").read_text()
    tallies = [game.tally for game in games]
    by_board = {
        board.name: [game.tally for game in games if game.board == board] for board in boards
    }
    works = work_by_board(before, after)
    lone = min(LONE_SECONDS, 6 * options.minutes)
    rows = board_values(works, seconds, rates.with_lone(after, by_board, lone), by_board)
    spent = readings[-1].processor_seconds - readings[0].processor_seconds

    def share(key: str) -> float:
        return sum(row[key] for row in rows.values()) / spent

    return {
        "games": options.games,
        "idle": options.idle,
        "budget": f"{options.visits} visits" if options.visits else f"{options.seconds:g} s",
        "pause_seconds": options.pause,
        "seconds": seconds,
        "boards": rows,
        "share_of_bare": share("bare_processor_seconds"),
        "share_of_lone_evaluations": share("lone_processor_seconds_by_evaluations"),
        "share_of_lone_visits": share("lone_processor_seconds_by_visits"),
        "processors": spent / seconds,
        "share_of_searches": share("search_processor_seconds"),
        "short_commands": quantiles([each for tally in tallies for each in tally.short_seconds]),
        "moves": quantiles([each for tally in tallies for each in tally.move_seconds]),
        "resources": resource_values(readings),
        "errors": errors,
        "log_records": sum(bool(RECORD.search(line)) for line in log.splitlines()),
    }


def read(path: str, begun: float, seconds: float) -> Iterator[ProcessReading]:
    """Yields the engine's resources at READINGS moments, the last one after `seconds`.

    path: of the engine's socket. begun: the start by time.monotonic.
    """
    for number in range(READINGS + 1):
        time.sleep(max(0.0, begun + seconds * number / READINGS - time.monotonic()))
        yield reading_of(state_of(path), time.monotonic() - begun)


@contextmanager
def engine(folder: Path, options: argparse.Namespace) -> Iterator[str]:
    """Yields the path of the socket of an engine of its own; its files lie in the folder.

    Raises OSError where it does not start, or does not end by SIGTERM.
    """
    path = str(folder / "socket")
    words = [sys.executable, "-m", "protocols.cli", "serve", "--socket", path]
    words += ["--sessions", str(options.games + options.idle + 1)]
    own = {"XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(words, stderr=log, env=os.environ | own)
        try:
            wait_for(path, process)
            yield path
        finally:
            process.terminate()
            try:
                code = process.wait(END_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                code = process.wait()
    if code != 0:
        raise OSError(f"the engine ended with code {code}")


def wait_for(path: str, process: subprocess.Popen[bytes]) -> None:
    """Returns once the engine answers at the path; raises OSError after START_SECONDS."""
    until = time.monotonic() + START_SECONDS
    while True:
        try:
            state_of(path)
        except OSError:
            if time.monotonic() > until or process.poll() is not None:
                raise
            time.sleep(0.05)
        else:
            return


class Rates:
    """The rates of the boards with nothing else under way."""

    def __init__(self, boards: Sequence[Board]) -> None:
        """Loads the networks."""
        self._rng = np.random.default_rng(0)
        self._evaluators = {
            board: load(networks_of(board.game).on(board)) for board in dict.fromkeys(boards)
        }
        self._positions = {
            board: drawn_positions(board, POSITIONS, self._rng) for board in self._evaluators
        }
        self._bare: dict[Board, list[float]] = {board: [] for board in self._evaluators}

    def measure(self, seconds: float) -> None:
        """Measures the bare network of each board once, for so many seconds."""
        for board, evaluator in self._evaluators.items():
            self._bare[board].append(bare_rate(evaluator, self._positions[board], seconds))

    def with_lone(
        self,
        state: Mapping[str, Any],
        tallies: Mapping[str, Sequence[PlayTally]],
        seconds: float,
    ) -> dict[str, BoardRates]:
        """Returns the rates of each board, by its name; searches its games alone for `seconds`.

        state: of the engine after the games. tallies: of each board's connections.
        """
        rates = {}
        for board, evaluator in self._evaluators.items():
            moves = sum(tally.moves for tally in tallies[board.name])
            visits = sum(each["visits"] for each in state["sessions"] if each["game"] == board.name)
            records = [record for tally in tallies[board.name] for record in tally.records]
            playouts = max(1, round(visits / max(1, moves)))
            lone = lone_rates(
                evaluator, board, records, playouts=playouts, seconds=seconds, rng=self._rng
            )
            rates[board.name] = BoardRates(float(np.mean(self._bare[board])), lone)
        return rates
