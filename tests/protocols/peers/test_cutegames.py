"""cutegames, the match runner that UGI comes from, plays two of our engines against each other."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.paths import ROOT

OPENINGS = {
    "othello": ["startpos", "8/8/8/3ox3/3xxx2/8/8/8 o"],
    "othello4": ["startpos", "4/1xo1/1xx1/2x1 o"],  # games with passes
    "connect4": ["startpos", "7/7/7/7/7/3xo2 x"],
}


@pytest.fixture(scope="session")
def cutegames() -> str:
    path = shutil.which("cutegames")
    if path is None:
        pytest.skip("needs cutegames (github.com/kz04px/cutegames) on PATH")
    return path


@pytest.mark.parametrize("game", OPENINGS)
def test_whole_games_whose_end_both_sides_agree_on(
    cutegames: str, game: str, tmp_path: Path
) -> None:
    script, openings, record = (tmp_path / name for name in ("ugi", "openings.txt", "games.pgn"))
    script.write_text(
        f"#!/bin/sh\ncd '{ROOT}'\n"
        f"exec '{sys.executable}' -m protocols.cli ugi --alone 2>/dev/null\n"
    )
    script.chmod(0o755)
    openings.write_text("\n".join(OPENINGS[game]) + "\n")
    settings = {
        "games": 4,
        "game": "generic",
        "verbose": True,
        "protocol": {"askturn": True, "gameover": "both"},
        "openings": {"path": str(openings), "repeat": True, "shuffle": False},
        "timecontrol": {"type": "nodes", "nodes": 20},
        "options": {"Game": game},
        "pgn": {"enabled": True, "path": str(record), "override": True},
        "engines": [
            {"name": name, "path": str(script), "protocol": "UGI"} for name in ("one", "two")
        ],
    }
    file = tmp_path / "settings.json"
    file.write_text(json.dumps(settings))
    done = subprocess.run(
        [cutegames, "--settings", str(file)],
        capture_output=True,
        text=True,
        timeout=200,
        check=True,
    )
    assert "Finished game 4 of 4" in done.stdout
    games = record.read_text()
    assert "Adjudicated" not in games
    assert len(re.findall(r'\[Result "(?:1-0|0-1|1/2-1/2)"\]', games)) == 4
