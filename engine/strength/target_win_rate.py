"""The target win rate: the strength of a persona that keeps its games balanced."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from engine.util.settings_text import SettingsGrammar, number

LEAST_TARGET = 0.05  # the least target win rate of either side
MOST_CAUTION = 5.0  # standard deviations
CHANCE, FAIR = "chance", "fair"  # users' spelling of the target win rate, and of fair_ending
FAIR_ENDING = "fair_ending"  # the field
NUMBERS = (CHANCE, "closeness", "caution")  # fields by name in a persona's text
PAID_BACK = 0.12  # change of the target win rate per surplus win


@dataclass(frozen=True, slots=True)
class TargetWinRate:
    """The settings of the balance controller; `chance` is users' spelling of the target."""

    chance: float = 0.5  # our target win rate; a draw counts half
    closeness: float = 1.0  # weight of the position: 0 plays at the opponent's level all the time
    most_change_elo: float = 600.0  # the most change of the level from one move to the next
    # The opponent's Elo is assumed this many deviations above its mean at the start, later none.
    caution: float = 2.5
    fair_ending: bool = False  # the last moves are played at the opponent's level, without control

    def __post_init__(self) -> None:
        """Raises ValueError, quoting a field out of range."""
        if not LEAST_TARGET <= self.chance <= 1 - LEAST_TARGET:
            raise ValueError(f"chance {self.chance!r} is not {LEAST_TARGET}..{1 - LEAST_TARGET}")
        if not 0 <= self.closeness <= 1:
            raise ValueError(f"closeness {self.closeness!r} is not 0..1")
        if not 0 <= self.caution <= MOST_CAUTION:
            raise ValueError(f"caution {self.caution!r} is not 0..{MOST_CAUTION:g}")

    @classmethod
    def read(cls, *texts: str) -> Self:
        """Reads a persona's arguments, any of "60%:closeness=0.5:caution=0:fair".

        A number alone is the target win rate. A later argument wins over those before it. Raises
        ValueError, quoting a wrong part, and one that its own argument repeats.
        """
        return cls(**GRAMMAR.read(*texts))

    def paying_back(self, surplus: float) -> Self:
        """Returns the target corrected by a surplus of wins over expected ones; below 0: deficit.

        The opponent's estimate already explains results, but may leave a bias. This correction
        leaves none.
        """
        chance = self.chance - PAID_BACK * surplus
        return replace(self, chance=min(max(chance, LEAST_TARGET), 1 - LEAST_TARGET))

    @property
    def text(self) -> str:
        """Returns the text of these settings for read; fields without a name there are left out."""
        usual = type(self)()
        numbers = {name: getattr(self, name) for name in NUMBERS}
        parts = [
            f"{name}={value!r}" for name, value in numbers.items() if value != getattr(usual, name)
        ]
        return ":".join([*parts, *([FAIR] if self.fair_ending else [])])


def _word(text: str) -> list[tuple[str, str]]:
    return [(FAIR_ENDING if text == FAIR else CHANCE, text)]


def _value(field: str, text: str) -> object:
    return True if field == FAIR_ENDING else number(field, text, _share)


def _share(text: str) -> float:
    return float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)


GRAMMAR = SettingsGrammar(
    names={name: name for name in NUMBERS},
    forms=[*(f"{name}=" for name in NUMBERS), FAIR],
    word=_word,
    value=_value,
    check=TargetWinRate,
)
