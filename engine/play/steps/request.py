"""One turn of the engine as values: what it is asked, and the steps by which it decides.

Knows no game: the steps of each are a row of a table in engine.play.move_choice.
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
    """What the player is asked: a position, how long to think, how to behave."""

    position: P
    limit: Limit
    game: str = "go"  # a key of GAMES
    ending: EndingSettings = field(default_factory=EndingSettings)
    past: Sequence[TurnEvaluation] = ()  # own outlooks of this game so far
    restriction: Restriction | None = None
    prior_weights: Floats | None = None  # [moves] factors on the policy by which it searches
    persona: Persona = FULL
    reference: HumanPolicy | None = None  # what is natural; None: what the search's network likes
    biased: Evaluator | None = None  # the network of a style that the persona mixes in
    excess: Excess | None = None  # how far moves are beyond the persona's naturalness budget
    remarks: tuple[str, ...] = ()  # what was found while it was prepared, for the choice's reason
    recent: Sequence[P] = ()  # of the real game, oldest first, at most RECENT, the present one last
    tracker: OpponentTracker | None = None  # the opponent and the ladder; None at full strength
    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(0))
    solve: bool = True  # late positions are played by the exact solver, where the game has one
    stop: Callable[[], bool] = never
    on_report: Callable[[Report], None] | None = None
    report_every_seconds: float = 1.0
    options: ReportOptions = field(default_factory=ReportOptions)

    @property
    def board(self) -> Board:
        """The game and the size of its board."""
        return Board(self.game, self.position.width, self.position.height)

    def searched(self, search: Search, limit: Limit) -> Report:
        """What the search finds within the limit, asked as the turn asks."""
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
        """The persona's settings, of the class that a step plays by; TypeError where of another."""
        if not isinstance(self.persona.strength, kind):
            raise TypeError(f"persona {self.persona.name!r} has no {kind.__name__}")
        return self.persona.strength

    @property
    def factors(self) -> Floats:
        """[moves] its prior_weights, 1 where it has none."""
        if self.prior_weights is None:
            return np.ones(self.position.move_count, np.float32)
        return self.prior_weights

    def weighed(self, factors: NDArray[np.floating]) -> Self:
        """The same turn with the priors of its moves multiplied by these as well, [moves]."""
        return replace(self, prior_weights=(self.factors * factors).astype(np.float32))

    def liked(self, policy: NDArray[np.floating]) -> NDArray[np.float64]:
        """[moves] that policy among the moves that may be played, its own factors weighed in.

        policy: [moves], 0 or less where not legal. Together 1; all 0 where it likes none of them.
        """
        allowed = np.array([self.allows(move) for move in range(len(policy))])
        kept = np.where(allowed, np.maximum(policy, 0), 0)
        found: NDArray[np.float64] = kept.astype(np.float64) * self.factors
        return found / (float(found.sum()) or 1.0)

    def allows(self, move: int) -> bool:
        """Whether the turn's restriction leaves the move to its side."""
        if self.restriction is None:
            return True
        black = self.position.to_move == 0
        until = self.restriction.black if black else self.restriction.white
        return not until or until[move] <= 0


@dataclass(frozen=True, slots=True)
class Steps(Generic[P]):
    """In which order a move is decided; the first step that answers decides.

    The search stands at the turn's position before each step, and after those that do not answer.
    """

    # What is asked, changed before anything is decided: other limits, other settings.
    prepare: tuple[Callable[[Search, MoveRequest[P]], MoveRequest[P]], ...] = ()
    # Each with the time that those before it left.
    before_search: tuple[Callable[[Search, MoveRequest[P]], Choice | None], ...] = ()
    # Given the search's report, which has a best move.
    after_search: tuple[Callable[[Search, MoveRequest[P], Report], Choice | None], ...] = ()
    # Given the choice, which has a move: what good manners make of it.
    manners: tuple[Callable[[Search, MoveRequest[P], Choice], Choice | None], ...] = ()
    # Whether they look to the persona's ending themselves: it has no steps before them then.
    minds_ending: bool = False


BeforeSearch = Callable[
    [Search, MoveRequest[Any]], Choice | None
]  # for tables of steps of several games
