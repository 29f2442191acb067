"""The optimistic policy: its share at the root and below, and the evaluations that it separates."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine._core import EvaluationCache, GoPosition, GoRules
from engine.search.search import Search, SearchSettings
from engine.values import Limit
from tests.support.gtp_conversation import Conversation
from tests.support.stand_in import StandInEvaluator, StandInSlot, drawn_from_stones

ROOT, BELOW = 0.2, 1.0  # KataGo's
SYMMETRIES = 4  # of the root


class Recorder(StandInEvaluator):
    """An evaluator that records the optimism of each row; its optimistic policy likes passing."""

    def __init__(self, *, policies: int = 2, metadata: int = 0) -> None:
        super().__init__(self._blend)
        self.network = replace(self.network, policies=policies, metadata=metadata)
        self.shares: list[float] = []

    def _blend(self, slot: StandInSlot, row: int) -> None:
        drawn_from_stones(slot, row)
        share = float(slot.optimism[row])
        self.shares.append(round(share, 6))
        slot.policy[row, -1] += 3 * share


def make(evaluator: StandInEvaluator, **settings: float) -> Search:
    chosen = SearchSettings()
    for name, value in settings.items():
        setattr(chosen, name, value)
    search = Search(evaluator, chosen, seed=7)
    search.set_position(GoPosition(9, 9, GoRules(), 7.5))
    return search


def test_the_root_takes_a_fifth_and_the_nodes_below_all_of_it() -> None:
    evaluator = Recorder()
    make(evaluator).run(Limit(visits=40))
    assert evaluator.shares[:SYMMETRIES] == [ROOT] * SYMMETRIES
    assert len(evaluator.shares) > 20
    assert set(evaluator.shares[SYMMETRIES:]) == {BELOW}


@pytest.mark.parametrize(
    ("settings", "root", "below"),
    [
        ({"policy_optimism": 0.5}, 0.2, 0.5),
        ({"policy_optimism": 0.1}, 0.1, 0.1),  # the root's is never more by itself
        ({"policy_optimism": 0.1, "root_policy_optimism": 0.7}, 0.7, 0.1),
        ({"root_policy_optimism": 0.0}, 0.0, 1.0),
    ],
)
def test_both_shares_are_settings(settings: dict[str, float], root: float, below: float) -> None:
    evaluator = Recorder()
    search = make(evaluator, **settings)
    assert search.settings.root_policy_optimism == root
    search.run(Limit(visits=20))
    assert set(evaluator.shares[:SYMMETRIES]) == {root}
    assert set(evaluator.shares[SYMMETRIES:]) == {below}


@pytest.mark.parametrize(("policies", "metadata"), [(1, 0), (2, 192)])
def test_networks_of_one_policy_or_of_human_games_take_none(policies: int, metadata: int) -> None:
    evaluator = Recorder(policies=policies, metadata=metadata)
    make(evaluator).run(Limit(visits=20))
    assert set(evaluator.shares) == {0.0}


def followed(search: Search) -> None:
    """Searches, follows the best line by two moves and searches one playout more."""
    report = search.run(Limit(visits=60))
    assert report.best is not None
    moves = report.best.pv[:2]
    position = GoPosition(9, 9, GoRules(), 7.5)
    for move in moves:
        position.play(move)
    search.set_position(position, moves)
    assert search.visits > 0
    search.run(Limit(playouts=1))


def test_a_node_is_evaluated_again_when_it_becomes_the_root() -> None:
    evaluator = Recorder()
    search = make(evaluator, root_symmetries=1)
    followed(search)
    assert evaluator.shares.count(ROOT) == 2


@pytest.mark.parametrize(
    ("policies", "settings"), [(1, {}), (2, {"policy_optimism": 1.0, "root_policy_optimism": 1.0})]
)
def test_it_is_not_where_the_root_has_the_same_policy(
    policies: int, settings: dict[str, float]
) -> None:
    evaluator = Recorder(policies=policies)
    search = make(evaluator, root_symmetries=1, **settings)
    search.run(Limit(visits=60))
    rows = evaluator.rows
    followed(search)
    assert evaluator.rows <= rows + 1  # the one playout more


def evaluated(cache: EvaluationCache, policies: int, **settings: float) -> int:
    """The rows evaluated by a search with this cache."""
    evaluator = Recorder(policies=policies)
    chosen = SearchSettings()
    for name, value in settings.items():
        setattr(chosen, name, value)
    search = Search(evaluator, chosen, cache, seed=7)
    search.set_position(GoPosition(9, 9, GoRules(), 7.5))
    search.run(Limit(visits=40))
    return evaluator.rows


@pytest.mark.parametrize(
    ("policies", "settings", "is_shared"),
    [
        (2, {}, True),
        (2, {"root_policy_optimism": 0.7}, True),  # roots are never in the cache
        (2, {"policy_optimism": 0.5}, False),
        (1, {"policy_optimism": 0.5}, True),
        (1, {"policy_temperature": 2.0}, False),
    ],
)
def test_the_cache_separates_policies_that_differ(
    policies: int, settings: dict[str, float], *, is_shared: bool
) -> None:
    cache = EvaluationCache(1000)
    first = evaluated(cache, policies)
    second = evaluated(cache, policies, **settings)
    assert (second < first) == is_shared


def test_another_optimism_searches_other_moves() -> None:
    limit = Limit(visits=80)
    visits = [
        {
            move.move: move.visits
            for move in make(Recorder(), policy_optimism=share).run(limit).moves
        }
        for share in (0.0, 1.0)
    ]
    assert visits[0] != visits[1]


def test_the_parameters_of_katago_set_both_shares() -> None:
    conversation = Conversation(evaluator=Recorder())
    assert conversation.say("kata-get-param policyOptimism") == "1.0"
    assert conversation.say("kata-get-param rootPolicyOptimism") == "0.2"
    conversation.say("kata-set-param policyOptimism 0.05")
    assert conversation.say("kata-get-param rootPolicyOptimism") == "0.05"
    conversation.say("kata-set-param rootPolicyOptimism 0.25")
    assert conversation.session.settings.search.policy_optimism == 0.05
    assert conversation.session.settings.search.root_policy_optimism == 0.25
    assert "policyOptimism" in conversation.refused("kata-set-param policyOptimism 1.5")


def test_raw_outputs_have_the_optimism_of_the_root_or_the_one_named() -> None:
    evaluator = Recorder()
    conversation = Conversation(evaluator=evaluator)
    usual = conversation.say("kata-raw-nn 0")
    assert usual == conversation.say("kata-raw-nn 0 0.2")
    assert usual != conversation.say("kata-raw-nn 0 0")
    conversation.say("kata-set-param rootPolicyOptimism 0.6")
    assert conversation.say("kata-raw-nn b 0") == conversation.say("kata-raw-nn b 0 .6")
    assert evaluator.shares == [0.2, 0.2, 0.0, 0.6, 0.6]
    human = Recorder(metadata=192)
    Conversation(evaluator=human).say("kata-raw-nn 0 1")
    assert human.shares == [0.0]


def test_a_policy_of_the_root_is_the_blend() -> None:
    priors = []
    for share in (0.0, 1.0):
        search = make(Recorder(), root_policy_optimism=share)
        search.run(Limit(visits=1))
        priors.append(float(search.tree.policy()[-1]))
    odds = [prior / (1 - prior) for prior in priors]
    assert odds[1] / odds[0] == pytest.approx(np.exp(3), rel=0.05)
