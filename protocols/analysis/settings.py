"""The settings of one query, and the changes of overrideSettings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from engine.errors import SettingError
from engine.search.search import SearchSettings
from engine.values import Limit
from protocols.analysis.people import checked_profile
from protocols.parameter_values import QUOTED, TRUTH, WORD, Number, Whole
from protocols.parameters import Door, with_values

DEFAULT_LIMIT = Limit(visits=500)  # the limit of KataGo's example configuration
DEFAULT_PV_LENGTH = 15

# The view of numbers; None is the side to move.
PERSPECTIVES: dict[str, int | None] = {
    "BLACK": 0,
    "B": 0,
    "WHITE": 1,
    "W": 1,
    "SIDETOMOVE": None,
    "SIDE_TO_MOVE": None,
}


def analysis_search() -> SearchSettings:
    """Returns the settings of an analysis's search, with KataGo's defaults for analysis.

    The search visits one of several root moves that are equal by symmetry, and the network does not
    see the moves before the root.
    """
    settings = SearchSettings()
    settings.root_symmetry_pruning = True
    settings.ignore_pre_root_history = True
    return settings


@dataclass(frozen=True)
class QuerySettings:
    """The settings of one query."""

    search: SearchSettings = field(default_factory=analysis_search)
    limit: Limit = DEFAULT_LIMIT
    pv_length: int = DEFAULT_PV_LENGTH  # moves after the first
    perspective: int | None = 0  # Black's view, as in KataGo's example configuration
    anti_mirror: bool = False  # favour the centre against an opponent who mirrors
    human_profile: str = ""  # the people of humanPolicy, by KataGo's names; empty: no such fields


def _perspective(settings: QuerySettings, value: object) -> QuerySettings:
    name = str(value).strip().upper()
    if name not in PERSPECTIVES:
        raise SettingError(f"reportAnalysisWinratesAs is one of {', '.join(PERSPECTIVES)}")
    return replace(settings, perspective=PERSPECTIVES[name])


def _visits(settings: QuerySettings, value: object) -> QuerySettings:
    visits = Whole(1, 2**50).read("maxVisits", value)
    return replace(settings, limit=replace(settings.limit, visits=visits))


def _playouts(settings: QuerySettings, value: object) -> QuerySettings:
    playouts = Whole(1, 2**50).read("maxPlayouts", value)
    return replace(settings, limit=replace(settings.limit, playouts=playouts))


def _seconds(settings: QuerySettings, value: object) -> QuerySettings:
    seconds = Number(0.0, 1e20).read("maxTime", value)
    return replace(settings, limit=replace(settings.limit, max_seconds=seconds))


def _pv_length(settings: QuerySettings, value: object) -> QuerySettings:
    return replace(settings, pv_length=Whole(1, 1000).read("analysisPVLen", value))


def _anti_mirror(settings: QuerySettings, value: object) -> QuerySettings:
    return replace(settings, anti_mirror=TRUTH.read("antiMirror", value))


def _human_profile(settings: QuerySettings, value: object) -> QuerySettings:
    name = WORD.read("humanSLProfile", value)
    return replace(settings, human_profile=checked_profile(name))


OTHERS: dict[str, Callable[[QuerySettings, object], QuerySettings]] = {
    "reportAnalysisWinratesAs": _perspective,
    "maxVisits": _visits,
    "maxPlayouts": _playouts,
    "maxTime": _seconds,
    "analysisPVLen": _pv_length,
    "antiMirror": _anti_mirror,
    "humanSLProfile": _human_profile,
}


def overridden(
    settings: QuerySettings, overrides: Mapping[str, object]
) -> tuple[QuerySettings, list[str]]:
    """Returns the settings with those of `overrides`, and warnings about those without effect.

    Raises SettingError on a wrong value.
    """
    unknown: list[str] = []
    settings, warnings = with_values(
        settings,
        Door.JSON,
        overrides,
        lambda settings, name, value: OTHERS[name](settings, value),
        lambda name: unknown.append(name[:QUOTED]),
    )
    if unknown:
        warnings.insert(0, f"Unknown config params: {','.join(unknown)}")
    return settings, warnings
