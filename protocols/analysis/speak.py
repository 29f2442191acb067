"""The analysis protocol as a row of the table of protocols."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable

from engine.resident import Seat
from protocols.analysis.conversation import Conversation
from protocols.analysis.scheduler import Scheduler
from protocols.analysis.settings import Settings, overridden
from protocols.inbox import Inbox
from protocols.outbox import Outbox
from protocols.speak import Protocol, Request

log = logging.getLogger("sparring")


def defaults(overrides: str) -> Settings:
    """The settings of queries that override none; `overrides` is "name=value,name=value"."""
    pairs = [pair.partition("=") for pair in overrides.split(",") if pair.strip()]
    wanted = {name.strip(): value.strip() for name, _, value in pairs}
    settings, unknown = overridden(Settings(), wanted)
    if unknown:
        log.warning("analysis: not used here: %s", ", ".join(unknown))
    return settings


def analysis_protocol(scheduler: Scheduler) -> Protocol:
    """The protocol, its searches run by `scheduler`."""

    def opened(seat: Seat, request: Request, inbox: Inbox, outbox: Outbox) -> Callable[[], None]:
        settings = defaults(request.overrides)
        outbox.on_room = scheduler.wake
        conversation = Conversation(seat.network, scheduler, outbox, settings)

        def answer_all() -> None:
            try:
                while (line := inbox.take()) is not None:
                    conversation.handle(line)
            finally:
                finish = request.finish and not inbox.abandoned()
                conversation.leave(finish=finish, gone=lambda: inbox.abandoned() or outbox.closed)

        return answer_all

    return Protocol(opened, lambda text: json.dumps({"error": text}) + "\n")
