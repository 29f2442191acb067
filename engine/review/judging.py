"""The judge of recorded games: it evaluates each position, and the probability of each move.

Late positions are solved exactly. Earlier ones are searched with a fixed number of visits, by the
bundled network or another. The naturalness of a move is its probability under the reference policy:
that of the bundled human network, or else of the judging network. Values belong to color 0, 0..1; a
draw is half. engine.review.measuring measures players by the judgements, engine.review.lessons
draws lessons from them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from queue import SimpleQueue
from typing import Any, Protocol, Self

import numpy as np

from engine._core import Solution
from engine.games.adjudication import ADJUDICATIONS
from engine.games.chance import outcomes, without_outcome
from engine.games.position import Position
from engine.match.record import Row
from engine.play.steps.exact import COSTS
from engine.review.advice import PositionAdvice, advice_of_search, advice_of_solution
from engine.review.bench import JudgeSource
from engine.review.luck import ChanceJudgement
from engine.review.played import HAS_POINTS, ReplayedGame
from engine.search.judging import judge
from engine.search.report import MOVES_ALONE, ReportOptions
from engine.search.search import Search, never
from engine.search.solver import SOLVERS, Solver
from engine.values import Limit, Report

MEGABYTES = 64  # size of the solver's table
SOLVED_SECONDS = 0.05  # the longest expected time of a solved position
VALUE_DIGITS = 4
LINE_MOVES = 8  # the longest better line
LIKELY_DIGITS = 6


class Progress(Protocol):
    """The listener to the work of judges; several threads call it."""

    def expect(self, positions: int) -> None:
        """Takes the number of further positions to judge."""

    def advance(self) -> None:
        """Counts a judged position."""


class Unwatched:
    """A progress without a listener."""

    def expect(self, positions: int) -> None:
        """Does nothing."""

    def advance(self) -> None:
        """Does nothing."""


UNWATCHED = Unwatched()


@dataclass(frozen=True, slots=True)
class PositionJudgement:
    """The judgement of one position."""

    value: float  # color 0's value, 0..1
    lead: float  # color 0's lead, in points
    exact: bool  # whether a solver proved both
    advice: PositionAdvice = field(default_factory=PositionAdvice)  # without the moves of people


@dataclass(frozen=True, slots=True)
class GameJudgement:
    """The judgement of a game; its moves are those after the opening.

    `values` and `leads` belong to color 0, one before each move and one at the end; they are empty
    without a judge. `likely` is the reference's probability of each move, and `ranks` its rank
    among the legal ones, from 1; None for a forced move.
    """

    values: Sequence[float]
    leads: Sequence[float]
    exact: int | None  # the first solved position
    likely: Sequence[float | None]
    ranks: Sequence[int | None] = ()
    margin: float | None = None  # color 0's final score; None without a count
    # One for each move; empty unless the judge teaches.
    advice_by_move: Sequence[PositionAdvice] = ()
    # Longer searches before and after some moves, by the number of the move after the opening.
    confirmed: Mapping[int, tuple[PositionJudgement, PositionJudgement]] = field(
        default_factory=dict
    )
    # The moves with several outcomes by chance, by the number of the move after the opening.
    chance: Mapping[int, ChanceJudgement] = field(default_factory=dict)

    @classmethod
    def of(cls, row: Row) -> Self:
        """Returns the judgement of a row of JSON values."""
        return cls(**{name: value for name, value in row.items() if name != "game"})

    def row(self, game: int) -> dict[str, Any]:
        """Returns JSON values, with the game's number and without the advice and the chance."""
        values = asdict(replace(self, advice_by_move=(), confirmed={}, chance={}))
        del values["advice_by_move"], values["confirmed"], values["chance"]
        return {"game": game, **values}


class JudgingStoppedError(Exception):
    """The judge's stop condition has ended a judgement."""


class Judge:
    """A judge of games, one after the other. Used by one thread at a time.

    source: gives searches and policies. stop: ends a judgement by JudgingStoppedError once it
    returns True.
    """

    def __init__(self, source: JudgeSource, stop: Callable[[], bool] = never) -> None:
        self._source = source
        self._stop = stop
        self._solvers: dict[str, Solver] = {}

    @property
    def visits(self) -> int | None:
        """The visits of a search; None without searches."""
        return self._source.visits

    def judge_game(self, played: ReplayedGame, progress: Progress = UNWATCHED) -> GameJudgement:
        """Returns the judgement of the game; progress counts its moves."""
        source, board = self._source, played.board
        progress.expect(len(played.game_record.moves) - played.opening)
        # Each game has a search of its own: its judgement depends on no other game.
        strong, likeliness = source.search(board), source.policy(board)
        people = source.people_policy(board, played.ranks) if source.teaches else None
        advice_by_move = list[PositionAdvice]()
        thoughts, likely, ranks = (
            list[PositionJudgement](),
            list[float | None](),
            list[int | None](),
        )
        before: list[int] | None = None  # the move before this position, for reuse of the tree
        for number, (position, color, move) in enumerate(played.turns(), -played.opening):
            if number < 0:
                continue
            at_turn, _ = ADJUDICATIONS[board.game].at_turn_of(position, color)
            strong.set_position(at_turn, before)
            before = [move]
            if source.visits is not None:
                thoughts.append(self._think(strong, board.game, at_turn, source.visits))
            alone = len(at_turn.legal_moves()) == 1
            policy, choice = None if alone else likeliness(at_turn), without_outcome(position, move)
            likely.append(None if policy is None else round(float(policy[choice]), LIKELY_DIGITS))
            ranks.append(None if policy is None else 1 + int(np.sum(policy > policy[choice])))
            if source.teaches and thoughts:
                advice = thoughts[-1].advice
                if people is not None and not alone:
                    advice = advice.among(people(at_turn, color), move)
                advice_by_move.append(advice)
            progress.advance()
        margin = self._margin(strong, played)
        if source.visits is None:
            return GameJudgement((), (), None, likely, ranks, margin)
        last = self._last(strong, played, margin, thoughts)
        ends = [*((thought.value, thought.lead) for thought in thoughts), last]
        return GameJudgement(
            values=[round(value, VALUE_DIGITS) for value, _ in ends],
            leads=[round(lead, VALUE_DIGITS) for _, lead in ends],
            exact=next((n for n, thought in enumerate(thoughts) if thought.exact), None),
            likely=likely,
            ranks=ranks,
            margin=margin,
            advice_by_move=advice_by_move,
            chance=self.judge_outcomes(played, range(len(likely)), source.visits, progress),
        )

    def judge_outcomes(
        self,
        played: ReplayedGame,
        numbers: Collection[int],
        visits: int,
        progress: Progress = UNWATCHED,
    ) -> dict[int, ChanceJudgement]:
        """Returns the judgement of these moves with several outcomes, a search for each outcome.

        numbers: of moves after the opening, from 0.
        """
        board, judgements = played.board, dict[int, ChanceJudgement]()
        turns = [
            (number, position.copy(), color, move, possible)
            for number, (position, color, move) in enumerate(played.turns(), -played.opening)
            if played.has_chance
            and number in numbers
            and len(possible := outcomes(position, without_outcome(position, move))) > 1
        ]
        progress.expect(sum(len(possible) for *_, possible in turns))
        search = self._source.search(board)
        for number, position, color, move, possible in turns:
            values = dict[int, float]()
            for outcome, _ in possible:
                after = position.copy()
                after.play(outcome, color)
                search.set_position(after)
                values[outcome] = self._think(search, board.game, after, visits).value
                progress.advance()
            total = sum(weight for _, weight in possible)
            expected = sum(values[outcome] * weight for outcome, weight in possible) / total
            judgements[number] = ChanceJudgement(expected, values[move])
        return judgements

    def judge_positions(
        self,
        played: ReplayedGame,
        numbers: Collection[int],
        visits: int,
        progress: Progress = UNWATCHED,
    ) -> dict[int, PositionJudgement]:
        """Returns the judgement of the positions before these moves, by searches of their own.

        numbers: of moves after the opening, from 0.
        """
        board, judgements = played.board, dict[int, PositionJudgement]()
        search = self._source.search(board)
        progress.expect(len(numbers))
        for number, (position, color, _) in enumerate(played.turns(), -played.opening):
            if number in numbers:
                at_turn, _ = ADJUDICATIONS[board.game].at_turn_of(position, color)
                search.set_position(at_turn)
                judgements[number] = self._think(search, board.game, at_turn, visits)
                progress.advance()
        return judgements

    def _think(
        self, search: Search, game: str, position: Position, visits: int
    ) -> PositionJudgement:
        """Judges the search's present position; raises JudgingStoppedError."""
        if position.is_over:
            score = position.black_score
            return PositionJudgement(of_score(score), score, exact=True)
        solution = self._solved(game, position)
        if solution is not None:
            score = solution.score if position.to_move == 0 else -solution.score
            advice = advice_of_solution(solution, LINE_MOVES)
            return PositionJudgement(of_score(score), float(score), exact=True, advice=advice)
        options = MOVES_ALONE
        if self._source.teaches:
            options = ReportOptions(pv_length=LINE_MOVES, ownership=game == "go")
        report = search.run(Limit(visits=visits), stop=self._stop, options=options)
        if self._stop():
            raise JudgingStoppedError
        advice = advice_of_search(report, has_points=game in HAS_POINTS)
        return PositionJudgement(*of_report(report), exact=False, advice=advice)

    def _margin(self, search: Search, played: ReplayedGame) -> float | None:
        """Returns the final score as counted, else the board's score if the rules ended the game.

        In Go a search decides on dead stones.
        """
        position = played.game_record.position()
        if played.margin is not None or not position.is_over:
            return played.margin
        return judge(search.evaluator, played.board.game, position).black_score

    def _last(
        self,
        search: Search,
        played: ReplayedGame,
        margin: float | None,
        thoughts: Sequence[PositionJudgement],
    ) -> tuple[float, float]:
        """Returns color 0's value and lead at the end.

        A resigned game keeps its last lead, in points.
        """
        value = played.value
        if margin is not None:
            return (of_score(margin) if value is None else value), margin
        if value is not None:
            return value, thoughts[-1].lead if thoughts else 0.0
        search.set_position(played.game_record.position())
        return of_report(search.run(Limit(visits=self._source.visits), options=MOVES_ALONE))

    def _solved(self, game: str, position: Position) -> Solution | None:
        """Returns the solution, in Connect4 of the winner alone; None for a slow one."""
        if game not in SOLVERS:
            return None
        empties = int((position.stones == 0).sum())
        if COSTS[game].seconds_for(empties) > SOLVED_SECONDS:
            return None
        solver = self._solvers.setdefault(game, SOLVERS[game](MEGABYTES))
        # No time limit: judgements must not depend on the machine's load.
        if game == "connect4":
            return solver.solve(position, alpha=-1, beta=1)
        return solver.solve(position)


def of_score(score: float) -> float:
    """Returns the value of a final score: won, drawn or lost."""
    return 0.5 if score == 0 else float(score > 0)


def of_report(report: Report) -> tuple[float, float]:
    """Returns color 0's value and lead, after a search."""
    root = report.root
    if root.to_move == 0:
        return root.win_rate, root.score_lead
    return 1 - root.win_rate, -root.score_lead


Revision = Callable[[Judge, ReplayedGame, GameJudgement, Progress], GameJudgement]


def unrevised(
    _judge: Judge, _played: ReplayedGame, judgement: GameJudgement, _progress: Progress
) -> GameJudgement:
    """Returns the judgement as it is."""
    return judgement


def judged(
    source: JudgeSource,
    games: Sequence[ReplayedGame],
    at_once: int,
    progress: Progress = UNWATCHED,
    revise: Revision = unrevised,
) -> Iterator[GameJudgement]:
    """Yields the judgements in the games' order; `at_once` judges work side by side.

    revise: returns a better judgement of a game by its judge.
    """
    idle: SimpleQueue[Judge] = SimpleQueue()
    for _ in range(min(at_once, len(games))):
        idle.put(Judge(source))

    def judge_one(game: ReplayedGame) -> GameJudgement:
        judge = idle.get()
        try:
            return revise(judge, game, judge.judge_game(game, progress), progress)
        finally:
            idle.put(judge)

    workers = ThreadPoolExecutor(max_workers=max(1, at_once))
    try:
        yield from workers.map(judge_one, games)
    finally:
        workers.shutdown(wait=False, cancel_futures=True)  # an interrupt waits for no game
