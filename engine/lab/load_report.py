"""The summary of many games at once on a resident engine, from its states and the clients' tallies.

A state is an answer of `sparring status --json`. The share of the bare networks is the sum over the
boards of evaluations / evaluations a processor second of the bare network, divided by the engine's
processor seconds; other programs hardly disturb it. The share of lone searches compares with the
evaluations of one search alone in the same way.

The sessions of a board are compared by their mean wait for a batch, the shortest to the longest,
and by their evaluations. Fair turns make both equal, but the evaluations also vary with the games,
as many positions come from the cache or are proven.
"""

from __future__ import annotations

import os
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

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


def reading_of(process: int, seconds: float) -> ProcessReading:
    """Returns the resources of a process now, by Linux's /proc; raises OSError."""
    folder = Path("/proc") / str(process)
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
    """Evaluations a processor second on one board, with nothing else under way."""

    bare: float  # of the network alone
    lone: float  # of one search, whose other work counts too


def board_values(
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    seconds: float,
    rates: Mapping[str, BoardRates],
    tallies: Mapping[str, Sequence[PlayTally]],
) -> dict[str, dict[str, float]]:
    """Returns the measures of each board, by its name.

    before, after: states at both ends of the measurement. seconds: between them. tallies: of
    the board's connections.
    """
    made: dict[str, list[int]] = {name: [] for name in rates}
    waits: dict[str, list[float]] = {name: [] for name in rates}  # for a batch, in seconds
    began = {each["id"]: each for each in before["sessions"]}
    for each in after["sessions"]:
        first = began.get(each["id"])
        if first is None or each["game"] not in made or each["batches"] == first["batches"]:
            continue  # an idle connection
        made[each["game"]].append(each["evaluations"] - first["evaluations"])
        waited = each["wait_seconds"] - first["wait_seconds"]
        waits[each["game"]].append(waited / (each["batches"] - first["batches"]))
    return {
        name: {
            "sessions": len(made[name]),
            "games": sum(tally.games for tally in tallies[name]),
            "moves": sum(tally.moves for tally in tallies[name]),
            "evaluations_per_second": sum(made[name]) / seconds,
            "bare_processor_seconds": sum(made[name]) / rate.bare,
            "lone_processor_seconds": sum(made[name]) / rate.lone,
            "least_to_most_evaluations": min(made[name], default=0) / max([1, *made[name]]),
            "shortest_to_longest_wait": min(waits[name], default=0) / max([1e-9, *waits[name]]),
        }
        for name, rate in rates.items()
    }


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
    first, last = readings[0], readings[-1]
    return {
        "memory_bytes": [first.memory_bytes, last.memory_bytes, max(size for _, size in memory)],
        "growth_bytes_per_hour": growth_per_hour(memory),
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
        f"{values['share_of_lone']:.2f} of lone searches'; the engine has "
        f"{values['processors']:.2f} processors",
    ]
    for name, row in values["boards"].items():
        lines += [
            f"{name:<10} {row['sessions']} sessions, {row['evaluations_per_second']:.0f} "
            f"evaluations/s, {row['moves']} moves, {row['games']} whole games",
            f"{'':<10} least/most of the sessions: wait for a batch "
            f"{row['shortest_to_longest_wait']:.3f}, evaluations "
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
    for name in ("threads", "descriptors"):
        first, last, most = resources[name]
        lines.append(f"{name:<10} {first} at first, {last} at last, {most} at most")
    lines.append(f"errors     {len(values['errors'])} at the clients, log {values['log_records']}")
    return [*lines, *values["errors"][:20]]
