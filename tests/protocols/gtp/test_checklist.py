"""What GTP controllers and analysis GUIs rely on, one test a line of the compliance checklist."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from protocols.gtp import COMMANDS
from protocols.lines import LineSplitter, OverlongLine
from tests.support.gtp_conversation import Conversation

PV = re.compile(r"(pass|[A-Za-z]\d+)(\s+(pass|[A-Za-z]\d+))*$")


def infos(line: str) -> list[dict[str, str]]:
    """The info segments of a line, read as Sabaki reads them; fails where it would drop one."""
    assert line.startswith("info ")
    segments = []
    for segment in re.split(r"\s*info\s+", line)[1:]:
        variation = PV.search(segment)
        assert variation is not None, segment
        *words, last = segment[: variation.start()].split()
        assert last == "pv"
        assert len(words) % 2 == 0
        pairs = dict(zip(words[::2], words[1::2], strict=True))
        assert {"move", "visits", "winrate"} <= pairs.keys()
        segments.append({**pairs, "pv": variation.group()})
    return segments


# ---- GTP


@pytest.mark.parametrize(
    "line",
    [
        "name\r",
        "\tname",
        "na\x00me\x07",
        "name # who are you?",
        "name\x7f",
        "  name  ",
        "\ufeffname",
    ],
)
def test_carriage_returns_controls_comments_and_tabs_are_stripped(
    conversation: Conversation, line: str
) -> None:
    assert conversation.say(line) == "Sparring"


def test_tabs_separate_arguments(conversation: Conversation) -> None:
    assert conversation.say("play\tb\tD4") == ""


@pytest.mark.parametrize(
    "line", ["", "   ", "\t", "# comment", " \r", "99", "99 # nothing", "\x01"]
)
def test_blank_and_id_only_lines_are_silent(conversation: Conversation, line: str) -> None:
    assert conversation.hear(line) == ""


@pytest.mark.parametrize("number", ["0", "1", "007", "2147483647"])
def test_ids_are_echoed(conversation: Conversation, number: str) -> None:
    assert conversation.hear(f"{number} name") == f"={number} Sparring\n\n"
    assert conversation.hear(f"{number} nonsense") == f"?{number} unknown command\n\n"


def test_every_answer_begins_with_its_sign_and_ends_with_the_only_blank_line() -> None:
    conversation = Conversation(visits=2)
    conversation.say("boardsize 7")
    for name in COMMANDS["go"]:
        for arguments in ("", "b", "b D4", "3", "alive", "b 10", "0"):
            answer = conversation.hear(f"{name} {arguments}")
            assert answer[0] in "=?"
            assert answer.endswith("\n\n")
            assert "\n\n" not in answer[:-2]


def test_300_pipelined_commands_are_answered_in_order(conversation: Conversation) -> None:
    moves = [
        f"{i} play {'bw'[i % 2]} {'ABCDEFGHJKLMNOPQRST'[i % 19]}{i // 19 + 1}" for i in range(300)
    ]
    assert [conversation.hear(move) for move in moves] == [f"={i} \n\n" for i in range(300)]


@pytest.mark.parametrize("komi", ["0", "6.5", "-7", "400", "-399.5", "-0"])
def test_whole_and_half_komi_is_accepted(conversation: Conversation, komi: str) -> None:
    conversation.say(f"komi {komi}")
    assert float(conversation.say("get_komi")) == float(komi)


@pytest.mark.parametrize(
    "command", ["boardsize 9 13", "boardsize 9:13", "rectangular_boardsize 9 13"]
)
def test_rectangular_boards(conversation: Conversation, command: str) -> None:
    conversation.say(command)
    conversation.say("play b J13")
    conversation.refused("play b K1")


def test_the_same_color_may_play_repeatedly(conversation: Conversation) -> None:
    for vertex in ("D4", "Q16", "Q4", "D16"):
        conversation.say(f"play b {vertex}")


def test_a_long_sequence_takes_time_linear_in_its_length(conversation: Conversation) -> None:
    began = time.monotonic()
    conversation.say("gogui-play_sequence " + "b pass w pass " * 50_000)
    assert time.monotonic() - began < 20  # minutes where each move copies those before it
    assert len(conversation.session.game.moves) == 100_000


def test_undo_stops_at_the_handicap_and_passes_count_as_moves(conversation: Conversation) -> None:
    conversation.say("fixed_handicap 2")
    conversation.say("play w pass")
    conversation.say("play b D10")
    conversation.say("undo")
    conversation.say("undo")
    assert conversation.refused("undo") == "cannot undo"
    assert conversation.session.game.position.stones.sum() == 2


def test_handicaps_fixed_free_and_set(conversation: Conversation) -> None:
    assert len(conversation.say("fixed_handicap 9").split()) == 9
    conversation.say("clear_board")
    placed = conversation.say("place_free_handicap 13").split()
    assert 2 <= len(set(placed)) <= 13
    conversation.say("clear_board")
    conversation.say("set_free_handicap " + " ".join(placed))
    assert conversation.session.game.position.handicap_stones == len(placed)  # type: ignore[attr-defined]


def test_black_moves_in_a_row_are_a_handicap(conversation: Conversation) -> None:
    conversation.say("kata-set-rules chinese")
    for vertex in ("D4", "Q16", "Q4"):
        conversation.say(f"play b {vertex}")
    conversation.say("play w D16")
    assert conversation.session.game.position.handicap_stones == 3  # type: ignore[attr-defined]


def test_time_settings_special_cases(conversation: Conversation) -> None:
    conversation.say("time_settings 0 1 0")
    assert conversation.session.clocks[0].unlimited
    conversation.say("time_settings 30 0 0")
    assert conversation.session.clocks[0].main == 30
    assert conversation.session.clocks[0].periods == 0


def test_the_time_system_may_change_in_the_middle_of_a_game(conversation: Conversation) -> None:
    """The order gtp2ogs has: fake Canadian time first, KGS's from the second move on."""
    for line in (
        "boardsize 9", "clear_board", "komi 7", "time_settings 360 30 1",
        "time_left black 360 0", "time_left white 359 0", "genmove white", "play black c7",
        "kgs-time_settings byoyomi 300 30 3", "time_left black 299 0", "time_left white 300 0",
        "genmove white",
    ):  # fmt: skip
        conversation.say(line)
    assert conversation.session.clocks[1].control.periods == 3


def test_time_left_counts_periods_under_byoyomi(conversation: Conversation) -> None:
    conversation.say("kgs-time_settings byoyomi 300 30 5")
    conversation.say("time_left b 12 4")
    clock = conversation.session.clocks[0]
    assert (clock.periods, clock.period, clock.stones) == (4, 12, 1)


def test_an_empty_status_list_is_an_empty_answer(conversation: Conversation) -> None:
    assert conversation.hear("final_status_list dead") == "= \n\n"
    assert conversation.hear("final_status_list seki") == "= \n\n"


def test_loadsgf_stops_before_the_move(tmp_path: Path) -> None:
    conversation = Conversation(folder=tmp_path)
    (tmp_path / "game.sgf").write_text("(;GM[1]SZ[9]KM[5.5]AB[cc][gg];W[ee];B[ec](;W[gc])(;W[aa]))")
    conversation.say("loadsgf game.sgf 2")
    assert conversation.session.game.moves == ((1, 40),)
    conversation.say("loadsgf game.sgf")
    assert len(conversation.session.game.moves) == 3
    assert conversation.say("get_komi") == "5.5"
    conversation.refused("loadsgf nothing.sgf")
    conversation.refused("loadsgf game.sgf 0")
    assert len(conversation.session.game.moves) == 3


@pytest.mark.parametrize("color", ["b", "B", "black", "BLACK", "Black"])
@pytest.mark.parametrize("vertex", ["d4", "D4", "pass", "PASS", "Pass"])
def test_colors_and_vertices_in_any_case(
    conversation: Conversation, color: str, vertex: str
) -> None:
    conversation.say(f"play {color} {vertex}")


def test_resignation_may_be_told(conversation: Conversation) -> None:
    conversation.say("play w RESIGN")
    assert conversation.session.game.resigned == 1


def test_a_line_of_ten_megabytes_is_refused(conversation: Conversation) -> None:
    splitter = LineSplitter()
    lines: list[str] = []
    for _ in range(160):
        lines += splitter.feed(b"x" * 2**16)
    (line,) = lines + splitter.feed(b"\n")
    assert isinstance(line, OverlongLine)
    assert conversation.refused(line).startswith("line longer than")
    assert conversation.say("name") == "Sparring"


def test_quit_is_answered_before_leaving(conversation: Conversation) -> None:
    assert conversation.engine.handle("name")
    conversation.emitted.clear()
    assert not conversation.engine.handle("5 quit")
    assert conversation.emitted == ["=5 \n\n"]


def test_a_fault_of_the_program_is_no_rule_answer(
    conversation: Conversation, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr(conversation.session, "play", fail)
    assert conversation.refused("4 play b D4") == "4 internal error: by zero"
    assert "ZeroDivisionError" in caplog.text


# ---- Analysis


def test_the_commands_that_guis_look_for_are_listed(conversation: Conversation) -> None:
    listed = conversation.say("list_commands").split("\n")
    assert {"kata-analyze", "kata-genmove_analyze", "lz-analyze", "lz-genmove_analyze"} < set(
        listed
    )
    assert not {"analyze", "genmove_analyze"} & set(listed)
    assert all(re.fullmatch(r"[a-z0-9_-]+", name) for name in listed)


def test_the_sign_comes_at_once_and_any_line_stops(conversation: Conversation) -> None:
    conversation.inbox.patience = 5000  # long enough on a machine with nothing else to do
    conversation.say("boardsize 9")
    conversation.engine.handle("kata-analyze b 1")
    first, second, *_, last = conversation.emitted[1:]
    assert first == "=\n"
    assert second.startswith("info ")
    assert last == "\n"
    assert conversation.say("name") == "Sparring"


def test_first_line_of_an_analysis_does_not_wait_for_the_interval(
    conversation: Conversation,
) -> None:
    conversation.inbox.patience = 100  # tests of the search for input, far less than an hour
    conversation.say("boardsize 9")
    lines = conversation.hear("kata-analyze b 360000 rootInfo true").split("\n")
    assert lines[0] == "="
    assert lines[1].startswith("info move ")
    assert " rootInfo visits 2 " in lines[1]
    assert lines[2:] == ["", ""]


def test_analysis_waits_for_input_even_when_the_search_has_ended(
    conversation: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.play.session.ANALYSIS_VISITS", 5)
    conversation.inbox.patience = 10**9
    answer = conversation.hear("8 lz-analyze")
    assert answer.startswith("=8\ninfo move ")  # what was found is told before the wait
    assert answer.endswith("\n\n")
    assert answer.count("\n") == 4  # the first report and the last one
    assert conversation.inbox.waits == 1


@pytest.mark.parametrize("command", ["kata-genmove_analyze", "lz-genmove_analyze"])
@pytest.mark.parametrize("arguments", ["b 1", "B 50", "1", "b", "b interval 1", ""])
def test_variations_come_last_and_keys_have_values(command: str, arguments: str) -> None:
    conversation = Conversation(visits=60)
    conversation.say("boardsize 9")
    header, *lines, last, _, _ = conversation.hear(f"{command} {arguments}").split("\n")
    assert header == "="
    assert last.startswith("play ")
    for line in lines:
        for info in infos(line):
            scale = 1 if command.startswith("kata") else 10000
            assert 0 <= float(info["winrate"]) <= scale
            assert info["pv"].split()[0] == info["move"]


def test_root_and_ownership_only_on_request() -> None:
    conversation = Conversation(visits=30)
    conversation.say("boardsize 9")
    plain = conversation.say("kata-search_analyze b 100")
    assert "rootInfo" not in plain
    assert "wnership" not in plain
    asked = conversation.say(
        "kata-search_analyze b 100 rootInfo true ownership true ownershipStdev true "
        "movesOwnership true movesOwnershipStdev true pvVisits true pvEdgeVisits true "
        "noResultValue true"
    )
    for key in ("rootInfo visits", "ownership ", "ownershipStdev ", "movesOwnership ", "pvVisits "):
        assert key in asked
    owners = re.search(r" ownership ([^a-z]+)", asked)
    assert owners is not None
    assert len(owners.group(1).split()) == 81


def test_moves_can_be_limited_avoided_and_allowed() -> None:
    conversation = Conversation(visits=100)
    conversation.say("boardsize 5")
    line = conversation.say("kata-search_analyze b 100 maxmoves 1").split("\n")[0]
    assert len(infos(line)) == 1
    line = conversation.say("kata-search_analyze b 100 allow b C3,D4 1").split("\n")[0]
    assert {info["move"] for info in infos(line)} <= {"C3", "D4"}
    line = conversation.say("lz-genmove_analyze b 100 avoid b A1,A2 1 avoid b A3 1").split("\n")[0]
    assert not {info["move"] for info in infos(line)} & {"A1", "A2", "A3"}
    conversation.refused("kata-analyze b 100 allow b C3 1 avoid b D4 1")
    conversation.refused("kata-analyze b 100 allow b C3 1 allow b D4 1")
    conversation.refused("kata-analyze b 100 avoid b C3")
    conversation.refused("kata-analyze b 100 avoid b C3 0")


@pytest.mark.parametrize(
    "arguments", ["b x", "b -1", "rootInfo", "rootInfo maybe", "b 1 ownership", "minmoves -1", "x"]
)
def test_bad_arguments_are_quoted(conversation: Conversation, arguments: str) -> None:
    assert arguments in conversation.refused(f"kata-analyze {arguments}")


def test_leela_zero_does_not_know_katago_s_keys(conversation: Conversation) -> None:
    conversation.refused("lz-analyze b 1 ownership true")


def test_genmove_analyze_is_not_interruptible(conversation: Conversation) -> None:
    conversation.inbox.patience = 0  # input waits already
    answer = conversation.say("kata-genmove_analyze b 1")
    assert re.search(r"^play [A-T]\d+$", answer, re.MULTILINE)
    assert len(conversation.session.game.moves) == 1


@pytest.mark.parametrize("persona", ["full", "even", "level:1500", "softmax:0.5", "human"])
def test_any_persona_s_search_can_be_cancelled_at_once(persona: str) -> None:
    conversation = Conversation()
    for line in (f"sparring-persona {persona}", "boardsize 7", "play b D4"):
        conversation.say(line)
    conversation.inbox.patience = 0
    assert conversation.say("kata-search_cancellable w") == "cancelled"
    assert conversation.say("kata-search_analyze_cancellable w 1").endswith("play cancelled")


@pytest.mark.parametrize("game", ["go", "othello", "connect4"])
def test_a_softmax_persona_plays_on_one_visit(game: str) -> None:
    conversation = Conversation(visits=1, game=game)
    conversation.say("sparring-persona softmax:0.5")
    conversation.say("genmove b")


def test_a_cancellable_search_is_cancelled_and_plays_nothing(conversation: Conversation) -> None:
    assert conversation.say("kata-search_cancellable b") == "cancelled"
    assert conversation.say("kata-search_analyze_cancellable b").endswith("play cancelled")
    conversation.inbox.patience = 10**9
    assert re.fullmatch(r"[A-T]\d+", conversation.say("kata-search_cancellable b"))
    assert conversation.session.game.moves == ()
