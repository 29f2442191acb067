"""The GTP command about the whole game: for programs that carry the game on elsewhere."""

from __future__ import annotations

import json

from protocols.gtp.arguments import expect
from protocols.gtp.codec import GtpCommand
from protocols.gtp.context import Context, Handler
from protocols.gtp.showboard import STONES


def game_state(context: Context, command: GtpCommand) -> str:
    """Answers the game as one line of JSON: board, moves, stones, side to move, end and result.

    The moves have the game's own spelling; rows hold the stones, the upper row first. The side to
    move is null after the end, the result before it.
    """
    expect(command.arguments, 0, "no arguments", command.name)
    game, write, colors = context.game, context.move_writer(), context.spelling.colors
    state = {
        "board": game.board.name,
        "moves": [[colors[color], write(move)] for color, move in game.moves],
        "rows": ["".join(STONES[stone] for stone in row) for row in game.position.stones],
        "to_move": None if game.is_ended else colors[game.position.to_move],
        "is_over": game.is_ended,
        "result": context.result() if game.is_ended else None,
    }
    return json.dumps(state, separators=(",", ":"))


COMMANDS: dict[str, Handler] = {"sparring-game": game_state}
