"""Go's own steps: resigning, and the manners of ending a game by a pass at the right time.

The steps decide when to search ahead and for how long. Their conditions are in
engine.games.go_ending.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine._core import GoPosition
from engine.games import go_count, go_ending
from engine.games.go_ending import TurnEvaluation
from engine.play.steps.request import MoveRequest
from engine.search.report import WITH_OWNERSHIP
from engine.search.search import Restriction, Search
from engine.strength.target_win_rate import TargetWinRate
from engine.values import Choice, Limit, Report

FEWEST_LOOK_VISITS = 100  # the fewest visits of a short search at the end of the game
MOST_LOOK_VISITS = 1000
LOOK_SHARE = 0.1  # share of the search's visits for a short search
LOOK_SECONDS = 0.5
LOOK_TIME_SHARE = 0.5  # share of the move's remaining time for a short search


def resign(_search: Search, request: MoveRequest[GoPosition], report: Report) -> Choice | None:
    """Resigns a game lost beyond doubt."""
    past = [*request.past, TurnEvaluation(report.root.win_rate, report.root.score_lead)]
    if not go_ending.should_resign(request.position, past, request.ending):
        return None
    return Choice(None, f"It is behind by {-report.root.score_lead:.1f} points.", report)


def friendly_pass(
    search: Search, request: MoveRequest[GoPosition], choice: Choice
) -> Choice | None:
    """Answers the opponent's pass by a pass if the chosen move gains nothing."""
    position, move = request.position, choice.move
    if move is None or not _may_answer_pass(request, choice):
        return None
    searches = ShortSearches(search, request, choice)
    now = searches(go_count.without_history(position, position.to_move))
    if not go_ending.loses_nothing_by_passing(position, move, now, searches):
        return None
    return replace(choice, move=position.pass_move, reason="Nothing is left to gain.")


def pass_ahead(search: Search, request: MoveRequest[GoPosition], choice: Choice) -> Choice | None:
    """Answers the opponent's pass by a pass in an even game if this wins, whatever is left to gain.

    An even player kills no group that its opponent believes to live.
    """
    position = request.position
    if not isinstance(request.persona.strength, TargetWinRate):
        return None
    if not _may_answer_pass(request, choice):
        return None
    searches = ShortSearches(search, request, choice)
    if not go_ending.wins_by_passing(position, searches, go_ending.LEAD_TO_PASS_POINTS):
        return None
    return replace(choice, move=position.pass_move, reason="It passes too: it is ahead.")


def play_on(search: Search, request: MoveRequest[GoPosition], choice: Choice) -> Choice | None:
    """Replaces a pass that gives points away by the best other move.

    In one's own territory only a move that gains some points for certain.
    """
    position = request.position
    if not _is_open_pass(request, choice):
        return None
    searches = ShortSearches(search, request, choice)
    moves = [move for move in position.legal_moves() if move != position.pass_move]
    report = searches.among(position, moves)
    if report is None or report.best is None or report.ownership is None:
        return None
    best = report.best.move
    at_home = report.ownership[best] >= go_ending.OWNED
    points = go_ending.FORGONE_AT_HOME_POINTS if at_home else go_ending.FORGONE_POINTS
    if not go_ending.loses_by_passing(position, best, searches, points):
        return None
    return replace(choice, move=best, reason="It plays on: a pass would lose points.")


def fill_dame(search: Search, request: MoveRequest[GoPosition], choice: Choice) -> Choice | None:
    """Replaces a pass by a dame under rules with a point for it."""
    position = request.position
    if not _is_open_pass(request, choice):
        return None
    searches = ShortSearches(search, request, choice)
    dame = go_ending.dame_moves(position, searches.ownership(position))
    fill = searches.best_of(position, dame)
    if fill is None or not go_ending.loses_nothing_by_filling(position, fill, searches):
        return None
    return replace(choice, move=fill, reason="It fills a dame before passing.")


def cleanup(search: Search, request: MoveRequest[GoPosition], choice: Choice) -> Choice | None:
    """Replaces a pass by a capture of dead stones that would count as alive."""
    position = request.position
    if not _is_open_pass(request, choice):
        return None
    if not go_ending.wants_cleanup(position, request.ending):
        return None
    searches = ShortSearches(search, request, choice)
    dead = go_count.dead_stones(position, searches.ownership(position))
    capture = searches.best_of(position, go_ending.capturing_moves(position, dead))
    if capture is None:
        return None
    return replace(choice, move=capture, reason="It captures dead stones before passing.")


def _may_answer_pass(request: MoveRequest[GoPosition], choice: Choice) -> bool:
    """Returns whether the opponent has passed, and a pass may replace the chosen move."""
    return (
        choice.move not in {None, request.position.pass_move}
        and _may_look(request)
        and go_ending.may_pass_friendly(request.position, request.ending)
    )


def _is_open_pass(request: MoveRequest[GoPosition], choice: Choice) -> bool:
    """Returns whether the choice is a pass, and another move may replace it."""
    return choice.move == request.position.pass_move and _may_look(request)


def _may_look(request: MoveRequest[GoPosition]) -> bool:
    """Returns whether the request permits another move, and a search for it."""
    return request.restriction is None and not request.stop()


class ShortSearches:
    """Short searches of any position, beside the move's own search and within the move's time.

    They have the usual settings, not the persona's.
    """

    def __init__(self, search: Search, request: MoveRequest[GoPosition], choice: Choice) -> None:
        self._search = Search(search.evaluator, cache=search.cache, now=search.now)
        self._stop = request.stop
        searched = 0 if choice.report is None else choice.report.root.visits
        self._visits = min(max(FEWEST_LOOK_VISITS, int(searched * LOOK_SHARE)), MOST_LOOK_VISITS)
        limit = request.limit
        most = limit.max_seconds if limit.max_seconds is not None else limit.seconds
        self._deadline = None if most is None else search.now() + most

    def __call__(self, position: GoPosition, restriction: Restriction | None = None) -> Report:
        """Runs a short search with ownership."""
        seconds = None
        if self._deadline is not None:
            left = max(0.0, self._deadline - self._search.now())
            seconds = min(LOOK_TIME_SHARE * left, LOOK_SECONDS)
        self._search.set_position(position)
        return self._search.run(
            Limit(visits=self._visits, max_seconds=seconds),
            stop=self._stop,
            options=WITH_OWNERSHIP,
            restriction=restriction,
        )

    def ownership(self, position: GoPosition) -> go_count.Ownership:
        """Returns [height, width] the expected owner of each point after more play: +1 Black."""
        report = self(go_count.without_history(position, position.to_move))
        return go_count.as_black(report, position.stones.shape)

    def best_of(self, position: GoPosition, moves: Sequence[int]) -> int | None:
        """Returns the best of these moves; None without a move."""
        report = self.among(position, moves)
        return None if report is None or report.best is None else report.best.move

    def among(self, position: GoPosition, moves: Sequence[int]) -> Report | None:
        """Runs a short search of these moves alone; None without a move."""
        if not moves:
            return None
        until = [1] * (position.pass_move + 1)
        for move in moves:
            until[move] = 0
        only = Restriction(black=until) if position.to_move == 0 else Restriction(white=until)
        return self(position, only)
