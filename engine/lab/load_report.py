"""The summary of many games at once on a resident engine, from its states and the clients' tallies.

A state is an answer of `sparring status --json`. The share of the bare networks is the sum over the
boards of evaluations / evaluations a processor second of the bare network, divided by the engine's
processor seconds; other programs hardly disturb it. Two shares compare with the same games searched
alone in the same way, by evaluations and by visits: visits without an evaluation (of proven or
repeated positions, or by the cache) are work too, and games differ in their number.

The sessions of a board are compared by the processor's share that each has while it searches, which
fair turns make equal, by the median wait of their players for a move, and by their evaluations.
Evaluations also vary with the games: a proven or repeated position needs none, and its session has
more visits in the same time.
"""

from __future__ import annotations

import dataclasses
import os
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from engine.lab.load_rates import LoneRates
from engine.lab.served_games import PlayTally

MEBIBYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class ProcessReading:
    """The resources of the engine's process at one moment."""

    seconds: float  # since the start of the measurement
    memory_bytes: int  # resident
    threads: int
    descriptors: int
    processor_seconds: float  # of all threads since the start
    cache_bytes: int = 0  # of the evaluations kept for all sessions
    tree_nodes: int = 0  # of all searches


def reading_of(state: Mapping[str, Any], seconds: float) -> ProcessReading:
    """Returns the resources of an engine now, by its state and Linux's /proc; raises OSError."""
    folder = Path("/proc") / str(state["pid"])
    status = dict(
        line.split(":", 1) for line in (folder / "status").read_text().splitlines() if ":" in line
    )
    times = (folder / "stat").read_text().rpartition(")")[2].split()
    return ProcessReading(
        seconds,
        int(status["VmRSS"].split()[0]) * 1024,
        int(status["Threads"]),
        len(list((folder / "fd").iterdir())),
        sum(map(int, times[11:13])) / os.sysconf("SC_CLK_TCK"),
        sum(network["cache_bytes"] for network in state["networks"]),
        state["tree_nodes"],
    )


def growth_per_hour(readings: Sequence[tuple[float, int]]) -> float:
    """Returns the slope of the later half of (seconds, bytes) readings, in bytes an hour.

    Caches fill in the first half. The result is 0 for fewer than two readings in the later half.
    """
    later = readings[len(readings) // 2 :]
    if len({seconds for seconds, _ in later}) < 2:
        return 0.0
    slope = statistics.linear_regression(*zip(*later, strict=True)).slope
    return float(slope) * 3600


@dataclass(frozen=True, slots=True)
class BoardRates:
    """Work a processor second on one board, with nothing else under way."""

    bare: float  # evaluations of the network alone
    lone: LoneRates  # of one search, whose other work counts too


@dataclass(frozen=True, slots=True)
class SessionWork:
    """The work of one session in the measured time."""

    visits: int
    evaluations: int
    batches: int
    processor_seconds: float  # of its searches
    wait_seconds: float  # of its searches, for a core or for the network

    @property
    def processor_share(self) -> float:
        """Returns the share of a core that its searches had."""
        return self.processor_seconds / max(1e-9, self.processor_seconds + self.wait_seconds)


def work_by_board(
    before: Mapping[str, Any], after: Mapping[str, Any]
) -> dict[str, list[SessionWork]]:
    """Returns the work of each playing session between two states, by the name of its board."""
    works: dict[str, list[SessionWork]] = {}
    began = {each["id"]: each for each in before["sessions"]}
    for each in after["sessions"]:
        first = began.get(each["id"])
        if first is None or each["batches"] == first["batches"]:
            continue  # an idle connection
        work = {
            field.name: each[field.name] - first[field.name]
            for field in dataclasses.fields(SessionWork)
        }
        works.setdefault(each["game"], []).append(SessionWork(**work))
    return works


def board_values(
    works: Mapping[str, Sequence[SessionWork]],
    seconds: float,
    rates: Mapping[str, BoardRates],
    tallies: Mapping[str, Sequence[PlayTally]],
) -> dict[str, dict[str, float]]:
    """Returns the measures of each board, by its name.

    works: of the playing sessions. seconds: of these works. tallies: of the board's connections.
    """
    return {
        name: _values_of(works.get(name, []), seconds, rate)
        | {
            "games": sum(tally.games for tally in tallies[name]),
            "moves": sum(tally.moves for tally in tallies[name]),
            "least_to_most_move_seconds": least_to_most(
                [statistics.median(tally.move_seconds or [0.0]) for tally in tallies[name]]
            ),
        }
        for name, rate in rates.items()
    }


def _values_of(works: Sequence[SessionWork], seconds: float, rate: BoardRates) -> dict[str, float]:
    visits = sum(work.visits for work in works)
    evaluations = sum(work.evaluations for work in works)
    spent = sum(work.processor_seconds for work in works)
    return {
        "sessions": len(works),
        "visits_per_second": visits / seconds,
        "evaluations_per_second": evaluations / seconds,
        "rows_per_batch": evaluations / max(1, sum(work.batches for work in works)),
        "search_processor_seconds": spent,
        "searches_share_of_bare": quotient(quotient(evaluations, rate.bare), spent),
        "bare_processor_seconds": quotient(evaluations, rate.bare),
        "lone_processor_seconds_by_evaluations": quotient(evaluations, rate.lone.evaluations),
        "lone_processor_seconds_by_visits": quotient(visits, rate.lone.visits),
        "least_to_most_evaluations": least_to_most([work.evaluations for work in works]),
        "least_to_most_processor_share": least_to_most([work.processor_share for work in works]),
    }


def quotient(number: float, divisor: float) -> float:
    """Returns number / divisor, 0 for the divisor 0."""
    return number / divisor if divisor else 0.0


def least_to_most(values: Sequence[float]) -> float:
    """Returns the least value divided by the greatest one; 0 without values."""
    return quotient(min(values, default=0), max(values, default=0))


def quantiles(seconds: Sequence[float]) -> dict[str, float]:
    """Returns number, median, 99% quantile and maximum of some times, 0 without any."""
    times = np.array(seconds if len(seconds) else [0.0])
    return {
        "count": len(seconds),
        "p50_seconds": float(np.quantile(times, 0.5)),
        "p99_seconds": float(np.quantile(times, 0.99)),
        "longest_seconds": float(times.max()),
    }


def resource_values(readings: Sequence[ProcessReading]) -> dict[str, Any]:
    """Returns the first, the last and the largest values of the readings, and memory's growth."""
    memory = [(each.seconds, each.memory_bytes) for each in readings]
    others = [(each.seconds, each.memory_bytes - each.cache_bytes) for each in readings]
    first, last = readings[0], readings[-1]
    return {
        "memory_bytes": [first.memory_bytes, last.memory_bytes, max(size for _, size in memory)],
        "growth_bytes_per_hour": growth_per_hour(memory),
        "cache_bytes": [first.cache_bytes, last.cache_bytes],
        "growth_bytes_per_hour_outside_caches": growth_per_hour(others),
        "tree_nodes": [first.tree_nodes, last.tree_nodes],
        "threads": [first.threads, last.threads, max(each.threads for each in readings)],
        "descriptors": [
            first.descriptors,
            last.descriptors,
            max(each.descriptors for each in readings),
        ],
    }


def page(values: Mapping[str, Any]) -> list[str]:
    """Returns the report as lines."""
    short, moves, resources = values["short_commands"], values["moves"], values["resources"]
    lines = [
        f"{values['games']} games at once for {values['seconds']:.0f} s, {values['budget']}"
        f" a move, {values['pause_seconds']:g} s between moves, {values['idle']} idle connections"
        " beside them",
        f"evaluations a processor second: {values['share_of_bare']:.2f} of the bare networks', "
        f"{values['share_of_lone_evaluations']:.2f} of the same games' searched alone; visits "
        f"{values['share_of_lone_visits']:.2f} of the same games' searched alone; the engine has "
        f"{values['processors']:.2f} processors, {values['share_of_searches']:.2f} of them in "
        "searches",
    ]
    for name, row in values["boards"].items():
        lines += [
            f"{name:<10} {row['sessions']} sessions, {row['visits_per_second']:.0f} visits/s, "
            f"{row['evaluations_per_second']:.0f} evaluations/s in batches of "
            f"{row['rows_per_batch']:.1f}, {row['moves']} moves, {row['games']} whole games",
            f"{'':<10} in its searches alone {row['searches_share_of_bare']:.2f} of the bare "
            "network's evaluations a processor second",
            f"{'':<10} least/most of the sessions: share of a core "
            f"{row['least_to_most_processor_share']:.3f}, median wait for a move "
            f"{row['least_to_most_move_seconds']:.3f}, evaluations "
            f"{row['least_to_most_evaluations']:.3f}",
        ]
    for title, row in (("commands", short), ("moves", moves)):
        lines.append(
            f"{title:<10} {row['count']}: 50% within {1000 * row['p50_seconds']:.1f} ms, 99% within"
            f" {1000 * row['p99_seconds']:.1f} ms, longest {1000 * row['longest_seconds']:.0f} ms"
        )
    memory = [size / MEBIBYTE for size in resources["memory_bytes"]]
    lines.append(
        f"memory     {memory[0]:.0f} MiB at first, {memory[1]:.0f} at last, {memory[2]:.0f} at most"
        f", {resources['growth_bytes_per_hour'] / MEBIBYTE:+.1f} MiB an hour in the later half"
    )
    caches = [size / MEBIBYTE for size in resources["cache_bytes"]]
    lines.append(
        f"{'':<10} caches of evaluations {caches[0]:.0f} MiB at first, {caches[1]:.0f} at last; "
        f"{resources['growth_bytes_per_hour_outside_caches'] / MEBIBYTE:+.1f} MiB an hour"
        f" outside them in the later half; {resources['tree_nodes'][0]} nodes of trees at first,"
        f" {resources['tree_nodes'][1]} at last"
    )
    for name in ("threads", "descriptors"):
        first, last, most = resources[name]
        lines.append(f"{name:<10} {first} at first, {last} at last, {most} at most")
    lines.append(f"errors     {len(values['errors'])} at the clients, log {values['log_records']}")
    return [*lines, *values["errors"][:20]]
