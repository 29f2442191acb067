"""Reading of endgame moves for a target margin, and the possible margins of a position.

A reading is a short search after a move. It finds a better estimate of the lead, or a group given
away. The caller passes the weight of a move.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from engine._core import GoPosition
from engine.games.position import Position
from engine.play.steps.leads import read_on
from engine.play.steps.request import MoveRequest
from engine.search.search import ReportOptions, Search
from engine.style.margins import Margins
from engine.style.target_leads import Candidate
from engine.style.target_margin import TargetMargin, given_away
from engine.values import Limit, Report

READING_TIME = 0.4  # the share of a move's time for all readings
READING_VISITS = 0.25  # share of the search's visits for each reading
FEWEST_VISITS = 8
AFTER_EACH = ReportOptions(pv_length=1, moves_ownership=True)

Weigh = Callable[[Candidate], float]


@dataclass(frozen=True, slots=True)
class Reading:
    """The reading of one position's moves."""

    search: Search  # it is at the position, and has searched it
    request: MoveRequest[Position]
    report: Report  # the search's report
    ending: TargetMargin
    weigh: Weigh

    def best(self, candidates: Sequence[Candidate]) -> Candidate:
        """Returns the candidate of the greatest weight after reading.

        A reading can change the order; the next best is then read too, up to the ending's number of
        reads. A candidate that gives away a settled group drops out unless it is the only one.
        """
        known = {each.move: each for each in candidates}
        read: set[int] = set()
        for _ in range(self.ending.reads):
            best = max(self._fair(known.values()), key=self.weigh)
            if best.move in read:
                return best
            reread = self._read(best)
            if reread is None and len(known) > 1:
                del known[best.move]
                continue
            read.add(best.move)
            known[best.move] = reread or best
        fair = self._fair(known.values())
        return max([each for each in fair if each.move in read] or fair, key=self.weigh)

    def _fair(self, candidates: Iterable[Candidate]) -> list[Candidate]:
        past = self.request.past
        before = past[-1].score_lead if past else math.inf
        return self.ending.allowed(list(candidates), before)

    def _read(self, candidate: Candidate) -> Candidate | None:
        """Returns the candidate with the lead by reading; None if it gives away a group."""
        report = read_on(self.search, self.request, candidate.move, self._limit())
        if report is None:
            return candidate
        own = self.request.position.to_move
        sign = 1 if report.root.to_move == own else -1
        settled = self.search.report(AFTER_EACH).moves[0].ownership  # after the best move
        if settled is not None and report.ownership is not None:
            stones = (self.request.position.stones == 1 + own).ravel()
            lost = given_away(settled, sign * report.ownership, stones)
            if lost > self.ending.most_stones:
                return None
        return replace(candidate, lead=sign * report.root.score_lead)

    def _limit(self) -> Limit:
        visits = max(FEWEST_VISITS, int(READING_VISITS * self.report.root.visits))
        visits = self.request.limit.within(visits)
        least = self.request.limit.least_seconds
        if least is None:
            return Limit(visits=visits)
        return Limit(visits=visits, max_seconds=least * READING_TIME / self.ending.reads)


def margins_of(position: Position) -> Margins:
    """Returns the possible final margins of the side to move.

    By area each point belongs to a side, and one point more for a side is one less for the other:
    margins differ by 2. By territory they differ by 1; the button leaves half a point open.
    """
    area = position.width * position.height
    if not isinstance(position, GoPosition):
        return Margins(2, area % 2)
    if position.rules.button:
        return Margins()
    sign = 1 if position.to_move == 0 else -1
    if position.rules.scoring == "TERRITORY":
        return Margins(1, -sign * position.white_bonus)
    return Margins(2, sign * (area - position.white_bonus))
