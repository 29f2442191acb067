"""Position control: moves that give a lead back without looking as if they did.

[PC13]: Ikeda, Viennot, Production of Various Strategies and Position Control for Monte-Carlo Go,
CIG 2013. [PC]: Shi, Fan, Li, Hsueh, Ikeda, Position Control and Production of Various Strategies
for Game of Go, JISE 37(3), 2021: the naive way and Methods A, B and C. Knows a few numbers a move.
Does not know games, nor how the numbers were come by.

Where the papers leave something open, we have:
- m_1 is the move that the search would play. The papers sort by win rate, so that theirs has the
  highest; but the win rate of a move hardly visited tells little.
- w_1 is "much higher" than w_2 where no rule of step 4 would let a move lose as much, that is by
  MUCH * c; "low" is under LOW, as far below even as step 4 begins above it.
- p' of Method B takes the place of p in all that follows, in the search and in the choice.
- Method A's 100 visits of 16,000 are a share of those at hand, and m_1 is never dropped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

MOST = 1e6  # of any constant
MUCH = 0.08  # of c, in win rate
LOW = 0.45  # win rate
AHEAD = 0.55  # win rate, above which step 4 begins
# (less than this times c lost in win rate, more than that policy) of a move of M+.
ALLOWANCES = ((0.03, 0.05), (0.04, 0.10), (0.06, 0.20), (0.08, 0.40))
C_ALONE, C_OF_A, C_WITH_NATURAL = 1.0, 1.5, 2.5
LETTERS = {"A": "wide", "B": "near", "C": "natural"}  # of the methods: the fields they switch on
CONSTANTS = ("c", "alpha", "exploration", "visits", "much", "low", "ahead")  # that a text can tell


@dataclass(frozen=True, slots=True)
class PositionControl:
    """Play by position control, naive or by its procedure, with any of the three methods."""

    naive: bool = False  # the move with the win rate nearest to even, nothing else
    wide: bool = False  # Method A: a wider search, and moves of few visits are dropped
    near: bool = False  # Method B: moves near the opponent's last one are wanted more
    natural: bool = False  # Method C: of M+ the move with the lowest w - alpha p, not w alone
    c: float | None = None  # width of M+; None: 1, with Method A 1.5, with Method C 2.5
    alpha: float = 0.25  # Method C's: win rate that a policy of 1 is worth
    exploration: float = 10.0  # Method A's coefficient of exploration in PUCT
    visits: float = 100 / 16_000  # Method A drops moves with a smaller share of all
    much: float = MUCH
    low: float = LOW
    ahead: float = AHEAD
    allowances: tuple[tuple[float, float], ...] = ALLOWANCES

    def __post_init__(self) -> None:
        """ValueError quotes the field that cannot be."""
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
            raise ValueError("C chooses from candidates that naive play has not")

    @property
    def width(self) -> float:
        """The c of M+."""
        if self.c is not None:
            return self.c
        return C_WITH_NATURAL if self.natural else C_OF_A if self.wide else C_ALONE

    @classmethod
    def read(cls, text: str, *, naive: bool = False) -> Self:
        """What a persona's argument names, "A+B+C:c=2.5", each part to be left out.

        ValueError quotes a part that is none, or tells something again.
        """
        told: dict[str, Any] = {}
        for part in text.split(":") if text else ():
            for name, value in _part(part):
                if name in told:
                    raise ValueError(f"{part!r} tells {name} again")
                told[name] = value
        return cls(naive=naive, **told)


def _part(text: str) -> list[tuple[str, Any]]:
    """Fields that a part of the text tells, and their values."""
    name, equals, number = text.partition("=")
    if not equals:
        letters = text.split("+")
        if not all(letter in LETTERS for letter in letters):
            raise ValueError(f"{text!r} is neither of the methods, A+B+C, nor a setting: c=2.5")
        return [(LETTERS[letter], True) for letter in letters]
    if name not in CONSTANTS:
        raise ValueError(f"{text!r} is none of {', '.join(f'{each}=' for each in CONSTANTS)}")
    try:
        return [(name, float(number))]
    except ValueError as error:
        raise ValueError(f"{text!r}: {name} {number!r} is no number") from error


@dataclass(frozen=True, slots=True)
class ControlledMove:
    """What was found of a move, its mover's view."""

    move: int
    win_rate: float  # w
    policy: float  # p, or p' where something is wanted more
    visits: int


@dataclass(frozen=True, slots=True)
class Decision:
    """The move and why."""

    move: int
    reason: str


def decide(found: Sequence[ControlledMove], settings: PositionControl) -> Decision:
    """The move that position control plays; found: at least one, first the one of the search."""
    kept = well_visited(found, settings)
    best = kept[0]
    if settings.naive:
        nearest = min(kept, key=lambda one: abs(one.win_rate - 0.5))
        return Decision(
            nearest.move,
            f"Its win rate of {nearest.win_rate:.1%} is the nearest to even {_of(kept)}.",
        )
    second = max((one.win_rate for one in kept[1:]), default=0.0)
    if best.win_rate - second > settings.much * settings.width:
        return Decision(
            best.move, f"Its win rate is {best.win_rate:.1%}, the next best one {second:.1%}."
        )
    if best.win_rate < settings.low:
        return Decision(
            best.move, f"A win rate of {best.win_rate:.1%} is low: it plays the best {_of(kept)}."
        )
    if best.win_rate <= settings.ahead:
        fair = [one for one in kept if one.win_rate >= settings.low]
        likely = max(fair, key=lambda one: one.policy)
        return Decision(
            likely.move,
            f"At about even, {best.win_rate:.1%}, it plays the most natural {_of(fair)},"
            f" of policy {likely.policy:.1%}.",
        )
    fair = candidates(kept, settings)
    alpha = settings.alpha if settings.natural else 0.0
    least = min(fair, key=lambda one: (one.win_rate - alpha * one.policy, -one.policy))
    wanted = f"win rate - {alpha:g} policy" if alpha else "win rate"
    return Decision(
        least.move,
        f"Ahead at {best.win_rate:.1%}, it plays the least {wanted} of {len(fair)} candidates among"
        f" {len(kept)} moves, win rate {least.win_rate:.1%}, policy {least.policy:.1%}.",
    )


def well_visited(
    found: Sequence[ControlledMove], settings: PositionControl
) -> list[ControlledMove]:
    """Those that Method A does not drop, and all without it."""
    if not settings.wide:
        return list(found)
    least = settings.visits * sum(one.visits for one in found)
    return [one for number, one in enumerate(found) if number == 0 or one.visits >= least]


def candidates(found: Sequence[ControlledMove], settings: PositionControl) -> list[ControlledMove]:
    """M+: the first, and those that lose little for how likely they are."""
    best = found[0]

    def fair(one: ControlledMove) -> bool:
        lost = best.win_rate - one.win_rate
        return any(
            lost < loss * settings.width and one.policy > policy
            for loss, policy in settings.allowances
        )

    return [best, *filter(fair, found[1:])]


def _of(moves: Sequence[ControlledMove]) -> str:
    return f"of {len(moves)} moves" if len(moves) > 1 else "of one move"
