"""Personas: named settings of how the engine plays."""

from engine.personas.files import USUAL, make_persona
from engine.personas.persona import FULL, Persona
from engine.personas.table import PARTS, PERSONAS, PartKind, PersonaKind

__all__ = [
    "FULL",
    "PARTS",
    "PERSONAS",
    "USUAL",
    "PartKind",
    "Persona",
    "PersonaKind",
    "make_persona",
]
