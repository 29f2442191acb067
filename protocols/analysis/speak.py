"""The analysis protocol as a row of the table of protocols."""

from __future__ import annotations

import json
from collections.abc import Callable

from engine.errors import SettingError
from engine.games.evaluator import NetworkDescription
from engine.play.network_lease import Lease
from protocols.analysis.conversation import MOST_WAITING, Conversation
from protocols.analysis.scheduler import Scheduler
from protocols.analysis.settings import QuerySettings, overridden
from protocols.client_searches import ClientSearches
from protocols.conversation import ClientRequest, Protocol
from protocols.inbox import Inbox
from protocols.outbox import Outbox
from protocols.parameters import check_network, named_values


def defaults(
    overrides: str, network: NetworkDescription, warn: Callable[[str], None]
) -> QuerySettings:
    """Returns the default settings of queries, and warns about unused overrides.

    overrides: "name=value,name=value".
    """
    settings = QuerySettings()
    for name, value in named_values(overrides):
        try:
            changed, warnings = overridden(settings, {name: value})
            check_network(changed.search, network)
        except SettingError as error:
            warn(f"--override-config: {error}")
            continue
        settings = changed
        for warning in warnings:
            warn(f"--override-config: {warning}")
    return settings


def analysis_protocol(scheduler: Scheduler, most_positions: int = MOST_WAITING) -> Protocol:
    """The protocol, its searches run by `scheduler`; most_positions: of one query."""

    def opened(
        lease: Lease, request: ClientRequest, inbox: Inbox, outbox: Outbox
    ) -> Callable[[], None]:
        network = lease.network.evaluator.network
        settings = defaults(request.overrides, network, request.warn)
        outbox.on_room = scheduler.wake
        conversation = Conversation(
            lease.network,
            scheduler,
            outbox,
            settings,
            source=ClientSearches(lease),
            rights=request.rights,
            bounds=lease.bounds,
            most_positions=most_positions,
        )

        def answer_all() -> None:
            try:
                while (line := inbox.take()) is not None:
                    conversation.handle(line)
            finally:
                finish = request.finish and not inbox.abandoned()
                conversation.leave(finish=finish, gone=lambda: inbox.abandoned() or outbox.closed)

        return answer_all

    return Protocol(opened, lambda text: json.dumps({"error": text}) + "\n")
