"""Whatever arrives, every line said is one that NBoard's protocol has, and pings are answered."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from protocols.lines import OverlongLine
from protocols.nboard import COMMANDS
from tests.support.line_talk import StandInPlayer
from tests.support.nboard_conversation import Conversation
from tests.support.nboard_strict import LINES

KNOWN_WORDS = (
    "F5 d6 PA pa f5/1/2 F5//2.1 0 1 -1 2 64 1e9 99999999999 nan game depth contempt (;GM[Othello] "
    "BO[8 ---------------------------O*------*O--------------------------- *] B[F5] ;) TI[1:00]"
).split(" ")
LINES_SENT = st.one_of(
    st.binary(max_size=60).map(lambda data: data.decode("utf-8", "replace")),
    st.text(max_size=60),
    st.builds(
        lambda name, words: " ".join([name, *words]),
        st.sampled_from([*COMMANDS, "set", "F5", "quit"]),
        st.lists(st.one_of(st.sampled_from(KNOWN_WORDS), st.text(max_size=5)), max_size=8),
    ),
)


def test_a_line_too_long_is_refused_whole() -> None:
    conversation = Conversation()
    heard = conversation.say([OverlongLine("move F5")])
    assert heard == ["status ignored a line of more than 4194304 bytes"]
    assert conversation.player.position.move_number == 0


@given(st.lists(LINES_SENT, max_size=12))
@settings(max_examples=150)
def test_only_lines_of_the_protocol_come_back(lines: list[str]) -> None:
    conversation = Conversation(StandInPlayer(exact_from=59))
    for line in [line.replace("\n", " ") for line in lines]:
        for answer in conversation.say([line]):
            assert LINES[answer.split(" ")[0]].fullmatch(answer), (line, answer)
            assert "internal error" not in answer
    assert conversation.say(["ping 5"]) == ["pong 5"]
