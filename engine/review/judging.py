"""The judge of recorded games: it evaluates each position, and the probability of each move.

Late positions are solved exactly. Earlier ones are searched with a fixed number of visits, by the
bundled network or another. The naturalness of a move is its probability under the reference policy:
that of the bundled human network, or else of the judging network. Values belong to color 0, 0..1; a
draw is half. engine.review.measuring measures players by the judgements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from functools import partial
from queue import SimpleQueue
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from engine.games.adjudication import ADJUDICATIONS
from engine.games.position import Position
from engine.games.table import Board
from engine.match.engine_player import SharedNetworks
from engine.match.record import Row
from engine.networks.human_policy import HumanPolicy
from engine.play.network_pool import GameNetworks, NetworkChoice
from engine.play.networks import networks_of
from engine.play.steps.exact import COSTS
from engine.review.played import ReplayedGame
from engine.search.judging import judge
from engine.search.report import MOVES_ALONE
from engine.search.search import Search
from engine.search.solver import SOLVERS, Solver
from engine.values import Limit, Report

MEGABYTES = 64  # size of the solver's table
SOLVED_SECONDS = 0.05  # the longest expected time of a solved position
VALUE_DIGITS = 4
LIKELY_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Bench:
    """The settings of a judge: its visits, its networks, and the reference policy."""

    visits: int | None  # visits of a search; None: no judge, the reference alone measures moves
    networks: SharedNetworks = field(default_factory=SharedNetworks)
    network: str | None = None  # the judging network's file; None: the bundled one
    human_network: str | None = None  # the file of the human policy; None: the bundled one
    backend: str = "auto"
    precision: str = "auto"
    profile: str = ""  # the imitated players, by KataGo's names of profiles

    def strong(self, board: Board) -> NetworkChoice:
        """Returns the judging network."""
        return self._networks(board).on(board)

    def reference(self, board: Board) -> NetworkChoice:
        """Returns the network of the reference policy."""
        return self._networks(board).human_on(board) or self.strong(board)

    def _networks(self, board: Board) -> GameNetworks:
        return networks_of(
            board.game,
            self.network,
            self.backend,
            self.precision,
            human_network=self.human_network,
        )

    def reference_name(self, board: Board) -> str:
        """Returns the name of the reference network, in a word."""
        return _name(self.reference(board))

    def judge_name(self, board: Board) -> str:
        """Returns the name of the judging network, in a word."""
        return _name(self.strong(board))

    def load(self, board: Board) -> None:
        """Loads both networks; raises SettingError if one cannot be loaded."""
        for choice in (self.strong(board), self.reference(board)):
            self.networks.network(choice)

    def search(self, board: Board) -> Search:
        """Returns a new search by the judging network."""
        return Search(self.networks.network(self.strong(board)).evaluator)

    def policy(self, board: Board) -> Callable[[Position], NDArray[np.float64]]:
        """Returns the reference policy: [move_count] float64 probabilities, 0 for illegal moves."""
        reference = HumanPolicy(self.networks.network(self.reference(board)).evaluator)
        return partial(reference.policy, profile=self.profile)


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

    @classmethod
    def of(cls, row: Row) -> Self:
        """Returns the judgement of a row of JSON values."""
        return cls(**{name: value for name, value in row.items() if name != "game"})

    def row(self, game: int) -> dict[str, Any]:
        """Returns JSON values, with the game's number."""
        return {"game": game, **asdict(self)}


@dataclass(frozen=True, slots=True)
class PositionJudgement:
    """The judgement of one position."""

    value: float  # color 0's value, 0..1
    lead: float  # color 0's lead, in points
    exact: bool  # whether a solver proved both


class Judge:
    """A judge of games, one after the other. Used by one thread at a time."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._solvers: dict[str, Solver] = {}

    def judge_game(self, played: ReplayedGame) -> GameJudgement:
        """Returns the judgement of the game."""
        bench, board = self._bench, played.board
        # Each game has a search of its own: its judgement depends on no other game.
        strong, likeliness = bench.search(board), bench.policy(board)
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
            if bench.visits is not None:
                thoughts.append(self._think(strong, board.game, at_turn, bench.visits))
            alone = len(at_turn.legal_moves()) == 1
            policy = None if alone else likeliness(at_turn)
            likely.append(None if policy is None else round(float(policy[move]), LIKELY_DIGITS))
            ranks.append(None if policy is None else 1 + int(np.sum(policy > policy[move])))
        margin = self._margin(strong, played)
        if bench.visits is None:
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
        )

    def _think(
        self, search: Search, game: str, position: Position, visits: int
    ) -> PositionJudgement:
        """Judges the search's present position."""
        score = self._solved(game, position)
        if score is not None:
            return PositionJudgement(of_score(score), float(score), exact=True)
        value, lead = of_report(search.run(Limit(visits=visits), options=MOVES_ALONE))
        return PositionJudgement(value, lead, exact=False)

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
        return of_report(search.run(Limit(visits=self._bench.visits), options=MOVES_ALONE))

    def _solved(self, game: str, position: Position) -> int | None:
        """Returns color 0's exact score, in Connect4 the winner alone; None for a slow solution."""
        if game not in SOLVERS:
            return None
        empties = int((position.stones == 0).sum())
        if COSTS[game].seconds_for(empties) > SOLVED_SECONDS:
            return None
        solver = self._solvers.setdefault(game, SOLVERS[game](MEGABYTES))
        # No time limit: judgements must not depend on the machine's load.
        if game == "connect4":
            solution = solver.solve(position, alpha=-1, beta=1)
        else:
            solution = solver.solve(position)
        return solution.score if position.to_move == 0 else -solution.score


def _name(choice: NetworkChoice) -> str:
    return "quick games" if choice.path is None else choice.path.name.split(".")[0]


def of_score(score: float) -> float:
    """Returns the value of a final score: won, drawn or lost."""
    return 0.5 if score == 0 else float(score > 0)


def of_report(report: Report) -> tuple[float, float]:
    """Returns color 0's value and lead, after a search."""
    root = report.root
    if root.to_move == 0:
        return root.win_rate, root.score_lead
    return 1 - root.win_rate, -root.score_lead


def judged(bench: Bench, games: Sequence[ReplayedGame], at_once: int) -> Iterator[GameJudgement]:
    """Yields the judgements in the games' order; `at_once` judges work side by side."""
    idle: SimpleQueue[Judge] = SimpleQueue()
    for _ in range(min(at_once, len(games))):
        idle.put(Judge(bench))
    workers = ThreadPoolExecutor(max_workers=max(1, at_once))
    try:
        yield from workers.map(partial(_judge_game, idle), games)
    finally:
        workers.shutdown(wait=False, cancel_futures=True)  # an interrupt waits for no game


def _judge_game(idle: SimpleQueue[Judge], played: ReplayedGame) -> GameJudgement:
    judge = idle.get()
    try:
        return judge.judge_game(played)
    finally:
        idle.put(judge)
