"""The report on the deviation of bf16 from fp32."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.networks.compare import SAMPLES, compare, report
from engine.networks.runtime import load_evaluator
from engine.networks.torch_backend import TorchEvaluator
from tests.support.networks.shapes import network


def test_half_precision_differs_little(katago_model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.networks.compare.PLAYED", 1)  # torch multiplies bfloat16 slowly
    exact = load_evaluator(katago_model, backend="torch", precision="fp32")
    fast = load_evaluator(katago_model, backend="torch", precision="bf16")
    found = compare(fast, exact)
    assert max(row.win_rate for row in found) < 0.05
    assert 0 < max(row.policy for row in found) < 0.1
    lines = report(found, fast, exact).splitlines()
    assert "bf16 against fp32" in lines[0]
    assert [line.split()[0] for line in lines[3:]] == ["9x9", "13x13", "19x19"]


@pytest.mark.parametrize(
    ("name", "game"),
    [("othello", "othello"), ("connect4", "connect4"), ("transformer, shared keys", "go")],
)
def test_networks_are_compared_in_their_own_games(
    name: str, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if game == "go":
        monkeypatch.setattr("engine.networks.compare.PLAYED", 1)  # torch multiplies bfloat16 slowly
    exact, fast = (
        TorchEvaluator(network(name), precision=precision) for precision in ("fp32", "bf16")
    )
    assert all(row.win_rate == 0 and row.policy == 0 for row in compare(exact, exact))
    found = compare(fast, exact)
    assert {row.size for row in found} == set(SAMPLES[game].sizes)
    assert 0 < max(row.policy for row in found) < 0.2
    assert len({row.move_number for row in found}) > 3
