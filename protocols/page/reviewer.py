"""The review of a finished game on the page, by the judge of `sparring review`.

engine.review judges the game and draws the lessons. This module gives it the client's searches, the
visits of a page, and a progress that the page hears.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from engine.games.table import Board
from engine.networks.human_policy import HumanPolicy
from engine.play.search_source import SearchSource
from engine.review.bench import PeoplePolicy, Policy, policy_of_ranks
from engine.review.chess_terms import chess_terms
from engine.review.confirming import confirmed
from engine.review.files import ReviewedGame
from engine.review.judging import GameJudgement, Judge
from engine.review.lessons import lessons_of
from engine.review.measuring import measured
from engine.review.played import ReplayedGame
from engine.review.review import Reviewed
from engine.search.search import Search

# Cells of the board, at most, and visits of a position: a review is short on every board.
VISITS = ((81, 100), (169, 60), (361, 40))
GAME_VISITS = {"chess": 25}  # its search is in Python
PROGRESS_SECONDS = 0.5  # between two messages of a review under way

Stop = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class ClientJudgeSource:
    """The searches and policies of one client, for a judge. Satisfies JudgeSource."""

    source: SearchSource
    visits: int
    teaches: bool = True

    def search(self, board: Board, /) -> Search:
        """Returns the client's search on a board, with an empty tree."""
        search = self.source.search_on(board)
        search.clear()
        return search

    def policy(self, board: Board, /) -> Policy:
        """Returns the policy of human moves; without a network of those, the search's own."""
        people = self.source.human_policy_on(board)
        if people is None:
            people = HumanPolicy(self.source.search_on(board).evaluator)
        return people.policy

    def people_policy(
        self, board: Board, ranks: tuple[float | None, float | None], /
    ) -> PeoplePolicy | None:
        """Returns the policy of people of these ranks; None without a network of human moves."""
        people = self.source.human_policy_on(board)
        return None if people is None else policy_of_ranks(people, ranks, board.game)


class ReviewProgress:
    """The progress of a review: `tell` gets the judged and the expected positions, now and then."""

    def __init__(
        self, tell: Callable[[int, int], None], now: Callable[[], float] = time.monotonic
    ) -> None:
        self._tell = tell
        self._now = now
        self._last = now()
        self.done = self.total = 0

    def expect(self, positions: int) -> None:
        """Takes the number of further positions to judge."""
        self.total += positions

    def advance(self) -> None:
        """Counts a judged position."""
        self.done += 1
        if self._now() - self._last > PROGRESS_SECONDS:
            self._last = self._now()
            self._tell(self.done, self.total)


class Reviewer:
    """The review of one finished game. Used by one thread.

    source: gives a search of the review's own. color: of the player with lessons. stop: ends the
    review by JudgingStoppedError once it returns True.
    """

    def __init__(
        self,
        source: SearchSource,
        game: ReviewedGame,
        color: int,
        progress: ReviewProgress,
        stop: Stop,
    ) -> None:
        board = game.played.board
        self._game = game
        self._color = color
        self._progress = progress
        self._judge = Judge(ClientJudgeSource(source, visits_on(board)), stop)
        self._people = source.human_policy_on(board)
        self._network = source.search_on(board).evaluator.network.name

    @property
    def played(self) -> ReplayedGame:
        """The game."""
        return self._game.played

    def judge(self) -> GameJudgement:
        """Returns the judgement by short searches; raises JudgingStoppedError."""
        return self._judge.judge_game(self.played, self._progress)

    def confirm(self, judgement: GameJudgement) -> GameJudgement:
        """Returns the judgement with longer searches; raises JudgingStoppedError."""
        return confirmed(self._judge, self.played, judgement, self._progress, color=self._color)

    def reviewed(self, judgement: GameJudgement) -> Reviewed:
        """Returns the review, with the lessons of the player's moves."""
        measure = measured(self.played, judgement)
        own = tuple(move for move in measure.moves if move.color == self._color)
        lessons = lessons_of(self.played, judgement, own)
        network = self._network
        terms = chess_terms(self.played, judgement, self._people)
        return Reviewed(self._game, judgement, measure, network, network, lessons, terms)


def visits_on(board: Board) -> int:
    """Returns the visits of a position's review on a board."""
    if board.game in GAME_VISITS:
        return GAME_VISITS[board.game]
    cells = board.width * board.height
    return next(visits for most, visits in VISITS if cells <= most)
