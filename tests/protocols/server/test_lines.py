"""Bytes into lines, and the two boxes between a connection and the thread that answers it."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.inbox import PAUSE_AT, PAUSE_BYTES, Inbox
from protocols.lines import LineSplitter, OverlongLine
from protocols.outbox import HIGH_WATER, ClientGoneError, Outbox

PIECES = [
    # received, piece by piece; the lines that result
    ([b"name\nver", b"sion\r\n"], ["name", "version"]),
    ([b"\n\n"], ["", ""]),
    ([b"caf\xc3", b"\xa9\n"], ["café"]),
    ([b"\xff\xfe\n"], ["��"]),
    ([b"half"], []),
]


@pytest.mark.parametrize(("pieces", "lines"), PIECES)
def test_lines_are_cut_at_newlines(pieces: list[bytes], lines: list[str]) -> None:
    splitter = LineSplitter()
    assert [line for piece in pieces for line in splitter.feed(piece)] == lines


def test_the_last_line_needs_no_newline() -> None:
    splitter = LineSplitter()
    splitter.feed(b"name\nquit")
    assert splitter.finish() == ["quit"]
    assert splitter.finish() == []


@given(st.binary(), st.integers(1, 7))
def test_the_cut_of_the_pieces_does_not_matter(data: bytes, size: int) -> None:
    whole, pieces = LineSplitter(), LineSplitter()
    expected = whole.feed(data) + whole.finish()
    found = [
        line
        for start in range(0, len(data), size)
        for line in pieces.feed(data[start : start + size])
    ]
    assert found + pieces.finish() == expected


def test_an_overlong_line_is_refused_without_being_kept() -> None:
    splitter = LineSplitter(longest=1000)
    lines = [line for _ in range(100) for line in splitter.feed(b"x" * 999)]
    assert lines == []
    assert sum(map(len, splitter._parts)) <= 1000
    first, second = splitter.feed(b"x\nname\n")
    assert isinstance(first, OverlongLine)
    assert len(first) == 100
    assert second == "name"
    assert not isinstance(second, OverlongLine)


def test_an_inbox_gives_its_lines_and_then_its_end() -> None:
    inbox = Inbox()
    assert not inbox.waiting()
    inbox.put(["name", "quit"])
    inbox.close()
    assert inbox.waiting()
    assert [inbox.take(), inbox.take(), inbox.take()] == ["name", "quit", None]
    assert not inbox.abandoned()


def test_an_abandoned_inbox_forgets_its_lines() -> None:
    inbox = Inbox()
    inbox.put(["genmove b"])
    inbox.abandon()
    assert inbox.take() is None
    assert inbox.abandoned()


def test_a_full_inbox_pauses_its_reader_until_there_is_room() -> None:
    resumed: list[bool] = []
    inbox = Inbox(on_room=lambda: resumed.append(True))
    assert inbox.put(["name"] * (PAUSE_AT - 1))
    assert not inbox.put(["name"])
    for _ in range(PAUSE_AT // 2):
        inbox.take()
    assert not resumed
    inbox.take()
    assert resumed == [True]


def test_an_inbox_with_too_many_bytes_pauses_its_reader_too() -> None:
    resumed: list[bool] = []
    inbox = Inbox(on_room=lambda: resumed.append(True))
    long = "x" * (PAUSE_BYTES // 4)
    assert inbox.put([long] * 3)
    assert not inbox.put([long])
    inbox.take()
    assert not resumed
    inbox.take()
    inbox.take()
    assert resumed == [True]


def test_an_outbox_makes_writers_wait_for_a_slow_client() -> None:
    outbox = Outbox(wake=lambda: None)
    outbox.emit("x" * HIGH_WATER)
    assert outbox.congested()
    done = threading.Event()

    def write() -> None:
        outbox.emit("late")
        done.set()

    thread = threading.Thread(target=write)
    thread.start()
    assert not done.wait(0.05)
    outbox.sent(sum(map(len, outbox.take())))
    assert done.wait(10)
    thread.join()
    assert outbox.take() == [b"late"]


def test_half_a_surrogate_pair_is_sent_as_an_escape() -> None:
    outbox = Outbox(wake=lambda: None)
    outbox.emit("\u00e9 \ud800")
    assert outbox.take() == [b"\xc3\xa9 \\ud800"]


def test_writing_to_a_closed_outbox_says_that_the_client_is_gone() -> None:
    outbox = Outbox(wake=lambda: None)
    outbox.close()
    outbox.push("nobody")
    assert outbox.take() == []
    with pytest.raises(ClientGoneError):
        outbox.emit("nobody")
