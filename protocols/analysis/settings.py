"""How one query is searched and answered, and how overrideSettings changes that."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from engine.records import Limit, SettingError
from engine.search import SearchSettings
from protocols.parameters import SEARCH, WITHOUT_EFFECT, Number, Whole, changed

DEFAULT_LIMIT = Limit(visits=500)  # as KataGo's example configuration has it
DEFAULT_PV_LENGTH = 15

# Whose view numbers take; None is the player to move.
PERSPECTIVES: dict[str, int | None] = {
    "BLACK": 0,
    "B": 0,
    "WHITE": 1,
    "W": 1,
    "SIDETOMOVE": None,
    "SIDE_TO_MOVE": None,
}


@dataclass(frozen=True)
class Settings:
    """The settings of one query."""

    search: SearchSettings = field(default_factory=SearchSettings)
    limit: Limit = DEFAULT_LIMIT
    pv_length: int = DEFAULT_PV_LENGTH  # moves after the first
    perspective: int | None = 0  # Black's view, as in KataGo's example configuration


def _perspective(settings: Settings, value: object) -> Settings:
    name = str(value).strip().upper()
    if name not in PERSPECTIVES:
        raise SettingError(f"reportAnalysisWinratesAs is one of {', '.join(PERSPECTIVES)}")
    return replace(settings, perspective=PERSPECTIVES[name])


def _visits(settings: Settings, value: object) -> Settings:
    visits = Whole(1, 2**50).read("maxVisits", value)
    return replace(settings, limit=replace(settings.limit, visits=visits))


def _playouts(settings: Settings, value: object) -> Settings:
    playouts = Whole(1, 2**50).read("maxPlayouts", value)
    return replace(settings, limit=replace(settings.limit, playouts=playouts))


def _seconds(settings: Settings, value: object) -> Settings:
    seconds = Number(0.0, 1e20).read("maxTime", value)
    return replace(settings, limit=replace(settings.limit, max_seconds=seconds))


def _pv_length(settings: Settings, value: object) -> Settings:
    return replace(settings, pv_length=Whole(1, 1000).read("analysisPVLen", value))


def _human_profile(settings: Settings, value: object) -> Settings:
    if value == "":
        return settings
    raise SettingError(f"humanSLProfile {str(value)[:40]!r} needs a human model, none is loaded")


OTHERS: dict[str, Callable[[Settings, object], Settings]] = {
    "reportAnalysisWinratesAs": _perspective,
    "maxVisits": _visits,
    "maxPlayouts": _playouts,
    "maxTime": _seconds,
    "analysisPVLen": _pv_length,
    "humanSLProfile": _human_profile,
}


def overridden(settings: Settings, wanted: Mapping[str, object]) -> tuple[Settings, list[str]]:
    """The settings with those of `wanted` in place, and the names that nothing is known of.

    Raises SettingError on a value that cannot be used.
    """
    unknown = []
    for name, value in wanted.items():
        if name in OTHERS:
            settings = OTHERS[name](settings, value)
        elif name in SEARCH:
            settings = replace(settings, search=changed(settings.search, name, value))
        elif name not in WITHOUT_EFFECT:
            unknown.append(name)
    return settings, unknown
