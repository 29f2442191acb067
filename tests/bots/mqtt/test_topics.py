"""Replies reach topics of the configuration's filters alone."""

from __future__ import annotations

import pytest

from bots.mqtt.topics import BadTopicError, Topics, check_reply_topic, matches

OWN = ("sparring/clients/#", "boards/+/replies")
BAD = [
    "",
    "$SYS/broker/uptime",
    "$share/sparring/sparring/requests",
    "#",
    "+",
    "sparring/clients/+",
    "sparring/clients/#",
    "sparring/clients/a\0",
    "sparring/clients/a\n",
    "sparring/clients/\ufffe",
    "sparring/clients/" + "x" * 200,
    "sparring/requests",
    "sparring/engines/e1/presence",
    "sparring/engines/e1/requests",
    "sparring/games/e1.1/state",
    "sparring",
    "sparring/clientsx/1",
    "other/clients/1",
    "boards/a/b/replies",
    "boards/a/replies/more",
]


@pytest.mark.parametrize("topic", BAD)
def test_foreign_topics_are_refused(topic: str) -> None:
    with pytest.raises(BadTopicError):
        check_reply_topic(topic, OWN)


@pytest.mark.parametrize("topic", ["sparring/clients/a/replies", "boards/7/replies"])
def test_topics_of_the_filters_are_open(topic: str) -> None:
    check_reply_topic(topic, OWN)


@pytest.mark.parametrize("topic", ["a/b/requests", "a/b/engines/e2/presence", "a/b/games/x/state"])
def test_the_services_own_topics_are_closed_in_any_case(topic: str) -> None:
    own = Topics("a/b", "e1", "g").own
    check_reply_topic(topic, ("#",))
    with pytest.raises(BadTopicError, match="own topics"):
        check_reply_topic(topic, ("#",), own)
    check_reply_topic("a/b/clients/x", ("#",), own)


def test_the_widest_filter_does_not_open_system_topics() -> None:
    check_reply_topic("anything/at/all", ("#",))
    assert not matches("$SYS/x", "#")
    with pytest.raises(BadTopicError):
        check_reply_topic("$SYS/x", ("#",))
