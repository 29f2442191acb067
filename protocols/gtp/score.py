"""GTP commands about the end of the game: the score and the state of the stones."""

from __future__ import annotations

import numpy as np

from engine.games.chains import chain_at
from protocols.gtp.arguments import expect
from protocols.gtp.codec import GtpCommand, GtpError
from protocols.gtp.context import Context, Handler


def final_score(context: Context, _command: GtpCommand) -> str:
    """The result in points, `B+3.5`, `W+12` or `0`; an estimate while the game goes on."""
    return context.result()


def final_status_list(context: Context, command: GtpCommand) -> str:
    """Answers the stones of a state, one group a line; empty if there are none.

    Stones in seki are alive: their points are a matter of the score.
    """
    expect(command.arguments, 1, "one argument", command.name)
    state = command.arguments[0]
    if state not in {"alive", "seki", "dead"}:
        raise GtpError("Argument to final_status_list must be 'alive' or 'seki' or 'dead'")
    if state == "seki":
        return ""
    status = context.session.final_status()
    marked = status.alive if state == "alive" else status.dead
    stones = context.game.position.stones
    lines: list[str] = []
    listed: set[int] = set()
    for move in np.flatnonzero(marked).tolist():
        if move not in listed:
            group = chain_at(stones, move)
            listed.update(group)
            lines.append(context.vertex_names(tuple(group)))
    return "\n".join(lines)


COMMANDS: dict[str, Handler] = {"final_score": final_score}
GO_COMMANDS: dict[str, Handler] = {"final_status_list": final_status_list}
