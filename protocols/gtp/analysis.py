"""Analysis in GTP: the arguments of the analyze commands, and reports as `info` lines.

The lines of lz-analyze and kata-analyze are KataGo's: all moves in one line, each with its
variation last, then the requested values of the root. Values are from the view of the side to move.
The searches run in protocols.gtp.thinking.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from engine.search.search import Restriction
from engine.values import Floats, MoveStats, Report, RootStats
from protocols.gtp.arguments import (
    integer_or_none,
    number_or_none,
    truth_or_none,
)
from protocols.gtp.codec import GtpCommand, GtpError, quoted
from protocols.gtp.context import Context

DEFAULT_INTERVAL = 1.0  # seconds, where the controller names none
SHORTEST_INTERVAL = 0.01
LONGEST_INTERVAL = 1e25  # centiseconds, as KataGo has it; LizzieYzy asks for 2147483647
CENTISECOND = 0.01
MOST_MOVES = 1_000_000_000

Write = Callable[[int], str]  # a move as text

KATA_FLAGS = frozenset(
    {
        "rootInfo",
        "ownership",
        "ownershipStdev",
        "movesOwnership",
        "movesOwnershipStdev",
        "pvVisits",
        "pvEdgeVisits",
        "noResultValue",
    }
)


@dataclass(frozen=True, slots=True)
class AnalysisRequest:
    """The arguments of an analyze command."""

    color: int
    seconds_between: float = DEFAULT_INTERVAL
    fewest_moves: int = 0
    most_moves: int = MOST_MOVES
    flags: frozenset[str] = frozenset()  # names in KATA_FLAGS
    avoid: tuple[tuple[int, frozenset[int], int], ...] = ()  # (color, moves, until depth)
    allow: tuple[tuple[int, frozenset[int], int], ...] = ()


def request(context: Context, command: GtpCommand) -> AnalysisRequest:
    """Reads the arguments [color] [centiseconds] key value ...; raises GtpError."""
    words = list(command.arguments)
    try:
        who = context.color_or_none(words[0]) if words else None
        if who is not None:
            words.pop(0)
        analysis = AnalysisRequest(context.game.position.to_move if who is None else who)
        if words and number_or_none(words[0]) is not None:
            analysis = interval(analysis, words)
        while words:
            analysis = _keyed(context, command, analysis, words)
    except (GtpError, IndexError, ValueError) as error:
        raise GtpError(
            f"Could not parse {command.name} arguments or arguments out of range: "
            f"{quoted(command.text)}"
        ) from error
    return analysis


def interval(analysis: AnalysisRequest, words: list[str]) -> AnalysisRequest:
    """Returns the request with words[0], in centiseconds, as the time between reports."""
    value = number_or_none(words.pop(0))
    if value is None or not 0 <= value < LONGEST_INTERVAL:
        raise ValueError(value)
    return replace(analysis, seconds_between=max(value * CENTISECOND, SHORTEST_INTERVAL))


def _keyed(
    context: Context, command: GtpCommand, analysis: AnalysisRequest, words: list[str]
) -> AnalysisRequest:
    """Returns the request with one key and its values, removed from `words`."""
    key = words.pop(0)
    if key == "interval":
        return interval(analysis, words)
    if key in {"minmoves", "maxmoves"}:
        value = integer_or_none(words.pop(0))
        if value is None or not 0 <= value < MOST_MOVES:
            raise ValueError(value)
        if key == "minmoves":
            return replace(analysis, fewest_moves=value)
        return replace(analysis, most_moves=value)
    if key in {"avoid", "allow"}:
        return _restricted(context, key, analysis, words)
    if key in KATA_FLAGS and command.name.startswith("kata"):
        truth = truth_or_none(words.pop(0))
        if truth is None:
            raise ValueError(key)
        flags = analysis.flags | {key} if truth else analysis.flags - {key}
        return replace(analysis, flags=flags)
    raise ValueError(key)


def _restricted(
    context: Context, key: str, analysis: AnalysisRequest, words: list[str]
) -> AnalysisRequest:
    """Reads `avoid|allow color vertex,vertex depth`: avoid repeatedly, allow once a color."""
    who, names, until = words.pop(0), words.pop(0), words.pop(0)
    moves = frozenset(context.vertex(word) for word in names.split(",") if word)
    depth = integer_or_none(until)
    if depth is None or depth < 1:
        raise ValueError(until)
    entry = (context.color(who), moves, depth)
    same_color = [other for other in (*analysis.avoid, *analysis.allow) if other[0] == entry[0]]
    if key == "avoid":
        if any(other in analysis.allow for other in same_color):
            raise ValueError(key)
        return replace(analysis, avoid=(*analysis.avoid, entry))
    if same_color:
        raise ValueError(key)
    return replace(analysis, allow=(*analysis.allow, entry))


def restriction(context: Context, analysis: AnalysisRequest) -> Restriction | None:
    """Returns the restriction of the search; None without avoid or allow."""
    if not analysis.avoid and not analysis.allow:
        return None
    moves = context.game.position.move_count
    until: dict[int, list[int]] = {}
    for who, allowed, depth in analysis.allow:
        until[who] = [0 if move in allowed else depth for move in range(moves)]
    for who, avoided, depth in analysis.avoid:
        row = until.setdefault(who, [0] * moves)
        for move in avoided:
            row[move] = depth
    return Restriction(black=until.get(0, ()), white=until.get(1, ()))


def lz_line(report: Report, analysis: AnalysisRequest, write: Write) -> str:
    """Writes the report like Leela Zero: probabilities in ten-thousandths."""
    return " ".join(_lz_move(move, analysis, write) for move in shown(report, analysis))


def kata_line(report: Report, analysis: AnalysisRequest, write: Write) -> str:
    """Writes the report like KataGo."""
    parts = [_kata_move(move, analysis, write) for move in shown(report, analysis)]
    if not parts:
        return ""
    if "rootInfo" in analysis.flags:
        parts.append("rootInfo " + _pairs(root_values(report.root)))
    parts.extend(_maps(analysis.flags, report.ownership, report.ownership_stdev, ""))
    return " ".join(parts)


LINES: dict[str, Callable[[Report, AnalysisRequest, Write], str]] = {
    "lz": lz_line,
    "kata": kata_line,
}


def shown(report: Report, analysis: AnalysisRequest) -> tuple[MoveStats, ...]:
    """Returns the moves to write: the visited ones, within the requested numbers."""
    visited = sum(move.visits > 0 for move in report.moves)
    return report.moves[: min(max(visited, analysis.fewest_moves), analysis.most_moves)]


def root_values(root: RootStats) -> dict[str, float]:
    """Returns the values of the root by KataGo's names."""
    return {
        "visits": root.visits,
        "utility": root.utility,
        "winrate": root.win_rate,
        "scoreMean": root.score_lead,  # KataGo says the lead here, for old tools
        "scoreStdev": root.score_stdev,
        "scoreLead": root.score_lead,
        "scoreSelfplay": root.score_mean,
        "weight": root.weight,
        "rawStWrError": root.raw_win_loss_error,
        "rawStScoreError": root.raw_score_error,
        "rawVarTimeLeft": root.raw_variance_time,
    }


def _lz_move(move: MoveStats, analysis: AnalysisRequest, write: Write) -> str:
    values = {
        "visits": move.visits,
        "winrate": round(move.win_rate * 10000),
        "prior": round(move.prior * 10000),
        "lcb": round(move.lcb * 10000),
        "order": move.order,
    }
    name = write(move.move)
    return f"info move {name} {_pairs(values)} {_variation(move, analysis, write)}"


def _kata_move(move: MoveStats, analysis: AnalysisRequest, write: Write) -> str:
    values: dict[str, float | str] = {
        "visits": move.visits,
        "edgeVisits": move.edge_visits,
        "utility": move.utility,
        "winrate": move.win_rate,
        "scoreMean": move.score_lead,
        "scoreStdev": move.score_stdev,
        "scoreLead": move.score_lead,
        "scoreSelfplay": move.score_mean,
    }
    if "noResultValue" in analysis.flags:
        values["noResultValue"] = move.no_result
    values |= {
        "prior": move.prior,
        "lcb": move.lcb,
        "utilityLcb": move.utility_lcb,
        "weight": move.weight,
    }
    if move.symmetry_of is not None:
        values["isSymmetryOf"] = write(move.symmetry_of)
    values["order"] = move.order
    name = write(move.move)
    parts = [f"info move {name}", _pairs(values), _variation(move, analysis, write)]
    parts.extend(_maps(analysis.flags, move.ownership, move.ownership_stdev, "moves"))
    return " ".join(parts)


def _variation(move: MoveStats, analysis: AnalysisRequest, write: Write) -> str:
    moves = move.pv or (move.move,)  # never empty: Sabaki would drop the move
    text = "pv " + " ".join(map(write, moves))
    if "pvVisits" in analysis.flags:
        text += " pvVisits " + " ".join(map(str, move.pv_visits))
    if "pvEdgeVisits" in analysis.flags:
        text += " pvEdgeVisits " + " ".join(map(str, move.pv_edge_visits))
    return text


def _maps(
    flags: frozenset[str], ownership: Floats | None, deviation: Floats | None, prefix: str
) -> Iterable[str]:
    """Yields `ownership` and `ownershipStdev` with their numbers, if requested and known."""
    for name, values in (("ownership", ownership), ("ownershipStdev", deviation)):
        key = f"{prefix}O{name[1:]}" if prefix else name
        if key in flags and values is not None:
            yield f"{key} " + " ".join(f"{value:.6g}" for value in values.ravel().tolist())


def _pairs(values: Mapping[str, float | str]) -> str:
    return " ".join(f"{key} {_written(value)}" for key, value in values.items())


def _written(value: float | str) -> str:
    """Writes counts in full and other numbers with six digits, like C++ streams."""
    return f"{value:.6g}" if isinstance(value, float) else str(value)
