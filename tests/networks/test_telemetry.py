"""No backend opens a connection, at import or evaluation."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from engine.networks.runtime import BACKENDS
from engine.networks.sparring import write_sparring
from tests.support.networks.shapes import network
from tests.support.paths import ROOT

CALLS = (
    "socket.connect",
    "socket.getaddrinfo",
    "socket.sendto",
    "urllib.Request",
    "http.client.connect",
)
SCRIPT = f"""
import sys

def hook(event, arguments):
    if event in {CALLS!r}:
        print(event, arguments, flush=True)
        raise OSError("no calls from here")

sys.addaudithook(hook)
from engine._core import GoPosition, GoRules
from engine.networks.raw import evaluate_raw
from engine.networks.runtime import BackendError, load_evaluator

path, backend, precision = sys.argv[1:]
try:
    evaluator = load_evaluator(path, backend=backend, precision=precision, threads=1)
    evaluate_raw(evaluator, GoPosition(5, 5, GoRules()))
except BackendError as error:
    sys.stderr.write(str(error))
"""
CHOICES = [("auto", "auto"), ("auto", "fp16"), *((name, "auto") for name in BACKENDS)]


@pytest.mark.parametrize(("backend", "precision"), CHOICES)
def test_no_backend_opens_a_connection(backend: str, precision: str, tmp_path: Path) -> None:
    path, home = tmp_path / "network.safetensors", tmp_path / "home"
    home.mkdir()
    write_sparring(path, network("version 8"), {})
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(path), backend, precision],
        cwd=ROOT,
        env={"HOME": str(home), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    assert not list(home.glob("intel*"))


def test_openvino_is_imported_without_telemetry_alone() -> None:
    importing = re.compile(r"^\s*(import|from) openvino\b", re.MULTILINE)
    found = {
        path.name
        for folder in ("engine", "protocols", "bots", "tests")
        for path in (ROOT / folder).rglob("*.py")
        if importing.search(path.read_text(encoding="utf-8"))
    }
    assert found == {"quiet_openvino.py"}
