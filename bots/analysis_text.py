"""The engine's analysis of a move as one line of JSON, in the form of CGOS's clients.

The values are for the side to move. A point's ownership is one of 63 letters, row by row from the
top, as zakki/cgos's client writes it.
"""

from __future__ import annotations

import json
import math
import string
from collections.abc import Iterator, Sequence

LETTERS = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"
STEPS = 62  # from the opponent's certain point to our own
MOST_MOVES = 10
PLACES = 4  # decimals of a value
VALUES = {"visits": "visits", "winrate": "winrate", "scoreLead": "score", "prior": "prior"}
HEADS = ("info", "rootInfo", "ownership")


def analysis_json(line: str) -> str:
    """Returns a line of kata-genmove_analyze as JSON; empty for a line without a move.

    >>> analysis_json("info move D4 visits 5 winrate 0.61 pv D4 Q16 ownership 1 -1")
    '{"moves":[{"move":"D4","visits":5,"winrate":0.61,"pv":"Q16"}],"ownership":"+A"}'
    """
    values: dict[str, object] = {"moves": []}
    moves: list[dict[str, object]] = []
    for head, words in _parts(line.split()):
        if head == "info" and len(moves) < MOST_MOVES:
            moves.append(_move(words))
        elif head == "rootInfo":
            values |= _values(words)
        elif head == "ownership":
            values["ownership"] = "".join(map(letter, words))
    values["moves"] = moves
    return json.dumps(values, separators=(",", ":")) if moves else ""


def letter(text: str) -> str:
    """Returns the letter of an ownership from -1 to 1.

    >>> letter("-1"), letter("0"), letter("1")
    ('A', 'f', '+')
    """
    share = (_number(text) + 1) / 2
    return LETTERS[round(min(max(share, 0.0), 1.0) * STEPS)]


def _parts(words: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Yields each part of a line by its head."""
    head, part = "", list[str]()
    for word in words:
        if word in HEADS:
            if head:
                yield head, part
            head, part = word, []
        else:
            part.append(word)
    if head:
        yield head, part


def _move(words: Sequence[str]) -> dict[str, object]:
    at = words.index("pv") if "pv" in words else len(words)
    move: dict[str, object] = {}
    if "move" in words[:at]:
        move["move"] = words[words.index("move") + 1]
    move |= _values(words[:at])
    if words[at + 2 :]:
        move["pv"] = " ".join(words[at + 2 :])
    return move


def _values(words: Sequence[str]) -> dict[str, object]:
    """Returns the numbers of CGOS among pairs of names and values."""
    found: dict[str, object] = {}
    for name, value in zip(words[::2], words[1::2], strict=False):
        if name in VALUES:
            number = round(_number(value), PLACES)
            found[VALUES[name]] = int(number) if name == "visits" else number
    return found


def _number(text: str) -> float:
    """Returns a finite number; 0 for another text."""
    try:
        number = float(text)
    except ValueError:
        return 0.0
    return number if math.isfinite(number) else 0.0
