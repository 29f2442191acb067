"""Parameters of play by KataGo's names: the place of each in a session's settings, and its kind.

The table of protocols.parameters has the treatment of every parameter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from engine.errors import SettingError
from engine.play.session_settings import SessionSettings
from engine.strength.human_play import KATAGO, KINDS, MOST, HumanPlay
from protocols.parameter_values import TRUTH, WORD, Kind, Number, OneOf, Whole, Word
from protocols.parameters import (
    TABLE,
    Door,
    Fixed,
    Own,
    Searched,
    Treatment,
    Unused,
    Value,
    treatment,
    with_values,
)

CHANGED_STRENGTH = re.compile(
    r" strength=human\S*"
)  # the change of a persona's strength in its text
UNLIMITED = 1 << 50  # visits, as KataGo writes no limit
LONG = 1e20  # seconds, likewise


class Visits:
    """A number of visits; None for KataGo's number without limit."""

    def read(self, name: str, value: object) -> int | None:
        """Returns the number of a word, None from UNLIMITED on; raises SettingError."""
        visits = Whole(1, 1e18).read(name, value)
        return visits if visits < UNLIMITED else None


class TruthOrAuto:
    """True, false, or None for `auto`."""

    def read(self, name: str, value: object) -> bool | None:
        """Returns the boolean of a word, None for `auto`; raises SettingError."""
        return None if str(value).strip().lower() == "auto" else TRUTH.read(name, value)


@dataclass(frozen=True)
class WinLoss:
    """KataGo's win-loss value, -1 .. 1, kept as a win rate."""

    number: Number

    def read(self, name: str, value: object) -> float:
        """Returns the win rate of a win-loss value; raises SettingError."""
        return (1 + self.number.read(name, value)) / 2


class Parameter(NamedTuple):
    """One row: the path of a setting, its kind and the writing of its value."""

    path: str  # part.field of the session's settings, as in "ending.allow_resignation"
    kind: Kind | Visits | TruthOrAuto | WinLoss | Word
    tell: Callable[[Any], Value] = lambda value: value


def or_unlimited(value: int | None) -> int:
    """Returns a number of visits as KataGo writes it."""
    return UNLIMITED if value is None else value


PARAMETERS: dict[str, Parameter] = {
    # How long to think.
    "maxVisits": Parameter("budget.max_visits", Visits(), or_unlimited),
    "maxPlayouts": Parameter("budget.max_playouts", Visits(), or_unlimited),
    "maxTime": Parameter(
        "budget.max_seconds", Number(0, LONG), lambda value: LONG if value is None else value
    ),
    "lagBuffer": Parameter("budget.lag_seconds", Number(0, 3600)),
    "ponderingEnabled": Parameter("ponder", TRUTH),
    # How long a person would think.
    "delayMoveScale": Parameter("budget.delay_seconds", Number(0, 3600)),
    "delayMoveMax": Parameter("budget.most_delay_seconds", Number(0, LONG)),
    # Resigning and passing.
    "allowResignation": Parameter("ending.allow_resignation", TRUTH),
    "resignThreshold": Parameter(
        "ending.resign_win_rate", WinLoss(Number(-1, 1)), lambda rate: 2 * rate - 1
    ),
    "resignConsecTurns": Parameter("ending.resign_consecutive_turns", Whole(1, 100)),
    "resignMinScoreDifference": Parameter("ending.resign_min_score_difference", Number(0, 1000)),
    "resignMinMovesPerBoardArea": Parameter(
        "ending.resign_min_moves_per_board_area", Number(0, 10)
    ),
    "friendlyPass": Parameter(
        "ending.friendly_pass", TruthOrAuto(), lambda value: "auto" if value is None else value
    ),
    "cleanupBeforePass": Parameter(
        "ending.cleanup_before_pass",
        TruthOrAuto(),
        lambda value: "auto" if value is None else value,
    ),
    # Analysis.
    "analysisWideRootNoise": Parameter("analysis_wide_root_noise", Number(0, 5)),
}

# Those of the persona `human`, by fields of its strength.
HUMAN_KINDS: dict[type, Kind] = {bool: TRUTH, float: Number(0, MOST), str: WORD}
HUMAN = {name: (field, HUMAN_KINDS[KINDS[field]]) for field, name in KATAGO.items()}


def names() -> list[str]:
    """Returns the names of the parameters with a value, sorted."""
    reported = [name for name, row in TABLE.items() if is_reported(row[Door.GTP])]
    return sorted(reported)


def is_reported(row: Treatment | None) -> bool:
    """Whether a parameter of this treatment has a value."""
    return isinstance(row, Own | Searched | Fixed) or (
        isinstance(row, Unused) and row.value is not None
    )


def value_of(settings: SessionSettings, name: str) -> Value:
    """Returns the value of a parameter as KataGo writes it; raises SettingError on another name."""
    match treatment(name, Door.GTP):
        case Fixed(value=value):
            return value
        case Unused(value=value) if value is not None:
            return value
        case Searched(field, kind):
            of_search = getattr(settings.search, field)
            return kind.words.get(of_search, "") if isinstance(kind, OneOf) else of_search
        case Own():
            return _own_value(settings, name)
    raise SettingError(f"Invalid parameter: {name}")


def _own_value(settings: SessionSettings, name: str) -> Value:
    if name in HUMAN:
        humanly: Value = getattr(_human(settings) or HumanPlay(), HUMAN[name][0])
        return humanly
    row = PARAMETERS[name]
    part, _, field = row.path.rpartition(".")
    return row.tell(getattr(getattr(settings, part) if part else settings, field))


def changed(settings: SessionSettings) -> dict[str, Value]:
    """Returns the parameters with another value than the usual one, for `with_changes`.

    Those of human play are in the persona's text.
    """
    usual = SessionSettings(persona=settings.persona)
    return {
        name: value
        for name in names()
        if name not in HUMAN and isinstance(treatment(name, Door.GTP), Own | Searched)
        if (value := value_of(settings, name)) != value_of(usual, name)
    }


def with_changes(
    settings: SessionSettings, texts: Mapping[str, object]
) -> tuple[SessionSettings, list[str]]:
    """Returns the settings with these parameters changed, all or none, and warnings.

    Raises SettingError, with name and value, on an unknown one or one out of range.
    """
    return with_values(settings, Door.GTP, texts, _with_own, _refuse)


def _refuse(name: str) -> None:
    raise SettingError(f"Unrecognized parameter: {name}")


def _with_own(settings: SessionSettings, name: str, text: object) -> SessionSettings:
    if name in HUMAN:
        return _with_human(settings, name, text)
    row = PARAMETERS[name]
    value: Any = row.kind.read(name, text)
    part, _, field = row.path.rpartition(".")
    if not part:
        return replace(settings, **{field: value})
    return replace(settings, **{part: replace(getattr(settings, part), **{field: value})})


def _human(settings: SessionSettings) -> HumanPlay | None:
    """Returns the settings of human play, if the persona has them."""
    strength = settings.persona.strength
    return strength if isinstance(strength, HumanPlay) else None


def _with_human(settings: SessionSettings, name: str, text: object) -> SessionSettings:
    (field, kind), human = HUMAN[name], _human(settings)
    if human is None:
        raise SettingError(f"{name} is of the persona human, not of {settings.persona.name!r}")
    changes: dict[str, Any] = {field: kind.read(name, text)}
    try:
        strength = replace(human, **changes)
    except ValueError as error:
        raise SettingError(f"{name}: {error}") from error
    name = renamed(settings.persona.name, strength)
    return replace(settings, persona=replace(settings.persona, name=name, strength=strength))


def renamed(persona: str, strength: HumanPlay) -> str:
    """Returns the text of a persona of human play with another strength.

    >>> renamed("human", HumanPlay("rank_5k"))
    'human:rank_5k'
    >>> renamed("human+style=centre strength=human:rank_5k", HumanPlay("rank_3k", proportion=0.5))
    'human+style=centre strength=human:rank_3k:proportion=0.5'
    """
    text = f"human:{strength.written()}".removesuffix(":")
    if re.fullmatch(r"human(:[^+ ]*)?", persona):
        return text
    return f"{CHANGED_STRENGTH.sub('', persona)} strength={text}"
