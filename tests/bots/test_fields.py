from __future__ import annotations

import pytest

from bots import fields
from bots.fields import WireError


def test_numbers_are_finite_and_no_truth_values() -> None:
    assert fields.number(3, "wtime") == 3.0
    assert fields.number("6.5", "komi") == 6.5
    assert fields.integer(-5, "wtime") == -5
    wrong: list[object] = [float("nan"), float("inf"), True, None, [], "x", 10**400, "9" * 400]
    for value in wrong:
        with pytest.raises(WireError, match="wtime should be a number"):
            fields.number(value, "wtime")
    with pytest.raises(WireError, match="a whole number"):
        fields.integer(1.5, "wtime")


def test_a_truth_value_may_be_missing_or_a_number() -> None:
    assert [fields.truth(value, "rated") for value in (None, 0, 1, True, False)] == [
        False,
        False,
        True,
        True,
        False,
    ]
    with pytest.raises(WireError):
        fields.truth("yes", "rated")


def test_texts_objects_and_arrays_are_checked() -> None:
    assert fields.text("abc", "name", longest=2) == "ab"
    assert fields.mapping({"a": 1}, "game") == {"a": 1}
    assert fields.sequence([1], "moves") == [1]
    assert fields.one_of("b", "colour", {"a": 1, "b": 2}) == 2
    for check in (fields.text, fields.mapping, fields.sequence):
        with pytest.raises(WireError, match="game should be"):
            check(5, "game")
    with pytest.raises(WireError, match="one of a"):
        fields.one_of("c", "colour", {"a": 1})


def test_an_error_quotes_a_long_value_in_part_and_escapes_it() -> None:
    with pytest.raises(WireError) as caught:
        fields.number("\x1b[31m" + "a" * 10_000, "komi")
    assert len(str(caught.value)) < 130
    assert "\x1b" not in str(caught.value)
