"""GTP commands that think: genmove and its relatives, and analysis until further input."""

from __future__ import annotations

from collections.abc import Callable

from engine.search.search import ReportOptions
from engine.values import Choice, Report
from protocols.gtp.analysis import LINES, AnalysisRequest, request, restriction
from protocols.gtp.arguments import color, expect
from protocols.gtp.codec import GtpCommand
from protocols.gtp.context import Context, Handler

# Controllers that know only Go end a game by passes; those after the end are not kept.
AFTER_THE_END = "pass"


def genmove(context: Context, command: GtpCommand) -> str:
    """Plays the engine's move; its vertex, `pass` or `resign`."""
    who, name = _color(command), _namer(context)
    if context.game.is_final:
        return AFTER_THE_END
    return name(context.session.genmove(who, stop=context.inbox.abandoned))


def genmove_cleanup(context: Context, command: GtpCommand) -> str:
    """The same, passing only when all dead stones of the opponent are captured."""
    who, name = _color(command), _namer(context)
    return name(context.session.genmove(who, cleanup=True, stop=context.inbox.abandoned))


def search(context: Context, command: GtpCommand) -> str:
    """The engine's move, not played."""
    who, name = _color(command), _namer(context)
    return name(context.session.genmove(who, play=False, stop=context.inbox.abandoned))


def search_cancellable(context: Context, command: GtpCommand) -> str:
    """The engine's move, not played; `cancelled` when input came first."""
    choice = context.session.genmove(_color(command), play=False, stop=context.inbox.waiting)
    return "cancelled" if context.inbox.waiting() else _namer(context)(choice)


def genmove_analyze(context: Context, command: GtpCommand) -> str:
    """Plays the engine's move; `info` lines while thinking, then `play` with the vertex."""
    asked, name = request(context, command), _namer(context)
    if context.game.is_final:
        return f"play {AFTER_THE_END}"
    return f"play {name(_analyzed_choice(context, command, asked, play=True))}"


def search_analyze(context: Context, command: GtpCommand) -> str:
    """The same, the move not played."""
    name = _namer(context)
    return f"play {name(_analyzed_choice(context, command, request(context, command), play=False))}"


def search_analyze_cancellable(context: Context, command: GtpCommand) -> str:
    """The same; `play cancelled` when input came first."""
    asked = request(context, command)
    choice = _analyzed_choice(context, command, asked, play=False, cancellable=True)
    return "play cancelled" if context.inbox.waiting() else f"play {_namer(context)(choice)}"


def analyze(context: Context, command: GtpCommand) -> str:
    """`info` lines until further input."""
    asked = request(context, command)
    context.reply.open()
    line = _line_writer(context, command, asked)
    context.session.analyze(
        asked.color,
        stop=context.inbox.waiting,
        on_report=lambda report: context.reply.line(line(report)),
        report_every_seconds=asked.seconds_between,
        options=_options(context, asked),
        restriction=restriction(context, asked),
    )
    context.inbox.wait()  # the search may have nothing left to find, or too little memory
    return ""


def _analyzed_choice(
    context: Context,
    command: GtpCommand,
    asked: AnalysisRequest,
    *,
    play: bool,
    cancellable: bool = False,
) -> Choice:
    """The engine's move after telling of it at least once."""
    context.reply.open()
    line = _line_writer(context, command, asked)
    lines = 0

    def tell(report: Report) -> None:
        nonlocal lines
        lines += 1
        context.reply.line(line(report))

    choice = context.session.genmove(
        asked.color,
        play=play,
        stop=context.inbox.waiting if cancellable else context.inbox.abandoned,
        on_report=tell,
        report_every_seconds=asked.seconds_between,
        options=_options(context, asked),
        restriction=restriction(context, asked),
    )
    if not lines and choice.report is not None:
        tell(choice.report)
    return choice


def _line_writer(
    context: Context, command: GtpCommand, asked: AnalysisRequest
) -> Callable[[Report], str]:
    """Writes a report as one line, in the style that the command's name begins with."""
    style = LINES[command.name.partition("-")[0]]
    write = context.move_writer()
    return lambda report: style(report, asked, write)


def _options(context: Context, asked: AnalysisRequest) -> ReportOptions:
    flags = asked.flags if context.game.kind.has_ownership else frozenset[str]()
    return ReportOptions(
        ownership=bool(flags & {"ownership", "ownershipStdev"}),
        moves_ownership=bool(flags & {"movesOwnership", "movesOwnershipStdev"}),
    )


def _color(command: GtpCommand) -> int:
    expect(command.arguments, 1, "one argument", command.name)
    return color(command.arguments[0])


def _namer(context: Context) -> Callable[[Choice], str]:
    """Writes choices of the position as it stands now."""
    write = context.vertex_writer()
    return lambda choice: "resign" if choice.move is None else write(choice.move)


COMMANDS: dict[str, Handler] = {
    "genmove": genmove,
    "reg_genmove": search,
    "lz-genmove_analyze": genmove_analyze,
    "kata-genmove_analyze": genmove_analyze,
    "kata-search": search,
    "kata-search_cancellable": search_cancellable,
    "kata-search_analyze": search_analyze,
    "kata-search_analyze_cancellable": search_analyze_cancellable,
    "lz-analyze": analyze,
    "kata-analyze": analyze,
}
GO_COMMANDS: dict[str, Handler] = {"kgs-genmove_cleanup": genmove_cleanup}
