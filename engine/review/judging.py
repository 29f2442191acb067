"""What a strong and independent judge thinks of recorded games, position by position.

Knows games that were played, the exact solvers, and searches of a fixed number of visits by the
network that comes with the engine or another. Late positions are solved, earlier ones searched. How
natural a move is the reference policy says: that of human players where one comes with the engine,
else the same network's own. A value is of color 0's side, 0..1, a draw being half. Does not know
what is made of it (engine.review.measuring).
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

MEGABYTES = 64  # that a solver remembers in
SOLVED_SECONDS = 0.05  # that solving a position may be expected to take
VALUE_DIGITS = 4
LIKELY_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Bench:
    """What judges are made from."""

    visits: int | None  # of a search; None: moves are measured by the reference alone
    networks: SharedNetworks = field(default_factory=SharedNetworks)
    network: str | None = None  # the file that judges; None: the one that comes with the engine
    human_network: str | None = None  # whose policy says what is natural; None: the bundled one
    backend: str = "auto"
    precision: str = "auto"
    profile: str = ""  # whom such a network imitates, by KataGo's names

    def strong(self, board: Board) -> NetworkChoice:
        """The network that judges."""
        return self._networks(board).on(board)

    def reference(self, board: Board) -> NetworkChoice:
        """The network whose policy says what is natural."""
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
        """The network that says what is natural, in a word."""
        return _name(self.reference(board))

    def judge_name(self, board: Board) -> str:
        """The network that judges, in a word."""
        return _name(self.strong(board))

    def load(self, board: Board) -> None:
        """Loads both; raises SettingError where one can't be."""
        for choice in (self.strong(board), self.reference(board)):
            self.networks.network(choice)

    def search(self, board: Board) -> Search:
        """A new search by the network that judges."""
        return Search(self.networks.network(self.strong(board)).evaluator)

    def policy(self, board: Board) -> Callable[[Position], NDArray[np.float64]]:
        """How likely moves are by the reference, 0 where not legal."""
        reference = HumanPolicy(self.networks.network(self.reference(board)).evaluator)
        return partial(reference.policy, profile=self.profile)


@dataclass(frozen=True, slots=True)
class GameJudgement:
    """What is thought of a game, whose moves are those after the opening.

    `values` and `leads`, color 0's, are of the positions before each move and of the last, and
    empty where nobody judged; `likely` is the reference's probability of each move and `ranks` its
    rank among the legal ones, from 1; None where there was no other.
    """

    values: Sequence[float]
    leads: Sequence[float]
    exact: int | None  # the first position that was solved
    likely: Sequence[float | None]
    ranks: Sequence[int | None] = ()
    margin: float | None = None  # color 0's final score; None where nobody counted it

    @classmethod
    def of(cls, row: Row) -> Self:
        """The opinion that such values are."""
        return cls(**{name: value for name, value in row.items() if name != "game"})

    def row(self, game: int) -> dict[str, Any]:
        """As JSON values, with the game's number."""
        return {"game": game, **asdict(self)}


@dataclass(frozen=True, slots=True)
class PositionJudgement:
    """What is thought of one position."""

    value: float  # color 0's
    lead: float  # color 0's
    exact: bool  # it was solved


class Judge:
    """Looks at games one after the other. Used by one thread at a time."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._solvers: dict[str, Solver] = {}

    def look(self, played: ReplayedGame) -> GameJudgement:
        """What is thought of the game."""
        bench, board = self._bench, played.board
        # Each game has a search of its own: what is said of it depends on no other.
        strong, likeliness = bench.search(board), bench.policy(board)
        thoughts, likely, ranks = (
            list[PositionJudgement](),
            list[float | None](),
            list[int | None](),
        )
        before: list[int] | None = None  # the move that led here, by which a tree is kept
        for number, (position, color, move) in enumerate(played.turns(), -played.opening):
            if number < 0:
                continue
            seen, _ = ADJUDICATIONS[board.game].at_turn_of(position, color)
            strong.set_position(seen, before)
            before = [move]
            if bench.visits is not None:
                thoughts.append(self._think(strong, board.game, seen, bench.visits))
            alone = len(seen.legal_moves()) == 1
            policy = None if alone else likeliness(seen)
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
        """Of the position that the search stands at."""
        score = self._solved(game, position)
        if score is not None:
            return PositionJudgement(of_score(score), float(score), exact=True)
        value, lead = of_report(search.run(Limit(visits=visits), options=MOVES_ALONE))
        return PositionJudgement(value, lead, exact=False)

    def _margin(self, search: Search, played: ReplayedGame) -> float | None:
        """The final score: as counted, else, where the rules ended the game, as the board has it.

        In Go dead stones are told by a search.
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
        """Color 0's value and lead at the end; the lead of a game given up is what it was."""
        value = played.value
        if margin is not None:
            return (of_score(margin) if value is None else value), margin
        if value is not None:
            return value, thoughts[-1].lead if thoughts else 0.0
        search.set_position(played.game_record.position())
        return of_report(search.run(Limit(visits=self._bench.visits), options=MOVES_ALONE))

    def _solved(self, game: str, position: Position) -> int | None:
        """Color 0's score by exact play, in Connect4 only who wins; None where that takes long."""
        if game not in SOLVERS:
            return None
        empties = int((position.stones == 0).sum())
        if COSTS[game].seconds_for(empties) > SOLVED_SECONDS:
            return None
        solver = self._solvers.setdefault(game, SOLVERS[game](MEGABYTES))
        # Without a limit of time, which would make opinions depend on the machine's load.
        if game == "connect4":
            found = solver.solve(position, alpha=-1, beta=1)
        else:
            found = solver.solve(position)
        return found.score if position.to_move == 0 else -found.score


def _name(choice: NetworkChoice) -> str:
    return "quick games" if choice.path is None else choice.path.name.split(".")[0]


def of_score(score: float) -> float:
    """The value of a final score: won, drawn or lost."""
    return 0.5 if score == 0 else float(score > 0)


def of_report(report: Report) -> tuple[float, float]:
    """Color 0's value and lead, after a search."""
    root = report.root
    if root.to_move == 0:
        return root.win_rate, root.score_lead
    return 1 - root.win_rate, -root.score_lead


def judged(bench: Bench, games: Sequence[ReplayedGame], at_once: int) -> Iterator[GameJudgement]:
    """What judges think of the games, so many looking at once, in the games' order."""
    idle: SimpleQueue[Judge] = SimpleQueue()
    for _ in range(min(at_once, len(games))):
        idle.put(Judge(bench))
    workers = ThreadPoolExecutor(max_workers=max(1, at_once))
    try:
        yield from workers.map(partial(_look, idle), games)
    finally:
        workers.shutdown(wait=False, cancel_futures=True)  # an interrupt waits for no game


def _look(idle: SimpleQueue[Judge], played: ReplayedGame) -> GameJudgement:
    judge = idle.get()
    try:
        return judge.look(played)
    finally:
        idle.put(judge)
