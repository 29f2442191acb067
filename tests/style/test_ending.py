"""Endings by their text."""

from __future__ import annotations

import pytest

from engine.personas import make_persona
from engine.style.ending import ENDINGS, Ending
from engine.style.score_lead import ScoreLead
from engine.style.target_margin import TargetMargin


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *ENDINGS.items(),
        ("shi:gamma=2", ScoreLead(gamma=2)),
        ("close:low=-0.5:high=0.5:reads=1", TargetMargin(low=-0.5, high=0.5, reads=1)),
    ],
)
def test_a_text_names_an_ending(text: str, expected: Ending) -> None:
    assert make_persona(f"full+ending={text}", "go").ending == expected


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("far", "'far'"),
        ("shi:reads=2", "'reads'"),
        ("shi:gamma", "'gamma'"),
        ("shi:gamma=x", "'x'"),
        ("close:reads=1.5", "1.5"),
        ("close:low=0:low=1", "'low=1'"),
        ("close:low=9", "low 9.0"),
    ],
)
def test_a_text_that_names_none_is_quoted(text: str, quoted: str) -> None:
    with pytest.raises(ValueError, match=quoted):
        make_persona(f"full+ending={text}", "go")


def test_a_persona_of_any_strength_may_have_one() -> None:
    persona = make_persona("even:60%+ending=shi:gamma=3", "go")
    assert persona.ending == ScoreLead(gamma=3)
    assert persona.strength == make_persona("even:60%", "go").strength
    assert make_persona("full", "go").ending is None


@pytest.mark.parametrize(
    ("text", "game"),
    [
        ("full+ending=far", "go"),
        ("full+ending=close", "connect4"),
        ("full+ending=close+ending=shi", "go"),
        ("full+ends=close", "go"),
    ],
)
def test_a_persona_with_a_part_that_cannot_be_is_quoted(text: str, game: str) -> None:
    with pytest.raises(ValueError, match=text.replace("+", r"\+")):
        make_persona(text, game)
