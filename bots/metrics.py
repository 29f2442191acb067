"""The state of a bot for Prometheus."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from bots import actions, events
from bots.actions import Action
from bots.events import Event
from bots.online_game import OnlineGame

SECONDS = (0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300)  # bounds of the histogram of moves
LAGS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
LOST_ON_TIME = "lost on time"


class BotMetrics:
    """The counters of one bot. See docs/bots.md for their meanings."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry(auto_describe=False)
        own = self.registry
        self.connected = Gauge(
            "sparring_bot_connected", "1 while the server is connected.", registry=own
        )
        self.games = Gauge("sparring_bot_games", "Games under way.", registry=own)
        self.connections = Counter(
            "sparring_bot_connections", "Logins at the server.", registry=own
        )
        self.finished = Counter(
            "sparring_bot_finished_games", "Finished games.", ["result"], registry=own
        )
        self.moves = Counter("sparring_bot_moves", "Moves sent.", registry=own)
        self.repeated = Counter("sparring_bot_repeated_moves", "Moves sent again.", registry=own)
        self.refused_moves = Counter("sparring_bot_refused_moves", "Moves refused.", registry=own)
        self.engine_losses = Counter(
            "sparring_bot_engine_losses", "Losses of the engine.", registry=own
        )
        self.engine_errors = Counter(
            "sparring_bot_engine_errors", "Errors of the engine.", registry=own
        )
        self.refusals = Counter(
            "sparring_bot_declined_challenges", "Challenges declined.", ["reason"], registry=own
        )
        self.thinking = Histogram(
            "sparring_bot_move_seconds",
            "Time of the engine for a move.",
            buckets=SECONDS,
            registry=own,
        )
        self.lag = Histogram(
            "sparring_bot_lag_seconds",
            "Time lost by a move on its way.",
            buckets=LAGS,
            registry=own,
        )
        self._thinking_since: dict[tuple[str, int], float] = {}
        self._sent: dict[str, int] = {}  # number of the last move sent, by game
        self._time = 0.0  # of the last event

    def happened(self, game: OnlineGame, event: Event) -> None:
        """Counts an event."""
        self._time = event.at
        name = game_name(game)
        if isinstance(event, events.EngineMoved):
            since = self._thinking_since.pop((name, event.request), None)
            if since is not None:
                self.thinking.observe(event.at - since)
        elif isinstance(event, events.MoveRefused):
            self.refused_moves.inc()
        elif isinstance(event, events.EngineLost):
            self.engine_losses.inc()
        elif isinstance(event, events.EngineFailed):
            self.engine_errors.inc()
        elif isinstance(event, events.GameEnded) and not game.is_over:
            self.finished.labels(result_of(game, event)).inc()

    def done(self, game: OnlineGame, action: Action) -> None:
        """Counts an action."""
        name = game_name(game)
        if isinstance(action, actions.Think):
            self._thinking_since[name, action.request] = self._time
        elif isinstance(action, actions.StopThinking):
            self._thinking_since.pop((name, action.request), None)
        elif isinstance(action, actions.SendMove):
            counter = self.repeated if self._sent.get(name) == action.number else self.moves
            counter.inc()
            self._sent[name] = action.number
            if game.lag.latest:
                self.lag.observe(game.lag.latest)
        elif isinstance(action, actions.FinishGame):
            self._sent.pop(name, None)


def game_name(game: OnlineGame) -> str:
    """Returns the server's name for a game; empty before its first state."""
    return "" if game.setup is None else game.setup.id


def result_of(game: OnlineGame, event: events.GameEnded) -> str:
    """Returns a result in words: won, lost, lost on time, drawn or aborted."""
    winner, reason = event.result.winner, event.result.reason
    if winner is None or game.setup is None:
        return "aborted" if reason == "abort" else "drawn"
    if winner == game.setup.color:
        return "won"
    return LOST_ON_TIME if reason == "time" else "lost"
