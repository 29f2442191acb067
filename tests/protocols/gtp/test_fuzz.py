"""Whatever arrives, each command gets one answer, and the engine goes on."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocols.gtp import COMMANDS
from protocols.gtp.codec import GtpError, read
from protocols.lines import LineSplitter
from tests.support.gtp_conversation import Conversation

KNOWN_WORDS = (
    "b w black green pass resign D4 A1 T19 Z99 i5 (1,1) 0 1 2 9 19 -1 1e400 nan 0.5 true alive "
    "dead seki none byoyomi canadian fischer fischer-capped avoid allow interval rootInfo name "
    "value { {} [] maxVisits ownership 4294967296 chinese japanese f5 d3 e6 a1 C4 othello connect4 "
    "1,2,3,4,5,6,7 b1,a2,c4,d3 PA 4x4"
).split()
WORDS = st.one_of(
    st.sampled_from(KNOWN_WORDS),
    st.text(max_size=6),
    st.integers(-5, 400).map(str),
)
LINES = st.one_of(
    st.binary(max_size=60).map(lambda data: data.decode("utf-8", "replace")),
    st.text(max_size=60),
    st.builds(
        lambda number, name, words: " ".join([*number, name, *words]),
        st.lists(st.integers(0, 2**33).map(str), max_size=1),
        st.sampled_from(sorted({name for table in COMMANDS.values() for name in table} - {"quit"})),
        st.lists(WORDS, max_size=5),
    ),
)
ANSWER = re.compile(r"[=?][0-9]* [^\n\x00-\x09\x0b-\x1f]*(\n[^\n]+)*\n\n|=[0-9]*\n([^\n]+\n)*\n")


def expects_answer(line: str) -> bool:
    try:
        return read(line) is not None
    except GtpError:
        return True


@pytest.fixture(scope="module")
def faults() -> Iterator[list[str]]:
    """The internal errors logged so far; of a reply under way they are not seen otherwise."""
    found: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: found.append(record.getMessage())  # type: ignore[method-assign]
    logger = logging.getLogger("protocols.gtp.engine")
    logger.addHandler(handler)
    yield found
    logger.removeHandler(handler)


@pytest.mark.parametrize(
    ("game", "board"), [("go", "boardsize 5"), ("othello", "boardsize 4"), ("connect4", "komi 0")]
)
@given(lines=st.lists(LINES, max_size=12))
@settings(max_examples=60)
def test_one_answer_a_command(faults: list[str], game: str, board: str, lines: list[str]) -> None:
    faults.clear()
    conversation = Conversation(visits=3, game=game)
    conversation.say(board)
    for line in [line.replace("\n", " ") for line in lines]:
        answer = conversation.hear(line)
        if expects_answer(line):
            assert ANSWER.fullmatch(answer), (line, answer)
        else:
            assert answer == ""
    assert conversation.say("protocol_version") == "2"
    assert not faults


@given(st.binary(max_size=400), st.lists(st.integers(0, 400), max_size=6))
def test_bytes_cut_anywhere_give_the_same_answers(data: bytes, cuts: list[int]) -> None:
    whole = LineSplitter()
    expected = whole.feed(data) + whole.finish()
    splitter = LineSplitter()
    edges = [0, *sorted(cuts), len(data)]
    lines = [line for start, end in pairwise(edges) for line in splitter.feed(data[start:end])]
    assert lines + splitter.finish() == expected
