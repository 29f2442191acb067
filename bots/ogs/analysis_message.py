"""The engine's analysis of our move as a line of OGS's chat, in the form of gtp2ogs.

The line goes to the Malkovich log: spectators read it, and the opponent reads it after the game.
"""

from __future__ import annotations

import json
from typing import Any

from bots.ogs.coordinates import encode, read_vertex

MALKOVICH = "malkovich"  # the chat's room


def analysis_message(
    analysis: str, move: str, moves_before: int, width: int, height: int
) -> dict[str, Any]:
    """Returns the fields of game/chat for the analysis of a move, a text of analysis_json.

    The line of play is that of the move itself, which need not be the engine's best one.
    """
    root = json.loads(analysis)
    same = (row for row in root["moves"] if str(row.get("move")).lower() == move.lower())
    row: dict[str, Any] = next(same, {})
    values = root | {name: value for name, value in row.items() if name in ("winrate", "score")}
    winrate, visits = round(100 * values.get("winrate", 0.5), 1), root.get("visits", 0)
    score = round(values.get("score", 0.0), 1)
    line = [encode(read_vertex(point, width, height), width, height)
            for point in (move, *str(row.get("pv", "")).split())]  # fmt: skip
    body = {
        "type": "analysis",
        "name": f"Win rate: {winrate}%, Score: {score}, Visits: {visits}",
        "from": moves_before,
        "moves": "".join(line),
        "marks": {"circle": line[0]},
        "engine_analysis": {"win_rate": winrate, "score": score, "visits": visits},
    }
    return {"type": MALKOVICH, "move_number": moves_before + 1, "body": body}
