"""The strengths on the page, as personas.

Three of them aim at a share of wins, and follow the person's level. A level stays where it is.
"""

from __future__ import annotations

import re

from engine.errors import SettingError

EVEN = "even"
STRENGTHS = {"easier": "gentle", EVEN: "even", "harder": "teacher", "full": "full"}
LEVEL = re.compile(r"level:(-?[0-9]{1,4}|[1-9][0-9]?[kd])", re.ASCII)


def persona_of(strength: str) -> str:
    """Returns the persona of a strength: a key of STRENGTHS, or "level:1500", or "level:8k" in Go.

    Raises SettingError quoting another text.

    >>> persona_of("easier"), persona_of("level:8k")
    ('gentle', 'level:8k')
    """
    if strength in STRENGTHS:
        return STRENGTHS[strength]
    if LEVEL.fullmatch(strength):
        return strength
    raise SettingError(f"no strength {strength!r}: one of {', '.join(STRENGTHS)}, or level:1500")


def strength_of(persona: str) -> str:
    """Returns the strength of a persona's text; "even" for a persona that the page lacks.

    >>> strength_of("teacher"), strength_of("level:900"), strength_of("shi")
    ('harder', 'level:900', 'even')
    """
    if LEVEL.fullmatch(persona):
        return persona
    return {row: name for name, row in STRENGTHS.items()}.get(persona, EVEN)
