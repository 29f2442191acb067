"""The page as a row of the table of protocols: one browser, from its first message to its last."""

from __future__ import annotations

from collections.abc import Callable

from engine.play.network_lease import Lease
from protocols.client_searches import ClientSearches
from protocols.conversation import ClientRequest, Conversation, Protocol
from protocols.inbox import Inbox
from protocols.outbox import Outbox
from protocols.page.conversation import PageConversation
from protocols.page.lobby import Lobby
from protocols.page.messages import written
from protocols.page.offers import refusals


def page_protocol(lobby: Lobby) -> Protocol:
    """Returns the protocol's row; lobby: the visitors of this process."""
    return Protocol(opening(lobby), refuse)


def opening(lobby: Lobby) -> Callable[[Lease, ClientRequest, Inbox, Outbox], Conversation]:
    """Returns the opening of a conversation with one browser."""

    def opened(lease: Lease, request: ClientRequest, inbox: Inbox, outbox: Outbox) -> Conversation:
        conversation = PageConversation(
            lambda: ClientSearches(lease),
            lease.memory,
            lobby,
            rights=request.rights,
            defaults=request.defaults,
            name=request.opponent,
            refused=refusals(lease.choice_on),
            guest=lobby.guests.admit("" if request.rights.is_user else request.guest),
            inbox=inbox,
            emit=outbox.emit,
        )
        return conversation.run

    return opened


def refuse(text: str) -> str:
    """Returns the answer to a refused client."""
    return written("error", text=text)
