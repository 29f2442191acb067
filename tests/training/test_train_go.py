"""The trainings of Go: playing files, cards, continuation after a stop."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from engine._core import GoPosition, GoRules
from engine.errors import SettingError
from engine.networks.description import describe
from engine.networks.fresh import fresh_architecture
from engine.networks.human_policy import HumanPolicy
from engine.networks.runtime import load_evaluator, read_network
from engine.networks.sparring import write_sparring
from engine.networks.torch_model import Outputs
from engine.training import train_go
from engine.training.common.metrics import read_metrics
from engine.training.go import run_sources, validation
from engine.training.go.distill import Machine
from engine.training.go.positions import BoardShare
from engine.training.go.run_settings import GoRunSettings
from engine.training.go.samples import Network
from engine.training.go.student import read_checkpoint, shape_of
from engine.training.go.teacher import load_teacher
from engine.training.train_go import learn_go

LETTERS = "abcdefghijklmnopqrs"
NAMES = ("go", "go-human")
CHECKPOINT = "checkpoint.safetensors"


@pytest.fixture(autouse=True)
def small_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_sources, "BOARDS", (BoardShare(7, 7, 1.0),))
    monkeypatch.setattr(train_go, "START_BOARDS", (BoardShare(7, 7, 1.0),))
    monkeypatch.setattr(validation, "VALIDATION_BOARDS", (BoardShare(7, 7, 1.0),))


@pytest.fixture(name="folder")
def folder_with_games_and_teacher(tmp_path: Path) -> Path:
    games = tmp_path / "games"
    games.mkdir()
    rng = np.random.default_rng(1)
    for month in ("2016-06", "2016-07"):
        with zipfile.ZipFile(games / f"{month}.zip", "w") as archive:
            archive.writestr(month, "\n".join(f"{at}\t{line(rng)}" for at in range(20)))
    teacher = fresh_architecture("a teacher", shape_of(2, 12), np.random.default_rng(2))
    write_sparring(tmp_path / "teacher.safetensors", teacher, {})
    return tmp_path


def line(rng: np.random.Generator) -> str:
    """Returns a game over the odd points, without captures."""
    odd = [f"{LETTERS[x]}{LETTERS[y]}" for x in range(1, 19, 2) for y in range(1, 19, 2)]
    return "".join(f";{'BW'[at % 2]}[{odd[place]}]" for at, place in enumerate(rng.permutation(81)))


def settings_in(folder: Path, output: str, steps: int) -> GoRunSettings:
    """Returns the settings of a small run from human games alone."""
    return GoRunSettings(
        folder / output,
        games=(folder / "games",),
        held_out=folder / "games" / "2016-07.zip",
        steps=steps,
        device="cpu",
        seed=5,
        threads=1,
        blocks=2,
        channels=12,
        cells=800,
        validation_rows=40,
        human_share=1.0,
    )


def take(settings: GoRunSettings) -> list[str]:
    """Runs a training; returns its messages."""
    said: list[str] = []
    learn_go(settings, said.append)
    return said


def test_one_run_gives_two_networks_and_goes_on(folder: Path) -> None:
    teacher = folder / "teacher.safetensors"

    def taught(output: str, steps: int) -> list[str]:
        settings = settings_in(folder, output, steps)
        return take(replace(settings, teacher=teacher, shard_cells=3000, human_share=0.45))

    said = taught("whole", 30)
    assert "20 human games of 1 archives" in said[0]
    whole = folder / "whole"
    names = {path.name for path in whole.iterdir()}
    assert {"go.safetensors", "go-human.safetensors", "go.md", "go-human.md"} <= names
    networks = [read_network(whole / f"{name}.safetensors") for name in NAMES]
    assert [network.board_policy.channels for network in networks] == [1, 1]
    first, second = (network.board_policy.moves.weights for network in networks)
    assert not np.array_equal(first, second)
    assert np.array_equal(networks[0].planes.weights, networks[1].planes.weights)
    grades = json.loads((whole / "grades.json").read_text())
    assert set(grades["go"]["grades"]["boards"]) == {"7x7", "19x19, human games"}
    assert grades["go-human"]["grades"]["humans"][1]["moves"] == 160
    for name, network in zip(NAMES, networks, strict=True):
        card = (whole / f"{name}.md").read_text()
        assert f"{describe(network).parameters:,} parameters" in card
    assert "7x7" in (whole / "go.md").read_text()

    taught("parts", 25)
    again = taught("parts", 30)
    assert "goes on after 25 steps" in again
    assert read_checkpoint(folder / "parts" / "checkpoint.safetensors").progress.steps == 30
    rows = [row["step"] for row in read_metrics(folder / "parts")]
    assert rows == [25, 30]


def test_humans_are_imitated_without_a_teacher(folder: Path) -> None:
    take(settings_in(folder, "alone", 2))
    names = {path.name for path in (folder / "alone").iterdir()}
    assert "go-human.safetensors" in names
    assert "go.safetensors" not in names
    card = (folder / "alone" / "go-human.md").read_text()
    assert "mean nothing" in card
    assert "| this network | 160 |" in card


def test_a_ranked_run_knows_who_plays(folder: Path) -> None:
    settings = replace(
        settings_in(folder, "ranked", 3), ranked=True, checkpoint=folder / "teacher.safetensors"
    )
    take(settings)
    assert "goes on after 3 steps" in take(replace(settings, steps=30))
    path = folder / "ranked" / "go-human.safetensors"
    network = HumanPolicy(load_evaluator(path, precision="fp32"))
    position = GoPosition(9, 9, GoRules())
    nine_dan, weak = (network.policy_at(position, ranks) for ranks in ((1, 1), (20, 1)))
    assert not np.array_equal(nine_dan, weak)  # after 30 steps
    assert np.array_equal(network.policy(position, "rank_9d"), nine_dan)
    assert np.array_equal(network.policy(position, "proyear_1900"), nine_dan)  # ranks alone count
    assert "--ranked" in (folder / "ranked" / "go-human.md").read_text()


def test_an_earlier_run_is_continued_by_another(folder: Path) -> None:
    take(settings_in(folder, "first", 2))
    checkpoint = folder / "first" / CHECKPOINT
    take(replace(settings_in(folder, "second", 1), checkpoint=checkpoint))
    begun = read_checkpoint(folder / "second" / "checkpoint.safetensors")
    assert (begun.student.totals.batches, begun.progress.steps) == (2, 1)


def test_a_run_begins_with_a_network(folder: Path) -> None:
    teacher = folder / "teacher.safetensors"
    settings = replace(
        settings_in(folder, "begun", 3),
        teacher=teacher,
        player=teacher,
        checkpoint=teacher,
        shard_cells=30_000,
        human_share=0.5,
        uses=2.0,
    )
    said = take(settings)
    assert "begins as a teacher of teacher.safetensors" in said
    card = (folder / "begun" / "go.md").read_text()
    assert "From the weights of a teacher of teacher.safetensors: " in card
    assert "No weights were taken over" not in card
    before, after = (
        read_network(path).planes.weights for path in (teacher, folder / "begun" / "go.safetensors")
    )
    assert 0 < np.abs(after - before).max() < 0.05
    resumed = take(replace(settings, steps=4))
    assert "goes on after 3 steps" in resumed
    assert "From the weights of a teacher" in (folder / "begun" / "go.md").read_text()


def test_a_player_plays_the_validation_games_too(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = {"teacher.safetensors": 0, "player.safetensors": 0}
    (folder / "player.safetensors").write_bytes((folder / "teacher.safetensors").read_bytes())

    def counting(path: Path, machine: Machine, threads: int) -> tuple[Network, str]:
        network, name = load_teacher(path, machine, threads)

        def counted(planes: torch.Tensor, globals_: torch.Tensor) -> Outputs:
            rows[path.name] += len(globals_)
            return network(planes, globals_)

        return counted, name

    monkeypatch.setattr(run_sources, "load_teacher", counting)
    settings = replace(
        settings_in(folder, "played", 1),
        games=(),
        held_out=None,
        teacher=folder / "teacher.safetensors",
        player=folder / "player.safetensors",
        shard_cells=3000,
        validation_rows=40,
    )
    take(settings)
    # By itself the teacher would play 8 games of 49 moves, in 2 orientations, for the validation.
    assert rows["teacher.safetensors"] < 2 * 8 * 49 / 2
    assert rows["player.safetensors"] > 2 * 8 * 49


def test_a_device_that_is_none_is_refused(folder: Path) -> None:
    with pytest.raises(SettingError, match="no device 'abacus'"):
        take(replace(settings_in(folder, "refused", 1), device="abacus"))


@pytest.mark.parametrize(
    ("setting", "file", "reason"),
    [
        ("checkpoint", "games/2016-06.zip", "is no checkpoint of a student"),
        ("held_out", "teacher.safetensors", "neither a Tygem zip nor a KGS tar.gz"),
        ("teacher", "games/2016-06.zip", "2016-06.zip"),
    ],
)
def test_a_file_of_another_kind_is_refused(
    folder: Path, setting: str, file: str, reason: str
) -> None:
    settings = GoRunSettings(**{**vars(settings_in(folder, "refused", 1)), setting: folder / file})
    with pytest.raises(SettingError, match=reason):
        take(settings)
