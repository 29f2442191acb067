"""What a persona is, as a value. Does not know by which names personas can be asked for."""

from __future__ import annotations

from dataclasses import dataclass

from engine.strength.full import Full


@dataclass(frozen=True, slots=True)
class Persona:
    """A manner of playing that has a name."""

    name: str  # what make_persona reads
    about: str  # for the user, in a short sentence
    strength: object  # a settings class of engine.strength, a key of engine.steps.methods


FULL = Persona("full", "the best move it can find", Full())
