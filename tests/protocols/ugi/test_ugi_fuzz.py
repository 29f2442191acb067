"""Whatever arrives, every line said is one of UGI's, and every search is answered."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from protocols.lines import OverlongLine
from protocols.ugi import COMMANDS
from tests.support.ugi_conversation import Conversation

KNOWN_WORDS = (
    "startpos fen pons moves f5 d6 4 4453 pass 0000 8/8/8/3ox3/3xo3/8/8/8 7/7/7/7/7/7 x o name "
    "value Game MultiPV connect4 othello6 connect4-9x5 gameover p1turn result p1time p2time p1inc "
    "movetime depth nodes 1 -1 0 99999999999999999999 infinite"
).split()
LINES_SENT = st.one_of(
    st.binary(max_size=60).map(lambda data: data.decode("utf-8", "replace")),
    st.text(max_size=60),
    st.builds(
        lambda name, words: " ".join([name, *words]),
        st.sampled_from(list(COMMANDS)),
        st.lists(st.one_of(st.sampled_from(KNOWN_WORDS), st.text(max_size=5)), max_size=8),
    ),
)
MOVE = r"(?:[a-j](?:10|[1-9])|pass|[1-9][0-9]?)"
ANSWER = re.compile(
    r"id (?:name|author) [ -~]+|option name [ -~]+|ugiok|readyok|response \w+|info string [ -~]+|"
    rf"bestmove (?:{MOVE}|0000)|"
    r"info depth \d+(?: multipv \d+)? score cp -?\d+ nodes \d+ nps \d+ time \d+ pv "
    rf"{MOVE}(?: {MOVE})*"
)


def test_a_line_too_long_is_refused_whole() -> None:
    conversation = Conversation()
    heard = conversation.say([OverlongLine("position startpos moves f5")])
    assert heard == ["info string ignored a line of more than 4194304 bytes"]
    assert conversation.player.position.move_number == 0


@given(st.lists(LINES_SENT, max_size=12))
@settings(max_examples=150)
def test_only_lines_of_the_protocol_come_back(lines: list[str]) -> None:
    conversation = Conversation(exact_from=58)
    for line in [line.replace("\n", " ") for line in lines]:
        heard = conversation.say([line, "stop"])  # else an endless search waits for it
        for answer in heard:
            assert ANSWER.fullmatch(answer), (line, answer)
            assert "internal error" not in answer
        searched = line.split()[:1] == ["go"]
        assert sum(answer.startswith("bestmove") for answer in heard) == searched
    assert conversation.say(["isready"]) == ["readyok"]
