"""A server with its clocks, a line with faults and an engine: the world around an OnlineGame.

Each move's text names the position for which it was chosen, so a move of another position shows.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from bots import actions, events
from bots.actions import Action
from bots.events import Event, Phase
from bots.game_policy import GamePolicy
from bots.game_setup import GameSetup, OnlineMove, OnlineOpponent, OnlineResult
from bots.online_game import OnlineGame

OURS, THEIRS = 1, 0
SETUP = GameSetup("1", OURS, OnlineOpponent("someone", "test"))
STEP_SECONDS = 0.5
POLICY = GamePolicy(
    confirm_seconds=5, most_undos=3, can_pause=True, most_pause_seconds=60, silence_seconds=30
)


def position_name(moves: Iterable[OnlineMove]) -> str:
    """A name for a position."""
    return "/".join(move.text for move in moves) or "start"


@dataclass
class OnlineWorld:
    """The truth about one game, and everything on its way."""

    length: int = 8  # moves after which the server ends the game
    policy: GamePolicy = POLICY
    now: float = 100.0
    moves: list[OnlineMove] = field(default_factory=list)
    is_over: bool = False
    is_line_up: bool = False
    is_engine_up: bool = True
    is_paused: bool = False
    undo_asked: bool = False
    refuses: int = 0  # so many of our next moves are refused
    thinking: actions.Think | None = None
    unconfirmed: int = 0  # the number of a sent move that nothing denied
    to_server: deque[Action] = field(default_factory=deque)
    to_us: deque[Event] = field(default_factory=deque)
    log: list[object] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.game = OnlineGame(self.policy)

    # ---- The line

    def tell(self, event: Event) -> None:
        """Gives one event to the game, and does as it says."""
        event = replace(event, at=self.now)
        self.log.append(event)
        is_fresh = isinstance(event, events.StateReceived) and event.answers > 0
        if is_fresh or isinstance(event, events.MoveRefused | events.UndoAccepted):
            self.unconfirmed = 0
        for action in self.game.handle(event):
            self.log.append(action)
            self._do(action)

    def _do(self, action: Action) -> None:
        if isinstance(action, actions.Think):
            if self.thinking is not None:
                self.wrong.append("thinks twice at once")
            if not self.is_engine_up:
                self.wrong.append("asks an engine that is away")
            self.thinking = action
        elif isinstance(action, actions.StopThinking):
            if self.thinking is None or self.thinking.request != action.request:
                self.wrong.append("stops what is not under way")
            self.thinking = None
        elif isinstance(action, actions.ServerAction):
            self._send(action)

    def _send(self, action: actions.ServerAction) -> None:
        if isinstance(action, actions.SendMove):
            if action.number == self.unconfirmed:
                self.wrong.append(f"sends move {action.number} again without need")
            self.unconfirmed = action.number
        if self.is_line_up:
            self.to_server.append(action)

    def connect(self) -> None:
        """Brings the line back."""
        if not self.is_line_up:
            self.is_line_up = True
            self.tell(events.LineBack(0))
            if self.is_over:
                self._end()

    def disconnect(self, arrived: int) -> None:
        """Cuts the line; so many of our messages still arrive."""
        if self.is_line_up:
            for _ in range(min(arrived, len(self.to_server))):
                self.serve()
            self.is_line_up = False
            self.to_server.clear()
            self.to_us.clear()
            self.tell(events.LineLost(0))

    def wait(self, seconds: float = STEP_SECONDS) -> None:
        """Lets time pass; wakes the game where it wants that."""
        self.now += seconds
        wake_at = self.game.wake_at
        if wake_at is not None and wake_at <= self.now:
            self.tell(events.TimePassed(0))
            after = self.game.wake_at
            if after is not None and after <= self.now:
                self.wrong.append("wakes without end")

    # ---- The server

    @property
    def to_move(self) -> int:
        """The side to move: they begin."""
        return len(self.moves) % 2

    def serve(self) -> None:
        """Carries out our oldest message. A move is taken whenever it is our turn."""
        action = self.to_server.popleft()
        if isinstance(action, actions.SendMove):
            self._take(action)
        elif isinstance(action, actions.Resign):
            self._end(OnlineResult(THEIRS, "resign"))
        elif isinstance(action, actions.RequestState):
            self.send_state(action.request)
        elif isinstance(action, actions.AcceptUndo):
            if self.undo_asked:
                self._undo(action.moves_left)
        elif isinstance(action, actions.RefuseUndo):
            self.undo_asked = False
        elif isinstance(action, actions.PauseGame | actions.ResumeGame):
            self.is_paused = isinstance(action, actions.PauseGame)
            self.to_us.append(events.PhaseChanged(0, self.phase))

    @property
    def phase(self) -> Phase:
        """The phase of the game."""
        return Phase.OVER if self.is_over else Phase.PAUSED if self.is_paused else Phase.PLAYING

    def _take(self, action: actions.SendMove) -> None:
        if self.is_over or self.is_paused or self.to_move != OURS:
            self.to_us.append(events.MoveRefused(0, "not your turn"))
            return
        if self.refuses:
            self.refuses -= 1
            self.to_us.append(events.MoveRefused(0, "no"))
            return
        if action.number != len(self.moves) + 1 or position_name(self.moves) not in action.move:
            self.wrong.append(f"{action} was taken after {self.moves}")
        self._play(OnlineMove(OURS, action.move))

    def _play(self, move: OnlineMove) -> None:
        self.moves.append(move)
        self.undo_asked = False
        if self.is_line_up:
            self.to_us.append(events.MovePlayed(0, len(self.moves), move))
        if len(self.moves) >= self.length:
            self._end()

    def _end(self, result: OnlineResult | None = None) -> None:
        self.is_over = True
        self.to_us.append(events.GameEnded(0, result or OnlineResult(None)))

    def _undo(self, moves_left: int) -> None:
        self.undo_asked = False
        del self.moves[moves_left:]
        self.to_us.append(events.UndoAccepted(0, moves_left))

    def opponent_moves(self) -> None:
        """Lets the opponent move, if it is their turn."""
        if self.to_move == THEIRS and not self.is_over and not self.is_paused:
            self._play(OnlineMove(THEIRS, f"t{len(self.moves)}-{self.now:g}"))

    def opponent_asks_undo(self) -> None:
        """Lets the opponent ask to take their last move back."""
        moves_left = len(self.moves) - (1 if self.to_move == OURS else 2)
        if moves_left >= 0 and not self.is_over and self.is_line_up:
            self.undo_asked = True
            self.to_us.append(events.UndoRequested(0, moves_left))

    def send_state(self, answers: int = 0) -> None:
        """Sends the full state, as an answer to a request or by itself."""
        to_move = None if self.is_over else self.to_move
        self.to_us.append(
            events.StateReceived(
                0, SETUP, tuple(self.moves), to_move, phase=self.phase, answers=answers
            )
        )

    # ---- Faults of the line towards us: of moves alone, as a state says what is true

    def deliver(self) -> None:
        """Hands over the oldest message."""
        if self.to_us:
            self.tell(self.to_us.popleft())

    def deliver_move_out_of_order(self) -> None:
        """Hands over the second message before the first, if both are moves."""
        if len(self.to_us) > 1 and all(
            isinstance(self.to_us[index], events.MovePlayed) for index in (0, 1)
        ):
            self.to_us[0], self.to_us[1] = self.to_us[1], self.to_us[0]

    def duplicate(self) -> None:
        """Repeats the oldest message, if it is a move; a state as it is."""
        if self.to_us and isinstance(self.to_us[0], events.MovePlayed):
            self.to_us.appendleft(self.to_us[0])
        elif self.to_us and isinstance(self.to_us[0], events.StateReceived):
            self.to_us.insert(1, self.to_us[0])

    def drop(self) -> None:
        """Loses the oldest message, if it is a move."""
        if self.to_us and isinstance(self.to_us[0], events.MovePlayed):
            self.to_us.popleft()

    # ---- The engine

    def engine_moves(self) -> None:
        """Lets the engine answer."""
        if self.thinking is not None:
            think, self.thinking = self.thinking, None
            name = position_name(think.moves)
            self.tell(events.EngineMoved(0, think.request, f"o[{name}]{len(think.refused)}"))

    def engine_fails(self) -> None:
        """Lets the engine answer by an error."""
        if self.thinking is not None:
            think, self.thinking = self.thinking, None
            self.tell(events.EngineFailed(0, think.request, "illegal"))

    def engine_lost(self) -> None:
        """Takes the engine away."""
        if self.is_engine_up:
            self.is_engine_up, self.thinking = False, None
            self.tell(events.EngineLost(0))

    def engine_back(self) -> None:
        """Brings the engine back."""
        if not self.is_engine_up:
            self.is_engine_up = True
            self.tell(events.EngineBack(0))

    # ---- The end

    def finish(self, rounds: int = 400) -> None:
        """Lets everything work from now on, until the game knows its end."""
        self.refuses = 0
        self.connect()
        self.engine_back()
        for _ in range(rounds):
            if self.game.is_over:
                return
            self.wait()
            while self.to_server:
                self.serve()
            while self.to_us:
                self.deliver()
            self.engine_moves()
            self.opponent_moves()
