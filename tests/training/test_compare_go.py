"""The comparison of networks of Go: the same positions, the teacher's own judgement best."""

from __future__ import annotations

import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from safetensors.torch import load_file, save_file

from engine.errors import SettingError
from engine.networks.fresh import fresh_architecture
from engine.networks.sparring import write_sparring
from engine.training.compare_go import GoComparisonSettings, compare_go
from engine.training.go import validation
from engine.training.go.positions import BoardShare
from engine.training.go.student import shape_of
from engine.training.go.validation import HUMAN_BOARD
from tests.training.test_train_go import line


@pytest.fixture(name="settings")
def settings_with_three_networks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> GoComparisonSettings:
    boards = (BoardShare(9, 9, 1.0), BoardShare(7, 7, 1.0))
    monkeypatch.setattr(validation, "VALIDATION_BOARDS", boards)
    for seed, name in ((1, "teacher"), (2, "first"), (1, "second")):
        network = fresh_architecture(f"the {name}", shape_of(2, 12), np.random.default_rng(seed))
        write_sparring(tmp_path / f"{name}.safetensors", network, {})
    rng = np.random.default_rng(1)
    with zipfile.ZipFile(tmp_path / "2016-07.zip", "w") as archive:
        archive.writestr("2016-07", "\n".join(f"{at}\t{line(rng)}" for at in range(6)))
    return GoComparisonSettings(
        networks=(tmp_path / "first.safetensors", tmp_path / "second.safetensors"),
        teacher=tmp_path / "teacher.safetensors",
        held_out=tmp_path / "2016-07.zip",
        samples=tmp_path / "samples.safetensors",
        positions=40,
    )


def test_networks_are_measured_on_the_same_positions(settings: GoComparisonSettings) -> None:
    said: list[str] = []
    metrics = compare_go(settings, said.append)
    first, second, teacher = metrics.values()
    assert set(first.boards) == {"7x7", "9x9", HUMAN_BOARD}
    assert second == teacher  # the same weights
    assert first.boards != second.boards
    assert first.humans[1].moves == 48
    assert "judged by the teacher in two orientations" in said[0]
    assert f"| 9x9 | {settings.networks[1]} | {second.boards['9x9']['policy_kl']:.3f} |" in said[1]
    assert f"| {settings.networks[0]} | 48 |" in said[2]
    assert said[1].index("9x9") < said[1].index(HUMAN_BOARD)


def test_kept_judgements_serve_another_comparison(settings: GoComparisonSettings) -> None:
    before = compare_go(settings, lambda _: None)
    swapped = replace(settings, networks=settings.networks[::-1], positions=7)
    again = compare_go(swapped, lambda _: None)
    assert again == before
    fresh = compare_go(replace(swapped, samples=None), lambda _: None)
    assert fresh != before


def test_judgements_of_an_earlier_release_serve_too(settings: GoComparisonSettings) -> None:
    before = compare_go(settings, lambda _: None)
    assert settings.samples is not None
    tensors = load_file(settings.samples)
    save_file(
        {name: part for name, part in tensors.items() if not name.endswith("/ranks")},
        settings.samples,
    )
    assert compare_go(settings, lambda _: None) == before


def test_a_file_without_judgements_is_refused(settings: GoComparisonSettings) -> None:
    wrong = replace(settings, samples=settings.teacher)
    with pytest.raises(SettingError, match=r"teacher\.safetensors holds no judged positions"):
        compare_go(wrong, lambda _: None)
