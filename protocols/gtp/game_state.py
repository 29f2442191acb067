"""The GTP command about the whole game: for programs that carry the game on elsewhere."""

from __future__ import annotations

import json

from engine.play.results import score_text
from engine.play.session import Session
from protocols.gtp.arguments import expect
from protocols.gtp.codec import GtpCommand
from protocols.gtp.context import Context, Handler
from protocols.gtp.showboard import STONES

COLORS = ("black", "white")  # the first color to move, and the other


def game_state(context: Context, command: GtpCommand) -> str:
    """Answers the game as one line of JSON: board, moves, stones, side to move, end and result.

    The moves have the game's own spelling; rows hold the stones, the upper row first. The side to
    move is null after the end, the result before it.
    """
    expect(command.arguments, 0, "no arguments", command.name)
    session, game, write = context.session, context.game, context.move_writer()
    state = {
        "board": game.board.name,
        "moves": [[COLORS[color], write(move)] for color, move in game.moves],
        "rows": ["".join(STONES[stone] for stone in row) for row in game.position.stones],
        "to_move": None if game.is_ended else COLORS[game.position.to_move],
        "is_over": game.is_ended,
        "result": result(session) if game.is_ended else None,
    }
    return json.dumps(state, separators=(",", ":"))


def result(session: Session) -> str:
    """Returns the result of a game that is over: `B+3.5`, `W+R` or `0`."""
    if session.game.resigned is not None:
        return f"{'WB'[session.game.resigned]}+R"
    return score_text(session)


COMMANDS: dict[str, Handler] = {"sparring-game": game_state}
