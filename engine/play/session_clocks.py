"""The clocks of a session's two players, and the limits of their searches.

The clocks and a budget limit a search. The session measures the time of a move.
"""

from __future__ import annotations

from engine.games.clock import Clock, GameProgress, Overhead, TimeControl, limit_for
from engine.games.game import Game
from engine.play.session_settings import Budget, limited
from engine.values import Limit


class SessionClocks:
    """One clock and one overhead for each color. Used by one thread."""

    def __init__(self) -> None:
        self._control = TimeControl()
        self.restart()

    def __getitem__(self, color: int) -> Clock:
        """The clock of a color."""
        return self._clocks[color]

    @property
    def control(self) -> TimeControl:
        """The time control of both players."""
        return self._control

    def restart(self, control: TimeControl | None = None) -> None:
        """Gives both players full clocks. control: the new time control; None: the present one."""
        self._control = control or self._control
        self._clocks = [Clock.start(self._control), Clock.start(self._control)]
        self._overheads = [Overhead(), Overhead()]

    def replace(self, color: int, clock: Clock) -> None:
        """Gives a color another clock."""
        self._clocks[color] = clock

    def set_left(self, color: int, seconds: float, stones: int) -> None:
        """Sets a clock as the controller reports it; see Clock.stated for `stones`."""
        self._clocks[color] = self._clocks[color].stated(seconds, stones)
        self._overheads[color] = self._overheads[color].after_statement(self._clocks[color])

    def limit(self, color: int, game: Game, budget: Budget, worth: int | None = None) -> Limit:
        """Returns the limit of a search for this color's move in the game's position.

        worth: the visits of a move that nothing limits; None: as many as its time allows.
        """
        progress = GameProgress(
            game.position.move_number,
            game.width * game.height,
            ends_when_full=game.kind.ends_when_full,
        )
        limit = limit_for(
            self._clocks[color],
            progress,
            lag=budget.lag_seconds,
            overhead=self._overheads[color],
        )
        return limited(limit, budget, worth)

    def after_move(self, color: int, limit: Limit, seconds: float) -> None:
        """Subtracts the time of a move of this color. limit: the limit of its search."""
        clock = self._clocks[color]
        if not clock.unlimited:
            planned = limit.least_seconds or 0.0
            self._overheads[color] = self._overheads[color].after_move(clock, planned, seconds)
        self._clocks[color] = clock.after_move(seconds)
