"""Lines for every door of a running engine: of its protocol, of another one, and of no protocol.

A line of a protocol begins with one of its commands. `spoiled` damages the bytes of any line.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

from protocols import gtp, nboard, ugi
from protocols.page import messages
from protocols.server.client import FLAGS, TEXT_OPTIONS
from protocols.server.greeting import GUESTS_OPTIONS

WORDS = (
    *"b w black white pass resign D4 A1 T19 Z99 i5 (1,1) 0 1 2 9 19 -1 1e400 nan 0.5 true".split(),
    *"alive dead none byoyomi canadian fischer avoid allow interval rootInfo name value {".split(),
    *"{} [] maxVisits ownership 4294967296 18446744073709551616 chinese japanese f5 d3 e6".split(),
    *"othello connect4 othello6 connect4-9x5 go7 1,2,3,4 b1,a2 PA startpos fen pons moves".split(),
    *"4453 0000 8/8/8/3ox3/3xo3/8/8/8 x o Game MultiPV movetime depth nodes infinite".split(),
    *"F5/1/2 Persona Opponent even full level:8k softmax:1 teacher level:0 ../etc/passwd".split(),
    "(;GM[Othello] BO[8 ---------------------------O*------*O--------------------------- *] ;)",
)
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 7, 19, 20, 2**31, 2**63, 2**64, 0.5, -1e308, 1e308),
    *("", "go", "D4", "chinese", "\0", "\ud800", "x" * 300, "level:0", "even", "pass"),
    *([], {}, [[]], [["b", "D4"], ["w", "Q16"]], {"maxVisits": 2}, [0, 1, 2]),
)
NASTY = (b"\0", b"\xff\xfe", b"\r", b"\n\n", b"\x04", b"\x1b[2J", b"9" * 400, b"[" * 3000, b"\t")
QUERY_FIELDS = (
    *"id moves initialStones initialPlayer rules komi boardXSize boardYSize analyzeTurns".split(),
    *"maxVisits includeOwnership includePolicy includePVVisits overrideSettings priority".split(),
    *"priorities avoidMoves allowMoves persona game action terminateId turnNumbers".split(),
    *"reportDuringSearchEvery includeMovesOwnership whiteHandicapBonus initialPlayer".split(),
)
ACTIONS = ("query_version", "clear_cache", "terminate", "terminate_all", "query_models", "junk")
LONGEST = 9 << 20  # bytes; longer than any door takes a line

Rng = random.Random
Maker = Callable[[Rng], str]


def of_words(names: tuple[str, ...]) -> Maker:
    """Returns a maker of lines: a command's name and up to six words."""

    def line(rng: Rng) -> str:
        number = [str(rng.randrange(2**33))] if rng.random() < 0.2 else []
        return " ".join([*number, rng.choice(names), *rng.choices(WORDS, k=rng.randrange(6))])

    return line


def some_fields(rng: Rng, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: rng.choice(VALUES) for name in rng.sample(names, rng.randrange(len(names)))}


def of_query(rng: Rng) -> str:
    """A query for analysis: a small one that is whole, with some fields replaced."""
    query: dict[str, Any] = {
        "id": str(rng.randrange(9)), "moves": [["b", "D4"]], "boardXSize": rng.choice([5, 9]),
        "boardYSize": 9, "rules": "chinese", "komi": 7, "maxVisits": rng.randrange(1, 9),
    }  # fmt: skip
    if rng.random() < 0.3:
        query = {"id": "a", "action": rng.choice(ACTIONS), "terminateId": "1"}
    if rng.random() < 0.5:
        names = rng.sample(QUERY_FIELDS, rng.randrange(4))
        query |= {name: rng.choice(VALUES) for name in names}
    return json.dumps(query)


def of_page(rng: Rng) -> str:
    """A message of the page, whole or with some fields replaced."""
    name = rng.choice([*messages.COMMANDS, "move", "move", "new", "junk"])
    fields: dict[str, Any] = {"v": messages.VERSION, "type": name}
    if name in {"move", "mark"}:
        fields["at"] = rng.choice(WORDS)
    if name in {"new", "resume"}:
        fields |= rng.choice([{"width": 5, "height": 5}, {"game": "connect4"}, {}])
    if rng.random() < 0.3:
        fields |= some_fields(rng, tuple(messages.GAME))
    return json.dumps(fields)


def greeting(rng: Rng, protocol: str, *, is_user: bool) -> str:
    """A greeting for a protocol; one in four has options of any value."""
    values: dict[str, Any] = {"protocol": protocol}
    if rng.random() < 0.25:
        names = (*TEXT_OPTIONS, *FLAGS, "visits", "seconds") if is_user else GUESTS_OPTIONS
        values["options"] = some_fields(rng, tuple(names))
    else:
        values["options"] = {"visits": rng.randrange(1, 9)}
    if rng.random() < 0.05:
        values |= {rng.choice(["protocol", "options", "token"]): rng.choice(VALUES)}
    return json.dumps(values)


MAKERS: dict[str, Maker] = {  # by protocol
    "gtp": of_words(tuple({name for table in gtp.COMMANDS.values() for name in table})),
    "nboard": of_words((*nboard.COMMANDS, "set", "F5")),
    "ugi": of_words(tuple(ugi.COMMANDS)),
    "analysis": of_query,
    "page": of_page,
}


def line_of(rng: Rng, protocol: str) -> bytes:
    """A line without its end; one in three is spoiled, one in three hundred is very long."""
    if rng.random() < 1 / 300:
        return rng.choice(NASTY) * rng.choice([1000, LONGEST // 4, LONGEST])
    if rng.random() < 0.1:
        protocol = rng.choice(list(MAKERS))
    line = MAKERS[protocol](rng).encode(errors="surrogatepass")
    return spoiled(line, rng) if rng.random() < 0.33 else line


def spoiled(line: bytes, rng: Rng) -> bytes:
    """The line with one to four random errors."""
    for _ in range(rng.randrange(1, 5)):
        start, span = rng.randrange(len(line) + 1), rng.randrange(1, 9)
        pieces = (rng.randbytes(span), b"", rng.choice(NASTY), line[:span] * rng.randrange(1, 9))
        line = line[:start] + rng.choice(pieces) + line[start + rng.choice([0, span]) :]
    return line[:LONGEST]
