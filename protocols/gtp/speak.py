"""GTP as a row of the table of protocols: one client, one session, from first line to last."""

from __future__ import annotations

import logging
from dataclasses import replace
from functools import partial

from engine.records import SettingError
from engine.resident import Seat
from engine.session import Session
from engine.session_settings import SessionSettings
from engine.terms import usual_terms
from protocols.gtp import parameters
from protocols.gtp.codec import Reply
from protocols.gtp.engine import GtpEngine
from protocols.inbox import Inbox
from protocols.outbox import Outbox
from protocols.remembering import acquaintance_of
from protocols.seating import Searches
from protocols.speak import Conversation, Protocol, Request

log = logging.getLogger("sparring")


def session_settings(overrides: str) -> SessionSettings:
    """The settings of a session; `overrides` is "name=value,name=value". Warns of unusable ones."""
    settings = SessionSettings()
    for pair in filter(str.strip, overrides.split(",")):
        name, _, value = pair.partition("=")
        try:
            settings = parameters.with_changes(settings, {name.strip(): value.strip()})
        except SettingError as error:
            log.warning("gtp: not used here: %s", error)
    return settings


def opened(seat: Seat, request: Request, inbox: Inbox, outbox: Outbox) -> Conversation:
    """Returns the conversation that a request asks for; SettingError where it cannot be had."""
    board = request.board or GTP.board
    persona = request.rights.persona(request.persona, board.game)
    settings = replace(session_settings(request.overrides), persona=persona)
    searches = Searches(seat)
    session = Session(
        searches.on(board),
        settings,
        terms=usual_terms(board.game, request.terms),
        search_for=searches.on,
        reference_for=searches.reference_on,
        biased_for=searches.biased_by,
    )
    session.encounter.meet(acquaintance_of(seat.memory, request))
    engine = GtpEngine(
        session,
        outbox.emit,
        inbox,
        rights=request.rights,
        search_for=searches.on,
        points=request.points,
        memory=seat.memory,
        terms=request.terms,
    )
    return partial(answer_all, engine, inbox)


def answer_all(engine: GtpEngine, inbox: Inbox) -> None:
    """Answers one client's lines until `quit` or the end of its input."""
    going_on = True
    while going_on:
        if not inbox.waiting():
            engine.idle()
        line = inbox.take()
        going_on = line is not None and engine.handle(line)
    engine.settle()


def refuse(text: str) -> str:
    """The answer to a client that cannot be served."""
    answer: list[str] = []
    Reply("", answer.append).fail(text)
    return "".join(answer)


GTP = Protocol(opened, refuse)
