"""The strengths on the page, as personas.

Three of them aim at a share of wins, and follow the person's level. A level stays where it is.
"""

from __future__ import annotations

import re

from engine.errors import SettingError

EVEN = "even"
STRENGTHS = {"easier": "gentle", EVEN: "even", "harder": "teacher", "full": "full"}
LEVEL = re.compile(r"level:(-?[0-9]{1,4}|[1-9][0-9]?[kd])", re.ASCII)


def persona_of(strength: str, usual: str = "") -> str:
    """Returns the persona of a strength: a key of STRENGTHS, or "level:1500", or "level:8k" in Go.

    usual: the operator's persona, a strength of its own. Raises SettingError quoting another text.

    >>> persona_of("easier"), persona_of("level:8k"), persona_of("shi", "shi")
    ('gentle', 'level:8k', 'shi')
    """
    if strength in STRENGTHS:
        return STRENGTHS[strength]
    if LEVEL.fullmatch(strength) or strength == usual:
        return strength
    raise SettingError(f"no strength {strength!r}: one of {', '.join(STRENGTHS)}, or level:1500")


def usual_strength(persona: str) -> str:
    """Returns the strength of the operator's persona: its own text where the page has no word.

    >>> usual_strength("teacher"), usual_strength("shi")
    ('harder', 'shi')
    """
    return {row: name for name, row in STRENGTHS.items()}.get(persona, persona)


def strength_of(persona: str, usual: str = "") -> str:
    """Returns the strength of a stored persona; "even" for one without a place on the page.

    usual: as in persona_of.

    >>> strength_of("teacher"), strength_of("level:900"), strength_of("shi")
    ('harder', 'level:900', 'even')
    """
    if LEVEL.fullmatch(persona) or persona == usual:
        return usual_strength(persona)
    return {row: name for name, row in STRENGTHS.items()}.get(persona, EVEN)
