"""Several networks of human ratings as one: interpolation, the ends, faults of the folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.games.evaluator import Evaluator
from engine.networks.architecture import NetworkFileError
from engine.networks.human_policy import HumanPolicy, check_profile
from engine.networks.human_rating import HIGHEST
from engine.networks.rated_networks import RatedEvaluator, blend_at, rated_files, rating_of
from engine.networks.runtime import load_evaluator
from tests.support.networks import lc0_writer
from tests.support.networks.lc0_writer import SHAPES

RATINGS = (1100, 1500, 1900)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("maia")
    for seed, rating in enumerate(RATINGS):
        lc0_writer.write(folder / f"maia-{rating}.pb.gz", SHAPES["squeezed"], seed)
    (folder / "notes.txt").write_text("not a network")
    return folder


@pytest.fixture(scope="module")
def together(folder: Path) -> Evaluator:
    return load_evaluator(folder, precision="fp32")


def outputs(evaluator: Evaluator, ratings: list[float]) -> tuple[NDArray[Any], NDArray[Any]]:
    """The logits of policy and value of one row each, with these inputs about the players."""
    slot = evaluator.open(8, 8, len(ratings))
    rng = np.random.default_rng(7)
    slot.spatial[:] = rng.integers(0, 2, slot.spatial.shape[1:], np.uint8)
    if evaluator.network.uses_metadata:
        slot.metadata[:, 0] = ratings
    slot.start(len(ratings))
    slot.wait()
    return slot.policy.copy(), slot.value.copy()


def test_the_networks_of_a_folder_are_found_by_their_names(folder: Path) -> None:
    assert list(rated_files(folder)) == [1100, 1500, 1900]
    assert rated_files(folder / "maia-1500.pb.gz") == {1500: folder / "maia-1500.pb.gz"}
    assert rated_files(folder / "notes.txt") == {}
    assert rating_of(Path("T1-256x10.pb.gz")) is None


def test_a_folder_without_networks_is_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(NetworkFileError, match=r"maia-1500\.pb\.gz"):
        load_evaluator(tmp_path)


def test_each_rating_is_its_own_network_and_between_two_both_count(
    folder: Path, together: Evaluator
) -> None:
    policy, value = outputs(together, [1100, 1500, 1900, 1200, HIGHEST, 2400])
    alone = [
        outputs(load_evaluator(folder / f"maia-{each}.pb.gz", precision="fp32"), [each])
        for each in RATINGS
    ]
    for row, (own_policy, own_value) in enumerate(alone):
        np.testing.assert_allclose(policy[row], own_policy[0], atol=1e-5)
        np.testing.assert_allclose(value[row], own_value[0], atol=1e-5)
    between = 0.75 * alone[0][0][0] + 0.25 * alone[1][0][0]
    np.testing.assert_allclose(policy[3], between, atol=1e-5)
    np.testing.assert_allclose(value[3], 0.75 * alone[0][1][0] + 0.25 * alone[1][1][0], atol=1e-5)
    assert np.array_equal(policy[4], policy[2])
    assert np.array_equal(policy[5], policy[2])


def test_below_the_lowest_rating_the_policy_flattens(folder: Path) -> None:
    alone = load_evaluator(folder / "maia-1500.pb.gz", precision="fp32")
    policy, _ = outputs(alone, [1500, 1100, 500])
    np.testing.assert_allclose(policy[1], 0.86 * policy[0], atol=1e-5)
    assert np.abs(policy[2]).sum() < np.abs(policy[1]).sum()


def test_policies_change_without_a_jump() -> None:
    rises = [blend_at(rating, (1100.0, 1500.0, 1900.0)) for rating in range(900, 2000)]
    weights = [
        np.eye(3)[each.lower] * (1 - each.share) * each.scale + np.eye(3)[each.upper] * each.share
        for each in rises
    ]
    assert max(np.abs(np.diff(weights, axis=0)).max(axis=1)) < 0.01


def test_a_human_policy_is_of_a_rating(together: Evaluator) -> None:
    pytest.importorskip("chess", reason="needs python-chess: sparring[chess]")
    from engine.games.chess_position import ChessPosition  # noqa: PLC0415 (an optional module)

    people, start = HumanPolicy(together), ChessPosition()
    at = people.policy_at(start, (1500.0, 1100.0))
    assert at.sum() == pytest.approx(1)
    assert np.array_equal(at, people.policy(start, "rating_1500"))
    assert np.array_equal(people.policy(start), people.policy(start, "rating_1900"))
    assert not np.allclose(at, people.policy(start))
    with pytest.raises(ValueError, match="rating 0 is not"):
        people.policy_at(start, (0.0, 0.0))


@pytest.mark.parametrize("name", ["rating_", "rating_0", "rating_99999", "rating_x", "rank_99k"])
def test_unknown_profiles_are_quoted(name: str) -> None:
    with pytest.raises(ValueError, match=name):
        check_profile(name)


def test_the_description_is_of_all_networks(folder: Path, together: Evaluator) -> None:
    assert isinstance(together, RatedEvaluator)
    one = load_evaluator(folder / "maia-1900.pb.gz")
    assert together.network.name == "maia-1100..1900"
    assert together.network.parameters == 3 * one.network.parameters
    assert together.network.digest != one.network.digest
    assert one.network.name == "maia-1900"
