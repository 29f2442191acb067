"""A game against a person in a terminal; COMMANDS is the table of commands.

A line is a command or a move. A line with a fault changes nothing and is answered with its reason.
Text goes to `emit`, and lines come from an inbox.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from engine.errors import CannotUndoError, SettingError
from engine.formats import transcript
from engine.games.chance import Draw, fair_draw
from engine.games.position import Position
from engine.games.table import GAMES
from engine.play.session import Session
from protocols.activity import MOVE, current
from protocols.command_queue import Input
from protocols.end_causes import cause_of
from protocols.lines import LONGEST_LINE, OverlongLine
from protocols.outbox import ClientGoneError
from protocols.rights import GUEST, Rights
from protocols.terminal.boards import BOARDS, WrongMoveError

log = logging.getLogger(__name__)

SEED_BITS = 48
LONGEST_QUOTE = 40  # characters of a line in an answer


@dataclass(slots=True)
class Dealer:
    """The chance of the game under way. A move taken back and repeated has the same outcome."""

    rng: random.Random = field(default_factory=random.SystemRandom)
    _draw: Draw = field(default_factory=lambda: fair_draw(None))

    def deal(self, game: str) -> None:
        """Deals the pieces, or rolls the dice, of a new game, a key of GAMES."""
        deal = GAMES[game].deal
        if deal is not None:
            self._draw = deal(self.rng.getrandbits(SEED_BITS))

    def draw(self, position: Position, move: int) -> int:
        """Returns the played move of a legal move, as a Draw does."""
        return self._draw(position, move)


class TerminalEngine:
    """One conversation. The session draws by the dealer. emit: sends text, always whole lines."""

    def __init__(
        self,
        session: Session,
        dealer: Dealer,
        emit: Callable[[str], None],
        inbox: Input,
        *,
        rights: Rights = GUEST,
    ) -> None:
        self._session = session
        self._dealer = dealer
        self._emit = emit
        self._inbox = inbox
        self._rights = rights
        self._board = BOARDS[session.game.name]
        self._person = 0  # color of the person
        self._why = "The engine has not moved yet."

    def run(self) -> None:
        """Answers lines until `quit` or the end of input."""
        self._say(f"{self._session.game.kind.title}: {self._board.moves}.")
        self._say("Other commands: " + ", ".join(COMMANDS) + ".")
        self._begin(0)
        while (line := self._inbox.take()) is not None:
            if not self.handle(line):
                return

    def handle(self, line: str) -> bool:
        """Answers one line; False when it was `quit`."""
        if isinstance(line, OverlongLine):
            self._say(f"A line has at most {LONGEST_LINE} bytes.")
            return True
        words = line.split()
        if not words:
            return True
        try:
            if (command := COMMANDS.get(words[0].lower())) is not None:
                command.run(self, words[1:])
            else:
                self._move(line.strip())
        except (WrongMoveError, SettingError, CannotUndoError) as error:
            text = str(error)
            self._say(f"{text[:1].upper()}{text[1:]}.")
        except ClientGoneError:
            raise
        except Exception:
            log.exception("%r failed", line[:LONGEST_QUOTE])
            self._say("Internal error; the game stands as it was.")
        return words[0].lower() != "quit"

    def _say(self, text: str) -> None:
        self._emit(f"{text}\n")

    def _begin(self, person: int) -> None:
        """Begins a game; person: their color."""
        self._dealer.deal(self._session.game.name)
        self._session.start_over()
        self._person = person
        self._why = "The engine has not moved yet."
        self._go_on()

    def _move(self, text: str) -> None:
        """Plays the person's move, and the engine's answer."""
        session = self._session
        if session.game.is_ended:
            raise WrongMoveError("the game is over: `new` begins another")
        shown = text if len(text) <= LONGEST_QUOTE else f"{text[:LONGEST_QUOTE]}..."
        move = self._board.read(shown, session.game.position)
        played = self._dealer.draw(session.game.position, move)
        session.play(self._person, played)
        self._say(f"You play {self._written(played)}.")
        self._go_on()

    def _written(self, move: int) -> str:
        game = self._session.game
        return game.kind.write_move(move, game.width, game.height)

    def _go_on(self) -> None:
        """Plays the engine's move if it is its turn; shows the board and a result."""
        session = self._session
        while not session.game.is_ended and session.game.position.to_move != self._person:
            with current().timed(MOVE, "move"):
                choice = session.genmove(1 - self._person, stop=self._inbox.abandoned)
            if self._inbox.abandoned():
                return
            self._why = choice.reason
            if choice.move is not None:
                self._say(f"The engine plays {self._written(choice.move)}.")
        self.show([])
        if session.game.is_ended:
            session.settle()
            self._say(self._result())

    def _result(self) -> str:
        """Returns the result of the ended game as a sentence."""
        game = self._session.game
        winner = game.position.winner if game.resigned is None else 1 - game.resigned
        cause = cause_of(game) if game.resigned is None else " by resignation"
        result = "You win" if winner == self._person else "The engine wins"
        if winner < 0:
            result = "The game is drawn"
        return f"{result}{cause}. `new` begins another."

    # ---- Commands; words: those behind the command's name

    def show(self, _words: list[str]) -> None:
        """The board and the turn."""
        position = self._session.game.position
        for row in self._board.rows(position):
            self._say(row)
        self._say(self._board.turn(position, self._person))

    def new(self, words: list[str]) -> None:
        """Another game; `new second` lets the engine begin."""
        if words not in ([], ["first"], ["second"]):
            raise SettingError("write new, new first or new second")
        self._begin(int(words == ["second"]))

    def list_moves(self, _words: list[str]) -> None:
        """Your legal moves."""
        moves = [] if self._session.game.is_ended else self._session.game.position.legal_moves()
        shown = [self._written(move) for move in moves[:MOST_SHOWN]]
        more = ["..."] if len(moves) > len(shown) else []
        self._say(" ".join([*shown, *more]) or "There is no move: the game is over.")

    def undo(self, _words: list[str]) -> None:
        """Takes your last move and the engine's answer back."""
        moves = self._session.game.moves
        own = [number for number, (color, _) in enumerate(moves) if color == self._person]
        if not own:
            raise CannotUndoError("you have not moved yet")
        self._session.undo(len(moves) - own[-1])
        self.show([])

    def why(self, _words: list[str]) -> None:
        """The reason of the engine's last move."""
        self._say(self._why)

    def persona(self, words: list[str]) -> None:
        """The engine's manner of play: full, even, level:300 ...; without one, the present one."""
        session = self._session
        if words:
            persona = self._rights.persona(" ".join(words), session.game.name)
            session.change_settings(replace(session.settings, persona=persona))
        self._say(f"The engine plays as {session.settings.persona.name}.")

    def record(self, _words: list[str]) -> None:
        """The moves so far in one line, with their outcomes."""
        game = self._session.game
        start = game.game_settings.begin(game.width, game.height)
        self._say(
            transcript.write(game.name, [move for _, move in game.moves], start) or "No moves."
        )

    def resign(self, _words: list[str]) -> None:
        """Gives the game up."""
        if self._session.game.is_ended:
            raise SettingError("the game is over")
        self._session.resign(self._person)
        self._session.settle()
        self._say(self._result())

    def help(self, _words: list[str]) -> None:
        """This list."""
        self._say(f"Moves: {self._board.moves}.")
        for name, command in COMMANDS.items():
            self._say(f"  {name:<8} {command.help}")

    def quit(self, _words: list[str]) -> None:
        """Ends the conversation."""


MOST_SHOWN = 60  # legal moves in a list


@dataclass(frozen=True, slots=True)
class TerminalCommand:
    """One command; its method's docstring is its help."""

    run: Callable[[TerminalEngine, list[str]], None]

    @property
    def help(self) -> str:
        """The first line of the method's docstring."""
        return (self.run.__doc__ or "").partition("\n")[0]


COMMANDS: dict[str, TerminalCommand] = {
    "board": TerminalCommand(TerminalEngine.show),
    "moves": TerminalCommand(TerminalEngine.list_moves),
    "why": TerminalCommand(TerminalEngine.why),
    "undo": TerminalCommand(TerminalEngine.undo),
    "new": TerminalCommand(TerminalEngine.new),
    "resign": TerminalCommand(TerminalEngine.resign),
    "persona": TerminalCommand(TerminalEngine.persona),
    "record": TerminalCommand(TerminalEngine.record),
    "help": TerminalCommand(TerminalEngine.help),
    "quit": TerminalCommand(TerminalEngine.quit),
}
