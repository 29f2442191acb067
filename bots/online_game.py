"""One online game as a pure state machine: an event comes in, actions go out.

The machine has no clock and no connections. The server's account of the game is the truth. A move
is sent until the server confirms it: again only after the server's answer to a later RequestState.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from bots import actions, events
from bots.actions import Action, LogLine
from bots.chat import GameChat
from bots.events import Event, Phase
from bots.game_clocks import GameClocks, LagMeter
from bots.game_policy import GamePolicy
from bots.game_setup import GameSetup, OnlineMove, OnlineResult
from bots.own_move import OwnMove
from bots.state_request import StateRequest

RESIGN = "resign"
NOT_OF_THE_SERVER = (
    *(events.TimePassed, events.LineLost, events.LagMeasured),
    *(events.EngineMoved, events.EngineFailed, events.EngineAnswered),
    *(events.EngineLost, events.EngineBack),
)


class OnlineGame:
    """The state of one game. `handle` takes an event and returns the actions due."""

    def __init__(self, policy: GamePolicy) -> None:
        self.setup: GameSetup | None = None  # None: the server has not sent it yet
        self.moves: tuple[OnlineMove, ...] = ()
        self.phase = Phase.PLAYING
        self.result: OnlineResult | None = None
        self.clocks: GameClocks | None = None
        self.is_engine_up = True
        self.is_line_up = False
        self.lag = LagMeter(policy.least_lag_seconds)
        self._policy = policy
        self._chat = GameChat(policy)
        self._actions: list[Action] = []
        self._to_move: int | None = None
        self._own: OwnMove | None = None
        self._clocks_at_send: tuple[GameClocks, float] | None = None  # and the time of the send
        self._later: dict[int, events.MovePlayed] = {}  # moves that came before an earlier one
        self._state = StateRequest(policy.confirm_seconds)
        self._request: int | None = None  # the number of the Think under way
        self._requests = 0
        self._thought_at = 0.0  # time of the last Think
        self._retry_at = 0.0  # no Think before
        self._failures = 0  # at the present move
        self._refused: tuple[str, ...] = ()  # by the server in this position
        self._heard_at = math.inf  # time of the last event from the server
        self._paused_at: float | None = None
        self._has_paused = False  # we stopped the clocks
        self._undos = 0

    @property
    def is_over(self) -> bool:
        """Whether the server ended the game."""
        return self.phase is Phase.OVER

    @property
    def is_our_turn(self) -> bool:
        """Whether we are to move, in the server's last account."""
        if self.setup is None or self.phase is not Phase.PLAYING:
            return False
        return self._to_move == self.setup.color

    @property
    def wake_at(self) -> float | None:
        """The time of the next TimePassed that the game needs; None: none."""
        return min(self._deadlines(), default=None) if not self.is_over else None

    def handle(self, event: Event) -> list[Action]:
        """Takes an event and returns the actions due, in their order."""
        self._actions = []
        if not isinstance(event, NOT_OF_THE_SERVER):
            self._heard_at = event.at
        if not self.is_over or isinstance(event, events.ChatReceived | events.EngineAnswered):
            HANDLERS[type(event)](self, event)
        if not self.is_over:
            self._advance(event.at)
        return self._actions

    # ---- The server's account

    def _on_state(self, event: events.StateReceived) -> None:
        is_first, is_answer = self.setup is None, self._state.is_answered(event.answers)
        if not is_answer and not is_first and event.moves != self.moves:
            if event.moves != self.moves[: len(event.moves)]:
                self._state.want()  # an answer decides
            return
        if is_answer and self._is_outrun(event.moves):
            self._state.want_anew()
            return
        self.is_line_up, self.setup = True, event.setup
        if is_answer or is_first:
            self._state.settle()
        if event.moves != self.moves:
            self._replace_moves(event.moves)
        elif self._own is not None and is_answer:
            self._own = replace(self._own, sent_at=None)  # it did not arrive
        self._to_move = event.to_move
        self._set_clocks(event.clocks)
        self._set_phase(event.phase, event.at)
        if is_first:
            self._actions.append(LogLine(event.setup.summary))
            self._actions.append(actions.PrepareEngine(event.setup, self.moves))
            self._say(self._policy.greeting if len(self.moves) < 2 else "")

    def _is_outrun(self, moves: tuple[OnlineMove, ...]) -> bool:
        """Tests whether an answer lacks a move that came since its request: it may be older."""
        is_shorter = len(moves) < len(self.moves) and moves == self.moves[: len(moves)]
        return is_shorter and len(self.moves) > self._state.moves

    def _on_move(self, event: events.MovePlayed) -> None:
        if self.setup is None:
            self._state.want()
        elif event.number <= len(self.moves):
            if self.moves[event.number - 1] != event.move:
                self._state.want()
        elif event.number > len(self.moves) + 1:
            self._later[event.number] = event
            self._state.want()
        else:
            self._append(event)
            while later := self._later.pop(len(self.moves) + 1, None):
                self._append(later)

    def _append(self, event: events.MovePlayed) -> None:
        self._replace_moves((*self.moves, event.move))
        self._to_move = 1 - event.move.color if event.to_move is None else event.to_move
        if event.clocks is not None:
            self._set_clocks(event.clocks)
        elif self.clocks is not None:
            self.clocks = replace(self.clocks.advanced(event.at), running=self._to_move)

    def _replace_moves(self, moves: tuple[OnlineMove, ...]) -> None:
        """Takes the server's moves; all that was for another position is void."""
        self.moves = moves
        self._later = {number: each for number, each in self._later.items() if number > len(moves)}
        self._own = None
        self._failures, self._refused, self._retry_at = 0, (), 0.0
        self._stop_thinking()

    def _on_refusal(self, event: events.MoveRefused) -> None:
        self._actions.append(LogLine(f"the server refuses our move: {event.text}", is_warning=True))
        if self._own is not None and self._own.is_sent:
            self._refused += (self._own.move,)
            self._own = None
            self._fail(event.at)
        self._state.want()

    def _on_clocks(self, event: events.ClocksReceived) -> None:
        self._set_clocks(event.clocks)

    def _on_lag(self, event: events.LagMeasured) -> None:
        self.lag.measured(event.seconds)

    def _on_phase(self, event: events.PhaseChanged) -> None:
        self._set_phase(event.phase, event.at)

    def _on_end(self, event: events.GameEnded) -> None:
        self.phase, self.result, self._own = Phase.OVER, event.result, None
        self._stop_thinking()
        game = "" if self.setup is None else self.setup.game
        self._actions.append(LogLine(f"over: {event.result.text(game)}"))
        self._say(self._policy.farewell)
        self._actions += [actions.FinishGame(event.result), *self._chat.ended()]

    def _set_phase(self, phase: Phase, at: float) -> None:
        if phase is Phase.OVER:
            return  # GameEnded brings the result
        if phase is not Phase.PAUSED:
            self._paused_at = None
        elif self.phase is not Phase.PAUSED:
            self._paused_at = at
        self.phase = phase

    def _set_clocks(self, clocks: GameClocks | None) -> None:
        """Takes a reading; the first one after the confirmation of our move measures the lag."""
        if self._clocks_at_send is not None and clocks is not None and self.setup is not None:
            before, sent_at = self._clocks_at_send
            if self._own is None or clocks.running != self.setup.color:
                self.lag.compare(before, clocks, sent_at, self.setup)
                self._clocks_at_send = None
        self.clocks = clocks

    # ---- Undo

    def _on_undo_request(self, event: events.UndoRequested) -> None:
        if event.moves_left == self._state.undone_to:
            return  # the server would take a second answer for one to a later request
        if self._undos >= self._policy.most_undos or not 0 <= event.moves_left < len(self.moves):
            self._actions.append(actions.RefuseUndo(event.moves_left))
            return
        self._undos += 1
        self._stop_thinking()
        if self._own is not None and not self._own.is_sent:
            self._own = None
        self._actions.append(actions.AcceptUndo(event.moves_left))
        self._state.want_after_undo(event.moves_left, event.at)  # no new move before it is settled

    def _on_undo(self, event: events.UndoAccepted) -> None:
        self._later = {n: each for n, each in self._later.items() if n <= event.moves_left}
        if not 0 <= event.moves_left < len(self.moves):
            self._state.want()
            return
        first = self.moves[event.moves_left]
        self._replace_moves(self.moves[: event.moves_left])
        self._to_move = first.color if event.to_move is None else event.to_move
        self._state.settle()
        if self.clocks is not None:
            self.clocks = replace(self.clocks.advanced(event.at), running=self._to_move)

    def _on_undo_cancel(self, _event: events.UndoCanceled) -> None:
        self._state.want_anew()

    # ---- Connections

    def _on_line_lost(self, _event: events.LineLost) -> None:
        self.is_line_up = False
        self._later.clear()  # a state brings them, if they are not taken back meanwhile
        self._state.want_anew()

    def _on_line_back(self, _event: events.LineBack) -> None:
        self.is_line_up = True
        self._state.want_anew()

    # ---- The engine

    def _on_engine_move(self, event: events.EngineMoved) -> None:
        if event.request != self._request:
            return
        self._request = None
        ready_at = max(event.at, self._thought_at + self._least_move_seconds)
        self._own = OwnMove(len(self.moves) + 1, event.move, event.analysis, ready_at)

    @property
    def _least_move_seconds(self) -> float:
        """The shortest time of a move at this game's speed."""
        setup = self.setup
        if setup is None or setup.speed in self._policy.hurried_speeds:
            return 0.0
        clock = None if self.clocks is None else self.clocks.players[setup.color]
        return self._policy.think_seconds(clock, len(self.moves))

    def _on_engine_failure(self, event: events.EngineFailed) -> None:
        if event.request != self._request:
            return
        self._request = None
        self._actions.append(LogLine(f"the engine fails: {event.text}", is_warning=True))
        self._state.want()  # our account of the game may be wrong
        self._fail(event.at)

    def _fail(self, at: float) -> None:
        """Counts a failure at this move; after too many we resign."""
        self._failures += 1
        self._retry_at = at + self._failures
        if self._failures >= self._policy.most_failures:
            self._own = OwnMove(len(self.moves) + 1, RESIGN, "", at)

    def _on_engine_lost(self, _event: events.EngineLost) -> None:
        self.is_engine_up, self._request = False, None
        self._actions.append(LogLine("the engine is away", is_warning=True))
        self._actions += self._chat.away()
        if self._policy.can_pause and self.phase is Phase.PLAYING and self.setup is not None:
            self._has_paused = True
            self._actions.append(actions.PauseGame())

    def _on_engine_back(self, event: events.EngineBack) -> None:
        self.is_engine_up, self._request = True, None
        if self._has_paused:
            self._has_paused = False
            self._paused_at = None if self._paused_at is None else event.at
            self._actions.append(actions.ResumeGame())

    def _on_answer(self, event: events.EngineAnswered) -> None:
        self._say(event.text, event.room)

    # ---- Chat

    def _on_chat(self, event: events.ChatReceived) -> None:
        if self.setup is not None and event.author == self.setup.opponent.name:
            self._actions += self._chat.answered(event, len(self.moves), is_over=self.is_over)

    def _say(self, text: str, room: str = "") -> None:
        self._actions += self._chat.said(text, room)

    # ---- The next steps

    def _on_time(self, _event: events.TimePassed) -> None:
        """Does nothing: the steps due follow every event."""

    def _advance(self, at: float) -> None:
        """Adds the actions due by the state and the time."""
        if self._pause_ends is not None and at >= self._pause_ends:
            self._paused_at = at
            self._actions.append(actions.ResumeGame())
        if at >= self._doubtful_at:
            self._state.want()
        if self.is_line_up and self._state.take(at, len(self.moves)):
            self._actions.append(actions.RequestState(self._state.number))
        if not self.is_our_turn:
            self._stop_thinking()
        elif self._own is not None:
            self._send(self._own, at)
        elif self._can_think and at >= self._retry_at:
            self._think(at)

    @property
    def _can_think(self) -> bool:
        return self._request is None and self.is_engine_up and not self._state.is_wanted

    def _think(self, at: float) -> None:
        if self.setup is None:
            return
        self._requests += 1
        self._request, self._thought_at = self._requests, at
        clocks = None if self.clocks is None else self.clocks.advanced(at)
        position = (self.setup, self.moves, self.setup.color)
        self._actions.append(
            actions.Think(self._requests, *position, clocks, self.lag.reserve, self._refused)
        )

    def _stop_thinking(self) -> None:
        if self._request is not None:
            self._actions.append(actions.StopThinking(self._request))
            self._request = None

    def _send(self, own: OwnMove, at: float) -> None:
        is_certain = self.is_line_up and not self._state.is_wanted
        if own.is_sent or not is_certain or at < own.ready_at:
            return
        self._own = replace(own, sent_at=at)
        if self.clocks is not None:
            self._clocks_at_send = (self.clocks, at)
        is_resigning = own.move.lower() == RESIGN
        move = actions.SendMove(own.number, own.move, own.analysis)
        self._actions.append(actions.Resign() if is_resigning else move)

    @property
    def _doubtful_at(self) -> float:
        """The time at which a confirmation is overdue, or the server's silence too long."""
        sent_at = None if self._own is None else self._own.sent_at
        if sent_at is not None:
            return sent_at + self._policy.confirm_seconds
        return self._heard_at + self._policy.silence_seconds

    @property
    def _pause_ends(self) -> float | None:
        """The time to end the present pause; None: there is none to end."""
        longest = self._policy.most_pause_seconds
        is_possible = self.is_engine_up and self.is_line_up
        if self._paused_at is None or longest is None or not is_possible:
            return None
        return self._paused_at + longest

    def _deadlines(self) -> Iterator[float]:
        if self._pause_ends is not None:
            yield self._pause_ends
        if self._state.is_wanted:
            if self.is_line_up and self._state.due is not None:
                yield self._state.due
            return
        if math.isfinite(self._doubtful_at):
            yield self._doubtful_at
        if self._own is not None and not self._own.is_sent and self.is_line_up and self.is_our_turn:
            yield self._own.ready_at
        elif self._own is None and self.is_our_turn and self._can_think and self._failures:
            yield self._retry_at


HANDLERS: dict[type[Event], Callable[[OnlineGame, Any], None]] = {
    events.StateReceived: OnlineGame._on_state,
    events.MovePlayed: OnlineGame._on_move,
    events.MoveRefused: OnlineGame._on_refusal,
    events.ClocksReceived: OnlineGame._on_clocks,
    events.LagMeasured: OnlineGame._on_lag,
    events.PhaseChanged: OnlineGame._on_phase,
    events.GameEnded: OnlineGame._on_end,
    events.UndoRequested: OnlineGame._on_undo_request,
    events.UndoCanceled: OnlineGame._on_undo_cancel,
    events.UndoAccepted: OnlineGame._on_undo,
    events.ChatReceived: OnlineGame._on_chat,
    events.LineLost: OnlineGame._on_line_lost,
    events.LineBack: OnlineGame._on_line_back,
    events.EngineMoved: OnlineGame._on_engine_move,
    events.EngineFailed: OnlineGame._on_engine_failure,
    events.EngineAnswered: OnlineGame._on_answer,
    events.EngineLost: OnlineGame._on_engine_lost,
    events.EngineBack: OnlineGame._on_engine_back,
    events.TimePassed: OnlineGame._on_time,
}
