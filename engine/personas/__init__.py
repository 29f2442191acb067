"""Personas: named settings of how the engine plays."""

from engine.personas.persona import FULL, Persona
from engine.personas.table import PERSONAS, PersonaKind, make_persona

__all__ = ["FULL", "PERSONAS", "Persona", "PersonaKind", "make_persona"]
