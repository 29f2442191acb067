"""Go's own steps: resigning, and as manners a pass in answer to a pass, dame and dead stones first.

Knows when a step searches again and for how long; its conditions are in engine.ending.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

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


def friendly_pass(search: Search, turn: Turn[GoPosition], choice: Choice) -> Choice | None:
    """A pass in answer to the opponent's, where the move chosen gains nothing."""
    position, move = turn.position, choice.move
    if move is None or move == position.pass_move or not _may_look(turn):
        return None
    if not ending.may_pass_friendly(position, turn.ending):
        return None
    now = _with_ownership(search, turn, choice)
    look = _looker(search, turn.limit, choice)
    gains_nothing = ending.loses_nothing_by_passing(position, move, now, look)
    search.set_position(position)
    if not gains_nothing:
        return None
    return replace(choice, move=position.pass_move, reason="nothing is left to gain")


def fill_dame(search: Search, turn: Turn[GoPosition], choice: Choice) -> Choice | None:
    """A dame where the move chosen is a pass and under these rules points are left by it."""
    position = turn.position
    if choice.move != position.pass_move or not _may_look(turn):
        return None
    now = _with_ownership(search, turn, choice)
    dame = ending.dame_moves(position, ending.as_black(now, position.stones.shape))
    fill = _best_of(search, turn, choice, dame)
    if fill is None:
        return None
    is_safe = ending.loses_nothing_by_filling(position, fill, _looker(search, turn.limit, choice))
    search.set_position(position)
    if not is_safe:
        return None
    return replace(choice, move=fill, reason="fills a dame before passing")


def cleanup(search: Search, turn: Turn[GoPosition], choice: Choice) -> Choice | None:
    """A capture of dead stones where the move chosen is a pass and they would count."""
    position = turn.position
    if choice.move != position.pass_move or not _may_look(turn):
        return None
    if not ending.wants_cleanup(position, turn.ending):
        return None
    capture = ending.cleanup_move(position)
    if capture is None and turn.ending.cleanup_before_pass:
        now = _with_ownership(search, turn, choice)
        dead = ending.dead_stones(position, ending.as_black(now, position.stones.shape))
        capture = _best_of(search, turn, choice, ending.capturing_moves(position, dead))
    if capture is None:
        return None
    return replace(choice, move=capture, reason="captures dead stones before passing")


def _may_look(turn: Turn[GoPosition]) -> bool:
    """Whether another move than the one chosen is wanted at all, and there is time to look."""
    return turn.restriction is None and not turn.stop()


def _with_ownership(search: Search, turn: Turn[GoPosition], choice: Choice) -> Report:
    """What the search knows with ownership, after a short look where it was not asked yet."""
    if search.tree.evaluated:
        return search.report(WITH_OWNERSHIP)
    return search.run(_look_limit(turn.limit, choice), options=WITH_OWNERSHIP)


def _best_of(
    search: Search, turn: Turn[GoPosition], choice: Choice, moves: Sequence[int]
) -> int | None:
    """The best of these moves; None where there are none."""
    if not moves:
        return None
    until = [1] * (turn.position.pass_move + 1)
    for move in moves:
        until[move] = 0
    black_to_move = turn.position.to_move == 0
    only = Restriction(black=until) if black_to_move else Restriction(white=until)
    best = search.run(_look_limit(turn.limit, choice), restriction=only).best
    return None if best is None else best.move


def _looker(search: Search, limit: Limit, choice: Choice) -> Callable[[GoPosition], Report]:
    """A short search of any position, within the time that is left of the turn's."""

    def look(position: GoPosition) -> Report:
        search.set_position(position)
        return search.run(_look_limit(limit, choice), options=WITH_OWNERSHIP)

    return look


def _look_limit(limit: Limit, choice: Choice) -> Limit:
    report = choice.report
    searched, seconds = (0, 0.0) if report is None else (report.root.visits, report.seconds)
    visits = min(FEWEST_LOOK_VISITS + int(searched * LOOK_SHARE), MOST_LOOK_VISITS)
    most = limit.max_seconds if limit.max_seconds is not None else limit.seconds
    if most is None:
        return Limit(visits=visits)
    return Limit(visits=visits, max_seconds=max(0.0, min(most - seconds, LOOK_SECONDS)))
