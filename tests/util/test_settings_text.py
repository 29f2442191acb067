"""Settings as a text: their fields, and the quotation of a wrong part."""

from __future__ import annotations

import re

import pytest

from engine.util.settings_text import SettingsGrammar, number


def small(**fields: float) -> None:
    for name, value in fields.items():
        if value > 9:
            raise ValueError(f"{name} {value:g} is above 9")


GRAMMAR = SettingsGrammar(
    names={"a": "first", "b": "second"},
    forms=["a=", "b=", "WORD"],
    word=lambda text: [("first", text), ("third", text)],
    value=number,
    check=small,
)


@pytest.mark.parametrize(
    ("texts", "fields"),
    [
        ((), {}),
        (("",), {}),
        (("a=1:b=2",), {"first": 1, "second": 2}),
        (("3:b=4",), {"first": 3, "third": 3, "second": 4}),
        (("a=1:b=2", "a=5"), {"first": 5, "second": 2}),
    ],
)
def test_later_texts_win(texts: tuple[str, ...], fields: dict[str, float]) -> None:
    assert GRAMMAR.read(*texts) == fields


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("b=1:c=2", "'c=2' is none of a=, b=, WORD"),
        ("a=1:a=2", "'a=2' sets first again"),
        ("3:a=2", "'a=2' sets first again"),
        ("b=x", "'b=x': second 'x' is no number"),
        ("b=10", "'b=10': second 10 is above 9"),
        ("a=1:", "'' sets first again"),
    ],
)
def test_errors_quote_the_part(text: str, error: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(error)}$"):
        GRAMMAR.read(text)
