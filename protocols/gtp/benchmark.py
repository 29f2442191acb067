"""GTP command kata-benchmark: how fast the search is, on known positions of the board's size."""

from __future__ import annotations

import time

from engine._core import EvaluationCache
from engine.lab.speed import stored_places
from engine.search.search import Search
from engine.values import Limit
from protocols.gtp.arguments import expect, integer_or_none
from protocols.gtp.codec import GtpCommand, GtpError
from protocols.gtp.context import Context, Handler

CACHED = 2**16  # evaluations
POSITIONS = 10  # the most positions, as in KataGo


def benchmark(context: Context, command: GtpCommand) -> str:
    """Searches each position with so many visits; speeds in KataGo's words, as far as known."""
    expect(command.arguments, 1, "one argument", command.name)
    visits = integer_or_none(command.text)
    if visits is None or visits < 1:
        raise GtpError(f"Could not parse number of visits: {command.text}")
    session, width, height = context.session, context.game.width, context.game.height
    size = f"{width}x{height}"
    if width != height:
        raise GtpError(
            f"Current board size is {size}, no built-in benchmarks for rectangular boards"
        )
    places = stored_places().get(width, [])[:POSITIONS]
    if not places:
        sizes = ", ".join(map(str, stored_places()))
        raise GtpError(f"Current board size is {size}, built-in benchmarks are for {sizes}")
    search = Search(session.evaluator, session.settings.search, EvaluationCache(CACHED))
    made = evaluated = searched = 0
    began = time.perf_counter()
    for place in places:
        search.set_position(place.position())
        before = search.tree.rows_evaluated
        made += search.run(Limit(visits=visits), stop=context.inbox.abandoned).root.visits
        evaluated += search.tree.rows_evaluated - before
        searched += 1
    seconds = time.perf_counter() - began
    return (
        f"numSearchThreads =  1: {searched} / {len(places)} positions, "
        f"visits/s = {made / seconds:.2f} nnEvals/s = {evaluated / seconds:.2f} "
        f"({seconds:.1f} secs)"
    )


GO_COMMANDS: dict[str, Handler] = {"kata-benchmark": benchmark}
