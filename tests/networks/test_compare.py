"""The report on how far bf16 is from fp32."""

from __future__ import annotations

from pathlib import Path

from engine.networks.compare import SIZES, compare, report
from engine.networks.runtime import load_evaluator


def test_fp32_does_not_differ_from_itself_and_half_precision_little(katago_model: Path) -> None:
    exact = load_evaluator(katago_model, backend="torch", precision="fp32")
    fast = load_evaluator(katago_model, backend="torch", precision="bf16")
    assert all(row.win_rate == 0 and row.policy == 0 for row in compare(exact, exact)[:6])
    found = compare(fast, exact)
    assert max(row.win_rate for row in found) < 0.05
    assert 0 < max(row.policy for row in found) < 0.1
    lines = report(found, fast, exact).splitlines()
    assert "bf16 against fp32" in lines[0]
    assert [int(line.split()[0]) for line in lines[3:]] == list(SIZES)
