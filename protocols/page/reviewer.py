"""The review of a finished game: each position's value, the best move, and the moves of people.

Late positions are solved, earlier ones searched at full strength. The review has a session of its
own, so that the game's session stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from engine.games.game_record import GameRecord
from engine.games.position import Position
from engine.games.table import Board
from engine.networks.human_policy import HumanPolicy
from engine.personas import FULL
from engine.play.search_source import SearchSource
from engine.play.session import Session
from engine.play.session_settings import SessionSettings
from engine.review.advice import PositionAdvice
from engine.values import Report
from protocols.page.judged_game import JudgedPosition
from protocols.positions.exact import ExactEndings

# Cells of the board, at most, and visits of a position: a review takes seconds on every board.
VISITS = ((81, 60), (169, 40), (361, 24))
EXACT_EMPTIES = {"othello": 9, "connect4": 18}  # positions with so few empty cells are solved
NEVER_SECONDS = 1e9  # between two reports of a search
LONGEST_LINE = 6  # moves of a variation
STRONGEST_RANK, WEAKEST_RANK = 1.0, 29.0  # 9d and 20k, as the network of human moves knows them

Stop = Callable[[], bool]


class Reviewer:
    """Judges the positions of one game. Used by one thread.

    source: gives a search of the review's own. rank: of the person, in Go; None: people in general.
    """

    def __init__(self, source: SearchSource, record: GameRecord, rank: float | None) -> None:
        self._record = record
        self._board = Board(record.game_settings.game, record.width, record.height)
        self._session = Session(
            source.search_on(self._board),
            SessionSettings(persona=FULL),
            game_settings=record.game_settings,
            source=source,
        )
        self._session.load(replace(record, moves=(), implied=frozenset()))
        self._people = source.human_policy_on(self._board)
        self._rank = None if rank is None else min(max(rank, STRONGEST_RANK), WEAKEST_RANK)
        self._exact = ExactEndings(self._board.game)

    def judge(self, stop: Stop) -> Iterator[JudgedPosition]:
        """Yields the position before each move; ends early once `stop` is true."""
        for color, move in self._record.moves:
            position = self._session.game.position
            judged = self._judged(position, stop)
            if judged is None or stop():
                return
            yield self._with_people(judged, position, move)
            self._session.play(color, move)

    def end(self, stop: Stop, result: tuple[float, float] | None) -> JudgedPosition | None:
        """Returns the last position; None once `stop` is true.

        result: color 0's value and lead by the game's count; None: the position is judged.
        """
        position = self._session.game.position
        if result is not None:
            return JudgedPosition(position.to_move, *result)
        return self._judged(position, stop)

    def _judged(self, position: Position, stop: Stop) -> JudgedPosition | None:
        """Returns the values of the session's position; None once `stop` is true."""
        empties = EXACT_EMPTIES.get(self._board.game, 0)
        solved = self._exact.analysis(position, empties=empties, stop=stop)
        if solved is not None and solved.lines:
            best = solved.lines[0]
            return _seen_by_first(position, best.win_rate, best.score, best.variation)
        report = self._session.analyze(
            position.to_move,
            stop=stop,
            on_report=_ignore,
            report_every_seconds=NEVER_SECONDS,
            visits=visits_on(self._board),
        )
        if report is None or stop():
            return None
        line = report.best.pv if report.best is not None else ()
        return _seen_by_first(position, report.root.win_rate, report.root.score_lead, line)

    def _with_people(self, judged: JudgedPosition, position: Position, move: int) -> JudgedPosition:
        """Returns the position with the moves of people, where there is a choice."""
        if self._people is None or len(position.legal_moves()) < 2:
            return judged
        policy = self._policy(self._people, position)
        advice = PositionAdvice().among(policy, move)
        return replace(judged, people=advice.people, people_share=advice.people_share)

    def _policy(self, people: HumanPolicy, position: Position) -> NDArray[np.float64]:
        if self._rank is None:
            return people.policy(position)
        return people.policy_at(position, (self._rank, self._rank))


def visits_on(board: Board) -> int:
    """Returns the visits of a position's review on a board."""
    cells = board.width * board.height
    return next(visits for most, visits in VISITS if cells <= most)


def _seen_by_first(
    position: Position, win_rate: float, lead: float, line: tuple[int, ...]
) -> JudgedPosition:
    """Returns the position with the values of color 0 from those of the side to move."""
    if position.to_move == 1:
        win_rate, lead = 1 - win_rate, -lead
    return JudgedPosition(position.to_move, win_rate, lead, tuple(line[:LONGEST_LINE]))


def _ignore(_report: Report) -> None:
    """Nothing."""
