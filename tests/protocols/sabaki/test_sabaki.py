"""Sabaki's own client against `sparring gtp`: see sabaki.js for what it does."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.paths import ROOT

HERE = Path(__file__).parent
GAME_SECONDS = 800  # a whole 19x19 game on a busy machine


@pytest.fixture(scope="module")
def node() -> str:
    """Path of node, with Sabaki's client installed beside this file; skips where it can't be."""
    path, npm = shutil.which("node"), shutil.which("npm")
    if path is None or npm is None:
        pytest.skip("needs node and npm")
    if not (HERE / "node_modules" / "@sabaki" / "gtp").is_dir():
        words = [npm, "ci", "--no-audit", "--no-fund"]
        done = subprocess.run(
            words, cwd=HERE, capture_output=True, text=True, timeout=120, check=False
        )
        if done.returncode != 0:
            pytest.skip(f"npm could not install @sabaki/gtp: {done.stderr[-300:]}")
    return path


def sparring(network: Path, *initial: tuple[str, ...]) -> dict[str, Any]:
    """`sparring gtp` as Sabaki is told to start it; each of initial is (command, words...)."""
    return {
        "path": sys.executable,
        "args": ["-m", "protocols.cli", "gtp", "--network", str(network)],
        # A socket that nobody listens on: the engine under test is this checkout's.
        "env": {"PYTHONPATH": str(ROOT), "SPARRING_SOCKET": str(HERE / "no-engine.sock")},
        "initialCommands": [{"name": name, "args": words} for name, *words in initial],
    }


def run(node: str, **request: Any) -> dict[str, Any]:
    words = [node, str(HERE / "sabaki.js"), json.dumps(request)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=GAME_SECONDS, check=False)
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def margin(score: str) -> float:
    """Black's margin in points; score is as "W+3.5"."""
    return float(score[2:]) * (1 if score[0] == "B" else -1)


def test_sabaki_starts_syncs_analyses_interrupts_and_quits(node: str, go_network: Path) -> None:
    seen = run(
        node,
        scenario="converse",
        engine=sparring(go_network, ("kata-set-param", "maxVisits", "50")),
    )
    assert seen["name"] == "Sparring"
    assert all(name == name.strip() for name in seen["commands"])

    analysis = seen["analysis"]
    assert analysis["name"] == "kata-analyze"  # not plain analyze: Sabaki would mis-scale it
    assert analysis["busy"]
    assert analysis["updates"] >= 3
    assert not analysis["error"]
    assert analysis["afterwards"] == "2"
    best, *_ = analysis["last"]
    assert best["variation"][0] == best["move"]
    assert 0 <= best["winrate"] <= 100
    assert best["scoreLead"] is not None

    # The tracker follows what the engine played, so the next sync continues from it.
    assert seen["shown"] > 0
    assert seen["history"] == [["C3", "G7"], ["W", "E5"], ["B", seen["move"]]]
    assert seen["score"][:2] in {"B+", "W+"}
    assert len([line for line in seen["board"].splitlines() if line.strip()[:1].isdigit()]) == 13
    assert seen["stopped"] < 3000


@pytest.mark.timeout(GAME_SECONDS)
@pytest.mark.parametrize("size", [9, 19])
def test_sabaki_plays_a_whole_game_against_gnugo(
    node: str, go_network: Path, gnugo: str, size: int
) -> None:
    seen = run(
        node,
        scenario="play",
        size=size,
        komi=7.5,
        engine=sparring(
            go_network,
            ("kata-set-param", "maxVisits", "4"),
            ("kata-set-param", "allowResignation", "false"),
            ("kata-set-rules", "chinese"),
        ),
        opponent={
            "path": gnugo,
            "args": "--mode gtp --level 1 --seed 1 --never-resign --chinese-rules".split(),
        },
    )
    assert seen["moves"][-2:] == ["pass", "pass"]
    assert len(seen["moves"]) > size
    assert seen["shown"] > 0
    ours, theirs = seen["scores"]
    assert ours[:2] in {"B+", "W+"}
    # At 4 visits each of the two may misread what is dead; tests/protocols/peers/test_gnugo.py
    # compares them at more visits. Where they agree, GNU Go may count one open dame for a side.
    if seen["dead"][0] == seen["dead"][1]:
        assert abs(margin(ours) - margin(theirs)) <= 1
    assert max(seen["stopped"]) < 3000
