"""Profiles of human networks, by KataGo's names."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.networks.human_profile import INPUTS, profile_named, ranked_profile

BLACK, WHITE = 0, 1
OWN_RANK, THEIR_RANK = slice(6, 40), slice(40, 74)
DATES, SOURCES = slice(87, 151), slice(151, 167)


@pytest.mark.parametrize(
    ("name", "own", "theirs"),
    [
        ("rank_9d", 1, 1),
        ("preaz_1d", 9, 9),
        ("rank_1k", 10, 10),
        ("preaz_20k", 29, 29),
        ("rank_5k_3d", 14, 7),
        ("proyear_1950", 1, 1),
    ],
)
def test_ranks_are_encoded_as_a_number_of_ones(name: str, own: int, theirs: int) -> None:
    profile = profile_named(name)
    for to_move, ranks in ((BLACK, (own, theirs)), (WHITE, (theirs, own))):
        row = profile.row(to_move, 361)
        for where, rank in zip((OWN_RANK, THEIR_RANK), ranks, strict=True):
            assert row[where].tolist() == [1.0] * rank + [0.0] * (34 - rank)


def test_a_fraction_of_a_rank_is_a_fraction_of_an_input() -> None:
    row = profile_named("rank_8.4k_2.5d").row(BLACK, 361)
    assert row[OWN_RANK] == pytest.approx([1.0] * 17 + [0.4] + [0.0] * 16)
    assert row[THEIR_RANK] == pytest.approx([1.0] * 7 + [0.5] + [0.0] * 26)
    whole = profile_named("rank_8k_3d").row(BLACK, 361)
    assert (np.delete(row, range(6, 74)) == np.delete(whole, range(6, 74))).all()


def test_ranks_reach_as_far_as_the_inputs() -> None:
    row = ranked_profile(34, 1).row(BLACK, 361)
    assert row[OWN_RANK].tolist() == [1.0] * 34
    for rank in (0.9, 34.1, math.nan):
        with pytest.raises(ValueError, match=r"1\.\.34"):
            ranked_profile(rank, 9)


def test_a_player_of_a_rank_has_a_game_on_kgs() -> None:
    row = profile_named("rank_5k").row(BLACK, 81)
    assert row.shape == (INPUTS,)
    assert row[:6].tolist() == [1, 1, 0, 0, 0, 0]  # both are human and have a rank
    assert row[74] == 0.5  # whether it is rated is unknown
    assert np.flatnonzero(row[75:82]).tolist() == [4]  # byo-yomi
    # 20 minutes, then five periods of 30 seconds: KataGo's 0.4 (ln 1260 - 6.5) and so on.
    expected = (0.2555, 0.1302, 0.2230, -0.2017)
    assert row[82:86] == pytest.approx(expected, abs=1e-4)
    assert row[86] == pytest.approx(0.5 * math.log(81 / 361))
    assert np.flatnonzero(row[SOURCES]).tolist() == [2]
    assert not row[167:].any()


def test_a_date_turns_wheels_from_a_week_on() -> None:
    """1 March 2020 is 18322 days after 1 January 1970: 3 days into a week of the first wheel."""
    days = profile_named("rank_5k").row(BLACK, 361)[DATES]
    assert days[0] == pytest.approx(math.cos(2 * math.pi * 3 / 7), abs=1e-5)
    assert days[1] == pytest.approx(math.sin(2 * math.pi * 3 / 7), abs=1e-5)
    slowest = 2 * math.pi * 18322 / 560_000
    assert days[-2:] == pytest.approx((math.cos(slowest), math.sin(slowest)), abs=1e-5)
    assert days == pytest.approx(profile_named("rank_1d").row(BLACK, 361)[DATES])
    assert not np.allclose(days, profile_named("preaz_5k").row(BLACK, 361)[DATES])


@pytest.mark.parametrize(("name", "source"), [("proyear_1800", 5), ("proyear_2023", 6)])
def test_professionals_are_of_two_collections(name: str, source: int) -> None:
    row = profile_named(name).row(WHITE, 361)
    assert np.flatnonzero(row[SOURCES]).tolist() == [source]
    assert np.flatnonzero(row[75:82]).tolist() == [0]  # their time is unknown
    assert row[74] == 0


@pytest.mark.parametrize(
    "name",
    [
        "",
        "rank_10d",
        "rank_21k",
        "rank_20.1k",
        "rank_5k_",
        "rank_5k_1d_1d",
        "rank_9.5d",
        "proyear_1799",
        "proyear_2024",
        "5k",
        "RANK_5k",
    ],
)
def test_an_unknown_profile_is_quoted(name: str) -> None:
    with pytest.raises(ValueError, match=repr(name)):
        profile_named(name)
