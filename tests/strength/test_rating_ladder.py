from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.games.evaluator import Multipliers, NetworkDescription
from engine.games.table import Board
from engine.networks.description import describe
from engine.networks.rollout_evaluator import RolloutEvaluator
from engine.networks.runtime import read_network
from engine.opponents.tracker import stranger_on
from engine.play.networks import networks_of
from engine.strength.level import RANDOM, Level
from engine.strength.rating_ladder import (
    BUNDLED,
    LadderFileError,
    Mixture,
    RatingLadder,
    Rung,
    ladder_for,
    read_ladder,
    users_path,
    write_ladder,
)
from engine.strength.settings_curve import WITH_ENGINE

BOARD = Board("othello", 8, 8)
NETWORK = NetworkDescription(
    name="mine/1",
    version=8,
    trunk="none",
    parameters=7,
    planes=5,
    globals=3,
    metadata=0,
    policies=1,
    multipliers=Multipliers(),
    game="othello",
)
LADDER = RatingLadder(
    board=BOARD,
    network="mine/1",
    parameters=7,
    games=600,
    rungs=(
        Rung(-120.0, 20.0, Level(index=-1.0)),
        Rung(0.0, 10.0, RANDOM),
        Rung(100.0, 10.0, Level(index=0.0, greed=1.0)),
        Rung(210.0, 15.0, Level(visits=8, index=2.0)),
    ),
    evidence={"scale": [1.0, 2.0]},
)


def test_a_ladder_survives_being_written(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "mine.json"
    write_ladder(LADDER, path)
    assert read_ladder(path) == LADDER


def test_a_ladder_names_the_network_of_human_moves(tmp_path: Path) -> None:
    rungs = (*LADDER.rungs, Rung(300.0, 15.0, Level(rank=20.0)))
    ladder = replace(LADDER, rungs=rungs, human_network="people", human_digest="0123456789abcdef")
    path = tmp_path / "mine.json"
    write_ladder(ladder, path)
    assert read_ladder(path) == ladder
    assert json.loads(path.read_text())["human"] == {
        "network": "people",
        "digest": "0123456789abcdef",
    }
    assert ladder.needs_people
    # A ladder made without people has none in its file, as before.
    assert "human" not in json.loads(LADDER.to_json())
    assert not LADDER.needs_people


def test_blind_levels_lie_below_the_lowest_with_a_policy() -> None:
    ladder = read_ladder(BUNDLED / "go9.json")
    assert {rung.level.is_blind for rung in ladder.rungs if rung.elo < ladder.lowest_sighted} == {
        True
    }
    assert ladder.at(ladder.lowest_sighted).lower.needs_people


def test_levels_with_an_engine_have_a_ladder_of_their_own(tmp_path: Path) -> None:
    bundled, users = tmp_path / "bundled", tmp_path / "users"
    with_engine = replace(NETWORK, has_engine=True)

    def ladders() -> list[RatingLadder]:
        both = NETWORK, with_engine
        return [ladder_for(BOARD, each, bundled=bundled, users=users) for each in both]

    write_ladder(LADDER, bundled / "othello8.json")
    assert ladders() == [LADDER, replace(LADDER, games=0, provisional=True)]
    other = replace(LADDER, engine="stockfish", games=9)
    write_ladder(other, bundled / "othello8-engine.json")
    assert ladders() == [LADDER, other]
    path = users_path(BOARD, with_engine, users)
    assert path != users_path(BOARD, NETWORK, users)
    write_ladder(replace(other, games=10), path)
    assert [each.games for each in ladders()] == [LADDER.games, 10]


def test_strength_between_rungs_is_continuous_and_monotone() -> None:
    rungs = LADDER.rungs
    strengths = []
    for elo in np.arange(-200, 300, 2.5):
        mixture = LADDER.at(elo)
        number = next(n for n, rung in enumerate(rungs) if rung.level == mixture.lower)
        assert mixture.upper == rungs[number + 1].level
        low, high = rungs[number].elo, rungs[number + 1].elo
        strengths.append(low + mixture.share * (high - low))
    steps = np.diff(strengths)
    assert (steps >= -1e-9).all()
    assert steps.max() <= 2.5 + 1e-9  # no jump, even with a change of both rungs
    assert strengths[0] == LADDER.lowest
    assert strengths[-1] == LADDER.highest


@pytest.mark.parametrize(("share", "blind"), [(0.0, True), (0.1, False), (1.0, False)])
def test_a_mixture_is_blind_if_each_of_its_levels_in_use_is(share: float, blind: bool) -> None:
    assert Mixture(RANDOM, Level(), share).is_blind is blind
    assert Mixture(RANDOM, Level(index=0.0, greed=1.0), share).is_blind
    assert not Mixture(Level(), RANDOM, share).is_blind


def test_a_mixture_draws_each_by_its_share() -> None:
    mixture = LADDER.at(25.0)
    assert (mixture.lower, mixture.share) == (RANDOM, 0.25)
    rng = np.random.default_rng(1)
    drawn = [mixture.draw(rng) for _ in range(2000)]
    assert drawn.count(mixture.upper) + drawn.count(RANDOM) == 2000
    assert drawn.count(mixture.upper) == pytest.approx(500, abs=80)  # four deviations
    assert {LADDER.at(-500).draw(rng), LADDER.at(-120).draw(rng)} == {LADDER.rungs[0].level}
    assert LADDER.at(9000).draw(rng) == LADDER.rungs[-1].level


def without(values: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in values.items() if key != name}


GOOD: dict[str, Any] = json.loads(LADDER.to_json())
RUNG = GOOD["rungs"][1]
WRONG_FILES: dict[str, tuple[str, Any]] = {
    "not JSON": ("not JSON", "{"),
    "a list": ("kind", []),
    "another file": ("kind", {"kind": "opponent"}),
    "a later version": ("version", GOOD | {"version": 2}),
    "no board": ("board", without(GOOD, "board")),
    "no such game": ("board: .*shogi", GOOD | {"board": GOOD["board"] | {"game": "shogi"}}),
    "no such size": ("board: .*7x8", GOOD | {"board": GOOD["board"] | {"width": 7}}),
    "a number for a name": ("network", GOOD | {"network": 5}),
    "words for a count": ("games", GOOD | {"games": "many"}),
    "no rungs": ("rungs", GOOD | {"rungs": []}),
    "a rung without strength": (
        "rungs: number 0: elo",
        GOOD | {"rungs": [without(RUNG, "elo"), RUNG]},
    ),
    "a rung that is none": ("rungs: number 1: level", GOOD | {"rungs": [RUNG, 5]}),
    "a level's unknown field": (
        "rungs: number 0: 'sight'",
        GOOD | {"rungs": [RUNG | {"level": {"sight": 1}}, RUNG]},
    ),
    "falling rungs": ("rungs: .*rise", GOOD | {"rungs": GOOD["rungs"][::-1]}),
    "random play elsewhere": ("rungs: none", GOOD | {"rungs": GOOD["rungs"][2:]}),
    "people that are none": ("human", GOOD | {"human": "people"}),
    "people without a digest": ("digest", GOOD | {"human": {"network": "people"}}),
    "evidence that is none": ("evidence", GOOD | {"evidence": [1]}),
}


@pytest.mark.parametrize(("said", "values"), WRONG_FILES.values(), ids=list(WRONG_FILES))
def test_wrong_files_are_named_with_the_field(tmp_path: Path, said: str, values: Any) -> None:
    path = tmp_path / "wrong.json"
    path.write_text(values if isinstance(values, str) else json.dumps(values))
    with pytest.raises(LadderFileError, match=f"wrong.json.*{said}"):
        read_ladder(path)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(LadderFileError, match=r"absent\.json"):
        read_ladder(tmp_path / "absent.json")


def test_the_users_own_ladder_comes_first(tmp_path: Path) -> None:
    bundled, users = tmp_path / "bundled", tmp_path / "users"

    def found(network: NetworkDescription = NETWORK) -> RatingLadder:
        return ladder_for(BOARD, network, bundled=bundled, users=users)

    guess = found()
    assert guess.provisional
    assert (guess.network, guess.games) == ("mine/1", 0)
    write_ladder(LADDER, bundled / "othello8.json")
    assert found() == LADDER
    other = found(replace(NETWORK, name="yours"))
    assert (other.provisional, other.network, other.rungs) == (True, "yours", LADDER.rungs)
    assert found(replace(NETWORK, parameters=8)).provisional  # another one of that name
    own = replace(LADDER, games=900)
    write_ladder(own, users_path(BOARD, NETWORK, users))
    assert found() == own


def test_networks_of_one_name_and_size_have_ladders_of_their_own(tmp_path: Path) -> None:
    bundled, users = tmp_path / "bundled", tmp_path / "users"
    one, other = (replace(NETWORK, digest=digest) for digest in ("0a1b", "2c3d"))

    def found(network: NetworkDescription) -> RatingLadder:
        return ladder_for(BOARD, network, bundled=bundled, users=users)

    write_ladder(LADDER, bundled / "othello8.json")
    assert not found(one).provisional  # that ladder has no digest
    write_ladder(replace(LADDER, digest="0a1b"), bundled / "othello8.json")
    assert not found(one).provisional
    assert (found(other).provisional, found(other).digest) == (True, "2c3d")
    for network in (one, other):
        own = replace(LADDER, digest=network.digest, games=len(network.digest))
        write_ladder(own, users_path(BOARD, network, users))
    assert [found(network).digest for network in (one, other)] == ["0a1b", "2c3d"]
    assert not found(other).provisional


def test_a_file_from_before_there_were_digests_can_be_read(tmp_path: Path) -> None:
    values = json.loads(replace(LADDER, digest="0a1b").to_json())
    del values["digest"]
    assert RatingLadder.from_json(json.dumps(values)) == LADDER


@pytest.mark.parametrize("board", [Board("connect4", 7, 6), BOARD, Board("go", 9, 9)])
def test_every_game_has_a_provisional_ladder(board: Board, tmp_path: Path) -> None:
    network = replace(NETWORK, game=board.game)
    ladder = ladder_for(board, network, bundled=tmp_path, users=tmp_path)
    assert ladder.provisional
    assert ladder.lowest < 0 < ladder.highest
    assert not replace(ladder, provisional=False).provisional


PATHS = sorted(BUNDLED.glob("*.json"))
USERS_OWN = ("chess", "chess-engine")  # their networks are not bundled


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_bundled_ladders_can_be_read(path: Path) -> None:
    ladder = read_ladder(path)
    assert ladder.board.name + (WITH_ENGINE if ladder.engine else "") == path.stem
    assert not ladder.provisional
    assert ladder.games > 0
    assert bool(ladder.human_network) is ladder.needs_people


@pytest.mark.parametrize(
    "path", [each for each in PATHS if each.stem not in USERS_OWN], ids=lambda path: path.stem
)
def test_bundled_ladders_are_those_of_the_bundled_networks(path: Path) -> None:
    ladder = read_ladder(path)
    weights = networks_of(ladder.board.game).on(ladder.board).path
    network = (
        RolloutEvaluator(ladder.board.game).network
        if weights is None
        else describe(read_network(weights))
    )
    told = (ladder.network, ladder.parameters, ladder.digest)
    assert told == (network.name, network.parameters, network.digest)
    people = networks_of(ladder.board.game).human_on(ladder.board)
    if ladder.needs_people:
        assert people is not None
        assert people.path is not None
        human = describe(read_network(people.path))
        assert (ladder.human_network, ladder.human_digest) == (human.name, human.digest)


def changed(**fields: object) -> str:
    return json.dumps({**json.loads(LADDER.to_json()), **fields})


def with_rung(number: int, **fields: object) -> str:
    rungs = json.loads(LADDER.to_json())["rungs"]
    rungs[number].update(fields)
    return changed(rungs=rungs)


WRONG_USER_FILES = {
    "garbage": "{",
    "empty": "",
    "a list": "[]",
    "null": "null",
    "half a file": LADDER.to_json()[:200],
    "no text": "\x00\xff",
    "deep": "[" * 100_000,
    "many digits": "1" * 5000,
    "an Elo as text": with_rung(0, elo="x"),
    "an Elo beyond floats": with_rung(0, elo=10**400),
    "an infinite Elo": with_rung(-1, elo=math.inf),
    "a far Elo": with_rung(-1, elo=1e9),
    "no Elo": with_rung(0, elo=math.nan),
    "an error below 0": with_rung(0, error=-1.0),
    "no error": with_rung(0, error=math.nan),
    "falling": changed(rungs=json.loads(LADDER.to_json())["rungs"][::-1]),
    "one rung": changed(rungs=json.loads(LADDER.to_json())["rungs"][:1]),
    "no rungs": changed(rungs=[]),
    "a rung that is none": changed(rungs=[7, []]),
    "one Elo": changed(
        rungs=[{**each, "elo": 0.0} for each in json.loads(LADDER.to_json())["rungs"]]
    ),
    "a level as a list": with_rung(1, level=[]),
    "an unknown setting": with_rung(1, level={"x": 1}),
    "visits below 0": with_rung(1, level={"visits": -5}),
    "too many visits": with_rung(1, level={"visits": 10**18}),
    "an index beyond floats": with_rung(1, level={"index": 10**400}),
    "another game": changed(board={"game": "shogi", "width": 8, "height": 8}),
    "a wrong board": changed(board=[]),
}


@pytest.mark.parametrize("text", WRONG_USER_FILES.values(), ids=WRONG_USER_FILES)
def test_a_faulty_file_of_the_user_is_warned_of_once_and_ignored(
    text: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    bundled, users = tmp_path / "bundled", tmp_path / "users"
    write_ladder(LADDER, bundled / "othello8.json")
    path = users_path(BOARD, NETWORK, users)
    path.parent.mkdir()
    path.write_text(text, encoding="latin1")
    for _ in range(2):
        assert ladder_for(BOARD, NETWORK, bundled=bundled, users=users) == LADDER
    (said,) = caplog.messages
    assert str(path) in said


@pytest.mark.parametrize(
    ("table", "name"), [("evidence", "move likelihood"), ("outcome", "win model")]
)
@pytest.mark.parametrize("content", [{"x": 1}, {"features": 5}, {"knots": [math.nan]}])
def test_a_table_that_cannot_be_used_is_borrowed(
    table: str, name: str, content: dict[str, object], caplog: pytest.LogCaptureFixture
) -> None:
    ladder = RatingLadder.from_json(changed(**{table: content}))
    watch = stranger_on(ladder)
    assert np.isfinite(watch.opponent.posterior.mean)
    assert f"takes another board's table: not a {name}" in caplog.text
