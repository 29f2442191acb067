"""GTP commands that think: genmove and its relatives, and analysis until further input."""

from __future__ import annotations

from collections.abc import Callable

from engine.search.search import ReportOptions
from engine.values import Choice, Report
from protocols.gtp.analysis import LINES, AnalysisRequest, request, restriction
from protocols.gtp.arguments import expect
from protocols.gtp.codec import GtpCommand
from protocols.gtp.context import Context, Handler

# Controllers that know only Go end a game by passes; those after the end are not kept.
AFTER_THE_END = "pass"


def genmove(context: Context, command: GtpCommand) -> str:
    """Plays the engine's move; answers its vertex, `pass` or `resign`."""
    who, name = _color(context, command), _namer(context)
    if context.game.is_final:
        return AFTER_THE_END
    return name(context.session.genmove(who, stop=context.inbox.abandoned))


def genmove_cleanup(context: Context, command: GtpCommand) -> str:
    """The same, without a pass before all dead stones of the opponent are captured."""
    who, name = _color(context, command), _namer(context)
    return name(context.session.genmove(who, cleanup=True, stop=context.inbox.abandoned))


def search(context: Context, command: GtpCommand) -> str:
    """Answers the engine's move without playing it."""
    who, name = _color(context, command), _namer(context)
    return name(context.session.genmove(who, play=False, stop=context.inbox.abandoned))


def search_cancellable(context: Context, command: GtpCommand) -> str:
    """Answers the engine's move without playing it; `cancelled` if input comes first."""
    choice = context.session.genmove(
        _color(context, command), play=False, stop=context.inbox.waiting
    )
    return "cancelled" if context.inbox.waiting() else _namer(context)(choice)


def genmove_analyze(context: Context, command: GtpCommand) -> str:
    """Plays the engine's move; `info` lines while thinking, then `play` with the vertex."""
    analysis, name = request(context, command), _namer(context)
    if context.game.is_final:
        return f"play {AFTER_THE_END}"
    return f"play {name(_analyzed_choice(context, command, analysis, play=True))}"


def search_analyze(context: Context, command: GtpCommand) -> str:
    """The same without playing the move."""
    name = _namer(context)
    return f"play {name(_analyzed_choice(context, command, request(context, command), play=False))}"


def search_analyze_cancellable(context: Context, command: GtpCommand) -> str:
    """The same; `play cancelled` if input comes first."""
    analysis = request(context, command)
    choice = _analyzed_choice(context, command, analysis, play=False, cancellable=True)
    return "play cancelled" if context.inbox.waiting() else f"play {_namer(context)(choice)}"


def analyze(context: Context, command: GtpCommand) -> str:
    """`info` lines until further input, the first one at once."""
    analysis = request(context, command)
    context.reply.open()
    line = _line_writer(context, command, analysis)
    context.session.analyze(
        analysis.color,
        stop=context.inbox.waiting,
        on_report=lambda report: context.reply.line(line(report)),
        report_every_seconds=analysis.seconds_between,
        first_report_seconds=0.0,
        options=_options(context, analysis),
        restriction=restriction(context, analysis),
    )
    context.inbox.wait()  # the search may be exhausted, or short of memory
    return ""


def _analyzed_choice(
    context: Context,
    command: GtpCommand,
    analysis: AnalysisRequest,
    *,
    play: bool,
    cancellable: bool = False,
) -> Choice:
    """Returns the engine's choice after at least one line about it."""
    context.reply.open()
    line = _line_writer(context, command, analysis)
    lines = 0

    def send(report: Report) -> None:
        nonlocal lines
        lines += 1
        context.reply.line(line(report))

    choice = context.session.genmove(
        analysis.color,
        play=play,
        stop=context.inbox.waiting if cancellable else context.inbox.abandoned,
        on_report=send,
        report_every_seconds=analysis.seconds_between,
        options=_options(context, analysis),
        restriction=restriction(context, analysis),
    )
    if not lines and choice.report is not None:
        send(choice.report)
    return choice


def _line_writer(
    context: Context, command: GtpCommand, analysis: AnalysisRequest
) -> Callable[[Report], str]:
    """Returns a writer of reports as lines, in the style of the command's prefix."""
    style = LINES[command.name.partition("-")[0]]
    write = context.move_writer()
    return lambda report: style(report, analysis, write)


def _options(context: Context, analysis: AnalysisRequest) -> ReportOptions:
    flags = analysis.flags if context.game.kind.has_ownership else frozenset[str]()
    return ReportOptions(
        ownership=bool(flags & {"ownership", "ownershipStdev"}),
        moves_ownership=bool(flags & {"movesOwnership", "movesOwnershipStdev"}),
    )


def _color(context: Context, command: GtpCommand) -> int:
    expect(command.arguments, 1, "one argument", command.name)
    return context.color(command.arguments[0])


def _namer(context: Context) -> Callable[[Choice], str]:
    """Returns a writer of choices in the present position."""
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
