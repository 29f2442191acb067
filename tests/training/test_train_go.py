"""The trainings of Go on the command line: playing files, cards, continuation after a stop."""

from __future__ import annotations

import argparse
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest
import torch

from engine.errors import SettingError
from engine.networks.architecture import describe
from engine.networks.fresh import fresh_architecture
from engine.networks.runtime import read_network
from engine.networks.sparring import write_sparring
from engine.training import train_go, train_go_human
from engine.training.common.metrics import read_metrics
from engine.training.go import validation
from engine.training.go.positions import BoardShare
from engine.training.go.student import read_checkpoint, shape_of

LETTERS = "abcdefghijklmnopqrs"
TRAININGS = {"go": train_go, "go-human": train_go_human}
SMALL = "--blocks 2 --channels 12 --cells 800 --threads 1 --device cpu --exam-rows 40 --seed 5"


@pytest.fixture(autouse=True)
def small_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(train_go, "BOARDS", (BoardShare(7, 7, 1.0),))
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


def take(course: str, folder: Path, output: str, more: str) -> list[str]:
    """Runs a training; returns its messages."""
    parser = argparse.ArgumentParser()
    TRAININGS[course].configure(parser)
    games = f"--games {folder}/games --held-out {folder}/games/2016-07.zip"
    said: list[str] = []
    threads = torch.get_num_threads()
    options = parser.parse_args(f"{games} --output {folder}/{output} {SMALL} {more}".split())
    try:
        assert TRAININGS[course].run(options, said.append) == 0
    finally:
        torch.set_num_threads(threads)
    return said


def test_one_run_gives_two_networks_and_goes_on(folder: Path) -> None:
    teacher = f"--teacher {folder}/teacher.safetensors --chapter-cells 3000"
    said = take("go", folder, "whole", f"{teacher} --steps 30")
    assert "20 human games of 1 archives" in said[0]
    whole = folder / "whole"
    names = {path.name for path in whole.iterdir()}
    assert {"go.safetensors", "go-human.safetensors", "go.md", "go-human.md"} <= names
    networks = [read_network(whole / f"{name}.safetensors") for name in TRAININGS]
    assert [network.policy.channels for network in networks] == [1, 1]
    first, second = (network.policy.moves.weights for network in networks)
    assert not np.array_equal(first, second)
    assert np.array_equal(networks[0].planes.weights, networks[1].planes.weights)
    grades = json.loads((whole / "grades.json").read_text())
    assert set(grades["go"]["grades"]["boards"]) == {"7x7", "19x19, human games"}
    assert grades["go-human"]["grades"]["humans"][1]["moves"] == 160
    for name, network in zip(TRAININGS, networks, strict=True):
        card = (whole / f"{name}.md").read_text()
        assert f"{describe(network).parameters:,} parameters" in card
    assert "7x7" in (whole / "go.md").read_text()

    take("go", folder, "parts", f"{teacher} --steps 25")
    again = take("go", folder, "parts", f"{teacher} --steps 30")
    assert "goes on after 25 steps" in again
    assert read_checkpoint(folder / "parts" / "checkpoint.safetensors").progress.steps == 30
    rows = [row["step"] for row in read_metrics(folder / "parts")]
    assert rows == [25, 30]


def test_humans_are_imitated_without_a_teacher(folder: Path) -> None:
    take("go-human", folder, "alone", "--steps 2")
    names = {path.name for path in (folder / "alone").iterdir()}
    assert "go-human.safetensors" in names
    assert "go.safetensors" not in names
    card = (folder / "alone" / "go-human.md").read_text()
    assert "mean nothing" in card
    assert "| this network | 160 |" in card


def test_an_earlier_run_is_continued_by_another(folder: Path) -> None:
    take("go-human", folder, "first", "--steps 2")
    take(
        "go-human", folder, "second", f"--steps 1 --continue {folder}/first/checkpoint.safetensors"
    )
    begun = read_checkpoint(folder / "second" / "checkpoint.safetensors")
    assert (begun.student.totals.batches, begun.progress.steps) == (2, 1)


@pytest.mark.parametrize(
    ("course", "more", "reason"),
    [
        ("go-human", "--steps 0", "--steps 0: more than 0"),
        ("go-human", "--cool-down 1.5", "--cool-down 1.5: from 0 to 1"),
        ("go-human", "--device abacus", "no device 'abacus'"),
        ("go-human", "--continue {}/teacher.safetensors", "is no checkpoint of a student"),
        ("go-human", "--held-out {}/teacher.safetensors", "neither a Tygem zip nor a KGS tar.gz"),
        ("go", "--teacher {}/games/2016-06.zip", "2016-06.zip"),
    ],
)
def test_what_cannot_be_is_refused(folder: Path, course: str, more: str, reason: str) -> None:
    with pytest.raises(SettingError) as refusal:
        take(course, folder, "refused", more.format(folder))
    assert reason in str(refusal.value)
