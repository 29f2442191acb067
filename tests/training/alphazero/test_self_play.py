"""Self-play on the command line: its files and its card."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.errors import UsageError
from engine.games.evaluator import NetworkDescription
from engine.networks.description import describe
from engine.networks.sparring import read_sparring
from engine.training.common.metrics import read_metrics
from protocols.cli.main import dispatch

SMALL = (
    "--games 4 --first-games 6 --visits 8 --fast-visits 4 --blocks 1 --channels 8 --batch 32 "
    "--rival random --rival-every 0 --threads 1"
).split()


def train(course: str, folder: Path, *more: str) -> NetworkDescription:
    assert dispatch(["train", course, "--output", str(folder), *SMALL, *more]) == 0
    return describe(read_sparring(folder / f"{course}.safetensors"))


def test_a_run_leaves_a_network_its_card_and_numbers(tmp_path: Path) -> None:
    train("connect4", tmp_path, "--minutes", "0.0001", "--seed", "3")
    assert [row["games"] for row in read_metrics(tmp_path)] == [6]
    with pytest.raises(UsageError, match="seed 3, not 4"):
        train("connect4", tmp_path, "--iterations", "2", "--seed", "4")
    found = train("connect4", tmp_path, "--iterations", "2", "--seed", "3")
    assert [row["games"] for row in read_metrics(tmp_path)] == [6, 10]
    assert (found.game, found.trunk, found.policies) == ("connect4", "1 blocks x 8 channels", 1)
    card = (tmp_path / "connect4.md").read_text(encoding="utf-8")
    assert "by 10 games against itself in 2 iterations" in card
    assert "judged without a network (rollouts per position: 4). No other" in card
    assert "`sparring train connect4 --iterations 2 --seed 3 --recipe sparring --games 4" in card
