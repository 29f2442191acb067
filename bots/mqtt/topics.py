"""The topics of the service, and the topics to which a client may have its replies sent.

A reply is published with the engine's rights at the broker. A client could otherwise reach topics
beyond its own rights.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

LONGEST_TOPIC = 200  # characters
NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")


class BadTopicError(ValueError):
    """A topic cannot be used; the text says why."""


@dataclass(frozen=True)
class Topics:
    """The topics of one engine. prefix: the first levels of all."""

    prefix: str
    name: str
    group: str

    @property
    def requests(self) -> str:
        """The topic of requests to this engine."""
        return f"{self.prefix}/engines/{self.name}/requests"

    @property
    def shared_requests(self) -> str:
        """The topic of requests to any engine of the group."""
        return f"{self.prefix}/requests"

    @property
    def shared_subscription(self) -> str:
        """The filter by which the engines of the group share the requests."""
        return f"$share/{self.group}/{self.shared_requests}"

    @property
    def presence(self) -> str:
        """The topic of this engine's presence."""
        return f"{self.prefix}/engines/{self.name}/presence"

    @property
    def faults(self) -> str:
        """The topic of messages without a usable way back."""
        return f"{self.prefix}/engines/{self.name}/faults"

    def states(self, game: str) -> str:
        """Returns the topic of a game's states."""
        return f"{self.prefix}/games/{game}/state"

    @property
    def own(self) -> tuple[str, ...]:
        """The filters of the topics of all engines with this prefix."""
        return (self.shared_requests, f"{self.prefix}/engines/#", f"{self.prefix}/games/#")

    @property
    def usual_reply_filter(self) -> str:
        """The filter of topics for replies without another setting."""
        return f"{self.prefix}/clients/#"


def check_reply_topic(topic: str, filters: Sequence[str], own: Sequence[str] = ()) -> None:
    """Raises BadTopicError unless a reply may go to the topic.

    filters: of the topics for replies. own: of the service's own topics, closed in any case.
    """
    if not topic or len(topic) > LONGEST_TOPIC:
        raise BadTopicError(f"a topic for replies has 1 to {LONGEST_TOPIC} characters")
    if UNPRINTABLE.search(topic):
        raise BadTopicError("a topic for replies has no control characters")
    if "+" in topic or "#" in topic:
        raise BadTopicError("a topic for replies has no wildcards")
    if topic.startswith("$"):
        raise BadTopicError("a topic for replies does not begin with $")
    if any(matches(topic, each) for each in own):
        raise BadTopicError("the service's own topics take no replies")
    if not any(matches(topic, each) for each in filters):
        raise BadTopicError(f"replies go to {' or '.join(filters)} alone")


def matches(topic: str, topic_filter: str) -> bool:
    """Tests whether a topic matches a filter with the wildcards + and #.

    >>> matches("a/b/c", "a/+/c"), matches("a", "a/#"), matches("a/b", "a"), matches("$a", "#")
    (True, True, False, False)
    """
    if topic.startswith("$") and topic_filter[:1] in {"+", "#"}:
        return False  # MQTT 5, section 4.7.2
    levels = topic.split("/")
    wanted = topic_filter.split("/")
    if wanted[-1] == "#":
        wanted.pop()
        levels = levels[: len(wanted)]
    return len(levels) == len(wanted) and all(
        each in {"+", level} for level, each in zip(levels, wanted, strict=True)
    )
