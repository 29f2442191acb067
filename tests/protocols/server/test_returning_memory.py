"""The memory that lets a lost conversation return: a client's lines, the engine's files."""

from __future__ import annotations

import json
import os
import re
import time
from pathlib import Path

import pytest

from engine.errors import SettingError
from protocols.saved_sessions import SavedSessions
from protocols.server.analysis_memory import AnalysisMemory
from protocols.server.gtp_memory import GtpMemory
from protocols.server.position_memory import NBOARD, UCI, UGI, Grammar, PositionMemory


def test_a_position_and_its_settings_are_sent_again() -> None:
    memory = PositionMemory(NBOARD)
    memory.sent([b"nboard 2", b"set depth 3", b"set game (;old;)", b"move F5", b"set depth 4"])
    memory.received(b"set myname Sparring\nset myname Spa")
    memory.lost()
    memory.sent([b"set game (;new;)", b"move D3", b"hint 3", b"ping 7", b"go\r"])
    assert memory.again().split(b"\n") == [
        b"set depth 4", b"set game (;new;)", b"move D3", b"hint 3", b"ping 7", b"go", b"",
    ]  # fmt: skip
    memory.received(b"pong 7\nstatus Sparring is thinking\n")
    assert memory.again().endswith(b"move D3\ngo\n")
    memory.received(b"=== C4/1.00/0.1\n")
    assert not memory.is_waiting()


# Lines sent (>) and received (<), and the lines that are sent again after a return.
CHESS_AGAIN = [
    ("> go infinite > stop < bestmove", ""),
    ("> go infinite > stop < bestmove > go movetime 9 < bestmove", ""),
    ("> go infinite > isready < readyok", "go infinite"),
    ("> go infinite > isready > stop < readyok", "go infinite,stop"),
    ("> go infinite > stop > go movetime 9 < bestmove", "go movetime 9"),
    ("> go infinite > go movetime 9 > stop < bestmove", "go movetime 9,stop"),
    ("> stop > isready", "isready"),
    ("> isready > stop < bestmove", "isready"),
]


@pytest.mark.parametrize("grammar", [UCI, UGI], ids=["uci", "ugi"])
@pytest.mark.parametrize(("lines", "again"), CHESS_AGAIN)
def test_each_search_is_sent_again_until_its_answer(
    grammar: Grammar, lines: str, again: str
) -> None:
    memory = PositionMemory(grammar)
    for sign, *words in (each.split() for each in re.split(r" (?=[<>])", lines)):
        line = " ".join(words).encode()
        if sign == ">":
            memory.sent([line])
        else:
            memory.received(line + b" e2e4\n")
    assert memory.again().decode() == "".join(f"{line}\n" for line in again.split(",") if line)
    assert memory.is_waiting() == bool(again)


def test_a_ponderhit_belongs_to_its_search() -> None:
    memory = PositionMemory(UCI)
    memory.sent([b"go ponder", b"ponderhit"])
    assert memory.again() == b"go ponder\nponderhit\n"
    memory.received(b"bestmove e2e4\n")
    memory.sent([b"ponderhit"])
    assert not memory.is_waiting()


def test_answers_go_to_stdout_whole_wherever_their_bytes_are_cut() -> None:
    """The end of an analysis came in a packet of its own, and the next answer lost its text."""
    lines = [b"kata-analyze b 10", b"name", b"4 lz-analyze", b"version", b"undo"]
    told = b"=\ninfo move D4\ninfo move Q4\n\n= Sparring\n\n=4\n\n= 1.0\n\n? cannot undo\n\n"
    for first in range(len(told) + 1):
        for second in range(first, len(told) + 1):
            memory = GtpMemory()
            memory.sent(lines)
            parts = told[:first], told[first:second], told[second:]
            assert b"".join(memory.received(part)[0] for part in parts) == told
            assert not memory.is_waiting()
            assert memory.options() == {"received": len(lines)}


def test_an_answer_in_parts_is_not_begun_twice() -> None:
    memory = GtpMemory()
    memory.sent([b"1 name", b"# a comment", b"2 kata-genmove_analyze b", b"3 play w D4"])
    assert memory.received(b"=1 Spar") == (b"", False)
    assert memory.received(b"ring\n\n=2\ninfo move D4\ninfo mo") == (
        b"=1 Sparring\n\n=2\ninfo move D4\n", False,
    )  # fmt: skip
    memory.lost()
    assert memory.options() == {"received": 1}
    assert memory.again() == b"2 kata-genmove_analyze b\n3 play w D4\n"
    assert memory.received(b"=2\nplay D4\n\n=3 \n\n") == (b"play D4\n\n=3 \n\n", False)
    assert memory.again() == b""
    assert memory.received(b"\x04\n") == (b"", True)


def test_a_list_of_lines_is_given_whole() -> None:
    memory = GtpMemory()
    memory.sent([b"list_commands"])
    assert memory.received(b"= name\nquit\npl") == (b"", False)
    memory.lost()
    assert memory.received(b"= name\nquit\nplay\n\n") == (b"= name\nquit\nplay\n\n", False)


def test_a_turn_with_its_answer_is_not_asked_again() -> None:
    memory = AnalysisMemory()
    query = {"id": "q", "analyzeTurns": [0, 1, 2], "priorities": [5, 6, 7]}
    memory.sent([json.dumps(query).encode(), b"no json", b"[]", b'{"id": 7}'])
    for answer in (
        {"id": "q", "warning": "w"},
        {"id": "q", "turnNumber": 1, "isDuringSearch": True},
        {"id": "q", "turnNumber": 1, "isDuringSearch": False},
    ):
        memory.received(json.dumps(answer).encode() + b"\n")
    memory.received(b'{"id": "q", "turn')
    memory.lost()
    assert json.loads(memory.again()) == {
        "id": "q", "analyzeTurns": [0, 2], "priorities": [5, 7],
    }  # fmt: skip
    memory.received(b'{"id": "q", "error": "wrong"}\n')
    assert memory.again() == b""


def test_a_token_is_claimed_once_and_old_files_go(tmp_path: Path) -> None:
    sessions = SavedSessions(tmp_path, minutes=10)
    saved = sessions.begin()
    saved.save({"moves": 1})
    ended: list[str] = []
    saved.on_superseded = lambda: ended.append("ended")
    again, state = sessions.claim(saved.token)
    assert (state, ended) == ({"moves": 1}, ["ended"])
    saved.save({"moves": 2})  # the lost conversation writes no more
    assert sessions.claim(saved.token)[1] == {"moves": 1}
    again.discard()  # nor does it remove
    (path,) = tmp_path.glob("*.json")
    assert path.stat().st_mode & 0o777 == 0o600
    assert saved.token not in path.name + path.read_text()
    later = SavedSessions(tmp_path, minutes=10)  # after a restart
    assert later.sweep() == 0
    os.utime(path, (time.time() - 601,) * 2)
    with pytest.raises(SettingError, match="no conversation has this token"):
        later.claim(saved.token)
    assert later.sweep() == 1
    assert not path.exists()


@pytest.mark.parametrize("token", ["", "x", "../../etc/passwd", "A" * 24, "A" * 10_000])
def test_wrong_tokens_tell_nothing(token: str, tmp_path: Path) -> None:
    with pytest.raises(SettingError) as refusal:
        SavedSessions(tmp_path, minutes=1).claim(token)
    assert str(refusal.value).startswith("no conversation has this token")


def test_a_full_disk_is_logged_once_and_the_game_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").touch()
    saved = SavedSessions(tmp_path / "file" / "below", minutes=1).begin()
    saved.save({})
    saved.save({})
    assert [record.getMessage()[:29] for record in caplog.records] == [
        "games cannot be saved for a r"
    ]


def test_a_corrupt_file_is_refused(tmp_path: Path) -> None:
    sessions = SavedSessions(tmp_path, minutes=1)
    saved = sessions.begin()
    saved.save({})
    (path,) = tmp_path.glob("*.json")
    for text in ("", "[1]", "{", "\0"):
        path.write_text(text)
        with pytest.raises(SettingError, match="no conversation has this token"):
            sessions.claim(saved.token)
