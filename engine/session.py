"""One game being played: setup, moves, rules, komi, clocks, and the search that thinks about it.

The only object with changing game state. It keeps the list of moves and derives the position; it
knows no protocol and does not choose moves itself. Used by one thread at a time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from engine import ending, player
from engine._core import GoPosition, GoRules
from engine.clock import Clock, TimeControl, limit_for
from engine.ending import EndingSettings, Outlook, Verdict
from engine.player import Turn
from engine.records import Choice, IllegalMoveError, Limit, Report
from engine.search import ReportOptions, Restriction, Search, SearchSettings, never
from engine.sgf import GameRecord

SETTLING_VISITS = 400  # to say who lives at the end
SETTLING_SECONDS = 10.0
PONDER_SECONDS = 120.0
ANALYSIS_VISITS = 1_000_000  # beyond them more time finds little, and the tree fills the memory


@dataclass(frozen=True, slots=True)
class Budget:
    """How long to think where no clock says so, and how careful to be with clocks."""

    max_visits: int | None = None
    max_playouts: int | None = None
    max_seconds: float | None = None
    default_seconds: float = 5.0  # a move, where neither a clock nor another limit is set
    lag_seconds: float = 1.0  # kept back from every move on the clock


@dataclass(frozen=True, slots=True)
class SessionSettings:
    """What the session's thinking depends on beside the game itself."""

    search: SearchSettings = field(default_factory=SearchSettings)  # replaced, never changed
    analysis_wide_root_noise: float = 0.0
    budget: Budget = field(default_factory=Budget)
    ending: EndingSettings = field(default_factory=EndingSettings)
    ponder: bool = False


class CannotUndoError(ValueError):
    """There is no move to take back."""


class SetupError(ValueError):
    """The stones cannot stand like this; the text says why."""


class Session:
    """One game and the search that thinks about it."""

    def __init__(
        self,
        search: Search,
        settings: SessionSettings | None = None,
        *,
        rules: GoRules | None = None,
        komi: float = 7.5,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.search = search
        self.thinking_seconds = 0.0  # spent on all moves since the beginning
        self._now = now
        # Moves since the search was last shown this game; None where it can't follow them.
        self._path: list[int] | None = None
        self._verdict: Verdict | None = None
        self._resigned: int | None = None  # the color that gave up
        self.change_settings(settings or SessionSettings())
        self._rules = rules or GoRules()
        self._komi = komi
        self._size = (19, 19)
        self._control = TimeControl()
        self.start_over()

    # ---- The game as it stands

    @property
    def position(self) -> GoPosition:
        """The current position; a copy of it must be made before it is changed."""
        return self._position

    @property
    def width(self) -> int:
        """Columns of the board."""
        return self._size[0]

    @property
    def height(self) -> int:
        """Rows of the board."""
        return self._size[1]

    @property
    def rules(self) -> GoRules:
        """The rules the game is played by."""
        return self._rules

    @property
    def komi(self) -> float:
        """What White gets for moving second, in points."""
        return self._komi

    @property
    def setup(self) -> tuple[tuple[int, int], ...]:
        """The stones the game began with, as (color, move)."""
        return self._setup

    @property
    def first_to_move(self) -> int:
        """The color that was to move after the setup."""
        return self._first_to_move

    @property
    def moves(self) -> Sequence[tuple[int, int]]:
        """The moves played, as (color, move)."""
        return tuple(self._moves)

    @property
    def resigned(self) -> int | None:
        """The color that gave up; None while nobody has."""
        return self._resigned

    @property
    def is_empty(self) -> bool:
        """Whether no stone stands on the board."""
        return not self._position.stones.any()

    # ---- Changing the game

    def start_over(self, size: tuple[int, int] | None = None) -> None:
        """Clears the board for a new game, of another (width, height) where one is given."""
        width, height = size or self._size
        GoPosition(width, height, self._rules, self._komi)  # raises ValueError on a bad size
        self._size = (width, height)
        self.set_up(())
        self.clocks = [Clock.start(self._control), Clock.start(self._control)]

    def set_up(self, stones: Iterable[tuple[int, int]], to_move: int = 0) -> None:
        """Begins a game from these stones, (color, move).

        Raises SetupError, with nothing changed, on a point named twice or a chain without
        liberties.
        """
        stones = tuple(stones)
        position = self._beginning(stones, to_move)
        self._setup, self._first_to_move = stones, to_move
        self._moves: list[tuple[int, int]] = []
        self._outlooks: list[tuple[int, int, Outlook]] = []  # after so many moves, color, ...
        self._arrive(position)

    def play(self, color: int, move: int) -> None:
        """Plays a move of either color. Raises IllegalMoveError; superko is not held against it."""
        if not self._position.is_legal(move, color, tolerant=True):
            raise IllegalMoveError("illegal move")
        position = self._position.copy()
        path = self._path
        in_turn = color == position.to_move and not position.is_over
        position.play(move, color, tolerant=True)
        self._moves.append((color, move))
        self._arrive(position)
        if path is not None and in_turn:
            self._path = [*path, move]

    def undo(self) -> None:
        """Takes the last move back. Raises CannotUndoError at the beginning, after the setup."""
        if not self._moves:
            raise CannotUndoError("cannot undo")
        del self._moves[-1]
        self._outlooks = [entry for entry in self._outlooks if entry[0] < len(self._moves)]
        self._arrive(self._replayed())

    def set_komi(self, komi: float) -> None:
        """Changes the komi of the game under way; any finite number."""
        if komi != self._komi:
            self._komi = komi
            self._arrive(self._replayed())

    def set_rules(self, rules: GoRules) -> None:
        """Changes the rules of the game under way."""
        if rules != self._rules:
            self._rules = rules
            self._arrive(self._replayed())

    def load(self, record: GameRecord) -> None:
        """Takes over a game that was read from a file."""
        self._size = (record.width, record.height)
        self._rules, self._komi = record.rules, record.komi
        self.set_up(record.setup, record.first_to_move)
        self._moves = list(record.moves)
        self._arrive(self._replayed())
        self.clocks = [Clock.start(self._control), Clock.start(self._control)]

    def resign(self, color: int) -> None:
        """Notes that a color gave up."""
        self._resigned = color

    def _beginning(self, stones: Iterable[tuple[int, int]], to_move: int) -> GoPosition:
        position = GoPosition(*self._size, self._rules, self._komi)
        try:
            position.setup(list(stones))
        except ValueError as error:
            raise SetupError(f"Illegal stone placements - {error}") from error
        position.to_move = to_move
        return position

    def _replayed(self) -> GoPosition:
        position = self._beginning(self._setup, self._first_to_move)
        for color, move in self._moves:
            position.play(move, color, tolerant=True)
        return position

    def _arrive(self, position: GoPosition) -> None:
        self._position = position
        self._verdict = None
        self._resigned = None
        self._path = None

    # ---- Time

    def set_time_control(self, control: TimeControl) -> None:
        """Gives both players this control and full clocks."""
        self._control = control
        self.clocks = [Clock.start(control), Clock.start(control)]

    def set_time_left(self, color: int, seconds: float, stones: int) -> None:
        """Sets a clock as the controller sees it; see Clock.told for `stones`."""
        self.clocks[color] = self.clocks[color].told(seconds, stones)

    def limit(self, color: int) -> Limit:
        """How long this color should think about the present move."""
        budget = self.settings.budget
        clock = self.clocks[color]
        limit = limit_for(
            clock,
            moves_played=self._position.move_number,
            board_area=self.width * self.height,
            lag=budget.lag_seconds,
        )
        limit = replace(limit, visits=budget.max_visits, playouts=budget.max_playouts)
        most = budget.max_seconds
        if most is not None:
            limit = replace(
                limit,
                seconds=None if limit.seconds is None else min(limit.seconds, most),
                max_seconds=most if limit.max_seconds is None else min(limit.max_seconds, most),
            )
        if limit == Limit():
            limit = Limit(seconds=budget.default_seconds, max_seconds=budget.default_seconds)
        return limit

    # ---- Thinking

    def genmove(
        self,
        color: int,
        *,
        play: bool = True,
        cleanup: bool = False,
        restriction: Restriction | None = None,
        stop: Callable[[], bool] = never,
        on_report: Callable[[Report], None] | None = None,
        report_every_seconds: float = 1.0,
        options: ReportOptions | None = None,
    ) -> Choice:
        """The engine's move for a color, played unless `play` is false or it was told to stop.

        cleanup: all dead stones are captured before it passes.
        """
        started = self._now()
        settings = self.settings.ending
        turn = Turn(
            position=self._show_search(color, self.settings.search),
            limit=self.limit(color),
            ending=replace(settings, cleanup_before_pass=True) if cleanup else settings,
            past=[outlook for _, who, outlook in self._outlooks if who == color],
            restriction=restriction,
            stop=stop,
            on_report=on_report,
            report_every_seconds=report_every_seconds,
            options=options or ReportOptions(),
        )
        choice = player.choose(self.search, turn)
        seconds = self._now() - started
        self.thinking_seconds += seconds
        if play and not stop():
            self._take(color, choice, seconds)
        return choice

    def _take(self, color: int, choice: Choice, seconds: float) -> None:
        if choice.report is not None:
            root = choice.report.root
            outlook = Outlook(root.win_rate, root.score_lead)
            self._outlooks.append((len(self._moves), color, outlook))
        self.clocks[color] = self.clocks[color].after_move(seconds)
        if choice.move is None:
            self.resign(color)
        else:
            self.play(color, choice.move)

    def analyze(
        self,
        color: int,
        *,
        stop: Callable[[], bool],
        on_report: Callable[[Report], None],
        report_every_seconds: float,
        options: ReportOptions | None = None,
        restriction: Restriction | None = None,
    ) -> None:
        """Searches the position with this color to move, reporting, until told to stop."""
        self._show_search(color, self._analysis_search)
        self.search.run(
            Limit(visits=ANALYSIS_VISITS),
            stop=stop,
            on_report=on_report,
            report_every_seconds=report_every_seconds,
            options=options,
            restriction=restriction,
        )

    def ponder(self, stop: Callable[[], bool]) -> None:
        """Thinks on the opponent's time, about the position as it stands."""
        if not self._position.is_over and self._resigned is None:
            self._show_search(self._position.to_move, self.settings.search)
            limit = Limit(visits=ANALYSIS_VISITS, max_seconds=PONDER_SECONDS)
            self.search.run(limit, stop=stop)

    def warm_up(self) -> None:
        """Makes ready for this board's size, so that no clock runs while a network is compiled."""
        self._show_search(self._position.to_move, self.settings.search)
        self.search.run(Limit(visits=1))

    def verdict(self) -> Verdict:
        """Who lives and the score: of a finished game the result, else an estimate.

        The same until the game changes: asking twice never gives two answers.
        """
        if self._verdict is None:
            self._verdict = ending.judge(self._position, self._look)
        return self._verdict

    def change_settings(self, settings: SessionSettings) -> None:
        """Replaces the settings; the tree is dropped where they alter how it grows."""
        self.settings = settings
        noise = settings.analysis_wide_root_noise
        self._analysis_search = settings.search
        if noise != settings.search.wide_root_noise:
            self._analysis_search = settings.search.copy()
            self._analysis_search.wide_root_noise = noise

    def clear_search(self) -> None:
        """Forgets what the search knows, the evaluations included."""
        self.search.clear()
        if self.search.cache is not None:
            self.search.cache.clear()

    def _show_search(self, color: int, settings: SearchSettings) -> GoPosition:
        """The position to think about for this color, after the search has been set to it."""
        if self.search.settings is not settings:
            self.search.change_settings(settings)
        position, path = self._position, self._path
        if position.is_over:  # asked to go on all the same: what is there left to do?
            position, path = ending.without_history(position, color), None
        elif position.to_move != color:
            position, path = position.copy(), None
            position.to_move = color
        self.search.set_position(position, path)
        self._path = [] if position is self._position else None
        return position

    def _look(self, position: GoPosition) -> Report:
        self._path = None
        self.search.set_position(position)
        return self.search.run(
            Limit(visits=SETTLING_VISITS, max_seconds=SETTLING_SECONDS),
            options=ReportOptions(ownership=True),
        )
