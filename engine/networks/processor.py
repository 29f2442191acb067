"""The processor's name, the cores available to this process, and its faster precisions."""

from __future__ import annotations

import os
import platform
from functools import cache
from pathlib import Path

from engine._core import CpuNetwork

# Rounding costs accuracy: a smaller gain than this is not worth it.
LEAST_GAIN = 1.1


def cores() -> int:
    """Returns the number of processor cores available to this process."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def processor_name() -> str:
    """Returns the processor's name, by its maker if the system has it."""
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


@cache
def is_faster(precision: str, instructions: str = "") -> bool:
    """Tells whether products gain by "bf16" or "int16", as the first call measures it.

    instructions: the name of a set of vector instructions; "": the best one.
    """
    return CpuNetwork.gain(precision, instructions) > LEAST_GAIN
