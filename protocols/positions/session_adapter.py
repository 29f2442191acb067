"""A session for protocols that send positions: limits become a budget, reports become analyses.

The session follows games and chooses moves. The messages are in the protocols' own folders.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Sequence
from dataclasses import replace

from engine.games.clock import Clock, TimeControl
from engine.games.game_settings import usual_settings
from engine.games.position import Position
from engine.opponents import StoredOpponent
from engine.play.search_source import SearchSource
from engine.play.session import Session
from engine.play.session_search import ANALYSIS_VISITS
from engine.play.session_settings import Budget
from engine.search.search import ReportOptions, Restriction, Search
from engine.values import Choice, MoveStats, Report
from protocols.activity import ANALYSIS, MOVE, Activity, current
from protocols.positions.exact import ExactEndings
from protocols.positions.player import (
    AnalysisLine,
    OnAnalysis,
    PositionAnalysis,
    Stop,
    ThinkingLimits,
)
from protocols.rights import GUEST, Rights

log = logging.getLogger(__name__)

SECONDS_BETWEEN_REPORTS = 0.5
LAG_SECONDS = 0.1  # kept back from a move on the clock: the GUI runs on the same machine
MARGIN_SECONDS = 0.02  # kept back from a fixed time for the move


class SessionAdapter:
    """Satisfies PositionPlayer with a session. Used by one thread.

    source: as in Session. opponent_named: returns the opponent of a name, or raises SettingError.
    rights: those of the client. budget: of a move without limits of the client's own.
    """

    def __init__(
        self,
        search: Search,
        game: str,
        *,
        source: SearchSource | None = None,
        opponent_named: Callable[[str], StoredOpponent | None] = lambda _name: None,
        rights: Rights = GUEST,
        budget: Budget | None = None,
    ) -> None:
        self.session = Session(search, game_settings=usual_settings(game), source=source)
        self._opponent_named = opponent_named
        self._rights = rights
        self._budget = replace(budget or Budget(), lag_seconds=LAG_SECONDS)
        self._exact = ExactEndings(game)

    @property
    def position(self) -> Position:
        """The current position of the session."""
        return self.session.game.position

    def follow(self, start: Position, moves: Sequence[int]) -> None:
        """Goes to the position after these moves, as Session.follow does."""
        self.session.follow(start, moves)

    def choose(
        self, limits: ThinkingLimits, *, stop: Stop, on_analysis: OnAnalysis
    ) -> PositionAnalysis:
        """Returns the analysis with the chosen move first; does not play it."""
        session, color = self.session, self.position.to_move
        seconds = limits.seconds
        budget = self._budget
        if replace(limits, lines=1) != ThinkingLimits():
            budget = Budget(
                visits=limits.visits,
                max_playouts=limits.playouts,
                max_seconds=None if seconds is None else max(seconds - MARGIN_SECONDS, seconds / 2),
                lag_seconds=LAG_SECONDS,
            )
        session.change_settings(replace(session.settings, budget=budget))
        session.clocks.replace(color, limits.clock or Clock.start(TimeControl()))
        with self._activity().timed(MOVE, "move"):
            choice = session.genmove(
                color,
                play=False,
                restriction=_restriction(self.position, limits.only),
                stop=stop,
                on_report=lambda report: on_analysis(analysis_of(report)),
                report_every_seconds=SECONDS_BETWEEN_REPORTS,
                options=ReportOptions(lines=limits.lines),
            )
        log.debug("move %d: %s", len(session.game.moves) + 1, choice.reason)
        return analysis_of_choice(choice)

    def analyze(
        self, limits: ThinkingLimits, *, stop: Stop, on_analysis: OnAnalysis
    ) -> PositionAnalysis:
        """Returns the analysis of all moves; the exact one of a late position."""
        with self._activity().timed(ANALYSIS, "analysis"):
            exact = self._exact.analysis(self.position, empties=limits.exact_empties, stop=stop)
            if exact is not None:
                return exact
            result = self.session.analyze(
                self.position.to_move,
                stop=stop,
                on_report=lambda report: on_analysis(analysis_of(report)),
                report_every_seconds=SECONDS_BETWEEN_REPORTS,
                restriction=_restriction(self.position, limits.only),
                visits=ANALYSIS_VISITS if limits.visits is None else limits.visits,
            )
        return PositionAnalysis((), 0, 0.0) if result is None else analysis_of(result)

    def _activity(self) -> Activity:
        """Returns the conversation's activity, with the game under way in it."""
        activity, session = current(), self.session
        activity.game, activity.moves = session.game.board.name, len(session.game.moves)
        activity.persona = session.settings.persona.name
        activity.opponent = str(session.opponent.name) if session.opponent is not None else ""
        return activity

    def set_draw_value(self, first_share: float) -> None:
        """Sets the value of a draw for color 0."""
        settings = self.session.settings
        search = settings.search.copy()
        search.draw_equivalent_wins = first_share
        self.session.change_settings(replace(settings, search=search))

    def set_persona(self, persona: str) -> None:
        """Sets the persona of this name."""
        session = self.session
        named = self._rights.persona(persona, session.game.name)
        session.change_settings(replace(session.settings, persona=named))

    def set_tables(self, folders: str) -> None:
        """Names the folders of endgame tables of chess; empty: the engine's own ones."""
        tables = None
        if folders:
            from engine.search.endgame_tables import (  # noqa: PLC0415 (an optional module)
                open_tables,
            )

            paths = [str(self._rights.file(each)) for each in folders.split(os.pathsep)]
            tables = open_tables(os.pathsep.join(paths))
        self.session.change_settings(replace(self.session.settings, chess_tables=tables))

    def meet(self, opponent: str) -> None:
        """Names the opponent; the empty name is the usual one."""
        self.session.meet(self._opponent_named(opponent))

    def finish(self, winner: int | None, won_by: str) -> None:
        """Reports the result of the game; None: a draw."""
        self.session.finish_won_by(winner, won_by)

    def clear_search(self) -> None:
        """Forgets the search tree and the evaluations."""
        self.session.clear_search()


def analysis_of_choice(choice: Choice) -> PositionAnalysis:
    """Returns the analysis of a choice's report, the chosen move first."""
    if choice.move is None:
        raise ValueError(f"a choice without a move: {choice.reason}")
    if choice.report is None:  # of a persona without a search
        return PositionAnalysis(
            (AnalysisLine((choice.move,), 0.5, 0.0, 0),), choice.nodes or 0, 0.0
        )
    analysis, report = analysis_of(choice.report), choice.report
    others = [line for line in analysis.lines if line.variation[0] != choice.move]
    own = [_line(stats) for stats in report.moves if stats.move == choice.move]
    if not own:
        own = [AnalysisLine((choice.move,), report.root.win_rate, report.root.score_lead, 0)]
    return replace(analysis, lines=(*own, *others))


def analysis_of(report: Report) -> PositionAnalysis:
    """Returns the analysis of a report, without the moves that have no visit."""
    lines = [_line(move) for move in report.moves if move.visits > 0 or move.order == 0]
    return PositionAnalysis(tuple(lines), report.root.visits, report.seconds)


def _line(move: MoveStats) -> AnalysisLine:
    proven = None if move.bounds is None else move.bounds.exact
    score = move.score_lead if proven is None else float(proven)
    variation = move.pv or (move.move,)
    return AnalysisLine(
        variation,
        move.win_rate,
        score,
        move.visits,
        proven is not None,
        move.no_result,
        move.score_mean,
    )


def _restriction(position: Position, only: Sequence[int]) -> Restriction | None:
    """Returns the restriction of the side to move to these moves at the root; None without any."""
    if not only:
        return None
    until = [0 if move in only else 1 for move in range(position.move_count)]
    return Restriction(black=until) if position.to_move == 0 else Restriction(white=until)
