"""One game on OGS: the server's messages as events, and the game's actions as commands.

The account keeps no moves: it knows the last full state, the clock and the number of moves. It
opens no connection and reads no clock. Server times are in milliseconds, the bot's in seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from bots import actions, events
from bots.actions import ServerAction
from bots.events import Event, Phase
from bots.fields import WireError
from bots.game_clocks import GameClocks
from bots.game_setup import GameSetup, OnlineMove, OnlineOpponent, OnlineResult
from bots.ogs import messages
from bots.ogs.analysis_message import analysis_message
from bots.ogs.clock import PLAYER_PAUSE, OgsClock
from bots.ogs.coordinates import decode_cells, decode_move, encode, read_vertex, write_vertex
from bots.ogs.game_data import GameData, OgsPlayer
from bots.ogs.messages import OgsGameMessage
from bots.ogs.opponents import pools_of
from bots.ogs.stone_removal import Command, JudgedStones, StoneRemoval

MAIN = "main"  # the room of both players
REASONS = {
    "Resignation": "resign",
    "Timeout": "time",
    "Cancellation": "abort",
    "Abandonment": "abort",
    "Disconnection": "time",
}
PHASES = {"play": Phase.PLAYING, "stone removal": Phase.SCORING, "finished": Phase.OVER}
MOST_MOVES = 10_000  # in a game
MOST_LINES = 1000  # lines of chat in a game that are told apart

Taken = tuple[list[Event], list[Command]]  # events of the game, commands for the server
# A player and the pools of ratings for the game -> the opponent.
DescribeOpponent = Callable[[OgsPlayer, Sequence[str]], OnlineOpponent]


@dataclass(frozen=True, slots=True)
class Moment:
    """One moment, by both clocks."""

    at: float  # seconds of the bot's monotonic clock
    server_ms: float


class GameAccount:
    """The account of one game."""

    def __init__(
        self, game_id: int, bot_id: int, describe: DescribeOpponent, *, since_ms: float
    ) -> None:
        """describe: the opponent's identity and rating. since_ms: earlier chat is not answered."""
        self.id = game_id
        self.data: GameData | None = None  # the last full state
        self.setup: GameSetup | None = None
        self.is_scoring = False  # the players remove dead stones
        self.over_at: float | None = None  # the bot's time of the end
        self._bot_id, self._describe, self._since_ms = bot_id, describe, since_ms
        self._clock: OgsClock | None = None
        self._length = 0  # moves on the board, by the messages
        self._turned: list[int] = []  # indices of moves from which on the colors are exchanged
        self._request = 0  # number of the state request without an answer; 0: none
        self._undo_count = 1  # moves of the last request to take back
        self._undo_asked: int | None = None  # move number of the request without an answer
        self._undo_done: int | None = None  # move number of the last request on this line
        self._lines: set[str] = set()  # chat that was read
        self._marks: frozenset[int] = frozenset()
        self._removal = StoneRemoval(game_id)

    # ---- Messages of the server

    def take(self, message: OgsGameMessage, now: Moment) -> Taken:
        """Takes a message; returns the events for the game, and commands for the server at once.

        Raises WireError on a message that makes no sense in this game.
        """
        if isinstance(message, GameData):
            return self._take_state(message, now)
        reader = READERS.get(type(message))
        if reader is None or self.data is None:
            return [], []  # the full state follows
        result: Taken = reader(self, message, now)
        return result

    def _take_state(self, data: GameData, now: Moment) -> Taken:
        color = data.color_of(self._bot_id)
        if data.game_id != self.id or color is None:
            raise WireError(f"game {data.game_id} is not the bot's game {self.id}")
        if self.setup is None:
            self.setup = setup_of(data, color, self._describe)
        request, self._request = self._request, 0
        self.data, self._clock = data, data.clock
        self._length, self._marks = len(data.moves), data.removed
        self._note_turn(data)
        phase = self._phase(data.phase)
        is_playing = data.phase == "play"
        state = events.StateReceived(
            now.at,
            self.setup,
            tuple(self._move(index, move) for index, move in enumerate(data.moves)),
            self._color_at(self._length) if is_playing else None,
            self._clocks(now),
            Phase.SCORING if phase is Phase.OVER else phase,
            answers=request,
        )
        found: list[Event] = [state]
        if phase is Phase.OVER:
            self.over_at = now.at if self.over_at is None else self.over_at
            found.append(events.GameEnded(now.at, result_of(data)))
        elif is_playing and data.undo_requested not in (None, self._undo_asked, self._undo_done):
            found.append(self._ask_undo(data.undo_requested or 0, self._undo_count, now))
        more, commands = self._enter(data.phase, now)
        return [*found, *more], commands

    def _note_turn(self, data: GameData) -> None:
        """Notes a clock running against the order of the moves."""
        self._turned = [index for index in self._turned if index <= len(data.moves)]
        color = data.color_of(data.clock.current_player_id)
        if data.phase == "play" and color is not None and color != self._color_at(self._length):
            self._turned.append(self._length)

    def _take_move(self, message: messages.MoveMessage, now: Moment) -> Taken:
        data = self._known()
        if not 1 <= message.number <= MOST_MOVES:
            raise WireError(f"no number of a move: {message.number}")
        move = self._move(message.number - 1, decode_move(message.point, data.width, data.height))
        if message.number == self._length + 1:
            self._length += 1
            self._undo_asked = self._undo_done = None
        to_move = self._color_at(message.number)
        return [events.MovePlayed(now.at, message.number, move, to_move)], []

    def _take_clock(self, clock: OgsClock, now: Moment) -> Taken:
        before, self._clock = self._clock, clock.after(self._clock)
        found: list[Event] = []
        if before is not None and before.is_paused != self._clock.is_paused and not self.is_scoring:
            found.append(events.PhaseChanged(now.at, self._phase("play")))
        clocks = self._clocks(now)
        if clocks is not None:
            found.append(events.ClocksReceived(now.at, clocks))
        return found, []

    def _take_phase(self, message: messages.PhaseMessage, now: Moment) -> Taken:
        if message.phase == "finished":
            return [], [self.connect]  # the full state has the result
        more, commands = self._enter(message.phase, now)
        if message.phase == "play":
            commands = [*commands, self.connect]  # a resumed game may have another turn
        return [events.PhaseChanged(now.at, self._phase(message.phase)), *more], commands

    def _take_chat(self, message: messages.ChatMessage, now: Moment) -> Taken:
        """Reads a line once; the server sends all lines again at each connection."""
        if message.id in self._lines or len(self._lines) >= MOST_LINES:
            return [], []
        self._lines.add(message.id)
        is_old = message.sent_at * 1000 < self._since_ms
        is_others = message.player_id != self.opponent.id or message.channel != MAIN
        if is_old or is_others or self.setup is None:
            return [], []
        name = self.setup.opponent.name
        return [events.ChatReceived(now.at, name, message.body, MAIN)], []

    def _take_undo_request(self, message: messages.UndoRequestMessage, now: Moment) -> Taken:
        is_known = message.move_number in (self._undo_asked, self._undo_done)
        if message.player_id == self._bot_id or is_known:
            return [], []
        return [self._ask_undo(message.move_number, message.count, now)], []

    def _ask_undo(self, number: int, count: int, now: Moment) -> Event:
        self._undo_count, self._undo_asked = count, number
        return events.UndoRequested(now.at, number - count)

    def _take_undo(self, message: messages.UndoMessage, now: Moment) -> Taken:
        if self._undo_asked is None:
            return [], [self.connect]  # a doubled message, or a request that was not heard
        left = self._length - (message.count or self._undo_count)
        self._undo_done, self._undo_asked = self._undo_asked, None
        self._undo_count, self._length = 1, max(left, 0)
        return [events.UndoAccepted(now.at, left, self._color_at(max(left, 0)))], []

    def _take_undo_cancel(self, _: messages.UndoCancelMessage, now: Moment) -> Taken:
        self._undo_asked = None
        return [events.UndoCanceled(now.at)], []

    def _take_marks(self, message: messages.RemovalMessage, _: Moment) -> Taken:
        data = self._known()
        self._marks = frozenset(decode_cells(message.letters, data.width, data.height))
        return [], self._removal.change(self._marks) if self.is_scoring else []

    def _take_refusal(self, message: messages.RefusalMessage, now: Moment) -> Taken:
        return [events.MoveRefused(now.at, message.text)], []

    def lose_line(self) -> None:
        """Forgets the requests whose answers went with the line."""
        self._request, self._undo_asked, self._undo_done = 0, None, None

    # ---- Actions of the game

    @property
    def connect(self) -> Command:
        """The command that asks for the full state and for all further messages."""
        return "game/connect", {"game_id": self.id, "chat": True}

    def commands(self, action: ServerAction) -> list[Command]:
        """Returns the commands of an action."""
        if isinstance(action, actions.SettleStones):
            return self._settle(action)
        writer = WRITERS.get(type(action))
        fields = None if writer is None else writer(self, action)
        if fields is None:
            return []
        name, values = fields
        found = [(name, {"game_id": self.id, **values})]
        if isinstance(action, actions.SendMove) and action.analysis:
            found.append(("game/chat", {"game_id": self.id, **self._analysis(action)}))
        return found

    def _settle(self, action: actions.SettleStones) -> list[Command]:
        """Returns the commands of the removal after the engine's judgement."""
        if not self.is_scoring:
            return []
        size = self._known().width, self._known().height
        dead, alive = (
            frozenset(read_vertex(point, *size) for point in points)
            for points in (action.dead, action.alive)
        )
        return self._removal.judge(JudgedStones(dead, alive), self._marks)

    def _send_move(self, action: actions.SendMove) -> tuple[str, dict[str, Any]]:
        data = self._known()
        move = read_vertex(action.move, data.width, data.height)
        return "game/move", {"move": encode(move, data.width, data.height)}

    def _analysis(self, action: actions.SendMove) -> dict[str, Any]:
        data = self._known()
        size = data.width, data.height
        return analysis_message(action.analysis, action.move, action.number - 1, *size)

    def _request_state(self, action: actions.RequestState) -> tuple[str, dict[str, Any]]:
        self._request = action.request
        return "game/connect", {"chat": True}

    def _accept_undo(self, _: actions.AcceptUndo) -> tuple[str, dict[str, Any]]:
        return "game/undo/accept", {"move_number": self._length}

    def _refuse_undo(self, _: actions.RefuseUndo) -> tuple[str, dict[str, Any]]:
        return "game/undo/cancel", {"move_number": self._length}

    def _resume(self, _: actions.ResumeGame) -> tuple[str, dict[str, Any]] | None:
        """Ends a pause of a player; the server's own pauses end by themselves."""
        pause = None if self._clock is None else self._clock.pause
        is_players = pause is not None and pause.reasons == {PLAYER_PAUSE}
        return ("game/resume", {}) if is_players else None

    def _say(self, action: actions.Say) -> tuple[str, dict[str, Any]]:
        room = action.room or MAIN
        return "game/chat", {"type": room, "move_number": self._length, "body": action.text}

    # ---- Within

    def _known(self) -> GameData:
        if self.data is None:
            raise WireError(f"game {self.id} has no state yet")
        return self.data

    @property
    def is_over(self) -> bool:
        """Whether the server ended the game."""
        return self.over_at is not None

    @property
    def is_paused(self) -> bool:
        """Whether a player or a moderator stopped the game."""
        return self._clock is not None and self._clock.is_paused

    @property
    def opponent(self) -> OgsPlayer:
        """The opponent; the state must be known."""
        data = self._known()
        return data.white if data.black.id == self._bot_id else data.black

    def _color_at(self, index: int) -> int:
        turns = sum(turned <= index for turned in self._turned)
        return self._known().color_at(index) ^ (turns & 1)

    def _move(self, index: int, move: int) -> OnlineMove:
        data = self._known()
        return OnlineMove(self._color_at(index), write_vertex(move, data.width, data.height))

    def _phase(self, phase: str) -> Phase:
        return Phase.PAUSED if phase == "play" and self.is_paused else PHASES[phase]

    def _enter(self, phase: str, now: Moment) -> Taken:
        """Begins the removal of stones, goes on with it after a reconnect, or leaves it."""
        before, self.is_scoring = self.is_scoring, phase == "stone removal"
        if not self.is_scoring:
            return [], []
        if before:
            return [], self._removal.go_on(self._marks)
        self._removal.begin(self._known().width)
        return [events.JudgementWanted(now.at)], []

    def _clocks(self, now: Moment) -> GameClocks | None:
        data, clock = self._known(), self._clock
        color = None if clock is None else data.color_of(clock.current_player_id)
        if clock is None or color is None:
            return None
        players = clock.players(data.time_settings, color, now.server_ms)
        return players and GameClocks(players, now.at, color if clock.is_running else None)


def setup_of(data: GameData, color: int, describe: DescribeOpponent) -> GameSetup:
    """Returns the agreement of a game in which the bot has this color."""
    opponent = data.black if color else data.white
    stones = tuple(
        OnlineMove(of, write_vertex(cell, data.width, data.height)) for of, cell in data.stones
    )
    return GameSetup(
        id=str(data.game_id),
        color=color,
        opponent=describe(opponent, pools_of(data.time_settings.speed, data.width, data.height)),
        game="go",
        width=data.width,
        height=data.height,
        rules=data.rules,
        komi=data.komi,
        stones=stones,
        first_to_move=data.color_at(0),
        time_control=data.time_settings.control,
        speed=data.time_settings.speed,
        is_rated=data.is_ranked,
    )


def result_of(data: GameData) -> OnlineResult:
    """Returns the result of a finished game.

    A game without a winner is drawn, or annulled where its outcome says so.
    """
    winner = None if data.winner_id is None else data.color_of(data.winner_id)
    word = data.outcome.removeprefix("Server Decision: ").strip()
    if word in REASONS:
        reason = REASONS[word]
        return OnlineResult(None if reason == "abort" else winner, reason)
    points = word.split()[0] if word.endswith(("points", "point")) else ""
    return OnlineResult(winner, points if winner is not None else "draw")


READERS: dict[type, Callable[[GameAccount, Any, Moment], Taken]] = {
    OgsClock: GameAccount._take_clock,
    messages.MoveMessage: GameAccount._take_move,
    messages.PhaseMessage: GameAccount._take_phase,
    messages.ChatMessage: GameAccount._take_chat,
    messages.UndoRequestMessage: GameAccount._take_undo_request,
    messages.UndoMessage: GameAccount._take_undo,
    messages.UndoCancelMessage: GameAccount._take_undo_cancel,
    messages.RemovalMessage: GameAccount._take_marks,
    messages.RefusalMessage: GameAccount._take_refusal,
}
WRITERS: dict[type, Callable[[GameAccount, Any], tuple[str, dict[str, Any]] | None]] = {
    actions.SendMove: GameAccount._send_move,
    actions.Resign: lambda _, __: ("game/resign", {}),
    actions.RequestState: GameAccount._request_state,
    actions.AcceptUndo: GameAccount._accept_undo,
    actions.RefuseUndo: GameAccount._refuse_undo,
    actions.PauseGame: lambda _, __: ("game/pause", {}),
    actions.ResumeGame: GameAccount._resume,
    actions.Say: GameAccount._say,
}
