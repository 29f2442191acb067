"""Search reports as the JSON answers of KataGo's analysis protocol.

The module has the names of the fields, and gives the numbers from the requested side's view.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.games.table import write_vertex
from engine.networks.raw import RawOutput
from engine.search.search import ReportOptions
from engine.values import Choice, Floats, MoveStats, Report, RootStats
from protocols.analysis.people import policy_values, root_values
from protocols.analysis.query import Query

DIGITS = 6  # after the point; a game's worth of ownership is long enough so
Json = dict[str, Any]


class AnswerWriter:
    """Writes the reports of one query and position; numbers take the query's view."""

    def __init__(
        self,
        query: Query,
        size: tuple[int, int],
        to_move: int,
        people: RawOutput | None = None,  # of the query's profile, the side to move's view
    ) -> None:
        self._query = query
        self._size = size
        self._people = people
        # Reports are the root mover's view.
        self._sign = -1.0 if query.settings.perspective == 1 - to_move else 1.0

    def answer(self, turn: int, report: Report, *, final: bool) -> Json:
        """Returns one answer, final or during the search."""
        includes = self._query.includes
        answer: Json = {
            "id": self._query.id,
            "turnNumber": turn,
            "isDuringSearch": not final,
            "moveInfos": [self._move(move) for move in report.moves if move.visits > 0],
            "rootInfo": self._root(report.root),
        }
        if "includePolicy" in includes:
            answer["policy"] = _numbers(report.policy)
            if self._people is not None:
                answer["humanPolicy"] = policy_values(self._people, DIGITS)
        if "includeOwnership" in includes and report.ownership is not None:
            answer["ownership"] = self._ownership(report.ownership)
        if "includeOwnershipStdev" in includes and report.ownership_stdev is not None:
            answer["ownershipStdev"] = _numbers(report.ownership_stdev)
        return answer

    def _move(self, move: MoveStats) -> Json:
        includes = self._query.includes
        length = self._query.settings.pv_length + 1
        values: Json = {
            "move": self._name(move.move),
            "visits": move.visits,
            "edgeVisits": move.edge_visits,
            "winrate": self._win_rate(move.win_rate),
            "scoreMean": self._signed(move.score_lead),  # the lead, for old tools, as KataGo does
            "scoreStdev": round(move.score_stdev, DIGITS),
            "scoreLead": self._signed(move.score_lead),
            "scoreSelfplay": self._signed(move.score_mean),
            "prior": round(move.prior, DIGITS),
            "utility": self._signed(move.utility),
            "lcb": self._win_rate(move.lcb),
            "utilityLcb": self._signed(move.utility_lcb),
            "weight": round(move.weight, DIGITS),
            "edgeWeight": round(move.edge_weight, DIGITS),
            "order": move.order,
            "playSelectionValue": round(move.play_selection_value, DIGITS),
            "pv": [self._name(step) for step in move.pv[:length]],
        }
        if self._people is not None:
            values["humanPrior"] = round(float(self._people.policy[move.move]), DIGITS)
        if move.symmetry_of is not None:
            values["isSymmetryOf"] = self._name(move.symmetry_of)
        if "includeNoResultValue" in includes:
            values["noResultValue"] = round(move.no_result, DIGITS)
        if "includePVVisits" in includes:
            values["pvVisits"] = list(move.pv_visits[:length])
            values["pvEdgeVisits"] = list(move.pv_edge_visits[:length])
        if "includeMovesOwnership" in includes and move.ownership is not None:
            values["ownership"] = self._ownership(move.ownership)
        if "includeMovesOwnershipStdev" in includes and move.ownership_stdev is not None:
            values["ownershipStdev"] = _numbers(move.ownership_stdev)
        return values

    def chosen(self, persona: str, choice: Choice) -> Json:
        """Returns the field `persona` of an answer: the persona's move and the reason for it."""
        move = "resign" if choice.move is None else self._name(choice.move)
        return {"name": persona, "move": move, "reason": choice.reason}

    def _root(self, root: RootStats) -> Json:
        people = {}
        if self._people is not None:
            people = root_values(self._people, self._sign, DIGITS)
        return people | {
            "currentPlayer": "BW"[root.to_move],
            "thisHash": f"{root.position_hash:016X}",
            "symHash": f"{root.symmetry_hash:016X}",
            "visits": root.visits,
            "winrate": self._win_rate(root.win_rate),
            "scoreLead": self._signed(root.score_lead),
            "scoreSelfplay": self._signed(root.score_mean),
            "scoreStdev": round(root.score_stdev, DIGITS),
            "utility": self._signed(root.utility),
            "weight": round(root.weight, DIGITS),
            "rawWinrate": self._win_rate(root.raw_win_rate),
            "rawLead": self._signed(root.raw_score_lead),
            "rawScoreSelfplay": self._signed(root.raw_score_mean),
            "rawScoreSelfplayStdev": round(root.raw_score_stdev, DIGITS),
            "rawNoResultProb": round(root.raw_no_result, DIGITS),
            "rawStWrError": _win_rate_error(root.raw_win_loss_error),
            "rawStScoreError": round(root.raw_score_error, DIGITS),
            "rawVarTimeLeft": round(root.raw_variance_time, DIGITS),
        }

    def _name(self, move: int) -> str:
        return write_vertex(move, *self._size)

    def _signed(self, value: float) -> float:
        return round(self._sign * value, DIGITS)

    def _win_rate(self, value: float) -> float:
        return round(value if self._sign > 0 else 1.0 - value, DIGITS)

    def _ownership(self, values: Floats) -> list[float]:
        return _numbers(values * np.float32(self._sign))


def _win_rate_error(win_loss_error: float) -> float:
    """Returns the error of a win rate of 0 to 1: half of that of a win-loss value, or -1 for none.

    KataGo's JSON has the half; its GTP has the whole.
    """
    return round(0.5 * win_loss_error, DIGITS) if win_loss_error >= 0 else win_loss_error


def _numbers(values: Floats) -> list[float]:
    # The detour by float64 is what keeps the written numbers short.
    return np.round(values.astype(np.float64), DIGITS).ravel().tolist()


def no_results(query_id: str, turn: int) -> Json:
    """Returns the final answer of a turn ended before its first result."""
    return {"id": query_id, "turnNumber": turn, "isDuringSearch": False, "noResults": True}


def report_options(query: Query) -> ReportOptions:
    """Returns the options of the search's reports for a query."""
    includes = query.includes
    return ReportOptions(
        pv_length=query.settings.pv_length + 1,
        ownership=bool({"includeOwnership", "includeOwnershipStdev"} & includes),
        moves_ownership=bool({"includeMovesOwnership", "includeMovesOwnershipStdev"} & includes),
    )
