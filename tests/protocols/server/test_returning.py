"""Lost conversations are gone on with: the engine is killed, or the client loses its connection."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.protocols.server.conftest import COMMAND
from tests.support.free_ports import free_ports
from tests.support.paths import ROOT
from tests.support.tcp_talk import TcpTalk

KILLS, MANY_KILLS = 5, 200
GAME_KILLS = 12  # kills of one game


class Engine:
    """A `sparring serve` that may be killed and started again at the same addresses."""

    def __init__(self, folder: Path, network: Path, port: int) -> None:
        self.folder, self.port = folder, port
        self.clients: list[subprocess.Popen[str]] = []
        self.log = folder / "serve.log"
        self.environment = {
            **os.environ,
            "SPARRING_SOCKET": str(folder / "s.sock"),
            "XDG_DATA_HOME": str(folder / "data"),
        }
        self._arguments = ["serve", f"--network={network}", f"--gtp-port={port}"]
        self.start()

    def start(self) -> None:
        """Starts it, and waits until it listens."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*COMMAND, *self._arguments], cwd=ROOT, env=self.environment, stderr=log
            )
        until = time.monotonic() + 60
        while True:
            with suppress(OSError):
                TcpTalk(self.port).close()
                return
            assert self.process.poll() is None, self.log.read_text()
            assert time.monotonic() < until
            time.sleep(0.02)

    def kill(self) -> None:
        """Kills it without a word."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def client(self, *arguments: str) -> subprocess.Popen[str]:
        """A `sparring gtp` that joins it."""
        return self.run([*COMMAND, "gtp", *arguments])

    def run(self, command: list[str]) -> subprocess.Popen[str]:
        """A client's process; its pipes are closed at the end of the test."""
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        self.clients.append(process)
        return process


@pytest.fixture
def engine(network: Path, tmp_path: Path) -> Iterator[Engine]:
    """An engine with a folder of its own."""
    running = Engine(tmp_path, network, free_ports())
    yield running
    for client in running.clients:
        client.kill()
        client.communicate()
    if running.process.poll() is None:
        running.kill()


def say(client: subprocess.Popen[str], line: str) -> str:
    """Sends a line and returns the answer."""
    assert client.stdin is not None
    client.stdin.write(line + "\n")
    return heard(client)


def heard(client: subprocess.Popen[str]) -> str:
    """Reads an answer."""
    assert client.stdout is not None
    lines: list[str] = []
    while (line := client.stdout.readline()) != "\n":
        if not line:
            raise EOFError("".join(lines))
        lines.append(line)
    return "".join(lines).strip()


STATE = ["boardsize 9", "komi 5.5", "sparring-persona full", "kata-set-param maxVisits 3",
         "play b D4", "genmove w"]  # fmt: skip


def test_a_killed_engine_goes_on_with_the_game_unseen_by_the_gui(engine: Engine) -> None:
    client = engine.client("--opponent=none")
    answers = [say(client, line) for line in STATE]
    assert all(answer.startswith("=") for answer in answers)
    board = say(client, "showboard")
    engine.kill()
    assert client.stdin is not None
    client.stdin.write("1 genmove b\n")  # nobody is there
    engine.start()
    assert heard(client).startswith("=1 ")
    assert say(client, "undo") == "="
    assert say(client, "showboard").splitlines()[2:] == board.splitlines()[2:]
    assert say(client, "get_komi") == "= 5.5"
    assert say(client, "sparring-persona") == "= full"
    assert say(client, "kata-get-param maxVisits") == "= 3"
    assert say(client, "quit") == "="
    assert client.wait(20) == 0
    assert not list((engine.folder / "data" / "sparring" / "sessions").glob("*.json"))


@pytest.mark.parametrize("kills", [KILLS, pytest.param(MANY_KILLS, marks=pytest.mark.slow)])
def test_no_move_is_lost_or_played_twice_whenever_the_engine_is_killed(
    kills: int, engine: Engine
) -> None:
    chance = random.Random(kills)
    client = engine.client("--opponent=none", "--persona=full")
    say(client, "boardsize 7")
    say(client, "kata-set-param maxVisits 40")
    say(client, "kata-set-param allowResignation false")
    for number in range(kills):
        if number % GAME_KILLS == 0:
            say(client, "clear_board")
            moves = 0
        assert client.stdin is not None
        client.stdin.write("genmove b\ngenmove w\n")
        time.sleep(chance.uniform(0, 0.12))
        engine.kill()
        engine.start()
        said = [heard(client), heard(client)]
        assert all(answer.startswith("= ") for answer in said), said
        moves += 2
        record = say(client, "printsgf").replace("\n", "")
        assert record.count(";B[") + record.count(";W[") == moves
        for answer in said:
            column, row = "ABCDEFGHJ".find(answer[2]), answer[3:]
            if row.isdigit():  # not a pass
                assert f"[{chr(97 + column)}{chr(97 + 7 - int(row))}]" in record
    say(client, "quit")
    assert client.wait(20) == 0


def test_a_guest_comes_back_by_its_token_and_ends_the_lost_conversation(engine: Engine) -> None:
    with TcpTalk(engine.port) as lost:
        for line in STATE:
            lost.say(line)
        token, minutes = lost.say("sparring-session").split()[1:]
        assert minutes == "60"
        lost.say("play b E5")
        with TcpTalk(engine.port) as back:
            assert back.say(f"sparring-return {token}") == "= go9, 3 moves"
            assert back.say("get_komi") == "= 5.5"
            with pytest.raises((EOFError, ConnectionError)):
                lost.answer()
            back.say("genmove w")
    engine.kill()
    engine.start()
    with TcpTalk(engine.port) as back:
        assert back.say(f"sparring-return {token}") == "= go9, 4 moves"
        assert back.say("quit") == "= "
    with TcpTalk(engine.port) as back:
        answer = back.say(f"sparring-return {token}")
        assert answer == "? no conversation has this token: it ended, or lay for over 60 minutes"
        assert token not in engine.log.read_text()


def test_the_game_with_a_remembered_opponent_goes_on_in_the_store(engine: Engine) -> None:
    client = engine.client("--opponent=Ann", "--persona=even")
    for line in ("set_game connect4", "play b 4", "genmove w", "play b 4"):
        assert say(client, line).startswith("=")
    time.sleep(0.5)  # the store's queue
    engine.kill()
    engine.start()
    assert say(client, "genmove w").startswith("=")
    assert say(client, "quit") == "="
    client.wait(20)
    done = subprocess.run(
        [*COMMAND, "opponent", "Ann", "--json"], cwd=ROOT, env=engine.environment,
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    games = json.loads(done.stdout)["games"]
    assert [len(game["moves"]) for game in games] == [4]


def test_an_engine_that_stays_away_ends_its_client(engine: Engine) -> None:
    code = (
        "from protocols.server import returning_client; returning_client.RETURN_SECONDS = 1;"
        "from protocols.cli.main import main; main()"
    )
    client = engine.run([sys.executable, "-c", code, "gtp"])
    say(client, "name")
    engine.kill()
    assert client.wait(20) == 1
    assert client.stderr is not None
    assert "did not come back" in client.stderr.read()


def test_queries_for_analysis_are_asked_again_and_answered_once(engine: Engine) -> None:
    client = engine.run([*COMMAND, "analysis"])
    assert client.stdin is not None
    assert client.stdout is not None
    query = {"moves": [["b", "D4"], ["w", "E5"]], "boardXSize": 9, "boardYSize": 9,
             "rules": "chinese", "komi": 7, "maxVisits": 30}  # fmt: skip
    several = {**query, "id": "several", "analyzeTurns": [0, 1, 2], "priorities": [3, 2, 1]}
    client.stdin.write(json.dumps({**query, "id": "one"}) + "\n" + json.dumps(several) + "\n")
    said = [json.loads(client.stdout.readline())]
    engine.kill()
    client.stdin.write(json.dumps({"id": "v", "action": "query_version"}) + "\n")
    engine.start()
    said += [json.loads(client.stdout.readline()) for _ in range(4)]
    assert sorted((each["id"], each.get("turnNumber", -1)) for each in said) == [
        ("one", 2), ("several", 0), ("several", 1), ("several", 2), ("v", -1),
    ]  # fmt: skip
    assert not [each for each in said if "error" in each]
    client.stdin.close()
    client.stdin = None
    assert client.wait(30) == 0


@pytest.mark.parametrize(
    ("protocol", "lines", "request_line", "answer"),
    [
        ("ugi", ["ugi", "setoption name Persona value full", "position startpos moves f5"],
         "go nodes 3", "bestmove "),
        ("nboard", ["nboard 2", "set depth 1", "set game (;GM[Othello]PC[x]DT[]PB[a]PW[b]RE[?]TI[1]"
         "TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5];)"],
         "go", "==="),
    ],
)  # fmt: skip
def test_guis_of_positions_get_their_move_after_a_restart(
    engine: Engine, protocol: str, lines: list[str], request_line: str, answer: str
) -> None:
    client = engine.run([*COMMAND, protocol])
    assert client.stdin is not None
    assert client.stdout is not None
    client.stdin.write("\n".join(lines) + "\n")
    client.stdout.readline()
    engine.kill()
    client.stdin.write(f"{request_line}\n")
    engine.start()
    said = ""
    while not said.startswith(answer):
        said = client.stdout.readline()
        assert said
    move = said.removeprefix(answer).strip().partition("/")[0].lower()
    assert move in {"d6", "f4", "f6"}  # White's answers to f5
    client.stdin.write("quit\n")
    assert client.wait(30) == 0
