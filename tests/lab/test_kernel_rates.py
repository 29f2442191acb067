"""The rates of the kernels: every set and precision of this process, as shares of its peak."""

from __future__ import annotations

from engine._core import instruction_sets, kernel_rates
from engine.lab.kernel_rates import measure_kernel_rates, report


def test_every_kernel_of_every_set_has_a_rate() -> None:
    rows = measure_kernel_rates()
    for name in instruction_sets():
        single = [row for row in rows if (row.instructions, row.precision) == (name, "fp32")]
        assert single[0].kernel == "peak"
        assert len(single) == 6
        assert all(0.02 < row.share < 1.5 for row in single)
        half = [row for row in rows if (row.instructions, row.precision) == (name, "bf16")]
        assert len(half) == (6 if name.endswith("bf16") else 0)
        words = [row for row in rows if (row.instructions, row.precision) == (name, "int16")]
        in_words = ("avx2", "avx2-vnni", "avx512-vnni", "avx512-bf16")
        assert len(words) == (3 if name in in_words else 0)
        assert all(0.02 < row.share < 1.5 for row in words)
        bytes_ = [row for row in rows if (row.instructions, row.precision) == (name, "int8")]
        assert len(bytes_) == (3 if name in ("avx2-vnni", "avx512-vnni", "avx512-bf16") else 0)
    assert len(report(rows)) == len(rows) + 1


def test_a_set_has_no_rate_in_numbers_that_it_does_not_multiply() -> None:
    assert kernel_rates("base", "bf16") == kernel_rates("base", "int8") == []
