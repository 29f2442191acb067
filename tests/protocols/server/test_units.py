"""The units of systemd: the service may do no more than it needs, and says that it lives."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from engine.errors import UsageError
from protocols.cli import install_service
from protocols.cli import serve as cli_serve
from protocols.cli.main import dispatch, parser_of
from protocols.cli.service_units import units
from protocols.server.systemd import notify, watchdog_seconds
from tests.support.paths import ROOT

UNITS = ROOT / "systemd"
PROGRAMS = {"user": "%h/.local/bin/sparring", "system": "/usr/local/bin/sparring"}
MOST_EXPOSURES = {"sparring.service": 2.0, "sparring-bot@.service": 1.5}  # by systemd-analyze
# A user's service manager may not drop capabilities, nor mount, outside a namespace of users: with
# the first ones the service would not start, and it ignores the others.
NEEDING_CAPABILITIES = (
    *("CapabilityBoundingSet", "ProtectKernelModules", "ProtectKernelLogs"),
    *("ProtectClock", "PrivateUsers", "PrivateDevices", "PrivateTmp"),
)


@pytest.fixture
def analyze() -> str:
    """The path of systemd-analyze."""
    path = shutil.which("systemd-analyze")
    if path is None:
        pytest.skip("needs systemd-analyze")
    return path


@pytest.mark.parametrize("kind", PROGRAMS)
def test_the_units_in_the_repository_are_those_that_are_installed(kind: str) -> None:
    for name, text in units(kind, PROGRAMS[kind]).items():
        assert (UNITS / kind / name).read_text() == text


@pytest.mark.parametrize("has_namespaces", [False, True])
def test_the_users_service_starts_where_users_may_make_no_namespaces(has_namespaces: bool) -> None:
    texts = units("user", "/bin/true", has_namespaces=has_namespaces)
    for name in MOST_EXPOSURES:
        lines = texts[name].splitlines()
        assert "NoNewPrivileges=yes" in lines
        assert "ProtectHome=read-only" in lines
        needing = [line for line in lines if line.startswith(NEEDING_CAPABILITIES)]
        assert ("PrivateUsers=yes" in needing) == has_namespaces == bool(needing)


@pytest.mark.parametrize("kind", PROGRAMS)
@pytest.mark.parametrize("has_graphics", [False, True])
@pytest.mark.parametrize("name", MOST_EXPOSURES)
def test_the_services_are_little_exposed(
    kind: str, has_graphics: bool, name: str, analyze: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_text(units(kind, "/bin/true", has_graphics=has_graphics)[path.name])
    done = subprocess.run(
        [analyze, "security", "--offline=true", str(path)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    exposure = re.search(r"Overall exposure level for .*: ([0-9.]+)", done.stdout)
    if exposure is None:
        pytest.skip("this systemd-analyze reads no units offline")
    assert float(exposure[1]) <= MOST_EXPOSURES[name]


@pytest.mark.parametrize("kind", PROGRAMS)
def test_systemd_understands_the_units(kind: str, analyze: str, tmp_path: Path) -> None:
    program = tmp_path / "sparring"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    folder = tmp_path / "units"
    folder.mkdir()
    for name, text in units(kind, str(program)).items():
        (folder / name).write_text(text)
    environment = {**os.environ, "XDG_RUNTIME_DIR": str(tmp_path), "HOME": str(tmp_path)}
    done = subprocess.run(
        [analyze, f"--{kind}", "verify", *map(str, folder.iterdir())],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    said = [line for line in done.stderr.splitlines() if "sparring" in line]
    assert said == []


def test_the_command_writes_and_removes_the_units(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "sparring"
    program.write_text("#!/bin/sh\n")
    arguments = ["install-service", "--output", str(tmp_path / "new"), "--program", str(program)]
    with pytest.raises(UsageError, match="is no program"):
        dispatch(arguments)
    program.chmod(0o755)
    assert dispatch(arguments) == 0
    assert "systemctl --user enable --now sparring.socket" in capsys.readouterr().out
    written = tmp_path / "new" / "sparring.service"
    assert f"ExecStart={program} serve" in written.read_text().splitlines()
    assert dispatch([*arguments, "--remove"]) == 0
    assert not written.exists()


@pytest.mark.parametrize(("trial", "is_confined"), [("true", True), ("false", False), ("", False)])
def test_the_users_service_is_confined_where_it_can_be(
    trial: str,
    is_confined: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(install_service, "NAMESPACE_TRIAL", (trial or "/nonexistent/unshare",))
    arguments = ["install-service", "--output", str(tmp_path), "--program", "/bin/sh"]
    assert dispatch(arguments) == 0
    lines = (tmp_path / "sparring.service").read_text().splitlines()
    assert ("PrivateUsers=yes" in lines) == is_confined
    assert ("not confined" in capsys.readouterr().out) != is_confined


def test_the_users_service_finds_a_folder_that_it_may_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    arguments = ["install-service", "--output", str(tmp_path / "units"), "--program", "/bin/sh"]
    assert dispatch(arguments) == 0
    unit = (tmp_path / "units" / "sparring.service").read_text()
    (line,) = re.findall("^ReadWritePaths=-%h/(.*)$", unit, re.MULTILINE)
    assert (tmp_path / line / "sparring").is_dir()


@pytest.mark.parametrize(
    ("folder", "written"),
    [("data", "data"), ("my data", "my data"), ('50% "x"', '50%% \\"x\\"')],
)
def test_the_users_service_keeps_the_folders_of_the_users_shell(
    folder: str, written: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / folder))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    arguments = ["install-service", "--output", str(tmp_path / "units"), "--program", "/bin/sh"]
    assert dispatch(arguments) == 0
    assert (tmp_path / folder / "sparring").is_dir()
    for name in ("sparring.service", "sparring-bot@.service"):
        lines = (tmp_path / "units" / name).read_text().splitlines()
        quote = "" if folder == written == "data" else '"'
        assert f"Environment={quote}XDG_DATA_HOME={tmp_path}/{written}{quote}" in lines
        assert f"ReadWritePaths={quote}-{tmp_path}/{written}{quote}" in lines
        assert f"Environment=XDG_CONFIG_HOME={tmp_path}/settings" in lines
        assert len([line for line in lines if line.startswith("ReadWritePaths=")]) == 1


def test_a_system_service_is_not_started_from_a_home(tmp_path: Path) -> None:
    arguments = ["install-service", "--system", "--output", str(tmp_path)]
    with pytest.raises(UsageError, match="sees nothing in /home"):
        dispatch([*arguments, "--program", "/home/../bin/sh"])
    assert not list(tmp_path.iterdir())


def test_the_watchdog_is_that_of_this_process() -> None:
    assert watchdog_seconds({"WATCHDOG_USEC": "60000000"}, 7) == 30
    assert watchdog_seconds({"WATCHDOG_USEC": "60000000", "WATCHDOG_PID": "8"}, 7) is None
    assert watchdog_seconds({"WATCHDOG_USEC": "x"}, 7) is None
    assert watchdog_seconds({}, 7) is None


def test_systemd_hears_signs_of_life_and_of_a_reload(
    serve: Callable[..., Any], network: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(path))
        manager.settimeout(60)
        monkeypatch.setenv("NOTIFY_SOCKET", str(path))
        monkeypatch.setenv("WATCHDOG_USEC", "200000")
        serving = serve(network)
        said: list[str] = []
        until = time.monotonic() + 30
        while said.count("WATCHDOG=1") < 5 and time.monotonic() < until:
            said.append(manager.recv(1000).decode())
        assert said.count("WATCHDOG=1") == 5
        assert "READY=1" in said
        serving.process.send_signal(1)
        while not said[-1].startswith("RELOADING=1\nMONOTONIC_USEC=") and time.monotonic() < until:
            said.append(manager.recv(1000).decode())
        while said[-1] != "READY=1" and time.monotonic() < until:
            said.append(manager.recv(1000).decode())
        assert said[-1] == "READY=1"


def test_signs_of_life_do_not_wait_for_a_busy_service_manager(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "notify"
    monkeypatch.setenv("NOTIFY_SOCKET", str(path))
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(path))
        notify("READY=1")
        for _ in range(1000):
            notify("WATCHDOG=1", waits=False)
        said = [manager.recv(1000).decode()]
        manager.setblocking(False)
        with suppress(BlockingIOError):
            while True:
                said.append(manager.recv(1000).decode())
    assert said[0] == "READY=1"
    assert 0 < said.count("WATCHDOG=1") < 1000


def test_the_container_runs_the_engine_without_root() -> None:
    lines = (ROOT / "Containerfile").read_text().splitlines()
    last_stage = lines[max(index for index, line in enumerate(lines) if line.startswith("FROM")) :]
    (user,) = (line.split()[1] for line in last_stage if line.startswith("USER "))
    assert int(user) > 0
    (command,) = (json.loads(line[4:]) for line in last_stage if line.startswith("CMD "))
    options = parser_of("serve", cli_serve, plays=False).options(command[1:])
    assert (command[0], options.gtp_port, options.websocket_port) == ("serve", 2601, 2600)
