"""A conversation about dark chess with a tournament's client; COMMANDS is the table of commands.

The client is the authority: a chosen move is played when it comes back as `move` or `flip`. A line
with a fault changes nothing and is answered with its reason. Text goes to `emit`, and lines come
from an inbox.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from engine._core import DarkChessPosition
from engine.errors import SettingError
from engine.games.dark_chess import PIECES, new_position, picture, read_action, set_up
from protocols.command_queue import CommandQueue, Input, Urgency
from protocols.darkchess import codec
from protocols.darkchess.codec import DarkChessCommand, DarkChessError, quoted
from protocols.lines import LONGEST_LINE, OverlongLine
from protocols.outbox import ClientGoneError
from protocols.positions.player import PositionPlayer, ThinkingLimits

log = logging.getLogger(__name__)

COLORS = ("red", "black")
MOVES_LEFT = 90  # a move takes this part of the time left, as DarkKnight's
REPETITIONS, QUIET_MOVES = 3, 40  # of the rules that the engine plays


class DarkChessEngine:
    """One conversation. emit: sends text, always whole lines.

    count_order: the kinds in the order of `init_board`'s numbers, one of codec.COUNT_ORDERS.
    """

    def __init__(
        self,
        player: PositionPlayer,
        emit: Callable[[str], None],
        inbox: Input,
        *,
        version: str = "1",
        count_order: str = codec.TEMPLATE_KINDS,
    ) -> None:
        self._player = player
        self._emit = emit
        self._version = version
        self._count_order = count_order
        self._queue = CommandQueue(inbox, _urgency, at_once=_ignore)
        self._seconds_left: list[float | None] = [None, None]  # by color
        self._begin(new_position(4, 8))

    def run(self) -> None:
        """Answers lines until `quit` or the end of input."""
        while (line := self._queue.next()) is not None:
            if not self.handle(line):
                return

    def handle(self, line: str) -> bool:
        """Answers one line; False when it was `quit`."""
        if isinstance(line, OverlongLine):
            self._emit(f"? a line of more than {LONGEST_LINE} bytes\n")
            return True
        command = codec.read(line)
        if command is None:
            return True
        handler = COMMANDS.get(command.name)
        if handler is None:
            self._emit(codec.fault(command, f"unknown command {quoted(command.name)}"))
            return True
        try:
            self._emit(codec.answer(command, handler(self, command)))
        except (DarkChessError, SettingError) as error:
            self._emit(codec.fault(command, str(error)))
        except ClientGoneError:
            raise
        except Exception:
            log.exception("%s failed", quoted(line))
            self._emit(codec.fault(command, "internal error"))
        return command.name != "quit"

    def _begin(self, start: DarkChessPosition) -> None:
        self._start = start
        self._moves: list[int] = []
        self._position = start.copy()
        self._player.follow(start, [])

    def _play(self, text: str) -> None:
        """Plays a move; raises DarkChessError for an illegal one, with nothing changed."""
        position = self._position
        move = read_action(text, position.width, position.height)
        other = 1 - position.to_move
        is_others = not position.is_legal(move) and position.is_legal(move, other)
        if is_others and self._may_give_turn():
            self._give_turn(other)
            position = self._position
        code = position.outcome_of(move)
        if code >= 0 and position.pool[code] == 0:
            raise DarkChessError(f"no {PIECES[code]} is unrevealed")
        if not position.is_legal(move):
            raise DarkChessError(f"illegal move {text}")
        position.play(move)
        self._moves.append(move)
        self._player.follow(self._start, self._moves)

    def _may_give_turn(self) -> bool:
        """Whether a board was set up whose side to move is not known yet."""
        return not self._moves and sum(self._position.pool) < codec.CELLS

    def _give_turn(self, player: int) -> None:
        """Begins the set-up board with the other player to move."""
        start = self._start.copy()
        start.setup(start.placed, player)
        self._begin(start)

    def known_command(self, command: DarkChessCommand) -> str:
        """Whether the command of this name exists."""
        return str(bool(command.arguments) and command.arguments[0] in COMMANDS).lower()

    def list_commands(self, _command: DarkChessCommand) -> str:
        """The names of the commands, one a line."""
        return "\n".join(COMMANDS)

    def board_size(self, command: DarkChessCommand) -> str:
        """Accepts the one size of the tournaments."""
        if sorted(command.arguments) != ["4", "8"]:
            raise DarkChessError("the board is 4x8")
        return ""

    def reset_board(self, _command: DarkChessCommand) -> str:
        """Begins a game with all pieces face down."""
        self._seconds_left = [None, None]
        self._begin(new_position(4, 8))
        return ""

    def init_board(self, command: DarkChessCommand) -> str:
        """Begins a game from a board; the first `genmove` or move names the side to move."""
        position = new_position(4, 8)
        try:
            set_up(position, codec.board_text(command.arguments, self._count_order))
        except ValueError as error:
            raise DarkChessError(str(error)) from error
        self._begin(position)
        return ""

    def repetition(self, command: DarkChessCommand) -> str:
        """Accepts the number of repetitions that the engine plays by."""
        return _only(command, REPETITIONS)

    def moves_to_draw(self, command: DarkChessCommand) -> str:
        """Accepts the number of quiet moves that the engine plays by."""
        return _only(command, QUIET_MOVES)

    def move(self, command: DarkChessCommand) -> str:
        """Plays a step or a capture."""
        start, end = map(codec.square, _two(command))
        if start == end:
            raise DarkChessError(f"{start} {end} is no move: a flip names its piece")
        try:
            self._play(f"{start}-{end}")
        except ValueError as error:
            raise DarkChessError(str(error)) from error
        return ""

    def flip(self, command: DarkChessCommand) -> str:
        """Plays a flip with its piece."""
        cell, piece = _two(command)
        if piece not in PIECES:
            raise DarkChessError(f"{quoted(piece)} is no piece")
        self._play(f"{codec.square(cell)}({piece})")
        return ""

    def genmove(self, command: DarkChessCommand) -> str:
        """Chooses a move for a color; it is not played yet."""
        color = command.arguments[0] if command.arguments else "unknown"
        if color not in (*COLORS, "unknown"):
            raise DarkChessError(f"{quoted(color)} is no color")
        position = self._position
        actual = position.color_of_player(position.to_move)
        if color in COLORS and actual >= 0 and COLORS[actual] != color:
            if not self._may_give_turn():
                raise DarkChessError(f"it is the turn of {COLORS[actual]}")
            self._give_turn(1 - position.to_move)
        if self._position.is_over:
            raise DarkChessError("the game is over")
        own = COLORS.index(color) if color in COLORS else actual
        left = None if own < 0 else self._seconds_left[own]
        limits = ThinkingLimits(seconds=None if left is None else left / MOVES_LEFT)
        analysis = self._player.choose(limits, stop=self._queue.interrupted, on_analysis=_ignore)
        return codec.moved_text(analysis.lines[0].variation[0])

    def time_left(self, command: DarkChessCommand) -> str:
        """Notes the time of a color, in milliseconds."""
        color, milliseconds = _two(command)
        if color not in COLORS or not (milliseconds.isascii() and milliseconds.isdigit()):
            raise DarkChessError("time_left takes a color and milliseconds")
        self._seconds_left[COLORS.index(color)] = min(int(milliseconds) / 1000, 1e9)
        return ""

    def game_over(self, command: DarkChessCommand) -> str:
        """Reports the result: the winning color, or a draw."""
        winner = command.arguments[0].lower() if command.arguments else ""
        if winner in COLORS:
            color = self._position.color_of_player(0)
            self._player.finish(0 if COLORS.index(winner) == color else 1, "")
        elif winner == "draw":
            self._player.finish(None, "")
        return ""

    def showboard(self, _command: DarkChessCommand) -> str:
        """The board, the color to move and the unrevealed pieces."""
        return "\n" + picture(self._position)

    def accept(self, _command: DarkChessCommand) -> str:
        """Accepts a command without an effect."""
        return ""


def _two(command: DarkChessCommand) -> tuple[str, str]:
    if len(command.arguments) != 2:
        raise DarkChessError(f"{command.name} takes two arguments")
    return command.arguments[0], command.arguments[1]


def _only(command: DarkChessCommand, number: int) -> str:
    if command.arguments != (str(number),):
        raise DarkChessError(f"{command.name} is {number} here")
    return ""


def _urgency(line: str) -> Urgency:
    command = codec.read(line)
    name = "" if command is None else command.name
    return {"genmove": Urgency.THINK, "quit": Urgency.STOP}.get(name, Urgency.LATER)


def _ignore(_analysis: object) -> None:
    pass


Handler = Callable[[DarkChessEngine, DarkChessCommand], str]
COMMANDS: dict[str, Handler] = {
    "protocol_version": lambda _engine, _command: "1.0.0",
    "name": lambda _engine, _command: "Sparring",
    "version": lambda engine, _command: engine._version,
    "known_command": DarkChessEngine.known_command,
    "list_commands": DarkChessEngine.list_commands,
    "quit": DarkChessEngine.accept,
    "boardsize": DarkChessEngine.board_size,
    "reset_board": DarkChessEngine.reset_board,
    "num_repetition": DarkChessEngine.repetition,
    "num_moves_to_draw": DarkChessEngine.moves_to_draw,
    "move": DarkChessEngine.move,
    "flip": DarkChessEngine.flip,
    "genmove": DarkChessEngine.genmove,
    "game_over": DarkChessEngine.game_over,
    "ready": DarkChessEngine.accept,
    "time_settings": DarkChessEngine.accept,
    "time_left": DarkChessEngine.time_left,
    "showboard": DarkChessEngine.showboard,
    "init_board": DarkChessEngine.init_board,
}
