"""The strength of a persona that plays evenly: the win rate to reach, and by which means."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

LEAST_CHANCE = 0.05  # that can be wanted, of either side
MOST_CAUTION = 5.0  # deviations
CHANCE, FAIR = "chance", "fair"  # in an aim's text
NUMBERS = (CHANCE, "closeness", "caution")  # fields of an aim that its text can tell
PAID_BACK = 0.12  # of a surplus, in a game


@dataclass(frozen=True, slots=True)
class TargetWinRate:
    """What the controller is to bring about: the strength of a persona that plays evenly."""

    chance: float = 0.5  # of our winning, a draw counting half
    closeness: float = 1.0  # of the position's part: 0 plays at the opponent's level all the time
    most_change_elo: float = 600.0  # of the level from one move to the next
    # Deviations above the mean that the opponent is taken for at the beginning; late none.
    caution: float = 2.5
    fair_ending: bool = False  # the last moves are played at the opponent's level, without steering

    def __post_init__(self) -> None:
        """ValueError quotes what cannot be aimed at."""
        if not LEAST_CHANCE <= self.chance <= 1 - LEAST_CHANCE:
            raise ValueError(f"chance {self.chance!r} is not {LEAST_CHANCE}..{1 - LEAST_CHANCE}")
        if not 0 <= self.closeness <= 1:
            raise ValueError(f"closeness {self.closeness!r} is not 0..1")
        if not 0 <= self.caution <= MOST_CAUTION:
            raise ValueError(f"caution {self.caution!r} is not 0..{MOST_CAUTION:g}")

    @classmethod
    def read(cls, text: str) -> Self:
        """The aim that a persona's argument names, any of "60%:closeness=0.5:caution=0:fair".

        A number alone is the chance. ValueError quotes a part that is none.
        """
        told: dict[str, Any] = {}
        for part in text.split(":") if text else ():
            name, value = _part(part)
            if name in told:
                raise ValueError(f"{part!r} tells {name} again")
            try:
                cls(**{name: value})
            except ValueError as error:
                raise ValueError(f"{part!r}: {error}") from error
            told[name] = value
        return cls(**told)

    def paying_back(self, surplus: float) -> Self:
        """The aim where games were won beyond what was wanted, or lost where that is below 0.

        What is believed of an opponent explains results; that alone may leave a bias, this doesn't.
        """
        chance = self.chance - PAID_BACK * surplus
        return replace(self, chance=min(max(chance, LEAST_CHANCE), 1 - LEAST_CHANCE))

    @property
    def text(self) -> str:
        """What read makes this aim of; fields that have no name there are left out."""
        usual = type(self)()
        numbers = {name: getattr(self, name) for name in NUMBERS}
        parts = [
            f"{name}={value!r}" for name, value in numbers.items() if value != getattr(usual, name)
        ]
        return ":".join([*parts, *([FAIR] if self.fair_ending else [])])


def _part(text: str) -> tuple[str, Any]:
    """The field of an aim that a part of its text tells, and the value."""
    if text == FAIR:
        return "fair_ending", True
    name, told, number = text.rpartition("=")
    name = name if told else CHANCE
    if name not in NUMBERS:
        raise ValueError(f"{text!r} is none of {', '.join(f'{each}=' for each in NUMBERS)}, {FAIR}")
    try:
        return name, float(number.removesuffix("%")) / (100 if number.endswith("%") else 1)
    except ValueError as error:
        raise ValueError(f"{text!r}: {name} {number!r} is no number") from error
