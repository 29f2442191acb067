"""Go's own steps: resigning, and as manners the pass that ends a game, never before it is over.

Knows when a step looks ahead and for how long; its conditions are in engine.games.go_ending.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine._core import GoPosition
from engine.games import go_ending
from engine.games.go_ending import TurnEvaluation
from engine.play.steps.request import MoveRequest
from engine.search.search import ReportOptions, Restriction, Search
from engine.values import Choice, Limit, Report

WITH_OWNERSHIP = ReportOptions(ownership=True)
FEWEST_LOOK_VISITS = 100  # of a look ahead at the end of the game
MOST_LOOK_VISITS = 1000
LOOK_SHARE = 0.1  # of the search's visits
LOOK_SECONDS = 0.5
LOOK_TIME_SHARE = 0.5  # of the time that is left of the turn's


def resign(_search: Search, request: MoveRequest[GoPosition], report: Report) -> Choice | None:
    """Gives up a game that is lost beyond doubt."""
    past = [*request.past, TurnEvaluation(report.root.win_rate, report.root.score_lead)]
    if not go_ending.should_resign(request.position, past, request.ending):
        return None
    return Choice(None, f"It is behind by {-report.root.score_lead:.1f} points.", report)


def friendly_pass(
    search: Search, request: MoveRequest[GoPosition], choice: Choice
) -> Choice | None:
    """A pass in answer to the opponent's, where the move chosen gains nothing."""
    position, move = request.position, choice.move
    if move is None or move == position.pass_move or not _may_look(request):
        return None
    if not go_ending.may_pass_friendly(position, request.ending):
        return None
    look = Looks(search, request, choice)
    now = look(go_ending.without_history(position, position.to_move))
    if not go_ending.loses_nothing_by_passing(position, move, now, look):
        return None
    return replace(choice, move=position.pass_move, reason="Nothing is left to gain.")


def play_on(search: Search, request: MoveRequest[GoPosition], choice: Choice) -> Choice | None:
    """The best other move, where the move chosen is a pass and gives points away."""
    position = request.position
    if choice.move != position.pass_move or not _may_look(request):
        return None
    look = Looks(search, request, choice)
    moves = [move for move in position.legal_moves() if move != position.pass_move]
    best = look.best_of(position, moves)
    if best is None or not go_ending.loses_by_passing(position, best, look):
        return None
    return replace(choice, move=best, reason="A pass would lose points.")


def fill_dame(search: Search, request: MoveRequest[GoPosition], choice: Choice) -> Choice | None:
    """A dame where the move chosen is a pass and under these rules points are left by it."""
    position = request.position
    if choice.move != position.pass_move or not _may_look(request):
        return None
    look = Looks(search, request, choice)
    dame = go_ending.dame_moves(position, look.ownership(position))
    fill = look.best_of(position, dame)
    if fill is None or not go_ending.loses_nothing_by_filling(position, fill, look):
        return None
    return replace(choice, move=fill, reason="It fills a dame before passing.")


def cleanup(search: Search, request: MoveRequest[GoPosition], choice: Choice) -> Choice | None:
    """A capture of dead stones where the move chosen is a pass and they would count."""
    position = request.position
    if choice.move != position.pass_move or not _may_look(request):
        return None
    if not go_ending.wants_cleanup(position, request.ending):
        return None
    look = Looks(search, request, choice)
    dead = go_ending.dead_stones(position, look.ownership(position))
    capture = look.best_of(position, go_ending.capturing_moves(position, dead))
    if capture is None:
        return None
    return replace(choice, move=capture, reason="It captures dead stones before passing.")


def _may_look(request: MoveRequest[GoPosition]) -> bool:
    """Whether another move than the one chosen is wanted at all, and there is time to look."""
    return request.restriction is None and not request.stop()


class Looks:
    """Short searches of any position, beside the turn's own search and within the turn's time.

    They search as usual, however the persona's own search is set.
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
        """Returns the findings of a short search, with ownership."""
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

    def ownership(self, position: GoPosition) -> go_ending.Ownership:
        """[H, W] whose each point is once the game goes on, +1 Black's."""
        report = self(go_ending.without_history(position, position.to_move))
        return go_ending.as_black(report, position.stones.shape)

    def best_of(self, position: GoPosition, moves: Sequence[int]) -> int | None:
        """The best of these moves; None where there are none."""
        if not moves:
            return None
        until = [1] * (position.pass_move + 1)
        for move in moves:
            until[move] = 0
        only = Restriction(black=until) if position.to_move == 0 else Restriction(white=until)
        best = self(position, only).best
        return None if best is None else best.move
