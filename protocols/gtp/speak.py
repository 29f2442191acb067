"""GTP as a row of the table of protocols: one client, one session, from first line to last."""

from __future__ import annotations

import logging
import secrets

from engine.records import SettingError
from engine.resident import Network
from engine.search import Search
from engine.session import Session, SessionSettings
from protocols.gtp import parameters
from protocols.gtp.codec import Reply
from protocols.gtp.engine import GtpEngine
from protocols.inbox import Inbox
from protocols.outbox import Outbox
from protocols.speak import Protocol, Request

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


def speak(network: Network, request: Request, inbox: Inbox, outbox: Outbox) -> None:
    """Answers one client's lines until `quit` or the end of its input."""
    search = Search(network.evaluator, cache=network.cache, seed=secrets.randbits(63))
    session = Session(search, session_settings(request.overrides))
    engine = GtpEngine(session, outbox.emit, inbox, folder=request.folder)
    going_on = True
    while going_on:
        if not inbox.waiting():
            engine.idle()
        line = inbox.take()
        going_on = line is not None and engine.handle(line)


def refuse(text: str) -> str:
    """The answer to a client that cannot be served."""
    answer: list[str] = []
    Reply("", answer.append).fail(text)
    return "".join(answer)


GTP = Protocol(speak, refuse)
