"""One move at full strength: search, then resigning, passing and cleaning up, in this order.

Knows the order of the steps and nothing else: the search is passed in, the steps' conditions are
in engine.ending.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from engine import ending
from engine._core import GoPosition
from engine.ending import EndingSettings, Outlook
from engine.records import Choice, Limit, Report
from engine.search import ReportOptions, Restriction, Search, never

WITH_OWNERSHIP = ReportOptions(ownership=True)
FEWEST_LOOK_VISITS = 8  # of a look ahead at the end of the game
MOST_LOOK_VISITS = 1000
LOOK_SHARE = 0.1  # of the search's visits
LOOK_SECONDS = 0.5  # where the search left less


@dataclass(frozen=True, slots=True)
class Turn:
    """What the player is asked: a position, how long to think, how to behave."""

    position: GoPosition
    limit: Limit
    ending: EndingSettings = field(default_factory=EndingSettings)
    past: Sequence[Outlook] = ()  # own outlooks of this game so far
    restriction: Restriction | None = None
    stop: Callable[[], bool] = never
    on_report: Callable[[Report], None] | None = None
    report_every_seconds: float = 1.0
    options: ReportOptions = field(default_factory=ReportOptions)


def choose(search: Search, turn: Turn) -> Choice:
    """The move to play, None to resign, with the reason and what the search found.

    The search stands at the turn's position before and after.
    """
    report = search.run(
        turn.limit,
        stop=turn.stop,
        on_report=turn.on_report,
        report_every_seconds=turn.report_every_seconds,
        options=turn.options,
        restriction=turn.restriction,
    )
    best = report.best
    if best is None:
        return Choice(turn.position.pass_move, "no other move is allowed", report)
    past = [*turn.past, Outlook(report.root.win_rate, report.root.score_lead)]
    if ending.should_resign(turn.position, past, turn.ending):
        return Choice(None, f"behind by {-report.root.score_lead:.1f} points", report)
    if turn.restriction is not None or turn.stop():
        return Choice(best.move, strength_of(report), report)
    found = _friendly_pass(search, turn, report, best.move)
    found = found or _cleanup(search, turn, report, best.move)
    if found is None:
        return Choice(best.move, strength_of(report), report)
    search.set_position(turn.position)
    return Choice(*found, report)


def strength_of(report: Report) -> str:
    """What the search thinks of its move, in words."""
    root = report.root
    return f"{root.visits} visits, win rate {root.win_rate:.1%}, score lead {root.score_lead:+.1f}"


def _friendly_pass(search: Search, turn: Turn, report: Report, move: int) -> tuple[int, str] | None:
    """A pass in answer to the opponent's, where the move found gains nothing."""
    position = turn.position
    if move == position.pass_move or not ending.may_pass_friendly(position, turn.ending):
        return None
    now = search.report(WITH_OWNERSHIP)
    look = _looker(search, turn.limit, report)
    if not ending.loses_nothing_by_passing(position, move, now, look):
        search.set_position(position)
        return None
    return position.pass_move, "nothing is left to gain"


def _cleanup(search: Search, turn: Turn, report: Report, move: int) -> tuple[int, str] | None:
    """A capture of dead stones where the move found is a pass and they would count."""
    position = turn.position
    if move != position.pass_move or not ending.wants_cleanup(position, turn.ending):
        return None
    capture = ending.cleanup_move(position)
    if capture is None and turn.ending.cleanup_before_pass:
        ownership = ending.as_black(search.report(WITH_OWNERSHIP), position.stones.shape)
        dead = ending.dead_stones(position, ownership)
        capture = _best_of(search, turn, report, ending.capturing_moves(position, dead))
    return None if capture is None else (capture, "captures dead stones before passing")


def _best_of(search: Search, turn: Turn, report: Report, moves: Sequence[int]) -> int | None:
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
