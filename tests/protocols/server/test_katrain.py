"""KaTrain's own game, AI strategies and engines, driven headless against Sparring."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.support.paths import ROOT, SUPPORT

SESSION = SUPPORT / "katrain_session.py"
STRATEGIES = 16  # of KaTrain 1.20


@pytest.fixture(scope="module")
def python() -> str:
    """An interpreter that has KaTrain: this one, or the one that KATRAIN_PYTHON names."""
    if named := os.environ.get("KATRAIN_PYTHON"):
        return named
    if find_spec("katrain") is None:
        pytest.skip("needs KaTrain: pip install katrain==1.20.0, here or for KATRAIN_PYTHON")
    return sys.executable


@pytest.fixture(scope="module")
def own_network(python: str) -> Path:
    """The network that KaTrain's package holds."""
    words = "import katrain; print(katrain.__path__[0])"
    done = subprocess.run([python, "-c", words], capture_output=True, text=True, check=True)
    (network,) = Path(done.stdout.strip(), "models").glob("*.bin.gz")
    return network


def facts_of(python: str, address: str, home: Path) -> dict[str, Any]:
    """What KaTrain knows after its session with the engine at `address`."""
    done = subprocess.run(
        [python, str(SESSION), address],
        env={**os.environ, "HOME": str(home)},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    facts: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return facts


def check(facts: dict[str, Any], *, has_doublings: bool) -> None:
    """Asserts what holds of each engine; has_doublings: of its network."""
    assert facts["alive"]
    assert facts["visits"] == 30
    assert facts["candidates"] > 0
    assert isinstance(facts["points_lost_by_c3"], float)
    assert (facts["policy_length"], facts["ownership_length"]) == (82, 81)
    assert facts["reports_grow"]
    assert len(facts["played"]) == STRATEGIES
    assert {len(moves) for moves in facts["played"].values()} == {2}
    # KaTrain itself says that a board is smaller than 19x19.
    said = {
        strategy: [text for text in texts if "Human policy length 82" not in text]
        for strategy, texts in facts["said"].items()
    }
    for strategy in ("ai:human", "ai:pro"):
        assert "as the #" in facts["thoughts"][strategy], "the move is drawn from humanPolicy"
    if not has_doublings:
        told = said.pop("ai:handicap")
        assert "playoutDoublingAdvantage needs a network of KataGo's" in told[0]
    assert not any(said.values()), said


def test_katrain_plays_analyzes_and_ponders(python: str, serving: Any, tmp_path: Path) -> None:
    address = f"ws://127.0.0.1:{serving.websocket_port}"
    check(facts_of(python, address, tmp_path), has_doublings=False)


def test_katrain_plays_with_its_own_network_through_serve(
    python: str, own_network: Path, serve: Callable[[Path], Any], tmp_path: Path
) -> None:
    address = f"ws://127.0.0.1:{serve(own_network).websocket_port}"
    check(facts_of(python, address, tmp_path), has_doublings=True)


def test_katrain_starts_sparring_in_place_of_katago(
    python: str, own_network: Path, tmp_path: Path
) -> None:
    program = tmp_path / "katago"
    program.write_text(
        "#!/bin/sh\n"
        f"SPARRING_SOCKET={tmp_path}/none.sock PYTHONPATH={ROOT} "
        f'exec {sys.executable} -m protocols.cli "$@"\n'
    )
    program.chmod(0o755)
    facts = facts_of(python, str(program), tmp_path)
    check(facts, has_doublings=True)
    assert facts["command"][:4] == [str(program), "analysis", "-model", str(own_network)]
    assert facts["command"][4::2] == ["-config", "-override-config"]
