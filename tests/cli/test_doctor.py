"""`sparring doctor`: the page of a sound installation, and the problems of a broken one."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.games.table import GAMES
from engine.networks.runtime import BACKENDS
from engine.util.optional_modules import EXTRAS
from protocols.cli.doctor import networks, system
from protocols.cli.doctor.command import CHECKS
from protocols.cli.main import dispatch
from protocols.store_options import opener

SECRET = "geheimes-wort"  # noqa: S105 - of a store that is not there


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Folders of this test alone; no engine runs."""
    for variable in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(variable, str(tmp_path / variable.lower()))
    (tmp_path / "run").mkdir(mode=0o700)
    monkeypatch.setenv("SPARRING_SOCKET", str(tmp_path / "run" / "sparring.sock"))
    monkeypatch.delenv("SPARRING_STORE", raising=False)
    return tmp_path


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaves out the checks that read networks."""
    for title in ("Backends", "Networks"):
        monkeypatch.delitem(CHECKS, title)


def page(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any]]:
    """The exit code and the JSON."""
    code = dispatch(["doctor", "--json", *words])
    said: dict[str, Any] = json.loads(capsys.readouterr().out)
    return code, said


def test_a_sound_installation_has_no_problem(capsys: pytest.CaptureFixture[str]) -> None:
    code, said = page(capsys)
    assert said["problems"] == []
    assert code == 0
    assert list(said["sections"]) == list(CHECKS)
    assert set(BACKENDS) < set(said["sections"]["Backends"])
    assert said["sections"]["Backends"]["in use"].split(",")[0] in BACKENDS
    own = said["sections"]["Networks"].pop("--network FILE")
    assert "versions 8 to 17, transformers too" in own
    games = {row.split(",")[0] for row in said["sections"]["Networks"]}
    assert games == {kind.title for kind in GAMES.values()}
    assert said["sections"]["Processor"]["instruction sets"].startswith("base")
    assert set(said["sections"]["Optional modules"]) == set(EXTRAS) == set(system.USES)
    assert said["sections"]["Engine"]["state"] == "no engine is running"


@pytest.mark.usefixtures("quick")
def test_the_page_of_text_shows_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    _, said = page(capsys)
    assert dispatch(["doctor"]) == 0
    lines = capsys.readouterr().out.splitlines()
    for title, rows in said["sections"].items():
        assert f"{title}:" in lines
        for name, value in rows.items():
            assert any(line.startswith(f"  {name} ") and line.endswith(value) for line in lines)
    assert lines[-1] == "No problem was found."


@pytest.mark.usefixtures("quick")
def test_making_the_page_makes_no_file(folders: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, said = page(capsys)
    assert code == 0
    assert said["sections"]["Store of opponents"]["state"] == "absent; made with the first game"
    assert [path.name for path in folders.rglob("*")] == ["run"]


@pytest.mark.usefixtures("quick")
def test_a_store_is_shown_with_its_size(
    folders: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = folders / "ours.sqlite3"
    opener(str(file))().close()
    code, said = page(capsys, "--store", str(file))
    assert code == 0
    rows = said["sections"]["Store of opponents"]
    assert rows["named by"] == "--store"
    assert rows["size"] == f"{file.stat().st_size:,} bytes"
    assert rows["state"] == "opens; 0 opponents"
    monkeypatch.setenv("SPARRING_STORE", str(file))
    _, said = page(capsys)
    assert said["sections"]["Store of opponents"]["named by"] == "$SPARRING_STORE"


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    "place",
    [
        f"postgresql+psycopg://ann:{SECRET}@127.0.0.1:1/games?connect_timeout=1",
        f"postgresql+nosuch://ann:{SECRET}@h/games",
        f"nosuch://ann:{SECRET}@h:port/games",
    ],
)
def test_a_store_that_does_not_open_is_a_problem_without_its_password(
    place: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SPARRING_STORE", place)
    assert dispatch(["doctor"]) == 1
    said = capsys.readouterr()
    assert SECRET not in said.out + said.err
    assert "1. Store of opponents: " in said.out


@pytest.mark.usefixtures("quick")
def test_a_broken_store_is_a_problem(folders: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = folders / "notes"
    file.write_text("mine" * 1000)
    code, said = page(capsys, "--store", str(file))
    assert code == 1
    assert [each["section"] for each in said["problems"]] == ["Store of opponents"]
    assert "not a database" in said["problems"][0]["text"]
    assert file.read_text() == "mine" * 1000


@pytest.mark.usefixtures("quick")
def test_a_file_in_place_of_a_folder_is_a_problem(
    folders: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folders / "xdg_config_home").write_text("in the way")
    code, said = page(capsys)
    assert code == 1
    assert {each["section"] for each in said["problems"]} == {"User folders"}
    assert "is no folder" in said["problems"][0]["text"]


@pytest.mark.usefixtures("quick")
def test_a_persona_with_a_mistake_is_a_problem(
    folders: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    personas = folders / "xdg_config_home" / "sparring" / "personas"
    personas.mkdir(parents=True)
    (personas / "mine.toml").write_text('strength = "nosuch"\n')
    code, said = page(capsys)
    assert code == 1
    assert "the persona 'mine' cannot be used" in said["problems"][0]["text"]


def test_a_backend_that_is_not_here_is_a_problem(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(CHECKS, "Networks", CHECKS["Ports"])
    monkeypatch.setitem(BACKENDS, "cuda", replace(BACKENDS["cuda"], missing=lambda: "gone"))
    code, said = page(capsys, "--backend", "cuda")
    assert code == 1
    assert said["sections"]["Backends"]["cuda"] == "not here: gone"
    assert said["problems"][0]["text"] == "backend 'cuda' cannot be used: gone"


def test_a_network_that_cannot_be_read_is_a_problem(tmp_path: Path) -> None:
    path = tmp_path / "go.safetensors"
    path.write_bytes(b"x" * 20)
    rows: dict[str, str] = {}
    problems: list[Any] = []
    networks.add_file(rows, problems, "Go, every board", path, "Name another file.")
    assert rows == {"Go, every board": "go.safetensors (cannot be read)"}
    assert "go.safetensors" in problems[0].text
    assert problems[0].remedy == "Name another file."


@contextmanager
def program_at(path: Path, answer: bytes) -> Iterator[None]:
    """A program that gives its first client this answer to the first line."""

    def answer_one(listening: socket.socket) -> None:
        connection, _ = listening.accept()
        with connection:
            connection.recv(1000)
            connection.sendall(answer)

    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        listening.listen()
        thread = threading.Thread(target=answer_one, args=[listening])
        thread.start()
        yield
        thread.join()


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    ("answer", "code", "state"),
    [
        (b'{"ok": true}\n', 0, "an engine answers"),
        (b'{"error": "all are in use", "busy": true}\n', 0, "it is busy: all are in use"),
        (b"hello\n", 1, "no proper answer"),
    ],
)
def test_the_engine_at_the_socket_is_greeted(
    answer: bytes, code: int, state: str, folders: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with program_at(folders / "run" / "sparring.sock", answer):
        found, said = page(capsys)
    assert found == code
    assert state in said["sections"]["Engine"]["state"]


@pytest.mark.usefixtures("quick")
def test_a_port_in_use_is_told_from_a_free_one(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        number = listening.getsockname()[1]
        _, said = page(capsys, "--gtp-port", str(number))
    assert said["sections"]["Ports"][f"GTP {number}"] == "a program listens"
    _, said = page(capsys, "--gtp-port", str(number))
    assert said["sections"]["Ports"][f"GTP {number}"] == "free"


@pytest.mark.usefixtures("quick")
def test_a_check_that_fails_hides_no_other_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(CHECKS, "Versions", ("protocols.cli.doctor.nosuch", "versions"))
    code, said = page(capsys)
    assert code == 1
    assert said["problems"][0]["text"].startswith("the check failed: ModuleNotFoundError: ")
    assert said["sections"]["Processor"]["cores"]
