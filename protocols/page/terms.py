"""The terms of one game on the page: board, colors, rules, strength and the person's name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from engine.errors import SettingError
from engine.games import handicap
from engine.games.chance import is_complete
from engine.games.clock import TimeControl
from engine.games.game_record import GameRecord
from engine.games.game_settings import USUAL_GO, GameSettings, GoSettings, usual_settings
from engine.games.rules import customary_komi, named_rules
from engine.games.table import GAMES, Board, game_named
from engine.opponents import StoredGame
from protocols.page.messages import PageCommand
from protocols.page.offers import check_offered
from protocols.page.page_clocks import NO_CLOCK, Left, control_of
from protocols.page.strengths import EVEN

FIRST_SIZE = {"go": (9, 9)}  # where the page names none; other games have their usual size
HANDICAP_KOMI = 0.5  # points, where Black has handicap stones and the page names no komi


@dataclass(frozen=True, slots=True)
class GameTerms:
    """The terms of one game, before its first move."""

    record: GameRecord  # without moves
    person: int  # the person's color
    strength: str  # of the engine: a text for `persona_of`
    name: str = ""  # the person's name; empty: the usual one
    control: TimeControl = NO_CLOCK  # of each player
    # Time left of color 0 and 1 in a game to resume; None: full clocks.
    left: tuple[Left, ...] | None = None

    @property
    def board(self) -> Board:
        """The game and the size of its board."""
        return Board(self.record.game_settings.game, self.record.width, self.record.height)

    def with_strength(self, strength: str) -> GameTerms:
        """Returns the terms with another strength of the engine."""
        return replace(self, strength=strength)


def terms_of(
    command: PageCommand,
    usual: GoSettings = USUAL_GO,
    strength: str = EVEN,
    refused: Mapping[str, str] | None = None,
) -> GameTerms:
    """Returns the terms of a message; each absent field has its usual value.

    usual, strength: Go's settings and the engine's strength where the message names none. refused:
    the reason against each game that cannot be played here. Raises SettingError on impossible
    terms.
    """
    game = game_named(command.text("game") or "go")
    kind = GAMES[game]
    check_offered(game, refused or {})
    width, height = FIRST_SIZE.get(game, kind.usual_sizes[0])
    width = command.whole("width", width)
    height = command.whole("height", height)
    if not kind.fits(width, height):
        raise SettingError(f"{kind.title} is played on {kind.sizes}, not on {width}x{height}")
    stones = command.whole("handicap")
    settings = _settings(command, game, stones, usual)
    record = GameRecord(settings, width, height)
    if stones:
        record = record.set_up(_handicap(game, width, height, stones), to_move=1)
    person = command.whole("color")
    if person > 1:
        raise SettingError(f"a color is 0 or 1, not {person}")
    number = command.number
    control = control_of(
        number("main"), number("period"), command.whole("periods"), number("increment")
    )
    return GameTerms(
        record,
        person,
        command.text("strength") or strength,
        command.text("name"),
        control,
        command.clocks(),
    )


def terms_of_stored(stored: StoredGame, strength: str) -> GameTerms:
    """Returns the terms of a stored game at a strength of the engine."""
    record = replace(GameRecord.of(stored), moves=())
    return GameTerms(record, 1 - stored.color, strength, stored.opponent.name)


def record_of(terms: GameTerms, names: tuple[str, ...]) -> GameRecord:
    """Returns the record of moves named by the page; raises ValueError on an illegal one."""
    board, position = terms.board, terms.record.beginning()
    moves: list[tuple[int, int]] = []
    for name in names:
        move = GAMES[board.game].read_move(name, board.width, board.height)
        is_legal = not position.is_over and position.is_legal(move, tolerant=True)
        if not is_legal or not is_complete(position, move):
            raise SettingError(f"move {len(moves) + 1}, {name}, is not legal")
        moves.append((position.to_move, move))
        position.play(move, tolerant=True)
    return replace(terms.record, moves=tuple(moves))


def _settings(command: PageCommand, game: str, stones: int, usual: GoSettings) -> GameSettings:
    if game != GoSettings.game:
        return usual_settings(game)
    rules, komi = usual.rules, usual.komi
    if command.text("rules"):
        rules = named_rules(command.text("rules"))
        komi = customary_komi(rules)
    if stones:
        komi = HANDICAP_KOMI
    named_komi = command.number("komi")
    return GoSettings(rules, komi if named_komi is None else named_komi)


def _handicap(game: str, width: int, height: int, stones: int) -> list[tuple[int, int]]:
    """Returns Black's stones as (color, cell)s; raises SettingError on an impossible number."""
    if game != GoSettings.game:
        raise SettingError(f"{GAMES[game].title} has no handicap stones")
    try:
        return [(0, cell) for cell in handicap.fixed(width, height, stones)]
    except ValueError as error:
        raise SettingError(str(error)) from error
