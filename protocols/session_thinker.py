"""A session of the engine as NBoard and UGI use it: given positions, thinking without playing.

Knows how a session follows a game told from its start, keeping the tree where the game goes on, and
how its reports become thoughts. Knows no protocol.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from engine.games.clock import Clock, TimeControl
from engine.games.game_record import GameRecord
from engine.games.game_settings import usual_settings
from engine.games.position import Position
from engine.opponents import StoredOpponent
from engine.play.search_source import SearchSource
from engine.play.session import Session
from engine.play.session_settings import Budget, SessionSettings
from engine.search.search import Search
from engine.values import Choice, MoveStats, Report
from protocols.exact import ExactEndings
from protocols.rights import GUEST, Rights
from protocols.thinker import AnalysisLine, Effort, Stop, Tell, Thought

SECONDS_BETWEEN_REPORTS = 0.5
LAG_SECONDS = 0.1  # kept back from a move on the clock: the GUI runs on the same machine
MARGIN_SECONDS = 0.02  # kept back where the time for the move itself is given
MOST_VISITS = 1_000_000  # of a look without limit


class SessionThinker:
    """Satisfies protocols.thinker.Thinker. Used by one thread.

    source: as a Session has it. acquainted: who it is that has a name, of the
    empty one whoever sits there; SettingError where nobody can have it. rights: the client's.
    """

    def __init__(
        self,
        search: Search,
        game: str,
        *,
        source: SearchSource | None = None,
        acquainted: Callable[[str], StoredOpponent | None] = lambda _name: None,
        rights: Rights = GUEST,
    ) -> None:
        self.session = Session(
            search,
            SessionSettings(),
            terms=usual_settings(game),
            source=source,
        )
        self._acquainted = acquainted
        self._rights = rights
        self._start = self.session.game.position.copy()
        self._chosen: tuple[int, Choice] | None = None  # after so many moves, what it chose last
        self._exact = ExactEndings(game)

    @property
    def position(self) -> Position:
        """The position that all thinking is about."""
        return self.session.game.position

    def follow(self, start: Position, moves: Sequence[int]) -> None:
        """Goes to the position after these moves; ValueError on one that is not legal.

        Raises what the source raises where they are on another board.
        """
        played = [move for _, move in self.session.game.moves]
        goes_on = self._begins_like(start) and played == list(moves[: len(played)])
        if not goes_on:
            self._begin(start)
            played = []
        for number, move in enumerate(moves[len(played) :], len(played)):
            self._play(number, move)

    def _play(self, number: int, move: int) -> None:
        """Plays a move, the engine's own where it is the one that it chose there."""
        color = self.position.to_move
        if self._chosen is not None and (number, move) == (self._chosen[0], self._chosen[1].move):
            self.session.take(color, self._chosen[1])
        else:
            self.session.play(color, move)

    def _begins_like(self, start: Position) -> bool:
        here = self._start
        same_size = (here.width, here.height) == (start.width, start.height)
        return same_size and here.is_same(start)

    def _begin(self, start: Position) -> None:
        self._chosen = None
        self.session.load(GameRecord.from_start(self.session.game.terms, start, ()))
        self._start = start.copy()

    def choose(self, effort: Effort, *, stop: Stop, tell: Tell) -> Thought:
        """The move it plays, first, and what it thought."""
        session, color = self.session, self.position.to_move
        seconds = effort.seconds
        budget = Budget(
            visits=effort.visits,
            max_playouts=effort.playouts,
            max_seconds=None if seconds is None else max(seconds - MARGIN_SECONDS, seconds / 2),
            lag_seconds=LAG_SECONDS,
        )
        session.change_settings(replace(session.settings, budget=budget))
        session.clocks.replace(color, effort.clock or Clock.start(TimeControl()))
        choice = session.genmove(
            color,
            play=False,
            stop=stop,
            on_report=lambda report: tell(thought_of(report)),
            report_every_seconds=SECONDS_BETWEEN_REPORTS,
        )
        self._chosen = len(session.game.moves), choice
        return chosen(choice)

    def look(self, effort: Effort, *, stop: Stop, tell: Tell) -> Thought:
        """What it thinks of all moves; of late positions what they are worth."""
        session = self.session
        exact = self._exact.thought(self.position, empties=effort.exact_empties, stop=stop)
        if exact is not None:
            return exact
        most = MOST_VISITS if effort.visits is None else effort.visits

        def enough() -> bool:
            return session.search.visits >= most or stop()

        session.analyze(
            self.position.to_move,
            stop=enough,
            on_report=lambda report: tell(thought_of(report)),
            report_every_seconds=SECONDS_BETWEEN_REPORTS,
        )
        return thought_of(session.search.report())

    def value_draws(self, first_share: float) -> None:
        """From now on a draw is worth so much of a win to color 0."""
        settings = self.session.settings
        search = settings.search.copy()
        search.draw_equivalent_wins = first_share
        self.session.change_settings(replace(settings, search=search))

    def play_as(self, persona: str) -> None:
        """Plays by that persona from now on."""
        session = self.session
        named = self._rights.persona(persona, session.game.name)
        session.change_settings(replace(session.settings, persona=named))

    def meet(self, opponent: str) -> None:
        """Plays against the one of that name from now on; empty: whoever sits there."""
        self.session.meet(self._acquainted(opponent))

    def end(self, winner: int | None, won_by: str) -> None:
        """Learns that the game it played in is over; None: drawn."""
        self.session.finish_as_told(winner, won_by)

    def start_over(self) -> None:
        """Forgets what it knows of earlier games."""
        self.session.clear_search()


def chosen(choice: Choice) -> Thought:
    """The thought with the move that was chosen in front."""
    if choice.move is None:
        raise ValueError(f"a choice without a move: {choice.reason}")
    if choice.report is None:  # by a persona that looks at the board alone
        return Thought((AnalysisLine((choice.move,), 0.5, 0.0, 0),), choice.nodes or 0, 0.0)
    thought, report = thought_of(choice.report), choice.report
    others = [line for line in thought.lines if line.variation[0] != choice.move]
    own = [_line(stats) for stats in report.moves if stats.move == choice.move]
    if not own:
        own = [AnalysisLine((choice.move,), report.root.win_rate, report.root.score_lead, 0)]
    return replace(thought, lines=(*own, *others))


def thought_of(report: Report) -> Thought:
    """What a report says of the moves that were visited."""
    lines = [_line(move) for move in report.moves if move.visits > 0 or move.order == 0]
    return Thought(tuple(lines), report.root.visits, report.seconds)


def _line(move: MoveStats) -> AnalysisLine:
    proven = None if move.bounds is None else move.bounds.exact
    score = move.score_lead if proven is None else float(proven)
    variation = move.pv or (move.move,)
    return AnalysisLine(variation, move.win_rate, score, move.visits, is_exact=proven is not None)
