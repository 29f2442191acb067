"""Lines heard while an engine thinks: how many it holds, in lines and in bytes."""

from __future__ import annotations

import pytest

from protocols.command_queue import MOST_BYTES, MOST_LINES, CommandQueue, Urgency
from protocols.inbox import Inbox


def listening(*lines: str) -> tuple[CommandQueue, Inbox]:
    """An engine that thinks while these lines arrive, none of which ends the thinking."""
    inbox = Inbox()
    inbox.put(lines)
    return CommandQueue(inbox, lambda _line: Urgency.LATER, lambda _line: None), inbox


@pytest.mark.parametrize("line", ["x", "x" * (MOST_BYTES // 3)], ids=["lines", "bytes"])
def test_a_flood_of_lines_stays_in_the_inbox(line: str) -> None:
    attention, inbox = listening(*[line] * (MOST_LINES + 10))
    assert not attention.interrupted()
    assert inbox.waiting()
    heard = [attention.next() for _ in range(MOST_LINES + 10)]
    assert heard == [line] * (MOST_LINES + 10)


def test_a_flood_of_lines_ends_thinking_without_an_end() -> None:
    attention, _inbox = listening(*["x"] * (MOST_LINES + 10))
    attention.wait()
    assert attention.interrupted_or_ended()
    assert not attention.interrupted()
