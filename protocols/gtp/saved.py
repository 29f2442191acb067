"""The state of a GTP conversation as plain values, and its answers for a returning client.

The commands are numbered from 1, as the client counts its answers. A command that changed the state
is never carried out twice: its answer is saved with the state.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from engine.errors import IllegalMoveError, SettingError, SetupError
from engine.games.clock import TimeControl
from engine.games.game_record import GameRecord
from engine.games.game_settings import settings_from_dict, settings_to_dict
from engine.games.table import Board
from engine.opponents import OpponentName, ServerRating, StoredOpponent, StoreError
from engine.play.session import Session
from protocols.gtp import games, parameters
from protocols.gtp.arguments import expect
from protocols.gtp.codec import GtpCommand, GtpError
from protocols.gtp.context import Context, Handler
from protocols.saved_sessions import SavedSession, SavedSessions

# The errors of a state with impossible values.
FAULTS = (
    *(ArithmeticError, AttributeError, LookupError, TypeError, ValueError),
    *(GtpError, SetupError, IllegalMoveError),
)
ANSWERS = 32  # of the last changes, kept for a client that comes back


@dataclass
class Keeper:
    """Saves one conversation. received: answers that a returning client has."""

    context: Context
    sessions: SavedSessions | None = None  # None: no conversation can be saved
    saved: SavedSession | None = None  # None: this one is not saved
    number: int = 0  # commands answered
    answers: dict[int, str] = field(default_factory=dict)  # of the last changes, by number
    _before: tuple[object, ...] = ()  # the parts of the state as saved last

    def again(self) -> str | None:
        """Counts a command; returns its answer if it was carried out already."""
        self.number += 1
        return self.answers.get(self.number)

    def keep(self, answer: str) -> None:
        """Saves the state and the present command's answer, if the command changed the state."""
        if self.saved is None:
            return
        parts = parts_of(self.context)
        if self._before and all(map(_is_same, parts, self._before)):
            return
        self._before = parts
        self.answers[self.number] = answer
        for number in sorted(self.answers)[:-ANSWERS]:
            del self.answers[number]
        self.saved.save({**state_of(self.context), "answers": self.answers})

    def come_back(self, saved: SavedSession, state: dict[str, Any], received: int) -> None:
        """Goes on with a saved conversation; raises SettingError if its state has a fault.

        received: number of answers that the client has.
        """
        try:
            restore(self.context, state)
            self.answers = {int(number): str(text) for number, text in state["answers"].items()}
        except FAULTS as error:
            raise SettingError(f"the saved conversation has a fault: {error}") from error
        self.saved, self.number, self._before = saved, received, parts_of(self.context)
        saved.on_superseded = self.context.end

    def begin(self) -> SavedSession:
        """Returns the saved conversation, saved from now on; raises GtpError."""
        if self.sessions is None:
            raise GtpError("this engine saves no conversations; `sparring serve` does")
        if self.saved is None:
            self.saved = self.sessions.begin()
            self.saved.on_superseded = self.context.end
            self.saved.save({**state_of(self.context), "answers": {}})
        return self.saved

    def claim(self, token: str) -> None:
        """Goes on with the conversation of a token, in this one; raises SettingError."""
        if self.sessions is None:
            raise SettingError("this engine saves no conversations; `sparring serve` does")
        saved, state = self.sessions.claim(token)
        self.leave(is_over=True)
        number = self.number
        self.come_back(saved, state, received=number)
        self.answers.clear()

    def leave(self, *, is_over: bool) -> None:
        """Ends the conversation. is_over: by its client's word."""
        if self.saved is not None and is_over:
            self.saved.discard()
        elif self.saved is not None and self.sessions is not None:
            self.sessions.end(self.saved)


def _is_same(one: object, other: object) -> bool:
    return one is other or (isinstance(one, str) and one == other)


def parts_of(context: Context) -> tuple[object, ...]:
    """Returns the values whose replacement is a change of the state."""
    session = context.session
    opponent = session.opponent
    return (
        session.game.record,
        str(session.game.resigned),
        session.settings,
        session.clocks.control,
        "" if opponent is None else f"{opponent.name} {opponent.rating}",
        str(context.points),
    )


def state_of(context: Context) -> dict[str, Any]:
    """Returns the state as plain values for JSON."""
    session, record = context.session, context.session.game.record
    opponent = session.opponent
    control, before_chat = session.clocks.control, context.persona_before_chat
    return {
        "game": record.game_settings.game,
        "settings": settings_to_dict(record.game_settings),
        "later_settings": settings_to_dict(context.game_settings),
        "size": [record.width, record.height],
        "setup": record.setup,
        "first_to_move": record.first_to_move,
        "moves": record.moves,
        "resigned": session.game.resigned,
        "persona": session.settings.persona.name,
        "persona_before_chat": before_chat and before_chat.name,
        "parameters": parameters.changed(session.settings),
        "opponent": None if opponent is None else _opponent_fields(opponent),
        "control": None
        if control == TimeControl()
        else {name: str(value) for name, value in asdict(control).items()},
        "points": context.points,
    }


def restore(context: Context, state: dict[str, Any]) -> None:
    """Puts the conversation into a saved state; raises ValueError and its like at a fault."""
    game = state["game"]
    if game != context.game.name:
        games.set_game(context, GtpCommand("", "set_game", (game,)))
    session = context.session
    context.game_settings = replace(
        context.game_settings, **vars_of(settings_from_dict("go", state["later_settings"]))
    )
    if state["opponent"] is None:
        session.meet(None)
    else:
        session.meet(_opponent(context, state["opponent"]))
    width, height = map(int, state["size"])
    record = GameRecord(
        settings_from_dict(game, state["settings"]),
        width,
        height,
        setup=_pairs(state["setup"]),
        first_to_move=int(state["first_to_move"]),
        moves=_pairs(state["moves"]),
    )
    record.position()  # raises for impossible moves
    persona = context.rights.persona(state["persona"], game)
    before_chat = state.get("persona_before_chat")
    if before_chat is not None:
        context.persona_before_chat = context.rights.persona(before_chat, game)
    settings = replace(session.settings, persona=persona)
    settings, _ = parameters.with_changes(settings, state["parameters"])
    session.change_settings(settings)
    _resume(session, record)
    if state["resigned"] is not None:
        session.resign(int(state["resigned"]))
    if state["control"] is not None:
        session.clocks.restart(_control(state["control"]))
    context.points = bool(state["points"])


def _opponent_fields(opponent: StoredOpponent) -> dict[str, Any]:
    rating = None if opponent.rating is None else opponent.rating.to_json()
    return {**asdict(opponent.name), "is_named": opponent.is_named, "rating": rating}


def _opponent(context: Context, fields: Any) -> StoredOpponent:  # noqa: ANN401 (of JSON)
    """Returns the opponent of a saved state; older states have a list of three fields."""
    if isinstance(fields, list):
        fields = dict(zip(("name", "server", "is_named"), fields, strict=True))
    rating = fields.get("rating")
    return StoredOpponent(
        context.memory,
        OpponentName(fields["name"], fields["server"], fields.get("alias", "")),
        is_named=bool(fields["is_named"]),
        rating=None if rating is None else ServerRating.from_json(rating),
    )


def vars_of(settings: object) -> dict[str, Any]:
    """Returns the fields of settings of Go."""
    return {name: getattr(settings, name) for name in ("rules", "komi")}


def _resume(session: Session, record: GameRecord) -> None:
    """Goes on with a game, and with its record in the store if there is one."""
    try:
        stored = () if session.opponent is None else session.opponent.unfinished_games()
    except StoreError:
        stored = ()
    for number, game in stored:
        board = Board(record.game_settings.game, record.width, record.height)
        if (game.board, game.moves) == (board, record.moves) and not game.fault:
            session.resume(number, game)
            return
    session.load(record)


def _control(values: dict[str, str]) -> TimeControl:
    numbers: dict[str, Any] = {name: float(text) for name, text in values.items()}
    for name in ("periods", "stones"):
        numbers[name] = int(numbers[name])
    return TimeControl(**numbers)


def _pairs(values: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    return tuple((int(color), int(move)) for color, move in values)


def session_token(context: Context, command: GtpCommand) -> str:
    """Answers the token of this conversation, saved from now on, and the minutes it stays."""
    expect(command.arguments, 0, "no arguments", command.name)
    saved = keeper_of(context).begin()
    return f"{saved.token} {saved.minutes:g}"


def come_back(context: Context, command: GtpCommand) -> str:
    """Goes on with the conversation of a token; answers its game and the number of its moves."""
    expect(command.arguments, 1, "one argument", command.name)
    keeper_of(context).claim(command.text)
    game = context.game
    return f"{game.board.name}, {len(game.moves)} moves"


def keeper_of(context: Context) -> Keeper:
    """Returns the keeper of a conversation; raises GtpError without one."""
    if not isinstance(context.keeper, Keeper):
        raise GtpError("this engine saves no conversations; `sparring serve` does")
    return context.keeper


COMMANDS: dict[str, Handler] = {
    "sparring-session": session_token,
    "sparring-return": come_back,
}
