"""GTP commands of GoGui: its menus, and fast ways to set up a game."""

from __future__ import annotations

from functools import partial

from engine.games.position import Position, placed_stones
from protocols.gtp.arguments import expect
from protocols.gtp.board import stones
from protocols.gtp.codec import GtpCommand, GtpError
from protocols.gtp.context import Context, Handler
from protocols.outbox import ClientGoneError

# type/label/command, shown in GoGui's analyze dialog
GO_ANALYZE_COMMANDS = (
    "string/Final Score/final_score",
    "plist/Final Status Alive/final_status_list alive",
    "plist/Final Status Dead/final_status_list dead",
    "string/Move, not played/reg_genmove %m",
    "string/Show Board/showboard",
    "string/Network/kata-raw-nn 0",
    "string/Rules/kata-get-rules",
    "none/Clear Cache/clear_cache",
)
OTHER_ANALYZE_COMMANDS = (
    "string/Final Score/final_score",
    "string/Move, not played/reg_genmove %m",
    "string/Show Board/showboard",
    "none/Clear Cache/clear_cache",
)


def analyze_commands(context: Context, _command: GtpCommand) -> str:
    """The rows of GoGui's analyze dialog."""
    return "\n".join(GO_ANALYZE_COMMANDS if context.game.name == "go" else OTHER_ANALYZE_COMMANDS)


def interrupt(_context: Context, _command: GtpCommand) -> str:
    """Does nothing; its presence announces that a comment line stops an analysis."""
    return ""


def play_sequence(context: Context, command: GtpCommand) -> str:
    """Plays many moves; the moves before an illegal one stay."""
    words = command.arguments
    if len(words) % 2:
        raise GtpError("syntax error")
    pairs = zip(words[::2], words[1::2], strict=True)
    context.session.play_all(partial(move_of, context, *pair) for pair in pairs)
    return ""


def move_of(context: Context, who: str, where: str, position: Position) -> tuple[int, int]:
    """Returns the (color, move) of two words in a position. Raises GtpError, ClientGoneError."""
    if context.inbox.abandoned():
        raise ClientGoneError
    return context.color(who), context.vertex(where, position)


def setup(context: Context, command: GtpCommand) -> str:
    """Begins a game from the stones on the board and these."""
    position = context.game.position
    placed = {cell: who for who, cell in placed_stones(position)}
    placed.update((cell, who) for who, cell in stones(context, command))
    begun = [(who, cell) for cell, who in sorted(placed.items())]
    context.session.set_up(begun, position.to_move)
    return ""


def setup_player(context: Context, command: GtpCommand) -> str:
    """Begins a game from the stones on the board, this color to move."""
    expect(command.arguments, 1, "one argument", command.name)
    who = context.color(command.text)
    context.session.set_up(placed_stones(context.game.position), who)
    return ""


COMMANDS: dict[str, Handler] = {
    "gogui-analyze_commands": analyze_commands,
    "gogui-interrupt": interrupt,
    "gogui-play_sequence": play_sequence,
    "gogui-setup": setup,
    "gogui-setup_player": setup_player,
}
