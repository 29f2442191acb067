"""Ranks of Go players on one scale of numbers.

A whole number is a rank, 1 for 9 dan to 9 for 1 dan, then 10 for 1 kyu to 39 for 30 kyu; a fraction
lies between two ranks. A greater number is a weaker player. KataGo's human networks use the same
numbers.
"""

from __future__ import annotations

import math
import re

DANS = 9
STRONGEST, WEAKEST = 1.0, 39.0  # 9 dan, 30 kyu
FORM = re.compile(r"([0-9]{1,2}(?:\.[0-9]{1,6})?)([dk])", re.ASCII)


def parse_rank(text: str) -> float:
    """Returns the number of a rank such as "8k", "3d" or "8.4k", which is weaker than 8k.

    Raises ValueError, quoting the text, for anything else and for a rank outside 9d..30k.
    """
    parts = FORM.fullmatch(text)
    if parts is not None:
        rank = DANS + float(parts[1]) if parts[2] == "k" else DANS + 1 - float(parts[1])
        if STRONGEST <= rank <= WEAKEST:
            return rank
    raise ValueError(f"{text!r} is no rank from 9d to 30k, such as 8k, 3d or 8.4k")


def rank_text(rank: float, digits: int = 0) -> str:
    """Returns the rank of a number: "8k", or "8.4k" with a digit; whole ranks never have one.

    Halves round to the weaker rank. Numbers beyond the scale count as its ends.
    """
    unit = 10**digits
    limited = min(WEAKEST, max(STRONGEST, rank))
    rounded = math.floor(limited * unit + 0.5) / unit
    is_dan = rounded < DANS + 0.5
    number = round(DANS + 1 - rounded if is_dan else rounded - DANS, digits)
    return f"{number:g}{'d' if is_dan else 'k'}"
