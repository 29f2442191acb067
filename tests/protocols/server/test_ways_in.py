"""Each protocol by each way in: a greeting on TCP and on the WebSocket, and TLS."""

from __future__ import annotations

import json
import shutil
import signal
import socket
import ssl
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect

from tests.support.tcp_talk import TcpTalk

VERSION = json.dumps({"id": "v", "action": "query_version"})


def greeting(protocol: str, **options: Any) -> str:
    return json.dumps({"protocol": protocol, "options": options})


def told(socket_: socket.socket, *lines: str) -> Any:
    """Sends lines and returns a reader of the answers' lines."""
    socket_.sendall("".join(line + "\n" for line in lines).encode())
    return socket_.makefile("r", encoding="utf-8")


def until(reader: Any, start: str) -> str:
    """The next line that begins so."""
    for line in reader:
        if line.startswith(start):
            return str(line).strip()
    raise EOFError(start)


def frame(websocket: ClientConnection, start: str) -> str:
    """The next frame's line that begins so."""
    while True:
        text = str(websocket.recv(timeout=60))
        for line in text.splitlines():
            if line.startswith(start):
                return line


def test_a_guest_of_tcp_names_its_protocol_and_terms(serving: Any) -> None:
    with socket.create_connection(("127.0.0.1", serving.gtp_port), timeout=60) as client:
        reader = told(client, greeting("ugi", game="connect4", persona="full", visits=2), "ugi")
        assert json.loads(reader.readline()) == {"ok": True}
        assert until(reader, "ugiok")
        client.sendall(b"isready\nposition startpos\ngo\n")
        assert until(reader, "bestmove").split()[1] in set("1234567")
    with socket.create_connection(("127.0.0.1", serving.gtp_port), timeout=60) as client:
        reader = told(client, greeting("nboard"), "nboard 2")
        assert json.loads(reader.readline()) == {"ok": True}
        assert until(reader, "set myname")
    with socket.create_connection(("127.0.0.1", serving.gtp_port), timeout=60) as client:
        reader = told(client, greeting("analysis"), VERSION)
        assert json.loads(reader.readline()) == {"ok": True}
        assert json.loads(reader.readline())["id"] == "v"
    first = greeting("gtp", rules="japanese", komi="0.5", persona="level:1500")
    with TcpTalk(serving.gtp_port, first, "get_komi") as talk:
        assert talk.answer() == '{"ok": true}\n= 0.5'
        assert talk.say("sparring-persona") == "= level:1500"


REFUSED = [
    # the greeting; its error
    (greeting("gtp", network="/etc/passwd"), "the option 'network' is not open to clients of TCP"),
    (greeting("gtp", folder="/"), "the option 'folder' is not open to clients of TCP ports"),
    (greeting("gtp", opponent="Ann"), "the option 'opponent' is not open to clients of TCP ports"),
    (greeting("gtp", persona="/etc/passwd"), "no persona '/etc/passwd'"),
    (greeting("chess"), "unknown protocol 'chess'"),
    (greeting("ugi", game="tetris"), "tetris"),
    (greeting("gtp", visits=-1), "visits are a whole number above 0, not -1"),
    (greeting("gtp", komi=7), "options are texts, not 7"),
    ('{"protocol": "gtp", "options": 7}', "the first line is not"),
]


@pytest.mark.parametrize(("line", "said"), REFUSED)
def test_a_greeting_beyond_a_guests_rights_is_refused(serving: Any, line: str, said: str) -> None:
    with socket.create_connection(("127.0.0.1", serving.gtp_port), timeout=60) as client:
        answer = json.loads(told(client, line).readline())
    assert said in answer["error"]


def test_the_websocket_carries_every_protocol(serving: Any) -> None:
    address = f"ws://127.0.0.1:{serving.websocket_port}"
    with connect(address) as websocket:
        websocket.send(greeting("gtp", persona="full", visits=2))
        assert json.loads(str(websocket.recv(timeout=60))) == {"ok": True}
        websocket.send("name\nprotocol_version")
        said = ""
        while said.count("\n\n") < 2:
            said += str(websocket.recv(timeout=60))
        assert said == "= Sparring\n\n= 2\n\n"
        websocket.send("list_games")
        assert str(websocket.recv(timeout=60)).endswith("\n\n")
    with connect(address) as websocket:
        websocket.send(greeting("ugi") + "\nugi")
        assert frame(websocket, "ugiok")
    with connect(address) as websocket:
        websocket.send(greeting("nboard"))
        websocket.send("nboard 2")
        assert frame(websocket, "set myname")
    with connect(address) as websocket:  # as KaTrain, without a greeting
        websocket.send(VERSION)
        assert json.loads(str(websocket.recv(timeout=60)))["id"] == "v"


def test_a_greeting_needs_the_token(
    serve: Callable[..., Any], network: Path, tmp_path: Path
) -> None:
    file = tmp_path / "token"
    file.write_text("abcdefghijklmnop")
    file.chmod(0o600)
    serving = serve(network, f"--token-file={file}")
    for token in ("", "abcdefghijklmnoq", 7, None):
        line = json.dumps({"protocol": "gtp", "token": token})
        with socket.create_connection(("127.0.0.1", serving.gtp_port), timeout=60) as client:
            reader = told(client, line, "name")
            assert json.loads(reader.readline()) == {
                "error": "the greeting has not this engine's token"
            }
            assert reader.readline() == ""
    right = json.dumps({"protocol": "gtp", "token": "abcdefghijklmnop"})
    with TcpTalk(serving.gtp_port, right, "name") as talk:
        assert talk.answer() == '{"ok": true}\n= Sparring'


# ---- TLS


def certificate(folder: Path, name: str) -> tuple[Path, Path]:
    """A certificate for this machine, and its key."""
    program = shutil.which("openssl")
    if program is None:
        pytest.skip("needs openssl")
    made, key = folder / f"{name}.pem", folder / f"{name}.key"
    subprocess.run(
        [program, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
         "-nodes", "-days", "2", "-subj", f"/CN={name}", "-addext", "subjectAltName=IP:127.0.0.1",
         "-keyout", str(key), "-out", str(made)],
        check=True, capture_output=True,
    )  # fmt: skip
    return made, key


def trusting(made: Path) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(made))


def test_the_ports_speak_tls_and_take_a_new_certificate(
    serve: Callable[..., Any], network: Path, tmp_path: Path
) -> None:
    made, key = certificate(tmp_path, "one")
    serving = serve(network, f"--certificate={made}", f"--certificate-key={key}")

    def name(trusted: ssl.SSLContext) -> str:
        with (
            socket.create_connection(("127.0.0.1", serving.gtp_port), timeout=60) as raw,
            trusted.wrap_socket(raw, server_hostname="127.0.0.1") as client,
        ):
            assert client.version() in {"TLSv1.2", "TLSv1.3"}
            return str(told(client, "name", "quit").readline())

    assert name(trusting(made)) == "= Sparring\n"
    with connect(f"wss://127.0.0.1:{serving.websocket_port}", ssl=trusting(made)) as websocket:
        websocket.send(VERSION)
        assert json.loads(str(websocket.recv(timeout=60)))["id"] == "v"
    with (
        socket.create_connection(("127.0.0.1", serving.gtp_port), timeout=60) as plain,
        pytest.raises((EOFError, OSError)),
    ):
        until(told(plain, "name"), "=")
    newer, newer_key = certificate(tmp_path, "two")
    newer.replace(made)
    serving.process.send_signal(signal.SIGHUP)  # the key is the old one's
    serving.logged("reload: the old settings stay")
    newer_key.replace(key)
    serving.process.send_signal(signal.SIGHUP)
    serving.logged("reload: done")
    assert name(trusting(made)) == "= Sparring\n"
    assert "Traceback" not in serving.log.read_text()


def test_files_without_a_certificate_are_refused(tmp_path: Path, serving: Any) -> None:
    wrong = tmp_path / "wrong.pem"
    wrong.write_text("nothing")
    done = serving.command(
        "serve", f"--socket={tmp_path}/s.sock", f"--certificate={wrong}", "--gtp-port=0", text=""
    )
    assert done.returncode == 2
    assert f"no TLS by {wrong}" in done.stderr
