"""The request for one move, and the steps that decide it, as values.

The steps of each game are a row of a table in engine.play.move_choice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.games.evaluator import Evaluator
from engine.games.go_ending import EndingSettings, TurnEvaluation
from engine.games.position import P
from engine.games.table import Board
from engine.networks.human_policy import HumanPolicy
from engine.opponents import OpponentTracker
from engine.personas import FULL, Persona
from engine.search.search import ReportOptions, Restriction, Search, never
from engine.style.naturalness import Excess
from engine.values import Choice, Floats, Limit, Report

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class MoveRequest(Generic[P]):
    """A request for one move: the position, the limits of the search, the manner of play."""

    position: P
    limit: Limit
    game: str = "go"  # a key of GAMES
    ending: EndingSettings = field(default_factory=EndingSettings)
    past: Sequence[TurnEvaluation] = ()  # this color's evaluations of the game so far
    restriction: Restriction | None = None  # moves forbidden in the search
    prior_weights: Floats | None = None  # [moves] factors on the search's policy
    persona: Persona = FULL
    reference: HumanPolicy | None = None  # None: the policy of the search's network
    biased: Evaluator | None = None  # the network of a style mixed in by the persona
    excess: Excess | None = None  # [moves] over the persona's naturalness budget
    remarks: tuple[str, ...] = ()  # sentences of the preparation, for the choice's reason
    recent: Sequence[P] = ()  # last positions of the game, at most RECENT, the present one last
    tracker: OpponentTracker | None = None  # the opponent and the ladder; None at full strength
    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(0))
    solve: bool = True  # plays late positions by the game's exact solver
    stop: Callable[[], bool] = never
    on_report: Callable[[Report], None] | None = None
    report_every_seconds: float = 1.0
    options: ReportOptions = field(default_factory=ReportOptions)

    @property
    def board(self) -> Board:
        """The game and the size of its board."""
        return Board(self.game, self.position.width, self.position.height)

    def searched(self, search: Search, limit: Limit) -> Report:
        """Runs the search within the limit, with the request's restriction, weights and reports."""
        return search.run(
            limit,
            stop=self.stop,
            on_report=self.on_report,
            report_every_seconds=self.report_every_seconds,
            options=self.options,
            restriction=self.restriction,
            prior_weights=self.prior_weights,
        )

    def strength(self, kind: type[S]) -> S:
        """Returns the persona's strength. Raises TypeError unless it is of this class."""
        if not isinstance(self.persona.strength, kind):
            raise TypeError(f"persona {self.persona.name!r} has no {kind.__name__}")
        return self.persona.strength

    @property
    def factors(self) -> Floats:
        """[moves] the prior weights; all 1 without any."""
        if self.prior_weights is None:
            return np.ones(self.position.move_count, np.float32)
        return self.prior_weights

    def weighed(self, factors: NDArray[np.floating]) -> Self:
        """Returns the request with its prior weights multiplied by these factors, [moves]."""
        return replace(self, prior_weights=(self.factors * factors).astype(np.float32))

    def allowed_policy(self, policy: NDArray[np.floating]) -> NDArray[np.float64]:
        """Returns [moves] the policy among allowed moves times the factors, sum 1.

        policy: [moves], at most 0 for illegal moves. All 0 for a policy without an allowed move.
        """
        allowed = np.array([self.allows(move) for move in range(len(policy))])
        among = np.where(allowed, np.maximum(policy, 0), 0)
        weighted: NDArray[np.float64] = among.astype(np.float64) * self.factors
        return weighted / (float(weighted.sum()) or 1.0)

    def allows(self, move: int) -> bool:
        """Returns whether the restriction leaves this move to the side to move."""
        if self.restriction is None:
            return True
        black = self.position.to_move == 0
        until = self.restriction.black if black else self.restriction.white
        return not until or until[move] <= 0


@dataclass(frozen=True, slots=True)
class Steps(Generic[P]):
    """The steps of a decision in their order; the first answer decides.

    The search is at the request's position before each step, and after each step without an answer.
    """

    # Each step changes the request before any decision: other limits, other settings.
    prepare: tuple[Callable[[Search, MoveRequest[P]], MoveRequest[P]], ...] = ()
    # Each step gets the time left by its predecessors.
    before_search: tuple[Callable[[Search, MoveRequest[P]], Choice | None], ...] = ()
    # Each step gets the search's report; it has a best move.
    after_search: tuple[Callable[[Search, MoveRequest[P], Report], Choice | None], ...] = ()
    # Each step gets the choice of a move; it returns another one for good manners, or None.
    manners: tuple[Callable[[Search, MoveRequest[P], Choice], Choice | None], ...] = ()
    # Whether these steps apply the persona's ending; else its own steps come before them.
    handles_ending: bool = False


BeforeSearch = Callable[
    [Search, MoveRequest[Any]], Choice | None
]  # for tables of steps of several games
