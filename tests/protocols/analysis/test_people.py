"""Human policies and personas in queries: KataGo's fields, and a persona's move."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from engine.games.table import Board
from engine.match.engine_player import SharedNetworks
from engine.networks.human_policy import HumanPolicy
from engine.play.networks import networks_of
from engine.values import Choice
from protocols.analysis.scheduler import Scheduler
from tests.support.analysis_talk import Json, Query, Talk

SIZE = 7


@pytest.fixture(scope="module")
def human() -> HumanPolicy:
    """The bundled network of human moves."""
    choice = networks_of("go", None, "auto", "auto").human_on(Board("go", SIZE, SIZE))
    assert choice is not None
    return HumanPolicy(SharedNetworks().network(choice).evaluator)


@pytest.fixture
def people(scheduler: Scheduler, human: HumanPolicy) -> Iterator[Talk]:
    yield (talk := Talk(scheduler, human=human))
    talk.outbox.close()


def profiled(name: str, **settings: Any) -> Json:
    """Settings with a profile, as KaTrain's human-like strategies ask for it."""
    return {"humanSLProfile": name, "ignorePreRootHistory": False, **settings}


def test_the_human_policy_of_a_profile_is_in_the_answer(
    people: Talk, query: Query, human: HumanPolicy
) -> None:
    moves = [["B", "D4"], ["W", "D3"]]
    (answer,) = people.ask(
        query(moves=moves, includePolicy=True, overrideSettings=profiled("preaz_9k"))
    )
    policy = np.array(answer["humanPolicy"])
    assert policy.shape == (SIZE * SIZE + 1,)
    assert policy[policy >= 0].sum() == pytest.approx(1, abs=1e-4)
    assert [index for index in range(SIZE * SIZE) if policy[index] == -1] == [24, 31]
    for move in answer["moveInfos"]:
        x, y = "ABCDEFG".find(move["move"][0]), SIZE - int(move["move"][1:] or 0) if (
            move["move"] != "pass"
        ) else 0  # fmt: skip
        index = SIZE * SIZE if move["move"] == "pass" else y * SIZE + x
        assert move["humanPrior"] == pytest.approx(policy[index], abs=1e-6)
    root = answer["rootInfo"]
    assert 0 <= root["humanWinrate"] <= 1
    assert root["humanScoreStdev"] > 0


def test_profiles_are_those_of_katago(people: Talk, query: Query) -> None:
    """The bundled network knows ranks, and neither years nor the time before AlphaGo."""
    policies: dict[tuple[float, ...], list[str]] = {}
    for name in (
        *("rank_9d", "proyear_1800", "proyear_2023"),
        *("rank_20k", "preaz_20k"),
        *("rank_3d_1k", "preaz_3d_1k"),
    ):
        (answer,) = people.ask(query(includePolicy=True, overrideSettings=profiled(name)))
        policies.setdefault(tuple(answer["humanPolicy"]), []).append(name)
    assert list(policies.values()) == [
        ["rank_9d", "proyear_1800", "proyear_2023"],
        ["rank_20k", "preaz_20k"],
        ["rank_3d_1k", "preaz_3d_1k"],
    ]


def test_the_win_rate_of_people_takes_the_view_of_the_answer(people: Talk, query: Query) -> None:
    rates = {}
    for view in ("BLACK", "WHITE", "SIDETOMOVE"):
        settings = profiled("rank_5k", reportAnalysisWinratesAs=view)
        moves = [["B", "D4"]]
        (answer,) = people.ask(query(moves=moves, overrideSettings=settings))
        rates[view] = answer["rootInfo"]["humanWinrate"]
    assert rates["BLACK"] == pytest.approx(1 - rates["WHITE"], abs=1e-5)
    assert rates["WHITE"] == rates["SIDETOMOVE"]


def test_without_a_profile_nothing_of_people_is_in_the_answer(people: Talk, query: Query) -> None:
    for settings in ({}, {"humanSLProfile": ""}):
        (answer,) = people.ask(query(includePolicy=True, overrideSettings=settings))
        assert "humanPolicy" not in answer
        assert "humanWinrate" not in answer["rootInfo"]
        assert "humanPrior" not in answer["moveInfos"][0]


@pytest.mark.parametrize("name", ["rank_99d", "9d", "proyear_1700", "rank_5k_", "preaz"])
def test_unknown_profiles_are_refused_in_words(people: Talk, query: Query, name: str) -> None:
    (answer,) = people.ask(query(overrideSettings=profiled(name)))
    assert answer["field"] == "overrideSettings"
    assert repr(name) in answer["error"]
    assert "rank_5k, rank_8.4k, preaz_3d_1k" in answer["error"]


def test_a_profile_without_a_human_network_is_refused(talk: Talk, query: Query) -> None:
    (answer,) = talk.ask(query(overrideSettings=profiled("rank_5k")))
    assert answer["error"].startswith("humanSLProfile needs a network of human moves")


@pytest.mark.parametrize("persona", ["full", "level:10k", "human:profile=rank_8k", "teacher"])
def test_a_persona_is_answered_with_its_move_and_the_reason(
    people: Talk, query: Query, persona: str
) -> None:
    (answer,) = people.ask(query(moves=[["B", "D4"], ["W", "D3"]], persona=persona))
    chosen = answer["persona"]
    assert chosen["name"] == persona
    assert chosen["move"] != "D4"
    assert chosen["reason"].endswith(".")
    assert len(answer["moveInfos"]) > 1, "the analysis is at full strength"


def test_a_persona_moves_at_every_turn_of_a_query(people: Talk, query: Query) -> None:
    answers = people.ask(
        query(moves=[["B", "D4"], ["W", "D3"]], analyzeTurns=[0, 1, 2], persona="full"), answers=3
    )
    assert {answer["turnNumber"] for answer in answers} == {0, 1, 2}
    assert all(answer["persona"]["reason"] for answer in answers)


def test_a_persona_that_resigns_says_so(
    people: Talk, query: Query, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "protocols.analysis.persona_of_query.persona_move",
        lambda *_arguments, **_more: Choice(None, "The game is lost."),
    )
    (answer,) = people.ask(query(persona="full"))
    assert answer["persona"] == {"name": "full", "move": "resign", "reason": "The game is lost."}


@pytest.mark.parametrize(
    ("persona", "text"),
    [
        ("fulll", "'full'"),
        ("level:99k", "99k"),
        ("/etc/passwd.toml", "files are not open"),
        (7, ""),
    ],
)
def test_personas_that_cannot_be_had_are_refused(
    people: Talk, query: Query, persona: object, text: str
) -> None:
    (answer,) = people.ask(query(persona=persona))
    assert answer["field"] == "persona"
    assert text in answer["error"]


def test_anti_mirror_favours_the_centre_against_a_mirroring_opponent(
    people: Talk, query: Query
) -> None:
    """The opponent has answered 14 moves at the opposite points; the priors are equal."""
    black = [f"{column}{row}" for row in (1, 2) for column in "ABCDEFG"]
    white = [f"{column}{row}" for row in (7, 6) for column in "GFEDCBA"]
    moves = [
        [color, at] for pair in zip(black, white, strict=True)
        for color, at in zip("BW", pair, strict=True)
    ]  # fmt: skip
    visits = {}
    for anti_mirror in (False, True):
        settings = {"antiMirror": anti_mirror}
        (answer,) = people.ask(query(moves=moves, maxVisits=60, overrideSettings=settings))
        visits[anti_mirror] = {move["move"]: move["visits"] for move in answer["moveInfos"]}
    assert visits[True]["D4"] > 2 * visits[False].get("D4", 0)
    (answer,) = people.ask(
        query(moves=moves[:20], maxVisits=60, overrideSettings={"antiMirror": True})
    )
    assert answer["rootInfo"]["visits"] == 60
