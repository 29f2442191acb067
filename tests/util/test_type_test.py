"""A test for a protocol answers as isinstance does, and looks at each type once."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from engine._core import Connect4Position, DarkChessPosition
from engine.games.chance import ChancePosition, is_of_chance
from engine.util.type_test import TypeTest


@runtime_checkable
class Barking(Protocol):
    """Has a voice."""

    def bark(self) -> str:
        """Returns the sound."""


class Dog:
    looks = 0

    def __getattribute__(self, name: str) -> object:
        type(self).looks += name == "bark"
        return super().__getattribute__(name)

    def bark(self) -> str:
        return "woof"


def test_answers_as_isinstance() -> None:
    for position in (Connect4Position(), DarkChessPosition(), Connect4Position()):
        assert is_of_chance(position) == isinstance(position, ChancePosition)


def test_looks_at_each_type_once() -> None:
    barks: TypeTest[Barking] = TypeTest(Barking)
    assert barks(Dog())
    looks = Dog.looks
    assert barks(Dog())
    assert not barks("woof")
    assert Dog.looks == looks
