"""The rates of the core's kernels on this processor, as shares of the peak of its registers.

The peak is measured, not read off the processor's name: multiplications of registers alone, with
the same instructions. The time is the shortest of some runs: a busy machine lowers a rate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine._core import instruction_sets, kernel_rates

PRECISIONS = ("fp32", "bf16", "int16", "int8")
GIGA = 1e9


@dataclass(frozen=True, slots=True)
class KernelRate:
    """The rate of one kernel, for one set of vector instructions in one precision."""

    instructions: str
    precision: str
    kernel: str
    operations: float  # a second; a multiplication with its addition counts as two
    share: float  # of the peak


def measure_kernel_rates() -> list[KernelRate]:
    """Returns the rates of all sets of this process, in each precision of a set."""
    rows = []
    for instructions in instruction_sets():
        for precision in PRECISIONS:
            rates = kernel_rates(instructions, precision)
            rows += [
                KernelRate(instructions, precision, kernel, rate, rate / rates[0][1])
                for kernel, rate in rates
            ]
    return rows


def report(rows: Sequence[KernelRate]) -> list[str]:
    """Returns the lines of a table, a row a kernel."""
    lines = [f"{'instructions':13} {'precision':10} {'kernel':26} {'10^9 / s':>9}   of the peak"]
    lines += [
        f"{row.instructions:13} {row.precision:10} {row.kernel:26} "
        f"{row.operations / GIGA:9.0f}   {row.share:.0%}"
        for row in rows
    ]
    return lines
