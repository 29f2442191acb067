"""The human policy: of any network, and of one with a profile input."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine._core import GoPosition, GoRules
from engine.games.evaluator import Evaluator
from engine.networks.human_policy import USUAL_PROFILE, HumanPolicy
from engine.networks.runtime import load_evaluator
from tests.support.networks import shapes
from tests.support.networks.katago_writer import katago_file
from tests.support.stand_in import StandInEvaluator


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Evaluator:
    """A network of drawn weights from a file as KataGo's human networks have it."""
    path: Path = tmp_path_factory.mktemp("networks") / "human.bin.gz"
    path.write_bytes(katago_file(shapes.network("version 15, metadata")))
    return load_evaluator(path, precision="fp32")


def test_a_policy_is_of_the_legal_moves() -> None:
    position = GoPosition(5, 5, GoRules())
    position.play(12)
    policy = HumanPolicy(StandInEvaluator()).policy(position)
    assert policy.shape == (26,)
    assert policy[12] == 0
    assert policy.sum() == pytest.approx(1)


def test_a_human_network_gets_the_profile(told: Evaluator) -> None:
    assert told.network.uses_metadata
    reference, position = HumanPolicy(told), GoPosition(9, 9, GoRules())
    usual = reference.policy(position)
    assert np.array_equal(usual, reference.policy(position, USUAL_PROFILE))
    for profile in ("rank_20k", "preaz_9d", "proyear_1900"):
        assert not np.allclose(usual, reference.policy(position, profile), atol=1e-4)
    with pytest.raises(ValueError, match="'rank_30k'"):
        reference.policy(position, "rank_30k")


def test_the_side_to_moves_rank_comes_first(told: Evaluator) -> None:
    """The same stones to the mover: only the ranks differ."""
    reference = HumanPolicy(told)
    black, white = GoPosition(9, 9, GoRules(), 0.0), GoPosition(9, 9, GoRules(), 0.0)
    white.to_move = 1
    ours = reference.policy(black, "rank_20k_9d")
    assert np.allclose(ours, reference.policy(white, "rank_9d_20k"), atol=1e-5)
    assert not np.allclose(ours, reference.policy(white, "rank_20k_9d"), atol=1e-4)


def test_ranks_may_be_asked_for_by_number(told: Evaluator) -> None:
    """The numbers are of the side to move and of its opponent, whatever its color."""
    reference = HumanPolicy(told)
    for to_move, profile in ((0, "rank_20k_9d"), (1, "rank_9d_20k")):
        position = GoPosition(9, 9, GoRules())
        position.to_move = to_move
        named = reference.policy(position, profile)
        assert np.array_equal(reference.policy_at(position, ranks=(29, 1)), named)
        between = reference.policy_at(position, ranks=(28.5, 1))
        assert not np.allclose(between, named, atol=1e-5)
        assert between.sum() == pytest.approx(1)


def test_a_network_without_profiles_ignores_ranks() -> None:
    position, reference = GoPosition(5, 5, GoRules()), HumanPolicy(StandInEvaluator())
    assert np.array_equal(reference.policy_at(position, ranks=(29, 1)), reference.policy(position))
