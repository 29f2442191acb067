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
# A rank as servers and records spell it: "7d?" of KGS, "3 dan", "12 kyu", "9P", Fox's "5\u6bb5" and
# "2\u7ea7".
_RECORDED = re.compile(
    r"P?\s*([0-9]{1,2})\s*(d|dan|k|kyu|gup|p|pro|\u6bb5|\u7d1a|\u7ea7)\s*[?*~]?", re.ASCII | re.I
)
_KYU = frozenset({"k", "kyu", "gup", "\u7d1a", "\u7ea7"})
_PROFESSIONAL = frozenset({"p", "pro"})


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


def recorded_rank(text: str) -> float | None:
    """Returns the number of a rank in a game record's BR or WR; None for anything else.

    A professional of any rank counts as 9 dan.

    >>> recorded_rank("7d?"), recorded_rank("12 kyu"), recorded_rank("3P"), recorded_rank("-")
    (3.0, 21.0, 1.0, None)
    """
    parts = _RECORDED.fullmatch(text.strip())
    if parts is None:
        return None
    number, kind = int(parts[1]), parts[2].lower()
    if kind in _PROFESSIONAL or parts[0].upper().startswith("P"):
        return STRONGEST
    if not number:
        return None
    rank = float(DANS + number if kind in _KYU else DANS + 1 - number)
    return min(max(rank, STRONGEST), WEAKEST)


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
