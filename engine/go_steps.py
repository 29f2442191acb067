"""Go's steps after the search: resigning, a pass in answer to a pass, cleaning up before one.

Knows when a step searches again and for how long; its conditions are in engine.ending.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine import ending
from engine._core import GoPosition
from engine.ending import Outlook
from engine.records import Choice, Limit, Report
from engine.search import ReportOptions, Restriction, Search
from engine.turn import Turn

WITH_OWNERSHIP = ReportOptions(ownership=True)
FEWEST_LOOK_VISITS = 8  # of a look ahead at the end of the game
MOST_LOOK_VISITS = 1000
LOOK_SHARE = 0.1  # of the search's visits
LOOK_SECONDS = 0.5  # where the search left less


def resign(_search: Search, turn: Turn[GoPosition], report: Report) -> Choice | None:
    """Gives up a game that is lost beyond doubt."""
    past = [*turn.past, Outlook(report.root.win_rate, report.root.score_lead)]
    if not ending.should_resign(turn.position, past, turn.ending):
        return None
    return Choice(None, f"behind by {-report.root.score_lead:.1f} points", report)


def friendly_pass(search: Search, turn: Turn[GoPosition], report: Report) -> Choice | None:
    """A pass in answer to the opponent's, where the move found gains nothing."""
    position, best = turn.position, report.best
    if best is None or best.move == position.pass_move or not _may_look(turn):
        return None
    if not ending.may_pass_friendly(position, turn.ending):
        return None
    now = search.report(WITH_OWNERSHIP)
    look = _looker(search, turn.limit, report)
    gains_nothing = ending.loses_nothing_by_passing(position, best.move, now, look)
    search.set_position(position)
    return Choice(position.pass_move, "nothing is left to gain", report) if gains_nothing else None


def cleanup(search: Search, turn: Turn[GoPosition], report: Report) -> Choice | None:
    """A capture of dead stones where the move found is a pass and they would count."""
    position, best = turn.position, report.best
    if best is None or best.move != position.pass_move or not _may_look(turn):
        return None
    if not ending.wants_cleanup(position, turn.ending):
        return None
    capture = ending.cleanup_move(position)
    if capture is None and turn.ending.cleanup_before_pass:
        ownership = ending.as_black(search.report(WITH_OWNERSHIP), position.stones.shape)
        dead = ending.dead_stones(position, ownership)
        capture = _best_of(search, turn, report, ending.capturing_moves(position, dead))
    if capture is None:
        return None
    return Choice(capture, "captures dead stones before passing", report)


def _may_look(turn: Turn[GoPosition]) -> bool:
    """Whether another move than the search's is wanted at all, and there is time to look."""
    return turn.restriction is None and not turn.stop()


def _best_of(
    search: Search, turn: Turn[GoPosition], report: Report, moves: Sequence[int]
) -> int | None:
    """The best of these moves; None where there are none."""
    if not moves:
        return None
    until = [1] * (turn.position.pass_move + 1)
    for move in moves:
        until[move] = 0
    black_to_move = turn.position.to_move == 0
    only = Restriction(black=until) if black_to_move else Restriction(white=until)
    best = search.run(_look_limit(turn.limit, report), restriction=only).best
    return None if best is None else best.move


def _looker(search: Search, limit: Limit, report: Report) -> Callable[[GoPosition], Report]:
    """A short search of any position, within the time that is left of the turn's."""

    def look(position: GoPosition) -> Report:
        search.set_position(position)
        return search.run(_look_limit(limit, report), options=WITH_OWNERSHIP)

    return look


def _look_limit(limit: Limit, report: Report) -> Limit:
    visits = min(FEWEST_LOOK_VISITS + int(report.root.visits * LOOK_SHARE), MOST_LOOK_VISITS)
    most = limit.max_seconds if limit.max_seconds is not None else limit.seconds
    if most is None:
        return Limit(visits=visits)
    return Limit(visits=visits, max_seconds=max(0.0, min(most - report.seconds, LOOK_SECONDS)))
