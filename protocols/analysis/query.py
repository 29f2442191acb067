"""A query for analysis: from JSON fields to positions, limits and what the answers contain.

Knows every field of KataGo's analysis protocol. Does not search, and answers nothing: what is
wrong with a query is raised as FieldError, what is doubtful kept as warnings.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine._core import GoPosition, GoRules
from engine.errors import SettingError
from engine.games.rules import (
    LARGEST_KOMI,
    checked_komi,
    customary_komi,
    parse_rules_and_komi,
    set_rule,
)
from engine.games.table import GAMES, game_named, write_vertex
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
    firstReportDuringSearchAfter priority allowMoves avoidMoves game
    """.split()
) | frozenset(INCLUDES)
UNUSED = "Unexpected or unused field, do you have a typo?"


@dataclass(frozen=True)
class Query:
    """What a client wants to know."""

    id: str
    start: GoPosition
    moves: tuple[tuple[int, int], ...]  # (color, move)
    turns: dict[int, int]  # moves made before the position to analyze -> priority
    settings: QuerySettings
    includes: frozenset[str]  # of INCLUDES
    report_every: float | None = None  # seconds; None: only at the end
    first_report: float | None = None  # seconds; None: as report_every
    restriction: Restriction | None = None
    warnings: tuple[tuple[str, str], ...] = ()  # (field, message)

    def position(self, turn: int) -> GoPosition:
        """The position after `turn` moves. Made anew, because thousands may wait in a queue."""
        position = self.start.copy()
        for color, move in self.moves[:turn]:
            position.play(move, color, tolerant=True)
        return position


def read_query(query_id: str, given: Fields, defaults: QuerySettings) -> Query:
    """The query that `given` describes; raises FieldError."""
    check_game(given)
    size = board_size(given)
    stones: tuple[tuple[int, int], ...] = ()
    if "initialStones" in given:
        stones = fields.moves(given, "initialStones", size, passing=False)
    if "moves" not in given:
        raise FieldError("moves", "Must specify an array of [player,location] pairs")
    moves = fields.moves(given, "moves", size, passing=True)
    priorities = turn_priorities(given, len(moves))
    rules, komi = read_rules(given)
    settings, warnings = read_settings(given, defaults)
    includes = frozenset(name for name in INCLUDES if name in given and fields.truth(given, name))
    every, first = report_times(given)
    restriction = read_restriction(given, size)
    warnings += [(name[:100], UNUSED) for name in given if name not in KNOWN]
    start = GoPosition(*size, rules, komi)
    set_up(start, stones)
    start.to_move = first_player(given, stones, moves)
    check_moves(start, moves)
    return Query(
        id=query_id,
        start=start,
        moves=moves,
        turns=priorities,
        settings=settings,
        includes=includes,
        report_every=every,
        first_report=first,
        restriction=restriction,
        warnings=tuple(warnings),
    )


def check_game(given: Fields) -> None:
    """Raises FieldError where the query is about another game than Go."""
    try:
        game = game_named(str(given.get("game", "go")))
    except SettingError as error:
        raise FieldError("game", str(error)) from error
    if game != "go":
        raise FieldError("game", f"{GAMES[game].title} is not analysed by this protocol, only Go")


def board_size(given: Fields) -> tuple[int, int]:
    """The width and the height."""
    message = f"Must provide an integer from 2 to {LARGEST_SIZE}"
    width = fields.integer(given, "boardXSize", 2, LARGEST_SIZE, message)
    return width, fields.integer(given, "boardYSize", 2, LARGEST_SIZE, message)


def turn_priorities(given: Fields, last_turn: int) -> dict[int, int]:
    """The turns to analyze, each with its priority."""
    single = "Must be a number between -2^62 and 2^62"
    priority = 0
    if "priority" in given:
        if "priorities" in given:
            raise FieldError("priority", "Cannot specify both priority and priorities")
        priority = fields.integer(given, "priority", -MOST_PRIORITY, MOST_PRIORITY, single)
    wanted = [last_turn]
    if "analyzeTurns" in given:
        message = "Must specify an array of integers indicating turns to analyze"
        wanted = fields.integers(given, "analyzeTurns", message)
        for turn in wanted:
            if not 0 <= turn <= last_turn:
                raise FieldError("analyzeTurns", f"Invalid turn number: {turn}")
    if "priorities" not in given:
        return dict.fromkeys(wanted, priority)
    message = "Must specify an array of integers indicating priorities"
    priorities = fields.integers(given, "priorities", message)
    if "analyzeTurns" not in given:
        raise FieldError("priorities", "Can only specify when also specifying analyzeTurns")
    if len(priorities) != len(wanted):
        raise FieldError("priorities", "Must be of matching length to analyzeTurns")
    for value in priorities:
        if abs(value) > MOST_PRIORITY:
            raise FieldError("priorities", f"Invalid priority: {value}")
    return dict(zip(wanted, priorities, strict=True))


def read_rules(given: Fields) -> tuple[GoRules, float]:
    """The rules and the komi."""
    value = given.get("rules")
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
    if "whiteHandicapBonus" in given:
        bonus = given["whiteHandicapBonus"]
        if not isinstance(bonus, str):
            raise FieldError("whiteHandicapBonus", "Must be a string")
        try:
            rules = set_rule(rules, "whiteHandicapBonus", bonus)
        except SettingError as error:
            raise FieldError("whiteHandicapBonus", str(error)) from error
    if "komi" in given:
        komi = read_komi(given)
    return rules, customary_komi(rules) if komi is None else komi


def read_komi(given: Fields) -> float:
    """The komi: a whole or half number of points for White."""
    message = f"Must be a integer or half-integer from {-LARGEST_KOMI} to {LARGEST_KOMI}"
    komi = fields.number(given, "komi", -LARGEST_KOMI, LARGEST_KOMI, message)
    try:
        return checked_komi(komi)
    except SettingError as error:
        raise FieldError("komi", message) from error


def read_settings(
    given: Fields, defaults: QuerySettings
) -> tuple[QuerySettings, list[tuple[str, str]]]:
    """How to search and how to answer, and warnings about settings without effect."""
    warnings: list[tuple[str, str]] = []
    settings = defaults
    if "overrideSettings" in given:
        wanted = given["overrideSettings"]
        if not isinstance(wanted, dict):
            raise FieldError("overrideSettings", "Must be an object")
        try:
            settings, unused = overridden(settings, wanted)
        except SettingError as error:
            raise FieldError("overrideSettings", f"Could not set settings: {error}") from error
        warnings += [("overrideSettings", warning) for warning in unused]
    if "maxVisits" in given:
        message = "Must be an integer from 1 to 2^50"
        visits = fields.integer(given, "maxVisits", 1, MOST_VISITS, message)
        settings = replace(settings, limit=replace(settings.limit, visits=visits))
    if "analysisPVLen" in given:
        message = "Must be an integer from 1 to 1000"
        length = fields.integer(given, "analysisPVLen", 1, 1000, message)
        settings = replace(settings, pv_length=length)
    for name in ("rootFpuReductionMax", "rootPolicyTemperature"):
        if name in given:
            try:
                search = changed(settings.search, name, given[name])
            except SettingError as error:
                raise FieldError(name, str(error)) from error
            settings = replace(settings, search=search)
    return settings, warnings


def report_times(given: Fields) -> tuple[float | None, float | None]:
    """Seconds between reports while searching, and until the first; None where not wanted."""
    message = "Must be number of seconds from 0.001 to 1000000.0"
    names = ("reportDuringSearchEvery", "firstReportDuringSearchAfter")
    every, first = (
        fields.number(given, name, 0.001, LONGEST_PERIOD, message) if name in given else None
        for name in names
    )
    return every, first


def read_restriction(given: Fields, size: tuple[int, int]) -> Restriction | None:
    """Which moves the search must leave out; None when it may try all."""
    name = "allowMoves" if "allowMoves" in given else "avoidMoves"
    if name not in given:
        return None
    if "allowMoves" in given and "avoidMoves" in given:
        raise FieldError("allowMoves", "Cannot specify both allowMoves and avoidMoves")
    entries = given[name]
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
        last = {move: color for color, move in stones}  # of two on one point the later counts
        position.setup([(color, move) for move, color in last.items()])
    except ValueError as error:
        raise FieldError("initialStones", str(error)) from error


def first_player(
    given: Fields, stones: tuple[tuple[int, int], ...], moves: tuple[tuple[int, int], ...]
) -> int:
    """Whose turn it is at the start: as asked, as moved, or White's after handicap stones."""
    if "initialPlayer" in given:
        return fields.player(given, "initialPlayer")
    if moves:
        return moves[0][0]
    return int(len(stones) > 1 and all(color == 0 for color, _ in stones))


def check_moves(start: GoPosition, moves: tuple[tuple[int, int], ...]) -> None:
    """Raises FieldError at the first illegal move; superko is not held against a record."""
    position = start.copy()
    for number, (color, move) in enumerate(moves):
        if not position.is_legal(move, color, tolerant=True):
            name = write_vertex(move, position.width, position.height)
            raise FieldError("moves", f"Illegal move {number}: {name}")
        position.play(move, color, tolerant=True)
