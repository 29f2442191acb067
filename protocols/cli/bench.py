"""The subcommand `sparring bench`: speed of the search, of its network alone and of a peer.

engine.lab measures the speeds. One run measures all of them in turn, round after round, because the
same machine gives other numbers a minute later.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tqdm import tqdm

from engine._core import forced_instructions, instruction_sets
from engine.errors import SettingError, UsageError
from engine.games.evaluator import Evaluator
from engine.lab.compared_speed import (
    NETWORK,
    SHIPPED,
    Comparison,
    Condition,
    Turn,
    conditions_of,
    peer_words,
)
from engine.lab.drawn_places import drawn_places
from engine.lab.speed import BenchPosition, OwnSearch, stored_places
from engine.lab.speed_peer import Peer
from engine.lab.speed_rows import Row, Spreads, markdown, row_of, stored_rows
from engine.match.gtp_client import GtpClient
from engine.networks.architecture import NetworkFileError
from engine.networks.flushed import flushed_copy
from engine.networks.processor import cores, processor_name
from engine.networks.runtime import BackendError
from engine.play.game_networks import NetworkChoice
from engine.play.network_pool import CACHED
from engine.play.networks import bundled_network, described, load
from engine.report.tables import aligned
from engine.util.engine_process import EngineLostError, EngineRefusedError, resident_memory
from protocols.cli.argument_types import count, positive
from protocols.cli.options import Say
from protocols.cli.soak import soak

MEBIBYTE = 1 << 20
QUIET_LOAD = 0.5  # runnable processes; above it other programs slow the measurement
REFUSALS = (NetworkFileError, BackendError, SettingError, EngineLostError, EngineRefusedError)
POSITIONS = 3  # of each size
EPILOG = """\
examples:
  sparring bench --network F.bin.gz --peer "katago gtp -model {} -config C"
  sparring bench --sizes 19 --deep 100000      memory of one long search
  sparring bench --soak 120                    memory of `sparring gtp` over two hours

In the peer's command {} is the network: the file itself, or for comparisons in fp32 a copy whose
subnormal weights are 0. KataGo keeps them, and they slow it. The positions are moves of the bundled
network's policy, drawn by the seed.
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
    add("--positions", type=count, default=POSITIONS, metavar="N",
        help="positions of each size; default: %(default)s")  # fmt: skip
    add("--seed", type=count, metavar="N", help="of the positions; default: by the clock")
    add("--peer", metavar="COMMAND",
        help="GTP engine, measured in turn with this one; {} stands for the network")  # fmt: skip
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
class Contest:
    """The network of the options and the peer, ready under each condition."""

    shipped: Evaluator
    flushed: int  # subnormal weights that the peer's copy lacks
    comparisons: tuple[Comparison, ...]

    @property
    def peer(self) -> Peer | None:
        """The peer under the first condition."""
        return self.comparisons[0].peer


def _contest(options: argparse.Namespace, stack: ExitStack) -> Contest:
    """Loads the network and starts the peers; the stack closes them."""
    path = Path(options.network) if options.network else bundled_network()
    shipped = single = _load(options)
    flushed, copy = 0, path
    if options.peer is not None and NETWORK in options.peer:
        copy = Path(stack.enter_context(TemporaryDirectory())) / path.name
        flushed = flushed_copy(path, copy)
    conditions = conditions_of(options.peer, is_flushed=flushed > 0, precision=shipped.precision)
    if conditions != (SHIPPED,) and shipped.precision != "fp32":
        single = load(NetworkChoice(path, options.backend, "fp32"))

    def compared(condition: Condition) -> Comparison:
        peer = None
        if options.peer is not None:
            file = copy if flushed and not condition.is_shipped else path
            client = GtpClient(peer_words(options.peer, file, condition))
            peer = Peer(stack.enter_context(client))
        return Comparison(condition, shipped if condition.is_shipped else single, peer, CACHED)

    return Contest(shipped, flushed, tuple(map(compared, conditions)))


def _compare(options: argparse.Namespace) -> tuple[dict[str, Any], list[str]]:
    sizes = list(places(options))
    seed = options.seed or time.time_ns() % 1_000_000
    with ExitStack() as stack:
        contest = _contest(options, stack)
        values: dict[str, Any] = {"network": described(contest.shipped), "seed": seed, "sizes": {}}
        values["load"] = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
        lines = [values["network"], f"positions of seed {seed}"]
        if values["load"] > QUIET_LOAD:
            lines.append(f"other programs keep this machine busy: load {values['load']:.1f}")
        if contest.peer is not None:
            values["peer"] = contest.peer.title
            values["flushed_weights"] = contest.flushed
            lines.append(f"peer: {values['peer']}")
        if contest.flushed:
            lines.append(f"subnormal weights, 0 in the peer's file for fp32: {contest.flushed}")
        drawer = load(NetworkChoice(bundled_network()))
        total = options.rounds * options.positions * len(sizes) * len(contest.comparisons)
        with tqdm(total=total, unit="turn", disable=options.quiet, file=sys.stderr) as bar:
            for size in sizes:
                drawn = drawn_places(drawer, size, options.positions, seed)
                spreads = _spreads(_turns(options, contest.comparisons, drawn, bar))
                values["sizes"][str(size)] = _values(spreads)
                lines += ["", f"{size}x{size}", *aligned(_cells(spreads))]
        memory = resident_memory()
        values["memory_bytes"] = memory
        lines += ["", f"memory: {memory / MEBIBYTE:.0f} MiB"]
        if contest.peer is not None:
            values["peer_memory_bytes"] = contest.peer.engine.memory()
            lines[-1] += f", peer {contest.peer.engine.memory() / MEBIBYTE:.0f} MiB"
            values["row"] = row_of(_names(contest), values["sizes"])
            lines += ["", *markdown([*stored_rows(), values["row"]])]
    return values, lines


def _names(contest: Contest) -> Row:
    """Returns the names of the table's row."""
    return {
        "processor": f"{processor_name()}, {cores()} cores",
        "instructions": forced_instructions() or instruction_sets()[-1],
        "network": contest.shipped.network.name,
        "peer": contest.peer.title if contest.peer else "",
    }


def _turns(
    options: argparse.Namespace,
    comparisons: Sequence[Comparison],
    drawn: Sequence[BenchPosition],
    bar: tqdm[Any],
) -> Mapping[str, list[Turn]]:
    """Returns the turns of each condition on boards of one size."""
    searches = [comparison.search(drawn) for comparison in comparisons]
    turns: dict[str, list[Turn]] = defaultdict(list)
    for _ in range(options.rounds):
        for place in drawn:
            for comparison, search in zip(comparisons, searches, strict=True):
                turn = comparison.turn(search, place, drawn, options.seconds)
                turns[comparison.condition.title].append(turn)
                bar.update()
    return turns


def _spreads(turns: Mapping[str, Sequence[Turn]]) -> dict[str, dict[str, Spread]]:
    """Returns the spread of every measure under each condition."""
    found: dict[str, dict[str, Spread]] = {}
    for title, row in turns.items():
        rates = [turn.rates() for turn in row]
        columns = {name: [rate[name] for rate in rates] for name in rates[0]}
        found[title] = {
            name: spread([number for number in column if number is not None])
            for name, column in columns.items()
            if None not in column
        }
    return found


def _values(spreads: Mapping[str, Mapping[str, Spread]]) -> Spreads:
    """Returns lowest, median and highest of every measure under each condition."""
    return {
        title: {name: found.values() for name, found in row.items()}
        for title, row in spreads.items()
    }


def significant(number: float) -> str:
    """Writes a rate with two digits at least.

    >>> [significant(rate) for rate in (1234.5, 23.4, 0.456)]
    ['1234', '23', '0.46']
    """
    return f"{number:.0f}" if abs(number) >= 10 else f"{number:.2g}"


def _cells(spreads: Mapping[str, Mapping[str, Spread]]) -> list[list[str]]:
    """Returns the table of one size: a row for each measure, a column for each condition."""
    forms: dict[str, Callable[[float], str]] = {
        "share_outside_network": "{:.1%}".format,
        "visits_ratio": "{:.2f}".format,
        "evaluations_ratio": "{:.2f}".format,
        "cpu_ratio": "{:.2f}".format,
    }
    names = dict.fromkeys(name for row in spreads.values() for name in row)
    cells = [["", *spreads]]
    for name in names:
        form = forms.get(name, significant)
        title = (
            name.replace("_per_second", "/s").replace("_per_cpu_second", "/CPU s").replace("_", " ")
        )
        cells.append([title, *(row[name].show(form) if name in row else "-" for row in
                               spreads.values())])  # fmt: skip
    return cells


def _load(options: argparse.Namespace) -> Evaluator:
    path = Path(options.network) if options.network else bundled_network()
    return load(NetworkChoice(path, options.backend, options.precision))


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
