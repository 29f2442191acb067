"""The course: losses fall, a killed run goes on alike, its files are there and are graded."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from engine.networks.sparring import read_sparring
from engine.training.common.metrics import read_metrics
from engine.training.imitation import human_run
from engine.training.imitation.human_run import HumanRunSettings, learn_human_moves
from engine.training.imitation.learning import HumanLearner, HumanTrainingSettings
from engine.training.imitation.validation import LINEAR
from tests.support.training.thor_files import random_game, write_years

SMALL = HumanTrainingSettings(batch=64, blocks=1, channels=8)
NAMES = ("checkpoint.safetensors", "othello8-human.safetensors", "grades.json", "othello8-human.md")


@pytest.fixture(autouse=True)
def threads() -> Iterator[None]:
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows, checkpoints and looks at held-out moves as often as a short run can show."""
    monkeypatch.setattr(human_run, "REPORT_BATCHES", 5)
    monkeypatch.setattr(human_run, "CHECKPOINT_BATCHES", 10)
    monkeypatch.setattr(human_run, "VALIDATION_BATCHES", 20)


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    years = {year: [random_game(100 * year + n) for n in range(8)] for year in (1999, 2019, 2020)}
    return write_years(tmp_path_factory.mktemp("wthor"), years)


def train(
    records: Path, output: Path, learning: HumanTrainingSettings, compared: tuple[str, ...] = ()
) -> list[str]:
    """Returns the report of a run."""
    said: list[str] = []
    learn_human_moves(HumanRunSettings(records, output, learning, compared=compared), said.append)
    return said


class KilledError(Exception):
    """Runs with an end at an unlucky moment."""


def test_a_killed_run_goes_on_with_the_same_numbers_and_may_get_more_rounds(
    records: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    train(records, tmp_path / "whole", replace(SMALL, batches=20, rounds=2))
    learned = HumanLearner.learn

    def die(learner: HumanLearner) -> dict[str, torch.Tensor]:
        if learner.batches == 17:
            raise KilledError
        return learned(learner)

    monkeypatch.setattr(HumanLearner, "learn", die)
    with pytest.raises(KilledError):
        train(records, tmp_path / "broken", replace(SMALL, batches=20, rounds=1))
    assert [row["step"] for row in read_metrics(tmp_path / "broken")] == [5, 10, 15]
    monkeypatch.setattr(HumanLearner, "learn", learned)
    train(records, tmp_path / "broken", replace(SMALL, batches=20, rounds=1))
    assert read_metrics(tmp_path / "broken")[-1]["step"] == 20
    train(records, tmp_path / "broken", replace(SMALL, batches=20, rounds=2))
    assert read_metrics(tmp_path / "broken")[-1]["step"] == 30
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    assert read_metrics(whole) == read_metrics(broken)
    assert (whole / "grades.json").read_text() == (broken / "grades.json").read_text()
    one, other = (read_sparring(folder / NAMES[1]) for folder in (whole, broken))
    assert (one.board_policy.moves.weights == other.board_policy.moves.weights).all()
    assert (one.planes.weights == other.planes.weights).all()


def test_losses_fall_and_the_files_tell_of_it(records: Path, tmp_path: Path) -> None:
    learning = replace(SMALL, batches=60, rounds=1, learning_rate=0.02)
    said = train(records, tmp_path, learning, compared=(LINEAR,))
    rows = read_metrics(tmp_path)
    for part in ("policy", "ownership"):
        assert rows[-1][part] < 0.9 * rows[0][part], part
    assert [row["step"] for row in rows if "unseen_top1" in row] == [20, 40, 60]
    assert all((tmp_path / name).exists() for name in NAMES)
    told = json.loads((tmp_path / "grades.json").read_text())
    own, linear = told["grades"]
    assert linear["name"] == "linear evaluation"
    assert own["total"]["moves"] == linear["total"]["moves"] > 500
    card = (tmp_path / "othello8-human.md").read_text()
    assert "8 games of the French federation's" in card
    assert "On the 16 games of 2019 to 2020" in card
    assert f"| linear evaluation | {linear['total']['top1']:.1%} |" in card
    assert any(line.startswith("linear evaluation: top move ") for line in said)
    assert read_sparring(tmp_path / NAMES[1]).game == "othello"


def test_a_run_that_is_over_is_validated_again_and_others_are_refused(
    records: Path, tmp_path: Path
) -> None:
    short = replace(SMALL, batches=10)
    train(records, tmp_path, short)
    before = (tmp_path / NAMES[0]).read_bytes()
    said = train(records, tmp_path, short, compared=(str(tmp_path / NAMES[1]),))
    assert (tmp_path / NAMES[0]).read_bytes() == before
    first, second = (line for line in said if "top move" in line)
    assert first == second
    with pytest.raises(ValueError, match="batches 10, not 11"):
        train(records, tmp_path, replace(SMALL, batches=11))
    with pytest.raises(ValueError, match="do not make a batch of 5000"):
        train(records, tmp_path / "other", replace(short, batch=5000))


def test_the_learning_rate_rises_and_falls_to_nothing_in_each_round() -> None:
    told = HumanTrainingSettings(batches=1000, rounds=3, learning_rate=1.0, warm_up_share=0.1)
    assert told.all_batches == 2000
    rates = [told.rate(done) for done in (0, 49, 500, 999)]
    assert rates == pytest.approx([0.01, 0.497, 0.5, 0], abs=1e-3)
    later = [told.rate(done) for done in (1000, 1024, 1250, 1499)]
    assert later == pytest.approx([0.01, 0.2485, 0.25, 0], abs=1e-3)
    assert [told.rate(done + 500) for done in (1000, 1024, 1250, 1499)] == later
