"""The comparison of human policies by rank: rows for each group, ranks by one that knows them."""

from __future__ import annotations

import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.errors import SettingError
from engine.networks.fresh import fresh_architecture
from engine.networks.human_profile import INPUTS
from engine.networks.sparring import write_sparring
from engine.training import compare_go_human as module
from engine.training.compare_go_human import HumanComparisonSettings, compare_go_human
from engine.training.go.student import shape_of
from tests.support.training.ranked_records import write_kgs
from tests.training.test_train_go import line


@pytest.fixture(name="settings")
def settings_with_two_networks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> HumanComparisonSettings:
    monkeypatch.setattr(module, "GAMES", (1, 2))
    for name, metadata in (("blind", 0), ("ranked", INPUTS)):
        shape = replace(shape_of(2, 12), metadata=metadata)
        network = fresh_architecture(name, shape, np.random.default_rng(2))
        write_sparring(tmp_path / f"{name}.safetensors", network, {})
    write_kgs(tmp_path / "KGS.tar.gz", [("12k", "6d"), ("2k", "8d")] * 40)
    rng = np.random.default_rng(1)
    with zipfile.ZipFile(tmp_path / "2016-07.zip", "w") as archive:
        archive.writestr("2016-07", "\n".join(f"{at}\t{line(rng)}" for at in range(6)))
    return HumanComparisonSettings(
        networks=(tmp_path / "blind.safetensors", tmp_path / "ranked.safetensors"),
        games=(tmp_path,),
        cache=tmp_path / "games.npz",
        held_out=tmp_path / "2016-07.zip",
        moves=16,
        games_a_rank=1,
    )


def test_networks_are_compared_by_rank_and_tell_ranks(settings: HumanComparisonSettings) -> None:
    said: list[str] = []
    result = compare_go_human(settings, said.append)
    assert list(result.groups) == ["14k..10k", "4k..1k", "4d..6d", "7d..9d", "9d, 2016-07.zip"]
    blind, ranked = (str(path) for path in settings.networks)
    for networks in result.groups.values():
        assert networks[blind].gain == 0
        assert networks[ranked].gain != 0
        assert networks[ranked].probability == pytest.approx(
            networks[blind].probability * np.exp(networks[ranked].gain)
        )
    assert list(result.ranks) == [ranked]  # the other one knows no ranks
    assert list(result.ranks[ranked]) == [1, 2]
    assert said[0].startswith("80 games, ")
    assert f"| 4k..1k | 16 of 2 games | {blind} |" in said[1]
    assert f"by {ranked}:" in said[2]
    assert f"| {result.ranks[ranked][1].error:.1f} |" in said[2]


def test_estimates_may_be_left_out(settings: HumanComparisonSettings) -> None:
    said: list[str] = []
    result = compare_go_human(replace(settings, games_a_rank=0), said.append)
    assert result.ranks == {}
    assert len(said) == 2


def test_a_file_that_is_no_network_is_refused(settings: HumanComparisonSettings) -> None:
    with pytest.raises(SettingError, match=r"2016-07\.zip"):
        compare_go_human(replace(settings, networks=(settings.games[0] / "2016-07.zip",)), print)
