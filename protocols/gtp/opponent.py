"""GTP commands about the opponent: identity, believed strength, a game to resume.

CGOS's client names the opponent by `cgos-opponent_name` and `cgos-opponent_rating`, and the result
by `cgos-gameover`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from engine.opponents import (
    FORFEITED,
    ON_TIME,
    PROGRAM,
    RESIGNED,
    OpponentName,
    ServerRating,
    StoredOpponent,
    StoreError,
)
from engine.strength.rank_scale import scale_of
from engine.strength.rating_ladder import ladder_for
from protocols.gtp.arguments import expect
from protocols.gtp.codec import GtpCommand, GtpError, quoted
from protocols.gtp.context import Context, Handler
from protocols.opponent_identity import OpponentIdentity, identity_of
from protocols.strength_text import in_elo, with_words

CGOS = "cgos"  # the server of the names
WON_BY = {"Resign": RESIGNED, "Time": ON_TIME, "Illegal": FORFEITED}
RESULT = re.compile(
    r"(?P<winner>[bw])\+(?P<won_by>resign|time|illegal|[0-9]{1,4}(\.[0-9]{1,3})?)"
    r"|(?P<drawn>draw|0)|abort",
    re.ASCII | re.IGNORECASE,
)
# CGOS prints ratings as whole numbers, negative ones as 0, with "?" while they are uncertain.
CGOS_RATING = re.compile(r"(?P<rating>-?[0-9]{1,5}(\.[0-9]{1,3})?)(?P<uncertain>\?)?", re.ASCII)
SHOWN = 10  # entries of the history, at most


def opponent(context: Context, command: GtpCommand) -> str:
    """Answers the believed strength of the opponent; with a name, sets the opponent.

    An object in JSON names an account on a server, and may state its rating.
    """
    if command.arguments:
        return _meet(context, identity_of(command.text))
    return "\n".join(_belief_lines(context))


def cgos_opponent_name(context: Context, command: GtpCommand) -> str:
    """Sets the opponent, by its name on CGOS."""
    unrated = ServerRating(kind=PROGRAM, pool=_size(context))
    return _meet(context, OpponentIdentity(OpponentName(command.text, CGOS), unrated))


def cgos_opponent_rating(context: Context, command: GtpCommand) -> str:
    """Sets the rating of the opponent named by `cgos-opponent_name`; else changes nothing."""
    expect(command.arguments, 1, "one argument", command.name)
    match = CGOS_RATING.fullmatch(command.text)
    if match is None:
        raise GtpError(f"not a rating of CGOS: {quoted(command.text)}")
    met = context.session.opponent
    if met is None or met.name.server != CGOS:
        return ""
    rating = ServerRating(
        float(match["rating"]),
        is_provisional=match["uncertain"] is not None,
        kind=PROGRAM,
        pool=_size(context),
    )
    if met.rating != rating:
        context.session.meet(replace(met, rating=rating))
    return ""


def _size(context: Context) -> str:
    """Returns the size of the board, as "9x9": CGOS has a server for each."""
    board = context.game.board
    return f"{board.width}x{board.height}"


def cgos_gameover(context: Context, command: GtpCommand) -> str:
    """Records the server's result, which accounts for clocks and illegal moves."""
    match = RESULT.fullmatch(command.text.strip())
    if match is None:
        raise GtpError(f"not a result of CGOS: {quoted(command.text)}")
    if match["won_by"]:
        winner = context.color(match["winner"])
        won_by = match["won_by"].capitalize()
        context.session.finish_won_by(winner, WON_BY.get(won_by, won_by))
    elif match["drawn"]:
        context.session.finish_won_by(None)
    return ""


def resume(context: Context, command: GtpCommand) -> str:
    """Resumes this opponent's latest unfinished game of the same kind."""
    expect(command.arguments, 0, "no arguments", command.name)
    session, met = context.session, _stored_opponent(context)
    try:
        games = met.unfinished_games()
    except StoreError as error:
        raise GtpError(str(error)) from error
    for number, game in games:
        if game.game_settings.game == context.game.name:
            session.resume(number, game)
            ours = context.game.kind.colors[game.color]
            return f"{game.board.name}, {len(game.moves)} moves, we are {ours}"
    raise GtpError(f"no unfinished game of {context.game.kind.title} with {met.name}")


def _meet(context: Context, identity: OpponentIdentity) -> str:
    context.rights.check_memory()
    context.session.meet(StoredOpponent(context.memory, identity.name, rating=identity.rating))
    return ""


def _stored_opponent(context: Context) -> StoredOpponent:
    context.rights.check_memory()
    met = context.session.opponent
    if met is None:
        raise GtpError("no opponent is named")
    return met


def _belief_lines(context: Context) -> Iterator[str]:
    """Yields the name, the belief now and earlier beliefs: mean and 95% interval."""
    met = _stored_opponent(context)
    board = context.game.board
    yield str(met.name)
    moments = met.history(board)[-SHOWN:]
    known = met.entry(board)
    if known is None:
        yield f"{board.name}: unknown"
        return
    scale = scale_of(ladder_for(board, context.session.network))
    games = f"{in_elo(known.estimate)} Elo after {known.games} games"
    yield f"{board.name}: {with_words(games, known.estimate, scale)}"
    for moment in moments:
        yield f"{moment.time.isoformat(timespec='seconds')} {in_elo(moment.estimate)}"


COMMANDS: dict[str, Handler] = {
    "sparring-opponent": opponent,
    "cgos-opponent_name": cgos_opponent_name,
    "cgos-opponent_rating": cgos_opponent_rating,
    "cgos-gameover": cgos_gameover,
    "sparring-resume": resume,
}
