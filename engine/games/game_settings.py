"""The settings agreed on before a game: the game itself, and in Go its rules and komi.

Each settings object returns the start position of its game.
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
    """The settings of a game; a value, compared by its contents."""

    @property
    def game(self) -> str:
        """The game, a key of GAMES."""

    def begin(self, width: int, height: int) -> Position:
        """Returns the start of a game. Raises ValueError on a size the game lacks."""


@dataclass(frozen=True, slots=True)
class GoSettings:
    """Settings of Go. Raises SettingError on an invalid komi, see rules.checked_komi."""

    game: ClassVar[str] = "go"
    rules: GoRules = RULE_SETS[USUAL_RULES]
    komi: float = USUAL_KOMI  # points for White, as the second to move

    def __post_init__(self) -> None:
        checked_komi(self.komi)

    def begin(self, width: int, height: int) -> GoPosition:
        """Returns the empty board. Raises ValueError on a size Go lacks."""
        return GoPosition(width, height, self.rules, self.komi)


USUAL_GO = GoSettings()


@dataclass(frozen=True, slots=True)
class PlainSettings:
    """Settings of a game with one rule set and no komi."""

    game: str

    def begin(self, width: int, height: int) -> Position:
        """Returns the start position. Raises ValueError on a size the game lacks."""
        kind = GAMES[self.game]
        if not kind.fits(width, height):
            raise ValueError(f"{kind.title} is played on {kind.sizes}, not on {width}x{height}")
        return kind.new_position(width, height)


def usual_settings(game: str, of_go: GoSettings = USUAL_GO) -> GameSettings:
    """Returns the default settings of a game; of_go: the result for Go."""
    return of_go if game == GoSettings.game else PlainSettings(game)


def settings_from_options(
    rules: str | None, komi: str | None, usual: GoSettings = USUAL_GO
) -> GoSettings:
    """Returns the settings of Go from a command line's --rules and --komi.

    rules: a name or KataGo's JSON; None: the usual ones. komi: points as text; None: the customary
    komi of the rules. Raises SettingError quoting the unusable part.
    """
    game_settings = usual
    if rules is not None:
        parsed, points = parse_rules_and_komi(rules)
        game_settings = GoSettings(parsed, customary_komi(parsed) if points is None else points)
    if komi is None:
        return game_settings
    try:
        return replace(game_settings, komi=float(komi))
    except ValueError as error:
        raise SettingError(f"--komi {komi!r}: {error}") from error


def go_settings(game_settings: GameSettings) -> GoSettings:
    """Returns the settings as Go's. Raises SettingError for another game."""
    if not isinstance(game_settings, GoSettings):
        raise SettingError(
            f"rules and komi are Go's; this game is {GAMES[game_settings.game].title}"
        )
    return game_settings


def settings_to_dict(game_settings: GameSettings) -> dict[str, Any]:
    """Returns the settings as plain values, without the game's key."""
    if not isinstance(game_settings, GoSettings):
        return {}
    return {"rules": rules_dict(game_settings.rules), "komi": game_settings.komi}


def settings_from_dict(game: str, fields: Mapping[str, Any]) -> GameSettings:
    """Returns the settings written by settings_to_dict. Raises SettingError on other fields."""
    if game != GoSettings.game:
        return PlainSettings(game)
    try:
        return GoSettings(parse_rules(fields["rules"]), float(fields["komi"]))
    except (KeyError, TypeError, AttributeError) as error:
        raise SettingError(f"not settings of Go: {fields!r}") from error


class GameInFile(Protocol):
    """A game read from a file."""

    @property
    def width(self) -> int:
        """Columns of the board."""

    @property
    def height(self) -> int:
        """Rows of the board."""

    @property
    def game_settings(self) -> GameSettings:
        """The settings of the game."""

    @property
    def setup(self) -> Sequence[tuple[int, int]]:
        """The setup as (color, cell)s; empty: the usual start."""

    @property
    def first_to_move(self) -> int:
        """The color to move after the setup."""

    @property
    def moves(self) -> Sequence[tuple[int, int]]:
        """The moves played, as (color, move)."""
