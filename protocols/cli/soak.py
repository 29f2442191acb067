"""The growth of an engine's memory over hours of analysis, as a GUI asks for it."""

from __future__ import annotations

import argparse
import itertools
import json
import time
from collections.abc import Iterator, Mapping, Sequence

from engine.lab.load_report import growth_per_hour
from engine.lab.speed import BenchPosition
from engine.lab.speed_peer import Peer
from engine.match.gtp_client import GtpClient, own_gtp
from protocols.cli.options import Say

MEBIBYTE = 1 << 20
READINGS = 20  # most readings of one soak
ANALYSIS_SECONDS = 3.0


def soak(
    options: argparse.Namespace, places: Mapping[int, Sequence[BenchPosition]], say: Say
) -> int:
    """Analyses position after position, prints the engine's memory, and returns 0.

    options: soak (minutes), peer, network, backend, precision, json.
    """
    words = options.peer or own_command(options)
    seconds = options.soak * 60
    with GtpClient(words) as engine:
        if not options.json:
            say(f"{Peer(engine).title}: {options.soak:g} minutes of analysis")
        samples = watch(engine, [place for rows in places.values() for place in rows], seconds)
        readings = []
        for sample in samples:
            readings.append(sample)
            if not options.json:
                say(f"{sample[0] / 60:7.1f} min {sample[1] / MEBIBYTE:8.1f} MiB")
    growth = growth_per_hour(readings)
    if options.json:
        say(json.dumps({"readings": readings, "growth_bytes_per_hour": growth}))
    else:
        say(f"growth: {growth / MEBIBYTE:+.1f} MiB an hour")
    return 0


def own_command(options: argparse.Namespace) -> list[str]:
    """Returns the command line of `sparring gtp` with the network options of this one."""
    words = [*own_gtp(), "--backend", options.backend]
    words += ["--precision", options.precision]
    return [*words, "--network", str(options.network)] if options.network else words


def watch(
    engine: GtpClient, places: Sequence[BenchPosition], seconds: float
) -> Iterator[tuple[float, int]]:
    """Yields (seconds since the start, resident bytes) about READINGS times during analysis."""
    peer = Peer(engine)
    began = time.monotonic()
    due = 0.0
    for place in itertools.cycle(places):
        peer.set_up(place)
        for _ in peer.lines(place, min(ANALYSIS_SECONDS, seconds)):
            pass
        elapsed = time.monotonic() - began
        if elapsed >= due:
            yield elapsed, engine.memory()
            due = elapsed + seconds / READINGS
        if elapsed >= seconds:
            return
