"""A query for analysis: reads JSON fields into positions, limits and the contents of answers.

Every field of KataGo's analysis protocol is read here. Errors of a query raise FieldError, doubtful
fields become warnings.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine._core import GoPosition, GoRules
from engine.errors import SettingError
from engine.games.game_record import GameRecord
from engine.games.game_settings import GoSettings
from engine.games.position import placed_stones
from engine.games.rules import (
    LARGEST_KOMI,
    checked_komi,
    customary_komi,
    parse_rules_and_komi,
    set_rule,
)
from engine.games.table import GAMES, Board, game_named, write_vertex
from engine.search.search import Restriction
from protocols.analysis import fields
from protocols.analysis.fields import FieldError, Fields
from protocols.analysis.settings import QuerySettings, overridden
from protocols.parameters import changed

LARGEST_SIZE = 19
MOST_PRIORITY = 2**62 - 1
MOST_VISITS = 2**50
LONGEST_PERIOD = 1e6  # seconds

INCLUDES = (
    "includeOwnership",
    "includeOwnershipStdev",
    "includeMovesOwnership",
    "includeMovesOwnershipStdev",
    "includePolicy",
    "includePVVisits",
    "includeNoResultValue",
)
KNOWN = frozenset(
    """
    id action terminateId turnNumbers boardXSize boardYSize initialStones moves initialPlayer
    analyzeTurns priorities rules komi whiteHandicapBonus overrideSettings maxVisits
    analysisPVLen rootFpuReductionMax rootPolicyTemperature reportDuringSearchEvery
    firstReportDuringSearchAfter priority allowMoves avoidMoves game persona
    """.split()
) | frozenset(INCLUDES)
UNUSED = "Unexpected or unused field, do you have a typo?"


@dataclass(frozen=True)
class Query:
    """One request for the analysis of positions."""

    id: str
    start: GoPosition
    game_settings: GoSettings
    moves: tuple[tuple[int, int], ...]  # (color, move)
    turns: dict[int, int]  # moves made before the position to analyze -> priority
    settings: QuerySettings
    includes: frozenset[str]  # names in INCLUDES
    report_every: float | None = None  # seconds; None: only at the end
    first_report: float | None = None  # seconds; None: as report_every
    restriction: Restriction | None = None
    persona: str = ""  # text of the persona whose move the answer names; empty: none
    warnings: tuple[tuple[str, str], ...] = ()  # (field, message)

    @property
    def board(self) -> Board:
        """The size of its board."""
        return Board("go", self.start.width, self.start.height)

    def record(self, turn: int) -> GameRecord:
        """Returns the game record up to that turn."""
        return GameRecord(
            self.game_settings,
            self.start.width,
            self.start.height,
            tuple(placed_stones(self.start)),
            self.start.to_move,
            self.moves[:turn],
        )

    def position(self, turn: int) -> GoPosition:
        """Returns the position after `turn` moves, made anew: thousands may wait in a queue."""
        position = self.start.copy()
        for color, move in self.moves[:turn]:
            position.play(move, color, tolerant=True)
        return position


def read_query(query_id: str, request: Fields, defaults: QuerySettings) -> Query:
    """Reads a query from a request; raises FieldError."""
    check_game(request)
    size = board_size(request)
    stones: tuple[tuple[int, int], ...] = ()
    if "initialStones" in request:
        stones = fields.moves(request, "initialStones", size, passing=False)
    if "moves" not in request:
        raise FieldError("moves", "Must specify an array of [player,location] pairs")
    moves = fields.moves(request, "moves", size, passing=True)
    priorities = turn_priorities(request, len(moves))
    rules, komi = read_rules(request)
    settings, warnings = read_settings(request, defaults)
    includes = frozenset(
        name for name in INCLUDES if name in request and fields.truth(request, name)
    )
    every, first = report_times(request)
    restriction = read_restriction(request, size)
    warnings += [(name[:100], UNUSED) for name in request if name not in KNOWN]
    start = GoPosition(*size, rules, komi)
    set_up(start, stones)
    start.to_move = first_player(request, stones, moves)
    check_moves(start, moves)
    return Query(
        id=query_id,
        start=start,
        game_settings=GoSettings(rules, komi),
        moves=moves,
        turns=priorities,
        settings=settings,
        includes=includes,
        report_every=every,
        first_report=first,
        restriction=restriction,
        persona=fields.text(request, "persona") if "persona" in request else "",
        warnings=tuple(warnings),
    )


def check_game(request: Fields) -> None:
    """Raises FieldError on another game than Go."""
    try:
        game = game_named(str(request.get("game", "go")))
    except SettingError as error:
        raise FieldError("game", str(error)) from error
    if game != "go":
        raise FieldError("game", f"{GAMES[game].title} is not analysed by this protocol, only Go")


def board_size(request: Fields) -> tuple[int, int]:
    """Reads the width and the height of the board."""
    message = f"Must provide an integer from 2 to {LARGEST_SIZE}"
    width = fields.integer(request, "boardXSize", 2, LARGEST_SIZE, message)
    return width, fields.integer(request, "boardYSize", 2, LARGEST_SIZE, message)


def turn_priorities(request: Fields, last_turn: int) -> dict[int, int]:
    """Reads the turns to analyze, each with its priority."""
    single = "Must be a number between -2^62 and 2^62"
    priority = 0
    if "priority" in request:
        if "priorities" in request:
            raise FieldError("priority", "Cannot specify both priority and priorities")
        priority = fields.integer(request, "priority", -MOST_PRIORITY, MOST_PRIORITY, single)
    turns = [last_turn]
    if "analyzeTurns" in request:
        message = "Must specify an array of integers indicating turns to analyze"
        turns = fields.integers(request, "analyzeTurns", message)
        for turn in turns:
            if not 0 <= turn <= last_turn:
                raise FieldError("analyzeTurns", f"Invalid turn number: {turn}")
    if "priorities" not in request:
        return dict.fromkeys(turns, priority)
    message = "Must specify an array of integers indicating priorities"
    priorities = fields.integers(request, "priorities", message)
    if "analyzeTurns" not in request:
        raise FieldError("priorities", "Can only specify when also specifying analyzeTurns")
    if len(priorities) != len(turns):
        raise FieldError("priorities", "Must be of matching length to analyzeTurns")
    for value in priorities:
        if abs(value) > MOST_PRIORITY:
            raise FieldError("priorities", f"Invalid priority: {value}")
    return dict(zip(turns, priorities, strict=True))


def read_rules(request: Fields) -> tuple[GoRules, float]:
    """Reads the rules and the komi."""
    value = request.get("rules")
    if not isinstance(value, str | dict):
        raise FieldError(
            "rules",
            'Must specify rules string, such as "chinese" or "tromp-taylor", '
            "or a JSON object with detailed rules parameters.",
        )
    try:
        rules, komi = parse_rules_and_komi(value)
    except SettingError as error:
        raise FieldError("rules", f"Could not parse rules: {str(value)[:200]}: {error}") from error
    if "whiteHandicapBonus" in request:
        bonus = request["whiteHandicapBonus"]
        if not isinstance(bonus, str):
            raise FieldError("whiteHandicapBonus", "Must be a string")
        try:
            rules = set_rule(rules, "whiteHandicapBonus", bonus)
        except SettingError as error:
            raise FieldError("whiteHandicapBonus", str(error)) from error
    if "komi" in request:
        komi = read_komi(request)
    return rules, customary_komi(rules) if komi is None else komi


def read_komi(request: Fields) -> float:
    """Reads the komi: a whole or half number of points for White."""
    message = f"Must be a integer or half-integer from {-LARGEST_KOMI} to {LARGEST_KOMI}"
    komi = fields.number(request, "komi", -LARGEST_KOMI, LARGEST_KOMI, message)
    try:
        return checked_komi(komi)
    except SettingError as error:
        raise FieldError("komi", message) from error


def read_settings(
    request: Fields, defaults: QuerySettings
) -> tuple[QuerySettings, list[tuple[str, str]]]:
    """Reads the settings, with warnings about those without effect."""
    warnings: list[tuple[str, str]] = []
    settings = defaults
    if "overrideSettings" in request:
        overrides = request["overrideSettings"]
        if not isinstance(overrides, dict):
            raise FieldError("overrideSettings", "Must be an object")
        try:
            settings, unused = overridden(settings, overrides)
        except SettingError as error:
            raise FieldError("overrideSettings", f"Could not set settings: {error}") from error
        warnings += [("overrideSettings", warning) for warning in unused]
    if "maxVisits" in request:
        message = "Must be an integer from 1 to 2^50"
        visits = fields.integer(request, "maxVisits", 1, MOST_VISITS, message)
        settings = replace(settings, limit=replace(settings.limit, visits=visits))
    if "analysisPVLen" in request:
        message = "Must be an integer from 1 to 1000"
        length = fields.integer(request, "analysisPVLen", 1, 1000, message)
        settings = replace(settings, pv_length=length)
    for name in ("rootFpuReductionMax", "rootPolicyTemperature"):
        if name in request:
            try:
                search = changed(settings.search, name, request[name])
            except SettingError as error:
                raise FieldError(name, str(error)) from error
            settings = replace(settings, search=search)
    return settings, warnings


def report_times(request: Fields) -> tuple[float | None, float | None]:
    """Reads the seconds between reports, and until the first; None for no reports."""
    message = "Must be number of seconds from 0.001 to 1000000.0"
    names = ("reportDuringSearchEvery", "firstReportDuringSearchAfter")
    every, first = (
        fields.number(request, name, 0.001, LONGEST_PERIOD, message) if name in request else None
        for name in names
    )
    return every, first


def read_restriction(request: Fields, size: tuple[int, int]) -> Restriction | None:
    """Reads the moves excluded from the search; None if all are allowed."""
    name = "allowMoves" if "allowMoves" in request else "avoidMoves"
    if name not in request:
        return None
    if "allowMoves" in request and "avoidMoves" in request:
        raise FieldError("allowMoves", "Cannot specify both allowMoves and avoidMoves")
    entries = request[name]
    message = "Must be a list of dicts with subfields 'player', 'moves', 'untilDepth'"
    if not isinstance(entries, list) or not all(
        isinstance(entry, dict) and {"player", "moves", "untilDepth"} <= entry.keys()
        for entry in entries
    ):
        raise FieldError(name, message)
    until: dict[int, list[int]] = {}
    for entry in entries:
        player = fields.player(entry, "player")
        moves = fields.points(entry, "moves", size)
        depth = fields.integer(entry, "untilDepth", 1, 10**9, "Must be a positive integer")
        if name == "avoidMoves":
            depths = until.setdefault(player, [0] * (size[0] * size[1] + 1))
        elif player in until:
            raise FieldError(name, "Cannot specify allowMoves more than once for the same player")
        else:
            depths = until[player] = [depth] * (size[0] * size[1] + 1)
        for move in moves:
            depths[move] = depth if name == "avoidMoves" else 0
    return Restriction(black=tuple(until.get(0, ())), white=tuple(until.get(1, ())))


def set_up(position: GoPosition, stones: tuple[tuple[int, int], ...]) -> None:
    """Puts the initial stones on the board."""
    try:
        last = {move: color for color, move in stones}  # the later of two on one point counts
        position.setup([(color, move) for move, color in last.items()])
    except ValueError as error:
        raise FieldError("initialStones", str(error)) from error


def first_player(
    request: Fields, stones: tuple[tuple[int, int], ...], moves: tuple[tuple[int, int], ...]
) -> int:
    """Returns the first color to move: by the field, by the first move, or White after handicap."""
    if "initialPlayer" in request:
        return fields.player(request, "initialPlayer")
    if moves:
        return moves[0][0]
    return int(len(stones) > 1 and all(color == 0 for color, _ in stones))


def check_moves(start: GoPosition, moves: tuple[tuple[int, int], ...]) -> None:
    """Raises FieldError at the first illegal move; records may break superko."""
    position = start.copy()
    for number, (color, move) in enumerate(moves):
        if not position.is_legal(move, color, tolerant=True):
            name = write_vertex(move, position.width, position.height)
            raise FieldError("moves", f"Illegal move {number}: {name}")
        position.play(move, color, tolerant=True)
