"""Personas by name: valid texts, and refusals."""

from __future__ import annotations

import pytest

from engine.games.table import GAMES
from engine.personas import FULL, PERSONAS, make_persona
from engine.play.steps.methods import METHODS
from engine.strength.full import Full


def test_full_strength_is_the_empty_persona_of_every_game() -> None:
    for game in GAMES:
        assert make_persona("full", game) == FULL


def test_every_persona_has_steps() -> None:
    for name, kind in PERSONAS.items():
        if kind.form and not kind.form.startswith("["):
            continue
        for game in kind.games:
            strength = make_persona(name, game).strength
            assert isinstance(strength, Full) or type(strength) in METHODS


@pytest.mark.parametrize("text", ["", "Full", "fuller", "full:3", "full:"])
def test_a_text_that_names_none_is_quoted(text: str) -> None:
    with pytest.raises(ValueError, match=repr(text)):
        make_persona(text, "go")
