"""What players agree on before a game: which game it is, and in Go its rules and komi.

Knows how a game begins by its terms. Knows no search and no protocol.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Protocol

from engine._core import GoPosition, GoRules
from engine.errors import SettingError
from engine.games.position import Position
from engine.games.rules import (
    RULE_SETS,
    USUAL_KOMI,
    USUAL_RULES,
    checked_komi,
    customary_komi,
    parse_rules,
    parse_rules_and_komi,
    rules_dict,
)
from engine.games.table import GAMES


class GameSettings(Protocol):
    """What was agreed on; a value, compared as one."""

    @property
    def game(self) -> str:
        """The game, a key of GAMES."""

    def begin(self, width: int, height: int) -> Position:
        """The beginning of a game by these terms. Raises ValueError on a board it does not have."""


@dataclass(frozen=True, slots=True)
class GoSettings:
    """Terms of Go. Raises SettingError for a komi that is not played by."""

    game: ClassVar[str] = "go"
    rules: GoRules = RULE_SETS[USUAL_RULES]
    komi: float = USUAL_KOMI  # points White gets for moving second

    def __post_init__(self) -> None:
        checked_komi(self.komi)

    def begin(self, width: int, height: int) -> GoPosition:
        """The empty board."""
        return GoPosition(width, height, self.rules, self.komi)


USUAL_GO = GoSettings()


@dataclass(frozen=True, slots=True)
class PlainSettings:
    """Terms of a game whose rules leave nothing to agree on."""

    game: str

    def begin(self, width: int, height: int) -> Position:
        """The board as the game begins."""
        kind = GAMES[self.game]
        if not kind.fits(width, height):
            raise ValueError(f"{kind.title} is played on {kind.sizes}, not on {width}x{height}")
        return kind.new_position(width, height)


def usual_settings(game: str, of_go: GoSettings = USUAL_GO) -> GameSettings:
    """The terms of a game where nobody says others; of_go: those of Go."""
    return of_go if game == GoSettings.game else PlainSettings(game)


def settings_from_options(
    rules: str | None, komi: str | None, usual: GoSettings = USUAL_GO
) -> GoSettings:
    """The terms of Go that a command line names; None: the usual ones, the komi that of the rules.

    rules: a name or KataGo's JSON; komi: points as text. SettingError quotes what cannot be used.
    """
    terms = usual
    if rules is not None:
        parsed, points = parse_rules_and_komi(rules)
        terms = GoSettings(parsed, customary_komi(parsed) if points is None else points)
    if komi is None:
        return terms
    try:
        return replace(terms, komi=float(komi))
    except ValueError as error:
        raise SettingError(f"--komi {komi!r}: {error}") from error


def go_settings(terms: GameSettings) -> GoSettings:
    """The terms as Go's. Raises SettingError of another game."""
    if not isinstance(terms, GoSettings):
        raise SettingError(f"rules and komi are Go's; this game is {GAMES[terms.game].title}")
    return terms


def settings_to_dict(terms: GameSettings) -> dict[str, Any]:
    """What was agreed on as plain values, the game itself left out."""
    if not isinstance(terms, GoSettings):
        return {}
    return {"rules": rules_dict(terms.rules), "komi": terms.komi}


def settings_from_dict(game: str, fields: Mapping[str, Any]) -> GameSettings:
    """The settings that settings_to_dict wrote. SettingError where they are something else."""
    if game != GoSettings.game:
        return PlainSettings(game)
    try:
        return GoSettings(parse_rules(fields["rules"]), float(fields["komi"]))
    except (KeyError, TypeError, AttributeError) as error:
        raise SettingError(f"not terms of Go: {fields!r}") from error


class GameInFile(Protocol):
    """A game as a file tells it."""

    @property
    def width(self) -> int:
        """Columns of the board."""

    @property
    def height(self) -> int:
        """Rows of the board."""

    @property
    def terms(self) -> GameSettings:
        """What was agreed on."""

    @property
    def setup(self) -> Sequence[tuple[int, int]]:
        """The stones the game began with, as (color, move); none: as it always begins."""

    @property
    def first_to_move(self) -> int:
        """The color that was to move after the setup."""

    @property
    def moves(self) -> Sequence[tuple[int, int]]:
        """The moves played, as (color, move)."""
