"""Evaluations of a chess network for each second of processor time, by backend and precision.

Run it as `python -m tests.support.networks.chess_rates FILE`. Each backend has one thread; the
rounds go through all backends in turn. Processor time makes the rates comparable on a busy machine.
"""

from __future__ import annotations

import sys
import time
from statistics import median

import torch

from engine.games.chess_position import ChessPosition
from engine.games.evaluator import Evaluator
from engine.networks.runtime import load_evaluator

BACKENDS = (("torch", "fp32"), ("native", "fp32"), ("native", "bf16"))
BATCHES = (1, 8)
ROUNDS, SECONDS = 3, 0.3


def rate(evaluator: Evaluator, batch: int) -> float:
    """Rows a second of processor time, in batches of the start position."""
    slot = evaluator.open(8, 8, batch)
    slot.spatial[:] = ChessPosition().features()[0]
    slot.start(batch)
    slot.wait()
    begun, rows = time.process_time(), 0
    while (spent := time.process_time() - begun) < SECONDS:
        slot.start(batch)
        slot.wait()
        rows += batch
    return rows / spent


def report(path: str) -> str:
    """The rates as multiples of the first backend's: median, smallest and largest."""
    torch.set_num_threads(1)
    loaded = {
        kind: load_evaluator(path, backend=kind[0], precision=kind[1], threads=1)
        for kind in BACKENDS
    }
    lines = []
    for batch in BATCHES:
        rounds = [{kind: rate(loaded[kind], batch) for kind in BACKENDS} for _ in range(ROUNDS)]
        for kind in BACKENDS:
            ratios = [each[kind] / each[BACKENDS[0]] for each in rounds]
            lines.append(
                f"batch {batch}, {' '.join(kind)}: {median(each[kind] for each in rounds):.0f}/s, "
                f"{median(ratios):.1f} ({min(ratios):.1f}..{max(ratios):.1f})"
            )
    return "\n".join(lines)


if __name__ == "__main__":
    sys.stdout.write(report(sys.argv[1]) + "\n")
