"""GTP as a conversation: each line in, one answer out, over a session of the engine.

The engine has a table of commands for each game, and turns errors into answers. Text goes to
`emit`, and an inbox reports waiting input. There are no threads.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from engine.errors import (
    CannotUndoError,
    GameOverError,
    IllegalMoveError,
    RecordError,
    SettingError,
    SetupError,
)
from engine.games.game_settings import USUAL_GO, GoSettings
from engine.opponents import OpponentStore, TransientStore
from engine.play.search_source import SearchSource
from engine.play.session import Session
from protocols.activity import ANALYSIS, COMMAND, MOVE, current
from protocols.gtp import (
    benchmark,
    board,
    chat,
    chess,
    core,
    files,
    game_state,
    games,
    gogui,
    gogui_rules,
    handicap,
    network,
    opponent,
    rules,
    saved,
    score,
    settings,
    showboard,
    thinking,
    timing,
)
from protocols.gtp import (
    personas as persona_commands,
)
from protocols.gtp.codec import GtpCommand, GtpError, Reply, quoted, read
from protocols.gtp.context import Context, Handler, LineSource, do_nothing
from protocols.lines import LONGEST_LINE, OverlongLine
from protocols.outbox import ClientGoneError
from protocols.rights import GUEST, Rights
from protocols.saved_sessions import SavedSession, SavedSessions

log = logging.getLogger(__name__)

# Errors by a command's arguments or the game, not by a fault of the program.
ANSWERED = (
    GtpError,
    IllegalMoveError,
    SettingError,
    RecordError,
    CannotUndoError,
    SetupError,
    GameOverError,
)

# Commands of every game, and of Go alone.
SHARED: dict[str, Handler] = {
    **core.COMMANDS,
    **games.COMMANDS,
    **board.COMMANDS,
    **showboard.COMMANDS,
    **timing.COMMANDS,
    **thinking.COMMANDS,
    **score.COMMANDS,
    **files.COMMANDS,
    **settings.COMMANDS,
    **network.COMMANDS,
    **opponent.COMMANDS,
    **chat.COMMANDS,
    **persona_commands.COMMANDS,
    **saved.COMMANDS,
    **game_state.COMMANDS,
    **gogui.COMMANDS,
    **gogui_rules.COMMANDS,
}
GO_ONLY: dict[str, Handler] = {
    **handicap.COMMANDS,
    **rules.COMMANDS,
    **thinking.GO_COMMANDS,
    **score.GO_COMMANDS,
    **files.GO_COMMANDS,
    **network.GO_COMMANDS,
    **benchmark.GO_COMMANDS,
}
OF_PIECES: dict[str, Handler] = {
    name: handler
    for name, handler in (SHARED | games.WITHOUT_KOMI).items()
    if name not in gogui_rules.COMMANDS  # GoGui draws no board of pieces
}
COMMANDS: dict[str, dict[str, Handler]] = {
    "go": SHARED | GO_ONLY,
    "othello": SHARED | games.WITHOUT_KOMI,
    "connect4": SHARED | games.WITHOUT_KOMI,
    "chess": OF_PIECES | chess.COMMANDS,
    "darkchess": OF_PIECES,
    "einstein": OF_PIECES,
}

# After these the opponent is to move, or the clock has just been set: time to ponder.
PONDER_AFTER = {
    "play",
    "genmove",
    "lz-genmove_analyze",
    "kata-genmove_analyze",
    "komi",
    "time_left",
}


class GtpEngine:
    """One GTP conversation, about one game at a time.

    emit: sends text, always whole lines. rights: of the client, a guest by default. source: of
    searches for other games; None: no other game can be played. points: write moves of every game
    as points of a board of Go from the start. game_settings: settings of Go for a later game of Go.
    memory: the store of opponents; a guest, or None, has one that ends with the conversation.
    as_katago: answer KataGo's name and version. sessions: saves conversations; None: cannot.
    end: ends the conversation, whose client is back elsewhere; called by another thread.
    """

    def __init__(
        self,
        session: Session,
        emit: Callable[[str], None],
        inbox: LineSource,
        *,
        rights: Rights = GUEST,
        source: SearchSource | None = None,
        points: bool = False,
        memory: OpponentStore | None = None,
        game_settings: GoSettings = USUAL_GO,
        name: str = "Sparring",
        as_katago: bool = False,
        sessions: SavedSessions | None = None,
        end: Callable[[], None] = do_nothing,
    ) -> None:
        self._emit = emit
        self._may_ponder = False
        self._context = Context(
            session=session,
            inbox=inbox,
            name=name,
            as_katago=as_katago,
            end=end,
            rights=rights,
            tables=COMMANDS,
            source=source,
            always_points=points,
            points=points,
            memory=(memory if rights.is_user else None) or TransientStore(),
            game_settings=game_settings,
            reply=Reply("", emit),
        )
        self._keeper = self._context.keeper = saved.Keeper(self._context, sessions)

    def handle(self, line: str) -> bool:
        """Answers one line, exactly once if it is a command; returns False after `quit`.

        Blocks while the command thinks. Analysis goes on until further input waits.
        """
        try:
            command = read(line)
        except GtpError as error:
            self._keeper.again()
            Reply("", self._emit).fail(str(error))
            return True
        if command is None:
            return True
        reply = Reply(command.id, self._emit)
        if isinstance(line, OverlongLine) and "#" not in line:
            self._keeper.again()
            reply.fail(f"line longer than {LONGEST_LINE} bytes: {quoted(line)}")
            return True
        again = self._keeper.again()
        if again is not None:
            self._emit(again)  # carried out before the connection was lost
            return True
        self._context.reply = reply
        self._answer(command)
        self._may_ponder = command.name in PONDER_AFTER
        return not self._context.quitting

    def refusal(self, line: str) -> str:
        """Runs a command without an answer; returns its error, or an empty text."""
        command, answer = read(line), list[str]()
        if command is not None:
            self._context.reply = Reply("", answer.append)
            self._answer(command)
        text = "".join(answer).strip()
        return text.removeprefix("?").strip() if text.startswith("?") else ""

    def save(self) -> SavedSession:
        """Saves the conversation from now on; raises GtpError."""
        return self._keeper.begin()

    def come_back(self, saved: SavedSession, state: dict[str, Any], received: int) -> None:
        """Goes on with a saved conversation whose client has so many answers.

        Raises SettingError if the state has a fault.
        """
        self._keeper.come_back(saved, state, received)

    def leave(self, *, is_over: bool) -> None:
        """Ends the conversation; unless it is over, it stays saved for its client."""
        self._keeper.leave(is_over=is_over or self._context.quitting)

    def settle(self) -> None:
        """Records the result of an ended game."""
        try:
            self._context.session.settle()
        except Exception:
            log.exception("counting the game failed")

    def idle(self) -> None:
        """Records results, and ponders if switched on; called while no line waits."""
        session = self._context.session
        self.settle()
        if self._may_ponder and session.settings.ponder and session.game.moves:
            self._may_ponder = False
            try:
                session.ponder(stop=self._context.inbox.waiting)
            except Exception:
                log.exception("pondering failed")

    def _answer(self, command: GtpCommand) -> None:
        activity = current()
        kind, session = kind_of(command.name), self._context.session
        with activity.timed(kind, command.name):
            self._carry_out(command)
        if kind == MOVE and session.last_choice is not None:
            log.debug("move %d: %s", len(session.game.moves), session.last_choice.reason)
        activity.game, activity.moves = session.game.board.name, len(session.game.moves)
        activity.persona = session.settings.persona.name
        activity.opponent = str(session.opponent.name) if session.opponent is not None else ""

    def _carry_out(self, command: GtpCommand) -> None:
        reply = self._context.reply
        handler = self._context.commands.get(command.name, core.unknown_command)
        try:
            text = handler(self._context, command)
            self._keeper.keep(reply.whole(text))
            reply.succeed(text)
        except ANSWERED as error:
            reply.fail(str(error))
        except ClientGoneError:
            raise
        except Exception as error:
            log.exception("%s %s failed", command.name, quoted(command.text))
            reply.fail(f"internal error: {error}")


def kind_of(name: str) -> str:
    """Returns the kind of a command, one of activity.KINDS.

    >>> kind_of("kata-genmove_analyze"), kind_of("lz-analyze"), kind_of("name")
    ('move', 'analysis', 'command')
    """
    if "genmove" in name or name.startswith("kata-search"):
        return MOVE
    return ANALYSIS if "analyze" in name or "benchmark" in name else COMMAND
