"""Position control: moves that give a lead back without looking as if they did.

[PC13]: Ikeda, Viennot, Production of Various Strategies and Position Control for Monte-Carlo Go,
CIG 2013. [PC]: Shi, Fan, Li, Hsueh, Ikeda, Position Control and Production of Various Strategies
for Game of Go, JISE 37(3), 2021: the naive way and Methods A, B and C. The functions take a few
numbers per move; engine.play.steps.position_control plays by them.

Our choices in cases that the papers leave open:
- m_1 is the search's own choice. The papers sort by win rate, hence theirs has the highest one; but
  the win rate of a move with few visits says little.
- w_1 is "much higher" than w_2 if no rule of step 4 allows such a loss: more than MUCH * c. "Low"
  is below LOW, as far below even as step 4 begins above it.
- p' of Method B replaces p everywhere after it, in the search and in the choice.
- Method A's 100 visits of 16,000 are a share of the present visits, and m_1 is never dropped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from engine.util.settings_text import SettingsGrammar, number

MOST = 1e6  # the greatest constant accepted
MUCH = 0.08  # a difference of more than this times c is "much higher", in win rate
LOW = 0.45  # win rate
AHEAD = 0.55  # win rate above which step 4 begins
# A move of M+ loses less win rate than the first number times c, at a policy above the second.
ALLOWANCES = ((0.03, 0.05), (0.04, 0.10), (0.06, 0.20), (0.08, 0.40))
C_ALONE, C_OF_A, C_WITH_NATURAL = 1.0, 1.5, 2.5
LETTERS = {"A": "wide", "B": "near", "C": "natural"}  # of the methods: the fields they switch on
METHODS = frozenset(LETTERS.values())
# settable in a persona's text
CONSTANTS = ("c", "alpha", "exploration", "visits", "much", "low", "ahead")


@dataclass(frozen=True, slots=True)
class PositionControl:
    """Play by position control, naive or by its procedure, with any of the three methods."""

    naive: bool = False  # the move with the win rate nearest to even, by no other rule
    wide: bool = False  # Method A: a wider search, and moves of few visits are dropped
    near: bool = False  # Method B: moves near the opponent's last one get a greater policy
    natural: bool = False  # Method C: the move of M+ with the lowest w - alpha p, not w alone
    c: float | None = None  # width of M+; None: 1, with Method A 1.5, with Method C 2.5
    alpha: float = 0.25  # Method C: the win rate worth a policy of 1
    exploration: float = 10.0  # Method A's coefficient of exploration in PUCT
    visits: float = 100 / 16_000  # Method A drops moves with a smaller share of all visits
    much: float = MUCH
    low: float = LOW
    ahead: float = AHEAD
    allowances: tuple[tuple[float, float], ...] = ALLOWANCES

    def __post_init__(self) -> None:
        """Raises ValueError, quoting a field out of range or a contradiction of methods."""
        for name in CONSTANTS:
            value = getattr(self, name)
            if value is not None and not 0 <= value <= MOST:
                raise ValueError(f"{name} {value!r} is not within 0..{MOST:g}")
        for name in ("visits", "low", "ahead"):
            if getattr(self, name) > 1:
                raise ValueError(f"{name} {getattr(self, name)!r} is not within 0..1")
        if self.low > self.ahead:
            raise ValueError(f"low {self.low!r} is above ahead {self.ahead!r}")
        if self.naive and self.natural:
            raise ValueError("method C chooses among candidates; naive play has none")

    @property
    def width(self) -> float:
        """Returns the c of M+."""
        if self.c is not None:
            return self.c
        return C_WITH_NATURAL if self.natural else C_OF_A if self.wide else C_ALONE

    @classmethod
    def read(cls, *texts: str, naive: bool = False) -> Self:
        """Reads a persona's arguments such as "A+B+C:c=2.5"; each part may be left out.

        A later argument wins over those before it; its methods replace all earlier ones. Raises
        ValueError, quoting an unknown part, and one that its own argument repeats.
        """
        values: dict[str, Any] = {}
        for text in texts:
            later = GRAMMAR.read(text)
            if later.keys() & METHODS:
                values = {name: value for name, value in values.items() if name not in METHODS}
            values |= later
        return cls(naive=naive, **values)


def _methods(text: str) -> list[tuple[str, str]]:
    """Returns the fields of a list of methods."""
    letters = text.split("+")
    if not all(letter in LETTERS for letter in letters):
        raise ValueError(f"{text!r} is neither a list of methods, A+B+C, nor a setting: c=2.5")
    return [(LETTERS[letter], letter) for letter in letters]


def _value(field: str, text: str) -> object:
    return True if field in METHODS else number(field, text)


GRAMMAR = SettingsGrammar(
    names={name: name for name in CONSTANTS},
    forms=[f"{name}=" for name in CONSTANTS],
    word=_methods,
    value=_value,
)


@dataclass(frozen=True, slots=True)
class ControlledMove:
    """Search results of one move, from its mover's view."""

    move: int
    win_rate: float  # w
    policy: float  # p, or p' after Method B
    visits: int


@dataclass(frozen=True, slots=True)
class Decision:
    """The chosen move and the reason."""

    move: int
    reason: str


def decide(moves: Sequence[ControlledMove], settings: PositionControl) -> Decision:
    """Returns the move of position control. moves: at least one, the search's own choice first."""
    visited = well_visited(moves, settings)
    best = visited[0]
    if settings.naive:
        nearest = min(visited, key=lambda one: abs(one.win_rate - 0.5))
        return Decision(
            nearest.move,
            f"Its win rate of {nearest.win_rate:.1%} is the nearest to even {_of(visited)}.",
        )
    second = max((one.win_rate for one in visited[1:]), default=0.0)
    if best.win_rate - second > settings.much * settings.width:
        return Decision(
            best.move, f"Its win rate is {best.win_rate:.1%}, the next best one {second:.1%}."
        )
    if best.win_rate < settings.low:
        return Decision(
            best.move,
            f"A win rate of {best.win_rate:.1%} is low: it plays the best {_of(visited)}.",
        )
    if best.win_rate <= settings.ahead:
        fair = [one for one in visited if one.win_rate >= settings.low]
        likely = max(fair, key=lambda one: one.policy)
        return Decision(
            likely.move,
            f"At about even, {best.win_rate:.1%}, it plays the most natural {_of(fair)},"
            f" of policy {likely.policy:.1%}.",
        )
    fair = candidates(visited, settings)
    alpha = settings.alpha if settings.natural else 0.0
    least = min(fair, key=lambda one: (one.win_rate - alpha * one.policy, -one.policy))
    measure = f"win rate - {alpha:g} policy" if alpha else "win rate"
    return Decision(
        least.move,
        f"Ahead at {best.win_rate:.1%}, it plays the least {measure} of {len(fair)} candidates "
        f"among {len(visited)} moves, win rate {least.win_rate:.1%}, policy {least.policy:.1%}.",
    )


def well_visited(
    moves: Sequence[ControlledMove], settings: PositionControl
) -> list[ControlledMove]:
    """Returns the moves with enough visits for Method A; without it all moves."""
    if not settings.wide:
        return list(moves)
    least = settings.visits * sum(one.visits for one in moves)
    return [one for number, one in enumerate(moves) if number == 0 or one.visits >= least]


def candidates(moves: Sequence[ControlledMove], settings: PositionControl) -> list[ControlledMove]:
    """Returns M+: the first move, and the moves of small loss for their probability."""
    best = moves[0]

    def is_allowed(one: ControlledMove) -> bool:
        lost = best.win_rate - one.win_rate
        return any(
            lost < loss * settings.width and one.policy > policy
            for loss, policy in settings.allowances
        )

    return [best, *filter(is_allowed, moves[1:])]


def _of(moves: Sequence[ControlledMove]) -> str:
    return f"of {len(moves)} moves" if len(moves) > 1 else "of one move"
