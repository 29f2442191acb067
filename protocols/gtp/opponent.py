"""GTP commands about the opponent: who it is, how strong they are believed to be, a game to resume.

gomill's CGOS client tells who it is by `cgos-opponent_name`.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.acquaintance import Acquaintance
from engine.games import Board
from engine.memory import Estimate, OpponentName
from protocols.gtp.arguments import expect
from protocols.gtp.codec import Command, GtpError
from protocols.gtp.context import Context, Handler

CGOS = "cgos"  # the server whose names they are
SHOWN = 10  # moments of the history, at most


def opponent(context: Context, command: Command) -> str:
    """What is believed of the opponent; with a name, plays against that one from now on."""
    if command.arguments:
        return _meet(context, OpponentName(command.text))
    return "\n".join(_told(context))


def cgos_opponent_name(context: Context, command: Command) -> str:
    """Plays against the one of that name on a server such as CGOS from now on."""
    return _meet(context, OpponentName(command.text, CGOS))


def resume(context: Context, command: Command) -> str:
    """Goes on with the latest game of this opponent and kind that was not finished."""
    expect(command.arguments, 0, "no arguments", command.name)
    session, met = context.session, _acquaintance(context)
    for number, game in met.memory.unfinished(met.name):
        if game.terms.game == context.game:
            session.resume(number, game)
            ours = session.kind.colors[game.color]
            return f"{game.board.name}, {len(game.moves)} moves, we are {ours}"
    raise GtpError(f"no unfinished game of {session.kind.title} with {met.name}")


def _meet(context: Context, name: OpponentName) -> str:
    context.session.meet(Acquaintance(context.memory, name))
    return ""


def _acquaintance(context: Context) -> Acquaintance:
    met = context.session.encounter.acquaintance
    if met is None:
        raise GtpError("nobody said who the opponent is")
    return met


def _told(context: Context) -> Iterator[str]:
    """The name, then what is believed now and was believed before: mean and 95% interval in Elo."""
    session, met = context.session, _acquaintance(context)
    board = Board(context.game, session.width, session.height)
    yield str(met.name)
    known = met.memory.recall(met.name, board)
    if known is None:
        yield f"{board.name}: unknown"
        return
    yield f"{board.name}: {_interval(known.estimate)} Elo after {known.games} games"
    for moment in met.memory.history(met.name, board)[-SHOWN:]:
        yield f"{moment.time.isoformat(timespec='seconds')} {_interval(moment.estimate)}"


def _interval(estimate: Estimate) -> str:
    return f"{round(estimate.mean)} ({round(estimate.low)}..{round(estimate.high)})"


COMMANDS: dict[str, Handler] = {
    "sparring-opponent": opponent,
    "cgos-opponent_name": cgos_opponent_name,
    "sparring-resume": resume,
}
