"""The ways to end a game as settings: by name, and by the text that names one.

ENDINGS is the table. How one plays is in engine.steps.score_lead.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from engine.style.score_lead import ScoreLead
from engine.style.wanted_margin import WantedMargin

Ending = ScoreLead | WantedMargin
FORM = "shi, close, win or lose, each as :FIELD=NUMBER..."

ENDINGS: dict[str, Ending] = {
    "shi": ScoreLead(),  # as published
    "close": WantedMargin(),  # ours: won or lost by little
    "win": WantedMargin(low=0.5),  # the same, won
    "lose": WantedMargin(high=-0.5),  # the same, lost
}


def read_ending(text: str) -> Ending:
    """The ending that a text such as "shi:gamma=2" or "close" names; ValueError quotes any other.

    >>> read_ending("win:high=6.5").high
    6.5
    """
    name, *parts = text.split(":")
    if name not in ENDINGS:
        raise ValueError(f"no ending {name!r}: there are {', '.join(ENDINGS)}")
    ending = ENDINGS[name]
    kinds: dict[str, Any] = {field.name: field.type for field in fields(ending)}
    told: dict[str, Any] = {}
    for part in parts:
        field, equals, number = part.partition("=")
        if field not in kinds or not equals:
            raise ValueError(f"{part!r} is none of {', '.join(f'{each}=' for each in kinds)}")
        if field in told:
            raise ValueError(f"{part!r} tells {field} again")
        try:
            told[field] = int(number) if kinds[field] == "int" else float(number)
        except ValueError as error:
            raise ValueError(f"{part!r}: {number!r} is no {kinds[field]}") from error
    try:
        return replace(ending, **told)
    except ValueError as error:
        raise ValueError(f"ending {text!r}: {error}") from error
