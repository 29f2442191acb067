"""The target win rate: its texts, and its fall by a surplus of wins."""

from __future__ import annotations

import re

import pytest

from engine.strength.target_win_rate import TargetWinRate


def test_a_surplus_of_wins_lowers_the_aim() -> None:
    assert TargetWinRate().paying_back(0.0) == TargetWinRate()
    assert (
        TargetWinRate().paying_back(2.0).chance
        < TargetWinRate().chance
        < TargetWinRate().paying_back(-2.0).chance
    )
    assert TargetWinRate().paying_back(100.0).chance == pytest.approx(0.05)
    assert TargetWinRate(chance=0.7).paying_back(1.0).chance == pytest.approx(0.58)


@pytest.mark.parametrize(
    ("text", "aim"),
    [
        ("", TargetWinRate()),
        ("0.6", TargetWinRate(chance=0.6)),
        ("60%", TargetWinRate(chance=0.6)),
        ("chance=60%", TargetWinRate(chance=0.6)),
        ("fair", TargetWinRate(fair_ending=True)),
        ("closeness=50%", TargetWinRate(closeness=0.5)),
        (
            "0.6:closeness=0.5:caution=0:fair",
            TargetWinRate(0.6, closeness=0.5, caution=0, fair_ending=True),
        ),
        ("fair:caution=0.25:0.4", TargetWinRate(0.4, caution=0.25, fair_ending=True)),
    ],
)
def test_an_aims_text_lists_its_parts(text: str, aim: TargetWinRate) -> None:
    assert TargetWinRate.read(text) == aim
    assert TargetWinRate.read(aim.text) == aim


def test_the_usual_aim_needs_no_words() -> None:
    assert TargetWinRate().text == ""
    assert TargetWinRate(chance=0.6, fair_ending=True).text == "chance=0.6:fair"


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("much", "much"),
        ("0.99", "0.99"),
        ("0%", "0%"),
        ("nan", "nan"),
        ("60", "60"),
        ("0.6:", ""),
        (":fair", ""),
        ("0.6:closeness=1.5", "closeness=1.5"),
        ("closeness=", "closeness="),
        ("caution=-1:0.6", "caution=-1"),
        ("caution=inf", "caution=inf"),
        ("fairness", "fairness"),
        ("fair=1", "fair=1"),
        ("most_change_elo=9", "most_change_elo=9"),
        ("0.6:fair:0.6", "0.6"),
        ("fair:fair", "fair"),
    ],
)
def test_a_part_that_cannot_be_aimed_at_is_quoted(text: str, part: str) -> None:
    with pytest.raises(ValueError, match=rf"^{re.escape(repr(part))}(:| is none of| sets) "):
        TargetWinRate.read(text)
