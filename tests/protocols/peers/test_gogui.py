"""Other games under gogui-twogtp, which knows Go alone: two engines of ours and a referee."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.paths import ROOT

GAMES = 3


@pytest.mark.parametrize(
    ("game", "size"), [("othello", 8), ("othello", 6), ("connect4 --points", 7)]
)
def test_twogtp_plays_whole_games_and_all_agree(
    game: str, size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    twogtp = shutil.which("gogui-twogtp")
    if twogtp is None:
        pytest.skip("needs gogui-twogtp (GoGui 1.5 or later)")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    engine = f"{sys.executable} -m protocols.cli gtp --alone --game {game}"
    player = f"{engine} --override-config maxVisits=8"
    command = [twogtp, "-black", player, "-white", player, "-referee", engine]
    options = f"-size {size} -games {GAMES} -auto -komi 0 -sgffile games"
    subprocess.run([*command, *options.split()], cwd=tmp_path, check=True, timeout=100)
    lines = (tmp_path / "games.dat").read_text().splitlines()
    games = [line.split("\t") for line in lines if line and not line.startswith("#")]
    assert len(games) == GAMES
    for _, by_black, by_white, by_referee, *_, errors, _ in games:
        assert by_black == by_white == by_referee
        assert errors == "0"
