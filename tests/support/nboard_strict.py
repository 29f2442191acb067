"""What NBoard's documentation lets an engine say, line by line, and nothing else.

Written from the protocol's text alone: it shares no code with the engine but the rules of Othello.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from engine._core import OthelloPosition

FLOAT = r"-?[0-9]+(?:\.[0-9]+)?"
MOVE = r"(?:[A-Ha-h][1-8]|PA|pa)"
VARIATION = rf"{MOVE}(?:-?{MOVE})*"
LINES = {
    "set": re.compile(r"set myname (\S+)"),
    "status": re.compile(r"status(?: [ -~]*)?"),
    "nodestats": re.compile(rf"nodestats ([0-9]+) ({FLOAT})"),
    "===": re.compile(rf"=== ({MOVE})(?:/({FLOAT})?(?:/({FLOAT}))?)?"),
    "search": re.compile(
        rf"search ({VARIATION}) ({FLOAT})(?:,{FLOAT})? 0 ([0-9]+|100%W?)(?: [ -~]+)?"
    ),
    "pong": re.compile(r"pong (-?[0-9]+)"),
    "learned": re.compile("learned"),
    "analysis": re.compile(rf"analysis ([0-9]+) ({FLOAT})"),
}


@dataclass
class Told:
    """What the engine said in answer to some lines."""

    moves: list[tuple[str, float | None]] = field(default_factory=list)  # after ===
    hints: list[tuple[list[str], float, str]] = field(default_factory=list)  # pv, eval, depth
    pongs: list[int] = field(default_factory=list)
    analysis: list[tuple[int, float]] = field(default_factory=list)
    learned: int = 0
    names: list[str] = field(default_factory=list)
    statuses: list[str] = field(default_factory=list)


def parse(lines: list[str], position: OthelloPosition) -> Told:
    """What these lines tell of the position; fails on any that the protocol does not have."""
    told = Told()
    for line in lines:
        name = line.split(" ")[0]
        assert name in LINES, f"no such line: {line!r}"
        found = LINES[name].fullmatch(line)
        assert found, f"not as documented: {line!r}"
        if name == "===":
            check_playable([found[1]], position)
            told.moves.append((found[1], float(found[2]) if found[2] else None))
        elif name == "search":
            variation = re.findall(MOVE, found[1])
            check_playable(variation, position)
            told.hints.append((variation, float(found[2]), found[3]))
        elif name == "pong":
            told.pongs.append(int(found[1]))
        elif name == "analysis":
            told.analysis.append((int(found[1]), float(found[2])))
        elif name == "learned":
            told.learned += 1
        elif name == "set":
            told.names.append(found[1])
        elif name == "status":
            told.statuses.append(line)
    return told


def check_playable(names: list[str], position: OthelloPosition) -> None:
    """Fails unless these moves can be played one after the other."""
    board = position.copy()
    for name in names:
        move = 64
        if name.upper() != "PA":
            move = (int(name[1]) - 1) * 8 + "abcdefgh".index(name[0].lower())
        assert board.is_legal(move), (names, name)
        board.play(move)
