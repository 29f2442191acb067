"""The command line as a user meets it, joining a running engine or failing with a reason."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from protocols.cli.subcommands import overview
from protocols.server.listeners import bind_unix
from protocols.server.systemd import passed_sockets
from tests.support.paths import ROOT


def sparring(*arguments: str, **more: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "protocols.cli", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        **more,
    )


def test_help_is_printed_with_exit_code_0() -> None:
    done = sparring("--help")
    assert done.returncode == 0
    assert done.stdout == overview() + "\n"


def test_playing_subcommands_take_the_network_options() -> None:
    done = sparring("gtp", "--help")
    assert done.returncode == 0
    for option in ("--network", "--backend", "--precision"):
        assert option in done.stdout


USAGE = [
    # arguments; what stderr says
    ([], ""),
    (["gpt"], "no subcommand 'gpt'; did you mean 'gtp'?"),
    (["balance", "connect4"], "`sparring balance` is now `sparring lab balance`"),
    (["lab"], ""),
    (["waltz"], "no subcommand 'waltz'; see `sparring --help`"),
    (["gtp", "--network", "/no/such.bin.gz"], "no network file '/no/such.bin.gz'"),
    (["gtp", "--backend", "abacus"], "invalid choice: 'abacus'"),
    (["serve", "--idle-hours", "nan"], "'nan' is not a number above 0"),
    (["serve", "--gtp-port", "-1"], "'-1' is not a port: 0 (any free one) to 65535"),
    (["serve", "--host", "0.0.0.0", "--gtp-port", "0"], "set a token by"),  # noqa: S104
    (["gtp", "--tempo", "3"], "unrecognized arguments: --tempo 3"),
]


@pytest.mark.parametrize(("arguments", "text"), USAGE)
def test_mistakes_are_explained_with_exit_code_2(arguments: list[str], text: str) -> None:
    done = sparring(*arguments)
    assert done.returncode == 2
    assert text in done.stderr
    assert "Traceback" not in done.stderr


def test_version_is_one_line() -> None:
    assert len(sparring("--version").stdout.splitlines()) == 1


@pytest.mark.parametrize("arguments", [["gtp", "--alone"], ["analysis", "--alone"], ["serve"]])
def test_a_file_that_is_no_network_is_refused_with_the_reason(
    arguments: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "broken.bin.gz"
    path.write_bytes(b"not a network")
    done = sparring(*arguments, "--network", str(path), input="name\n")
    assert done.returncode == 2
    assert "broken.bin.gz" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_second_server_at_the_same_socket_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "s.sock"
    first = bind_unix(path)
    first.listen()
    with pytest.raises(ValueError, match="already running"):
        bind_unix(path)
    first.close()
    second = bind_unix(path)  # what a killed process left behind is no hindrance
    assert path.stat().st_mode & 0o777 == 0o600
    second.close()


def test_systemd_passes_sockets_by_name() -> None:
    environment = {"LISTEN_PID": "7", "LISTEN_FDS": "0", "LISTEN_FDNAMES": ""}
    assert passed_sockets(environment, 7) == {}
    assert passed_sockets({**environment, "LISTEN_FDS": "1"}, 8) == {}
    assert passed_sockets({}, 7) == {}


# What systemd does between fork and exec: the socket is descriptor 3, the process is named.
ACTIVATE = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ["LISTEN_PID"] = str(os.getpid())
os.execv(sys.executable, [sys.executable, "-m", "protocols.cli", "serve", *sys.argv[2:]])
"""


def test_systemd_starts_it_and_hears_when_it_is_ready(network: Path, tmp_path: Path) -> None:
    path, manager = tmp_path / "s.sock", tmp_path / "notify"
    with ExitStack() as stack:
        listening = stack.enter_context(socket.socket(socket.AF_UNIX))
        notified = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
        listening.bind(str(path))
        listening.listen()
        notified.bind(str(manager))
        notified.settimeout(120)
        passed = listening.fileno()
        names = {"LISTEN_FDS": "1", "LISTEN_FDNAMES": "sparring", "NOTIFY_SOCKET": str(manager)}
        process = subprocess.Popen(
            [sys.executable, "-c", ACTIVATE, str(passed), "--network", str(network)],
            cwd=ROOT,
            env={**os.environ, **names},
            pass_fds=[passed],
            stderr=subprocess.DEVNULL,
        )
        stack.callback(process.wait, 30)
        stack.callback(process.terminate)
        assert notified.recv(100) == b"READY=1"
        client = stack.enter_context(socket.socket(socket.AF_UNIX))
        client.connect(str(path))
        client.sendall(b'{"protocol": "gtp"}\nname\nquit\n')
        received = b""
        while data := client.recv(100):
            received += data
    assert received == b'{"ok": true}\n= Sparring\n\n= \n\n\x04\n'


def test_gtp_joins_the_running_engine(serving: Any) -> None:
    done = serving.command("gtp", text="1 name\n2 boardsize 9\n3 genmove b\n4 quit\nname\n")
    replies = done.stdout.split("\n\n")
    assert [reply[:2] for reply in replies[:4]] == ["=1", "=2", "=3", "=4"]
    assert replies[4:] == [""]
    assert done.stderr == ""


@pytest.mark.parametrize("alone", [[], ["--alone"]], ids=["joined", "alone"])
def test_settings_begin_a_conversation_and_what_is_not_used_is_said_to_the_person(
    serving: Any, alone: list[str]
) -> None:
    text = "name\nkata-get-rules\nget_komi\nkata-get-param maxVisits\n"
    settings = "rules=japanese,maxVisits=7,antiMirror=true,logDir=logs,hasButton=perhaps"
    done = serving.command("gtp", "--as-katago", "--override-config", settings, *alone, text=text)
    name, rules, komi, visits, _ = done.stdout.split("\n\n")
    assert (name, komi, visits) == ("= KataGo", "= 6.5", "= 7")
    assert json.loads(rules[2:])["scoring"] == "TERRITORY"
    for warning in (
        "antiMirror is always false in Sparring, not 'true'",
        "logDir changes no answer of Sparring",
        "rule 'hasButton' wants true or false, not 'perhaps'",
    ):
        assert f"--override-config: {warning}\n" in done.stderr


def test_what_analysis_does_not_use_is_said_to_the_person(serving: Any) -> None:
    done = serving.command("analysis", "--override-config", "rules=japanese,gravity=1", text="")
    assert "rules cannot be set here: a query names its rules" in done.stderr
    assert "--override-config: Unknown config params: gravity\n" in done.stderr


def test_gtp_ends_with_its_input_and_answers_all_of_it(serving: Any) -> None:
    done = serving.command("gtp", text="kata-analyze b 10\nname\ngenmove b")
    assert done.stdout.startswith("=\n")
    assert "\n\n= Sparring\n\n= " in done.stdout


def test_analysis_finishes_its_queue_at_the_end_of_input(serving: Any) -> None:
    query = {
        "id": "q",
        "moves": [["B", "D4"], ["W", "Q16"]],
        "analyzeTurns": [0, 1, 2],
        "rules": "japanese",
        "boardXSize": 19,
        "boardYSize": 19,
        "maxVisits": 5,
    }
    done = serving.command("analysis", text=json.dumps(query))
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert sorted(answer["turnNumber"] for answer in answers) == [0, 1, 2]
    assert all(answer["rootInfo"]["visits"] == 5 for answer in answers)


def test_a_network_the_engine_cannot_load_is_refused(serving: Any, tmp_path: Path) -> None:
    path = tmp_path / "broken.bin.gz"
    path.write_bytes(b"not a network")
    done = serving.command("gtp", "--network", str(path), text="name\n")
    assert done.returncode == 2
    assert "refused" in done.stderr
    assert done.stdout == ""


def test_a_network_named_by_the_client_is_loaded_beside_the_other(
    serving: Any, network: Path, tmp_path: Path
) -> None:
    path = tmp_path / network.name
    shutil.copy(network, path)
    done = serving.command("gtp", "--network", str(path), text="genmove b\nquit\n")
    assert done.stdout.startswith("= ")
    assert done.stderr == ""


OTHELLO = "gogui-rules_legal_moves\ngenmove b\nset_game Go\ngogui-rules_game_id\n"


@pytest.mark.parametrize("alone", [[], ["--alone"]], ids=["joined", "alone"])
def test_a_client_names_its_game_and_changes_it(serving: Any, alone: list[str]) -> None:
    text = f"kata-set-param maxVisits 4\n{OTHELLO}genmove b\nset_game connect4\ngenmove b\n"
    done = serving.command("gtp", "--game", "Othello", *alone, text=text)
    _, moves, move, _, game, vertex, _, column, _ = done.stdout.split("\n\n")
    assert moves == "= D3 C4 F5 E6"
    assert move[2:] in moves.split()
    assert game == "= Go"
    assert re.fullmatch("= [A-T][0-9]+", vertex)
    assert re.fullmatch("= [1-7]", column)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--game", "chess"], "no network of Chess comes with this installation"),
        (["--game", "othello", "--network", "{network}"], "is a network of Go, not of Othello"),
    ],
)
@pytest.mark.parametrize("alone", [[], ["--alone"]], ids=["joined", "alone"])
def test_a_game_that_cannot_be_played_is_refused_with_the_reason(
    serving: Any, network: Path, arguments: list[str], reason: str, alone: list[str]
) -> None:
    named = [argument.format(network=network) for argument in arguments]
    done = serving.command("gtp", *named, *alone, text="name\n")
    assert done.returncode == 2
    assert reason in done.stderr
    assert done.stdout == ""


WRONG_NAMES = [
    # subcommand; its options; what stderr says
    ("gtp", "--persona evne", "no persona 'evne': did you mean 'even'? there are full, even,"),
    ("gtp", "--persona zzz", "no persona 'zzz': there are full, "),
    ("gtp", "--persona techer", "no persona 'techer': did you mean 'teacher'?"),
    ("gtp", "--persona full+style=center", "no style 'center': did you mean 'centre'?"),
    ("gtp", "--personas /no/such", "no folder '/no/such'"),
    ("gtp", "--rules martian", "unknown rules 'martian'; known are tromp-taylor, chinese,"),
    ("gtp", "--komi 1e20", "komi 1e+20 is not within"),
    ("gtp", "--komi high", "--komi 'high'"),
    ("gtp", "--opponent \x07", r"not a name: '\x07'"),
    ("nboard", "--persona evne", "no persona 'evne': did you mean 'even'?"),
    ("nboard", "--opponent \x07", r"not a name: '\x07'"),
    ("ugi", "--persona evne", "no persona 'evne': did you mean 'even'?"),
    ("ugi", "--opponent \x07", r"not a name: '\x07'"),
    ("ugi", "--game chess", "no game 'chess' here"),
]


@pytest.mark.parametrize("alone", [[], ["--alone"]], ids=["joined", "alone"])
@pytest.mark.parametrize(
    ("options", "scoring", "komi"),
    [
        ([], "AREA", "7.5"),
        (["--rules", "japanese"], "TERRITORY", "6.5"),
        (["--komi=0"], "AREA", "0"),
    ],
)
def test_rules_and_komi_are_those_of_the_command_line(
    serving: Any, options: list[str], scoring: str, komi: str, alone: list[str]
) -> None:
    """After another game too; what the client sets counts more."""
    text = "set_game othello\nset_game go\nget_komi\nkata-get-rules\nkomi 5\nget_komi\n"
    done = serving.command("gtp", *options, *alone, text=text)
    _, _, before, rules, _, after = done.stdout.strip().split("\n\n")
    assert (before, after) == (f"= {komi}", "= 5")
    assert f'"scoring":"{scoring}"' in rules


@pytest.mark.parametrize(("subcommand", "options", "reason"), WRONG_NAMES)
@pytest.mark.parametrize("alone", [[], ["--alone"]], ids=["joined", "alone"])
def test_a_name_that_is_not_there_ends_with_an_error_and_a_silent_protocol(
    serving: Any, subcommand: str, options: str, reason: str, alone: list[str]
) -> None:
    done = serving.command(subcommand, *options.split(" "), *alone, text="name\nugi\nping 1\n")
    assert done.returncode == 2
    assert done.stderr.count(reason) == 1
    assert done.stdout == ""


@pytest.mark.parametrize("alone", [[], ["--alone"]], ids=["joined", "alone"])
@pytest.mark.parametrize("subcommand", ["gtp", "nboard", "ugi"])
def test_a_level_out_of_the_ladder_is_told(serving: Any, subcommand: str, alone: list[str]) -> None:
    done = serving.command(subcommand, "--persona", "level:99999", *alone, text="quit\n")
    assert done.returncode == 0
    assert "persona 'level:99999' is out of the ladder of " in done.stderr


def test_all_clients_have_one_memory_of_opponents(serving: Any) -> None:
    playing = ["gtp", "--game", "connect4", "--persona", "level:100", "--opponent", "Ann"]
    done = serving.command(*playing, text="kata-set-param maxVisits 4\ngenmove b\nplay w 4\n")
    assert done.stderr == ""
    text = "sparring-resume\nsparring-opponent Bob\nsparring-resume\n"
    done = serving.command(*playing, "--store", "elsewhere.sqlite3", text=text)
    resumed, _, refused, _ = done.stdout.split("\n\n")
    assert resumed == "= connect4, 2 moves, we are Red"
    assert refused == "? no unfinished game of Connect4 with Bob"
    assert "has its own --store; this one is not used" in done.stderr
    assert not (ROOT / "elsewhere.sqlite3").exists()


@pytest.mark.parametrize("arguments", [["gtp", "--alone"], ["serve"]])
def test_a_store_that_cannot_be_opened_is_refused_without_its_password(
    arguments: list[str],
) -> None:
    done = sparring(*arguments, "--store", "postgresql://u:hunter2@127.0.0.1:1/d", input="name\n")
    assert done.returncode == 2
    assert "opponents cannot be remembered: postgresql://u:***@127.0.0.1:1/d: " in done.stderr
    assert "hunter2" not in done.stderr
    assert "Traceback" not in done.stderr


def test_a_line_of_ten_megabytes_is_refused_and_the_next_answered(serving: Any) -> None:
    done = serving.command("gtp", text="7 play b " + "D4 " * 3_500_000 + "\n8 name\n")
    assert done.stdout.startswith("?7 ")
    assert "=8 Sparring" in done.stdout


def test_three_hundred_pipelined_moves_are_answered(serving: Any) -> None:
    vertices = [f"{column}{row}" for column in "ABCDEFGHJKLMNOP" for row in range(1, 20)]
    moves = "".join(f"play {'bw'[i % 2]} {v}\n" for i, v in enumerate(vertices))
    done = serving.command("gtp", text=moves + "quit\n")
    assert done.stdout.count("=") == len(vertices) + 1


def answered(client: subprocess.Popen[str], line: str) -> str:
    """The first line of the answer to a line."""
    assert client.stdin is not None
    assert client.stdout is not None
    client.stdin.write(line + "\n")
    client.stdin.flush()
    return client.stdout.readline().rstrip("\n")


def test_a_killed_client_leaves_the_engine_serving(serving: Any) -> None:
    with serving.client("gtp") as client:
        assert answered(client, "kata-analyze b 5") == "="
        client.kill()
    assert "Sparring" in serving.command("gtp", text="name\n").stdout


def test_gtp_over_tcp_refuses_files(serving: Any, tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    with socket.create_connection(("127.0.0.1", serving.gtp_port)) as connection:
        connection.sendall(f"printsgf {path}\nname\nquit\n".encode())
        received = b""
        while data := connection.recv(65536):
            received += data
    assert received.startswith(b"?")
    assert b"= Sparring" in received
    assert not path.exists()


def test_a_client_says_that_its_engine_was_killed(
    serving: Any, network: Path, tmp_path: Path
) -> None:
    serving = type(serving)(tmp_path, network)
    with serving.client("gtp") as client:
        assert answered(client, "name") == "= Sparring"
        serving.process.kill()
        serving.process.wait()
        _, errors = client.communicate(timeout=30)
    assert client.returncode == 1
    assert errors == (
        "sparring: the engine went away; waiting for it\n"
        f"sparring: the engine at {serving.socket} ended in the middle of the conversation\n"
    )


def test_stopping_ends_quickly_and_removes_the_socket(serving: Any) -> None:
    assert serving.stop() == 0
    assert not serving.socket.exists()
    done = serving.command("gtp", "--network", "/no/such", text="name\n")
    assert done.returncode == 2
