"""The choice of one move: steps before the search, the search, steps after it, manners.

The module has only the order of the steps; each step has its own module in engine.play.steps. STEPS
has each game's steps at full strength. A weaker persona plays by the steps of its method
(engine.play.steps.methods), but keeps the game's manners.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.games.position import Position
from engine.play.steps import go
from engine.play.steps.book import play_from_book
from engine.play.steps.conversion import hunt_king, play_hunt
from engine.play.steps.einstein import place_pieces
from engine.play.steps.exact import play_exactly
from engine.play.steps.exact_margin import end_exactly
from engine.play.steps.methods import METHODS
from engine.play.steps.mixed import halve_time_if_mixed, play_mixed
from engine.play.steps.naturalness import keep_natural
from engine.play.steps.request import BeforeSearch, MoveRequest, Steps
from engine.play.steps.score_lead import end_by_score
from engine.play.steps.style import play_style, weigh_by_style
from engine.play.steps.tables import play_by_tables
from engine.search.search import Search
from engine.strength.full import Full
from engine.values import Choice, Limit, Report


def only_move(_search: Search, request: MoveRequest[Position]) -> Choice | None:
    """Returns the only legal move, unless reports or a restriction require a search."""
    moves = request.position.legal_moves()
    if len(moves) > 1 or request.on_report is not None or request.restriction is not None:
        return None
    return Choice(moves[0], "This is the only move.")


# Steps for moves that no strength has a choice in, by the game; they hold for every persona.
WITHOUT_CHOICE: dict[str, tuple[BeforeSearch, ...]] = {"einstein": (place_pieces,)}
GO_MANNERS = (go.friendly_pass, go.play_on, go.fill_dame, go.cleanup, go.pass_ahead)
STEPS: dict[str, Steps[Any]] = {  # each row takes its own game's positions
    "go": Steps(after_search=(go.resign,), manners=GO_MANNERS),
    # No resignation: the end is near, and the opponent may still err.
    "othello": Steps(before_search=(only_move, play_exactly)),
    "connect4": Steps(before_search=(only_move, play_exactly)),
    "chess": Steps(
        before_search=(only_move, play_from_book, play_by_tables), after_search=(hunt_king,)
    ),
    "darkchess": Steps(before_search=(only_move,), after_search=(play_hunt,)),
    "einstein": Steps(before_search=(only_move, *WITHOUT_CHOICE["einstein"])),
}


ENDINGS: dict[str, tuple[BeforeSearch, ...]] = {  # of personas with an ending of their own
    "go": (end_by_score,),
    "othello": (only_move, end_exactly, end_by_score),
}


def steps_of(request: MoveRequest[Position]) -> Steps[Any]:
    """Returns the steps of the request's game, or of its persona's method below full strength.

    Weakened personas never solve or resign: either would reveal their strength. Personas with an
    ending never resign: their target may be a loss. Parts of a persona come before its strength, a
    style comes last.
    """
    steps = STEPS[request.game]
    endings = () if request.persona.ending is None else ENDINGS[request.game]
    before = (*endings, *steps.before_search)
    if endings:
        steps = replace(steps, after_search=())
    if not isinstance(request.persona.strength, Full):
        method = METHODS[type(request.persona.strength)]
        before = (
            only_move,
            *WITHOUT_CHOICE.get(request.game, ()),
            *(() if method.handles_ending else endings),
            *method.before_search,
        )
        steps = replace(method, manners=steps.manners)
    prepare = (keep_natural, *steps.prepare, weigh_by_style, halve_time_if_mixed)
    after = (*steps.after_search, play_mixed, play_style)
    return replace(steps, prepare=prepare, before_search=before, after_search=after)


def choose(search: Search, request: MoveRequest[Position]) -> Choice:
    """Returns the move to play, None to resign, with its reason and the search's report.

    The search is at the request's position before and after.
    """
    steps = steps_of(request)
    started, first_request = search.now(), request
    for prepare in steps.prepare:
        request = prepare(search, request)
    choice = _decide(search, request, steps)
    if choice.move is None:
        return choice
    if request.remarks:
        choice = replace(choice, reason=" ".join((choice.reason, *request.remarks)))
    # Manners obey the request's restriction, not that of naturalness, within the time left.
    if steps.manners:
        request = replace(request, restriction=first_request.restriction)
    for behave in steps.manners:
        left = first_request.limit.after(search.now() - started)
        choice = behave(search, _within(request, left), choice) or choice
    return choice


def _decide(search: Search, request: MoveRequest[Position], steps: Steps[Any]) -> Choice:
    """Returns the choice of the first step with one, else the search's best move."""
    started, limit = search.now(), request.limit
    for before in steps.before_search:
        choice = before(search, _within(request, limit))
        if choice is not None:
            return choice
        limit = request.limit.after(search.now() - started)
    report = _with_lines(request).searched(search, limit)
    best = report.best
    if best is None:
        return Choice(_least(request.position), "No other move is allowed.", report)
    for after in steps.after_search:
        choice = after(search, request, report)
        if choice is not None:
            return choice
    return Choice(best.move, strength_of(report), report)


def _within(request: MoveRequest[Position], limit: Limit) -> MoveRequest[Position]:
    """Returns the request with this limit; the same one where it has the limit already."""
    return request if limit is request.limit else replace(request, limit=limit)


def _with_lines(request: MoveRequest[Position]) -> MoveRequest[Position]:
    """Returns the request for all lines of another engine, or for few where one move counts."""
    persona, options = request.persona, request.options
    needs_all = persona.mixed is not None or not isinstance(persona.strength, Full)
    lines = None if needs_all else options.lines or 1
    return (
        request
        if lines == options.lines
        else replace(request, options=replace(options, lines=lines))
    )


def _least(position: Position) -> int:
    """Returns a legal move beyond every restriction: a pass, else the first move."""
    moves = position.legal_moves()
    return position.pass_move if position.pass_move in moves else moves[0]


def strength_of(report: Report) -> str:
    """Returns the search's evaluation of its move as a sentence."""
    root = report.root
    return (
        f"After {root.visits} visits the win rate is {root.win_rate:.1%} and the score lead "
        f"{root.score_lead:+.1f}."
    )
