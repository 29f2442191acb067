"""GTP as a row of the table of protocols: one client, one session, from first line to last."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from engine.games.game_settings import GameSettings, GoSettings, usual_settings
from engine.games.rules import customary_komi
from engine.play.network_lease import Lease
from engine.play.session import Session
from engine.play.session_settings import SessionSettings
from protocols.client_searches import ClientSearches
from protocols.conversation import ClientRequest, Conversation, Protocol
from protocols.gtp import overrides
from protocols.gtp.codec import Reply
from protocols.gtp.engine import GtpEngine
from protocols.inbox import Inbox
from protocols.outbox import Outbox
from protocols.persona_list import level_warnings
from protocols.store_options import opponent_of


def opened(lease: Lease, request: ClientRequest, inbox: Inbox, outbox: Outbox) -> Conversation:
    """Opens the conversation of a request; raises SettingError on an impossible one."""
    board = request.board or GTP.board
    persona = request.persona_for(board.game)
    searches = ClientSearches(lease)
    usual = SessionSettings(persona=persona, budget=request.defaults.budget())
    begun = overrides.read(request.overrides, usual, lease.network.evaluator.network)
    session = Session(
        searches.search_on(board),
        begun.settings,
        game_settings=usual_settings(board.game, request.defaults.game_settings),
        source=searches,
    )
    session.meet(opponent_of(lease.memory, request))
    engine = GtpEngine(
        session,
        outbox.emit,
        inbox,
        rights=request.rights,
        source=searches,
        points=request.points,
        memory=lease.memory,
        game_settings=request.defaults.game_settings,
        as_katago=request.as_katago,
        sessions=request.sessions,
        end=inbox.abandon,
    )
    if request.returning is not None:
        saved, state = request.returning.claim()
        engine.come_back(saved, state, request.returning.received)
        request.token(saved.token)
    elif request.is_saved:
        request.token(engine.save().token)
    begun_warnings = (*begun.warnings, *agree(engine, session, begun))
    for warning in (*begun_warnings, *level_warnings(session)):
        request.warn(warning)
    return partial(answer_all, engine, inbox, searches, ends_in_order=request.answer)


def agree(engine: GtpEngine, session: Session, begun: overrides.Overrides) -> Iterator[str]:
    """Sets the settings of the first game; yields a warning for each failure.

    A komi customary by the old rules becomes the customary one of the new rules.
    """
    customary = begun.leaves_komi and has_customary_komi(session.game.game_settings)
    for command in begun.commands:
        if refusal := engine.refusal(command):
            yield f"--override-config: {refusal}"
    if customary and isinstance(session.game.game_settings, GoSettings):
        komi = customary_komi(session.game.game_settings.rules)
        session.agree(replace(session.game.game_settings, komi=komi))


def has_customary_komi(game_settings: GameSettings) -> bool:
    """Whether the komi is customary by the rules."""
    return isinstance(game_settings, GoSettings) and game_settings.komi == customary_komi(
        game_settings.rules
    )


def answer_all(
    engine: GtpEngine, inbox: Inbox, searches: ClientSearches, *, ends_in_order: bool
) -> None:
    """Answers one client's lines until `quit` or the end of its input, and leaves its searches.

    ends_in_order: the end of the input is the client's word; else it may be a lost connection.
    """
    going_on = True
    try:
        while going_on:
            if not inbox.waiting():
                engine.idle()
            line = inbox.take()
            going_on = line is not None and engine.handle(line)
        engine.settle()
    finally:
        engine.leave(is_over=ends_in_order and not inbox.abandoned())
        searches.leave()


def refuse(text: str) -> str:
    """Returns the answer to a refused client."""
    answer: list[str] = []
    Reply("", answer.append).fail(text)
    return "".join(answer)


GTP = Protocol(opened, refuse)
