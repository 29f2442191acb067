"""The subcommand `sparring bench`: speed of the search, of its network alone and of a peer.

engine.lab.speed measures a speed. One run measures all of them in turn, round after round, because
the same machine gives other numbers a minute later.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tqdm import tqdm

from engine.errors import SettingError, UsageError
from engine.games.evaluator import Evaluator
from engine.lab.speed import BenchPosition, OwnSearch, Peer, network_speed, stored_places
from engine.match.engine_process import EngineLostError, EngineRefusedError, resident_memory
from engine.match.gtp_client import GtpClient
from engine.networks.architecture import NetworkFileError
from engine.networks.runtime import BackendError
from engine.play.network_pool import CACHED, NetworkChoice
from engine.play.networks import bundled_network, described, load
from protocols.cli.argument_types import count, positive
from protocols.cli.options import Say
from protocols.cli.soak import soak

MEBIBYTE = 1 << 20
QUIET_LOAD = 0.5  # runnable processes; above it other programs slow the measurement
REFUSALS = (NetworkFileError, BackendError, SettingError, EngineLostError, EngineRefusedError)
EPILOG = """\
examples:
  sparring bench --network g170-b6c96.bin.gz --peer "katago gtp -model g170-b6c96.bin.gz -config C"
  sparring bench --sizes 19 --deep 100000      memory of one long search
  sparring bench --soak 120                    memory of `sparring gtp` over two hours
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `sparring bench`."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EPILOG
    add = parser.add_argument
    add("--sizes", default="9,13,19", metavar="N,N", help="board sizes; default: %(default)s")
    add("--rounds", type=count, default=3, metavar="N",
        help="measurements of each position; default: %(default)s")  # fmt: skip
    add("--seconds", type=positive, default=3.0, metavar="T",
        help="seconds of each measurement; default: %(default)s")  # fmt: skip
    add("--positions", type=count, metavar="N", help="positions of each size; default: all")
    add("--peer", metavar="COMMAND", help="GTP engine, measured in turn with this one")
    add("--deep", type=count, metavar="VISITS",
        help="measure one search of VISITS visits for each size instead")  # fmt: skip
    add("--soak", type=positive, metavar="MINUTES",
        help="measure the memory of `sparring gtp` or the peer for MINUTES instead")  # fmt: skip
    add("--json", action="store_true", help="print one JSON object")
    add("--quiet", action="store_true", help="no progress bar")


def run(options: argparse.Namespace, say: Say) -> int:
    """Measures, prints the report and returns 0."""
    try:
        if options.soak:
            return soak(options, places(options), say)
        values, lines = _deep(options) if options.deep else _compare(options)
    except REFUSALS as error:
        raise UsageError(str(error)) from error
    say(json.dumps(values) if options.json else "\n".join(lines))
    return 0


def places(options: argparse.Namespace) -> dict[int, list[BenchPosition]]:
    """Returns the positions by board size; raises UsageError for a size without positions."""
    stored = {str(size): rows for size, rows in stored_places().items()}
    found: dict[int, list[BenchPosition]] = {}
    for word in options.sizes.split(","):
        if word not in stored:
            raise UsageError(f"no positions of size {word!r}: there are {', '.join(stored)}")
        found[int(word)] = stored[word][: options.positions]
    return found


@dataclass(frozen=True, slots=True)
class Spread:
    """Median and range of repeated measurements."""

    median: float
    lowest: float
    highest: float

    def show(self, form: Callable[[float], str]) -> str:
        """Returns the median, with the range in brackets."""
        return f"{form(self.median)} ({form(self.lowest)}..{form(self.highest)})"

    def values(self) -> list[float]:
        """Returns lowest, median and highest."""
        return [self.lowest, self.median, self.highest]


def spread(numbers: Sequence[float]) -> Spread:
    """Returns the median and the range of at least one number."""
    return Spread(statistics.median(numbers), min(numbers), max(numbers))


@dataclass(frozen=True, slots=True)
class BenchRound:
    """One measurement of one position; every field is a number a second."""

    network: float  # evaluations of the network alone
    visits: float
    evaluations: float
    peer: float | None = None  # the peer's visits

    @property
    def outside(self) -> float:
        """Returns the share of time without the network at work."""
        return 1 - self.evaluations / self.network


def _compare(options: argparse.Namespace) -> tuple[dict[str, Any], list[str]]:
    evaluator = _load(options)
    chosen = places(options)
    with ExitStack() as stack:
        peer = None
        if options.peer:
            peer = Peer(stack.enter_context(GtpClient(options.peer)))
        values: dict[str, Any] = {"network": described(evaluator), "sizes": {}}
        values["load"] = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
        lines = [values["network"]]
        if values["load"] > QUIET_LOAD:
            lines.append(f"other programs keep this machine busy: load {values['load']:.1f}")
        if peer is not None:
            values["peer"] = peer.title
            lines.append(f"peer: {values['peer']}")
        total = options.rounds * sum(map(len, chosen.values()))
        with tqdm(total=total, unit="position", disable=options.quiet, file=sys.stderr) as bar:
            for size, rows in chosen.items():
                rounds = _rounds(options, evaluator, rows, peer, bar)
                values["sizes"][str(size)] = _size_values(rounds)
                lines += _size_lines(size, rounds)
        memory = resident_memory()
        values["memory_bytes"] = memory
        lines.append(f"memory: {memory / MEBIBYTE:.0f} MiB")
        if peer is not None:
            values["peer_memory_bytes"] = peer.engine.memory()
            lines[-1] += f", peer {peer.engine.memory() / MEBIBYTE:.0f} MiB"
    return values, lines


def _load(options: argparse.Namespace) -> Evaluator:
    path = Path(options.network) if options.network else bundled_network()
    return load(NetworkChoice(path, options.backend, options.precision))


def _rounds(
    options: argparse.Namespace,
    evaluator: Evaluator,
    rows: Sequence[BenchPosition],
    peer: Peer | None,
    bar: tqdm[Any],
) -> list[BenchRound]:
    own = OwnSearch(evaluator, CACHED)
    own.speed_to(rows[0], evaluator.preferred_rows * evaluator.slots)  # not timed: compiles
    rounds = []
    for _ in range(options.rounds):
        for place in rows:
            before = network_speed(evaluator, rows, options.seconds / 2)
            speed = own.speed(place, options.seconds)
            bare = (before + network_speed(evaluator, rows, options.seconds / 2)) / 2
            other = peer.speed(place, options.seconds) if peer else None
            rounds.append(BenchRound(bare, speed.visits, speed.evaluations, other))
            bar.update()
    return rounds


def _spreads(rounds: Sequence[BenchRound]) -> dict[str, Spread]:
    found = {
        "visits_per_second": spread([row.visits for row in rounds]),
        "evaluations_per_second": spread([row.evaluations for row in rounds]),
        "network_evaluations_per_second": spread([row.network for row in rounds]),
        "share_outside_network": spread([row.outside for row in rounds]),
    }
    peers = [row.peer for row in rounds if row.peer]
    if peers:
        found["peer_visits_per_second"] = spread(peers)
        found["ratio"] = spread([row.visits / row.peer for row in rounds if row.peer])
    return found


def _size_values(rounds: Sequence[BenchRound]) -> dict[str, list[float]]:
    """Returns lowest, median and highest of every measure."""
    return {name: found.values() for name, found in _spreads(rounds).items()}


def _size_lines(size: int, rounds: Sequence[BenchRound]) -> list[str]:
    forms: dict[str, Callable[[float], str]] = {
        "share_outside_network": "{:.1%}".format,
        "ratio": "{:.2f}".format,
    }
    lines = [f"{size}x{size}"]
    for name, found in _spreads(rounds).items():
        form = forms.get(name, "{:.0f}".format)
        title = name.replace("_per_second", "/s").replace("_", " ")
        lines.append(f"  {title:<24}{found.show(form)}")
    return lines


def _deep(options: argparse.Namespace) -> tuple[dict[str, Any], list[str]]:
    """Returns values and lines of one long search a size: speed, memory before and after."""
    evaluator = _load(options)
    values: dict[str, Any] = {"network": described(evaluator), "sizes": {}}
    lines = [values["network"]]
    for size, rows in places(options).items():
        own = OwnSearch(evaluator, CACHED)
        place = rows[len(rows) // 2]
        own.speed_to(place, evaluator.preferred_rows * evaluator.slots)
        before, began = resident_memory(), time.monotonic()
        speed = own.speed_to(place, options.deep)
        seconds, after = time.monotonic() - began, resident_memory()
        values["sizes"][str(size)] = {
            "visits": options.deep,
            "seconds": seconds,
            "visits_per_second": speed.visits,
            "memory_before_bytes": before,
            "memory_after_bytes": after,
        }
        lines.append(
            f"{size}x{size}: {options.deep} visits in {seconds:.0f} s ({speed.visits:.0f}/s),"
            f" memory {before / MEBIBYTE:.0f} -> {after / MEBIBYTE:.0f} MiB"
        )
    return values, lines
