"""KataGo's human play as numbers: the restraint, passing, temperature."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.strength.human_play import KATAGO, KINDS, HumanCandidates, HumanPlay, with_temperature

NAN = np.nan
COLD = 1e-3


def array(*values: float) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.array(values, np.float64)


def found(
    human: tuple[float, ...],
    utilities: tuple[float, ...],
    selected: tuple[float, ...],
    pass_move: int = -1,
) -> HumanCandidates:
    return HumanCandidates(array(*human), array(*utilities), array(*selected), pass_move)


def test_a_move_that_loses_lambda_is_an_e_th_as_likely() -> None:
    """KataGo's own example: at 0.4 a loss of 0.4 costs a factor exp(1), one of 0.2 exp(0.5)."""
    three = found((0.5, 0.25, 0.25), (0.3, 0.1, -0.1), (1, 0, 0))
    weights = array(0.5, 0.25 * math.exp(-0.5), 0.25 * math.exp(-1))
    assert three.held_back(0.4) == pytest.approx(weights / weights.sum())
    assert three.held_back(1e8) == pytest.approx(array(0.5, 0.25, 0.25))


def test_an_unsearched_move_is_worth_the_mean_of_the_others() -> None:
    three = found((0.2, 0.2, 0.6), (0.5, -0.5, NAN), (1, 0, 0))
    weights = array(0.2, 0.2 * math.exp(-1.0), 0.6 * math.exp(-0.5))
    assert three.held_back(1.0) == pytest.approx(weights / weights.sum())
    unseen = found((0.4, 0.6), (NAN, NAN), (0, 0))
    assert unseen.held_back(0.1) == pytest.approx(array(0.4, 0.6))


def test_a_move_that_may_not_be_played_sets_no_measure_of_chance() -> None:
    """Even as the best move: its utility is only the reference of the others' restraint."""
    two = found((0.0, 1.0), (0.9, -0.9), (0, 1))
    assert two.held_back(0.01).tolist() == [0.0, 1.0]


def test_the_search_alone_says_when_to_pass() -> None:
    moves = found((0.6, 0.2, 0.2), (NAN, NAN, NAN), (3, 0, 1), pass_move=2)
    settings = HumanPlay(temperature_below=0.0)
    assert moves.probabilities(settings, 1.0) == pytest.approx(
        array(0.75 * 0.75, 0.25 * 0.75, 0.25)
    )
    asked = HumanPlay(temperature_below=0.0, ignore_pass=False)
    assert moves.probabilities(asked, 1.0) == pytest.approx(array(0.6, 0.2, 0.2))
    only = found((0.0, 0.0, 1.0), (NAN, NAN, NAN), (3, 0, 1), pass_move=2)
    assert only.probabilities(settings, 1.0).tolist() == [0, 0, 1]


def test_a_share_of_the_moves_is_the_searchs_own() -> None:
    moves = found((0.0, 1.0), (NAN, NAN), (3, 1))
    settings = HumanPlay(proportion=0.5, temperature_below=0.0)
    assert moves.probabilities(settings, 1.0) == pytest.approx(array(0.375, 0.625))
    unsearched = found((0.4, 0.6), (NAN, NAN), (0, 0))
    assert unsearched.probabilities(settings, 1.0) == pytest.approx(array(0.4, 0.6))


def test_temperature_touches_unlikely_moves_alone() -> None:
    probabilities = array(0.6, 0.39, 0.008, 0.002, 0.0)
    # 0.008 -> 0.01 (0.8)^(1 / 0.5), 0.002 -> 0.01 (0.2)^2; likelier ones keep their ratio.
    expected = array(0.6, 0.39, 0.01 * 0.64, 0.01 * 0.04, 0.0)
    assert with_temperature(probabilities, 0.5, 0.01) == pytest.approx(expected / expected.sum())
    assert with_temperature(probabilities, COLD, 1.0) == pytest.approx(
        array(1, 0, 0, 0, 0), abs=1e-9
    )
    assert with_temperature(probabilities, 1.0, 0.01) == pytest.approx(probabilities)


def test_it_cools_by_half_as_the_game_goes_on() -> None:
    settings = HumanPlay(temperature_early=0.9, temperature=0.5, temperature_halflife=38.0)
    assert settings.heat(0, 361) == pytest.approx(0.9)
    assert settings.heat(38, 361) == pytest.approx(0.7)
    assert settings.heat(18, 81) == pytest.approx(0.7)


@pytest.mark.parametrize(
    ("text", "settings"),
    [
        ("", HumanPlay()),
        ("rank_5k", HumanPlay("rank_5k")),
        ("lambda=0.3", HumanPlay(pikl_lambda=0.3)),
        (
            "preaz_1d:humanSLChosenMovePiklLambda=0.06:ignore_pass=false",
            HumanPlay("preaz_1d", pikl_lambda=0.06, ignore_pass=False),
        ),
    ],
)
def test_a_text_tells_settings_by_our_names_and_katagos(text: str, settings: HumanPlay) -> None:
    assert HumanPlay.read(text) == settings


@pytest.mark.parametrize("field", [field for field in KATAGO if KINDS[field] is float])
def test_every_number_has_katagos_name(field: str) -> None:
    told = HumanPlay.read(f"{KATAGO[field]}=0.25")
    assert told == replace(HumanPlay(), **dict[str, Any]({field: 0.25}))


@pytest.mark.parametrize(
    "text",
    [
        "5k",
        "lambda=0",
        "lambda=x",
        "lamda=1",
        "explore=1",
        "proportion=2",
        "ignore_pass=yes",
        "rank_5k:rank_6k",
        "temperature=nan",
    ],
)
def test_a_text_that_says_nothing_sensible_is_quoted(text: str) -> None:
    with pytest.raises(ValueError, match=text.rsplit(":", maxsplit=1)[-1]):
        HumanPlay.read(text)
