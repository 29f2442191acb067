"""The personas by name: which games each plays, what its text may say, how it is made.

PERSONAS is the table; a persona is a row, its text `NAME` or `NAME:ARGUMENT`. How one plays is in
engine.steps.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.personas.persona import FULL, Persona
from engine.strength.at_elo import AtElo
from engine.strength.controller import Aim

EVERY_GAME = ("go", "othello", "connect4")


@dataclass(frozen=True, slots=True)
class PersonaKind:
    """One persona, or a family of them that differ by an argument."""

    games: tuple[str, ...]  # keys of engine.games.GAMES
    make: Callable[[str, str], object]  # (whole text, argument) -> its strength; ValueError
    about: str  # for the user, in a short sentence
    form: str = ""  # of the argument, for the user, with the colon where it may be left out


def _always(strength: object) -> Callable[[str, str], object]:
    """A maker of personas without an argument."""

    def make(text: str, argument: str) -> object:
        if argument or text.endswith(":"):
            raise ValueError(f"persona {text!r} takes nothing after its name")
        return strength

    return make


def _even(text: str, argument: str) -> object:
    try:
        return Aim.read(argument)
    except ValueError as error:
        raise ValueError(f"persona {text!r}: {error}") from error


def _at_elo(text: str, argument: str) -> object:
    try:
        return AtElo.read(argument)
    except ValueError as error:
        raise ValueError(f"persona {text!r}: {error}") from error


PERSONAS: dict[str, PersonaKind] = {
    FULL.name: PersonaKind(EVERY_GAME, _always(FULL.strength), FULL.about),
    "even": PersonaKind(
        EVERY_GAME,
        _even,
        "an even game with anybody, or one that it wins with another chance: even:0.6, even:60%",
        "[:CHANCE]",
    ),
    "level": PersonaKind(
        EVERY_GAME, _at_elo, "as strong as a place on the ladder, random play being 0", "ELO"
    ),
}


def make_persona(text: str, game: str) -> Persona:
    """The persona that a text such as "full" names.

    ValueError quotes a text that names none, or none that plays this game (a key of GAMES).
    """
    name, _, argument = text.partition(":")
    if name not in PERSONAS:
        raise ValueError(f"no persona {text!r}: there are {', '.join(PERSONAS)}")
    kind = PERSONAS[name]
    if game not in kind.games:
        raise ValueError(f"persona {text!r} plays {' and '.join(kind.games)}, not {game!r}")
    return Persona(text, kind.about, kind.make(text, argument))
