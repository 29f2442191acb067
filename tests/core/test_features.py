"""Input features of KataGo's networks: against its own, under every symmetry, and their options."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from engine._core import GoPosition, GoRules
from tests.support.diagrams import position_of
from tests.support.networks.katago_reference import reference_planes, reference_position

PASS_ENDS_PHASE = 14
FIGHT = """
    . X O . O . . . .
    X O O O X . X . .
    . X O X . . . O .
    . . X . . X . . .
    . . . O . . . . .
    . . O X O . X . .
    . . . . . . O X .
    """


def fight() -> GoPosition:
    position = position_of(FIGHT, GoRules())
    for move in (31, 40, position.pass_move, 24):
        position.play(move)
    return position


def turned(planes: NDArray[np.uint8], symmetry: int) -> NDArray[np.uint8]:
    if symmetry & 1:
        planes = planes[:, ::-1]
    if symmetry & 2:
        planes = planes[:, :, ::-1]
    return planes.transpose(0, 2, 1) if symmetry & 4 else planes


def assert_features_agree(cases: list[dict[str, Any]]) -> None:
    different = []
    for case in cases:
        spatial, global_ = reference_position(case).features()
        apart = planes_apart(spatial, reference_planes(case))
        different += [f"{case['name']} plane {plane}" for plane in apart]
        if (global_ != np.float32(case["input_global"])).any():
            different.append(f"{case['name']} globals {global_}")
    assert different == []


def test_katagos_own_planes_and_globals(katago_reference: Path) -> None:
    assert_features_agree(json.loads(katago_reference.read_text())["positions"])


def test_katagos_own_planes_and_globals_for_its_transformers(katago_data: Path) -> None:
    cases = json.loads((katago_data / "reference-v17.json").read_text())["positions"]
    assert len(cases) == 25
    assert_features_agree(cases)


def planes_apart(first: NDArray[np.uint8], second: NDArray[np.uint8]) -> list[int]:
    return [int(plane) for plane in np.flatnonzero((first != second).any((1, 2)))]


@pytest.mark.parametrize("scoring", ["AREA", "TERRITORY"])
@pytest.mark.parametrize(("width", "height"), [(5, 5), (6, 4)])
def test_symmetries_turn_every_plane(scoring: str, width: int, height: int) -> None:
    """On positions of random games that use every plane but the eighth, which KataGo leaves out."""
    rng = np.random.default_rng(width)
    seen = np.zeros(22, bool)
    for _ in range(60):
        ko = "POSITIONAL" if scoring == "AREA" else "SIMPLE"
        position = GoPosition(width, height, GoRules(ko=ko, scoring=scoring))
        position.prevent_encore = False
        for _ in range(60):
            plain, plain_globals = position.features()
            seen |= plain.any((1, 2))
            for symmetry in range(8 if width == height else 4):
                spatial, global_ = position.features(symmetry)
                assert planes_apart(spatial, turned(plain, symmetry)) == []
                assert (global_ == plain_globals).all()
            position.play(int(rng.choice(np.flatnonzero(position.legal_mask()))))
    unused = {8, 7, 20, 21} if scoring == "AREA" else {8}
    assert set(np.flatnonzero(~seen)) <= unused


def test_impossible_symmetries_are_refused() -> None:
    with pytest.raises(ValueError, match="symmetry 4 is not one of"):
        fight().features(4)
    with pytest.raises(ValueError, match="symmetry 8"):
        fight().features(8)


def test_recent_moves_and_passes() -> None:
    spatial, global_ = fight().features()
    assert [np.flatnonzero(spatial[plane]).tolist() for plane in range(9, 14)] == [
        [24],
        [],
        [40],
        [31],
        [],
    ]
    assert global_[:5].tolist() == [0, 1, 0, 0, 0]


def test_recent_moves_stop_where_a_color_moved_twice() -> None:
    position = GoPosition(5, 5, GoRules())
    for move, color in ((0, 0), (1, 1), (12, 1)):
        position.play(move, color)
    spatial, _ = position.features()
    assert [int(spatial[plane].sum()) for plane in range(9, 14)] == [1, 0, 0, 0, 0]


@pytest.mark.parametrize("shown", range(6))
def test_history_can_be_limited(shown: int) -> None:
    position = GoPosition(5, 5, GoRules())
    for move in (0, 4, 12, 20, 24):
        position.play(move)
    spatial, _ = position.features(max_history=shown)
    assert [int(spatial[plane].sum()) for plane in range(9, 14)] == [1] * shown + [0] * (5 - shown)


# A pass was played and another would end the game; Black has all 9 points of the board.
@pytest.mark.parametrize(
    ("komi", "friendly_pass", "options", "hidden"),
    [
        (7.5, False, {}, False),
        (7.5, True, {}, True),
        (7.5, False, {"conservative_pass": True}, True),
        (7.5, False, {"passing_hacks": True}, False),
        (9.0, False, {"passing_hacks": True}, True),
        (9.5, False, {"passing_hacks": True}, True),
        (9.5, False, {}, False),
    ],
)
def test_a_pass_that_must_not_end_the_game_is_hidden(
    komi: float, friendly_pass: bool, options: dict[str, bool], hidden: bool
) -> None:
    position = GoPosition(3, 3, GoRules(friendly_pass=friendly_pass), komi)
    position.play(4)
    position.play(position.pass_move)
    spatial, global_ = position.features(**options)
    assert bool(global_[PASS_ENDS_PHASE]) is not hidden
    assert bool(global_[0]) is not hidden
    assert bool(spatial[10].any()) is not hidden


def test_of_a_finished_game_one_turn_is_shown() -> None:
    position = GoPosition(3, 3, GoRules())
    for move in (4, 9, 9):
        position.play(move)
    assert position.is_over
    spatial, global_ = position.features()
    assert global_[:3].tolist() == [1, 0, 0]
    assert spatial[9:14].sum() == 0


def test_playout_doubling_advantage() -> None:
    position = GoPosition(5, 5, GoRules())
    assert position.features()[1][15:17].tolist() == [0, 0]
    assert position.features(playout_doubling_advantage=-1.5)[1][15:17].tolist() == [1, -0.75]


@pytest.mark.parametrize(
    ("width", "komi", "own_komi", "wave"),
    [
        (5, 6.5, -6.5, 0.5),
        (5, 7.0, -7.0, 0.0),
        (5, 7.5, -7.5, -0.5),
        (5, 7.25, -7.25, -0.25),
        (5, 6.0, -6.0, 0.0),
        (6, 6.0, -6.0, 0.0),
        (6, 6.5, -6.5, -0.5),
        (6, -6.5, 6.5, 0.5),
        (6, -7.5, 7.5, -0.5),
        (5, 200.0, -45.0, 0.0),
        (5, -200.0, 45.0, 0.0),
    ],
)
def test_komi_of_black(width: int, komi: float, own_komi: float, wave: float) -> None:
    _, global_ = GoPosition(width, 5, GoRules(), komi).features()
    assert global_[5] == np.float32(own_komi / 20)
    assert global_[18] == np.float32(wave)


def test_territory_scoring_shows_no_parity_and_no_area_before_the_second_encore() -> None:
    position = position_of(FIGHT, GoRules(ko="SIMPLE", scoring="TERRITORY"))
    position.komi = 6.5
    spatial, global_ = position.features()
    assert spatial[18:].sum() == 0
    assert global_[18] == 0
