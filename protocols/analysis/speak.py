"""The analysis protocol as a row of the table of protocols."""

from __future__ import annotations

import json
from collections.abc import Callable

from engine.errors import SettingError
from engine.games.evaluator import NetworkDescription
from engine.play.network_pool import Seat
from protocols.analysis.conversation import Conversation
from protocols.analysis.scheduler import Scheduler
from protocols.analysis.settings import Settings, overridden
from protocols.conversation import Protocol, Request
from protocols.inbox import Inbox
from protocols.outbox import Outbox
from protocols.parameters import check_network, named_values


def defaults(overrides: str, network: NetworkDescription, warn: Callable[[str], None]) -> Settings:
    """Returns the settings of queries that override none, and warns of what is not used.

    overrides: "name=value,name=value".
    """
    settings = Settings()
    for name, value in named_values(overrides):
        try:
            wanted, warnings = overridden(settings, {name: value})
            check_network(wanted.search, network)
        except SettingError as error:
            warn(f"--override-config: {error}")
            continue
        settings = wanted
        for warning in warnings:
            warn(f"--override-config: {warning}")
    return settings


def analysis_protocol(scheduler: Scheduler) -> Protocol:
    """The protocol, its searches run by `scheduler`."""

    def opened(seat: Seat, request: Request, inbox: Inbox, outbox: Outbox) -> Callable[[], None]:
        network = seat.network.evaluator.network
        settings = defaults(request.overrides, network, request.warn)
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
