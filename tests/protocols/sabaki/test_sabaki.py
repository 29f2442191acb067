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
    if not all((HERE / "node_modules" / "@sabaki" / name).is_dir() for name in ("gtp", "sgf")):
        words = [npm, "ci", "--no-audit", "--no-fund"]
        done = subprocess.run(
            words, cwd=HERE, capture_output=True, text=True, timeout=120, check=False
        )
        if done.returncode != 0:
            pytest.skip(f"npm could not install @sabaki/gtp and @sabaki/sgf: {done.stderr[-300:]}")
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
@pytest.mark.parametrize("size", [9, pytest.param(19, marks=pytest.mark.slow)])
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


# White answers Black's third move in the corner, twice on the first line.
# The komi keeps the game open until White's second move in a corner.
GAME = (
    "(;GM[1]FF[4]SZ[9]KM[17]RU[Chinese]PB[Ann]PW[Bob]BR[5k]WR[5k]RE[B+R]"
    ";B[ee];W[ge];B[gc];W[aa];B[gg];W[ia];B[fe];W[fd])"
)
MARKS = {"BM", "DO", "TE"}


def test_sabakis_parser_reads_the_marks_of_a_review(
    node: str, go_network: Path, tmp_path: Path
) -> None:
    game, written = tmp_path / "game.sgf", tmp_path / "reviewed.sgf"
    game.write_text(GAME)
    words = ["review", str(game), "--network", str(go_network), "--visits", "100", "--quiet"]
    words += ["--confirm", "1", "--sgf", str(written)]
    subprocess.run(
        [sys.executable, "-m", "protocols.cli", *words],
        cwd=ROOT, check=True, capture_output=True, timeout=GAME_SECONDS,
    )  # fmt: skip
    done = subprocess.run(
        [node, str(HERE / "read_sgf.js"), str(written)],
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    ((root, *moves),) = json.loads(done.stdout)
    assert [each["data"][color] for each, color in zip(moves, "BW" * 4, strict=True)] == [
        [point] for point in "ee ge gc aa gg ia fe fd".split()
    ]
    assert root["data"]["C"][0].startswith("Reviewed by Sparring")
    marked = {number for number, each in enumerate(moves, 1) if MARKS & each["data"].keys()}
    bad = {number for number, each in enumerate(moves, 1) if "BM" in each["data"]}
    assert {4, 6} <= bad  # the moves in the corners
    for number in bad:
        data = moves[number - 1]["data"]
        assert data["TR"] == data["W" if number % 2 == 0 else "B"]
        assert " is better" in data["C"][0]
        assert any(label.endswith(":A") for label in data["LB"])
        before = root if number == 1 else moves[number - 2]
        assert before["variations"] == 2  # the move played, and the better line
    assert all("C" in moves[number - 1]["data"] for number in marked)
