"""A network of several policies, reduced to one for shipping."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.networks.checks import check
from engine.networks.description import describe
from engine.networks.fresh import fresh_architecture
from engine.networks.one_policy import one_policy
from tests.support.networks import plain_forward
from tests.support.networks.shapes import SMALL, drawn, positions


@pytest.mark.parametrize("policy", [0, 1])
@pytest.mark.parametrize("game", ["go", "othello", "connect4"])
def test_it_plays_by_one_channel_and_is_else_the_same(game: str, policy: int) -> None:
    rng = np.random.default_rng(4)
    shape = replace(SMALL, game=game, policies=2)
    learned = drawn(fresh_architecture("learned", shape, rng), rng)
    shipped = one_policy(learned, policy)
    check(shipped)
    assert (describe(learned).policies, describe(shipped).policies) == (2, 1)
    spatial, globals_, _ = positions(learned, rng, 1, 6, 7)
    expected, other = (
        plain_forward.forward(learned, spatial[0], globals_[0], optimism=optimism)
        for optimism in (policy, 1 - policy)
    )
    found = plain_forward.forward(shipped, spatial[0], globals_[0])
    for shipped_output, learned_output in zip(found, expected, strict=True):
        np.testing.assert_allclose(shipped_output, learned_output, rtol=1e-12)
    assert not np.allclose(expected[0], other[0])
