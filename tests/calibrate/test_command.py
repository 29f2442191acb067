from __future__ import annotations

from pathlib import Path

import pytest

from engine.strength.ladder import read_ladder
from protocols.cli import UsageError, dispatch

OPTIONS = ["--games", "4", "--from", "-200", "--to", "300", "--processes", "1", "--quiet"]


def test_a_quick_calibration_is_written_shown_and_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    folder = tmp_path / "out"
    assert dispatch(["calibrate", "connect4", "--quick", *OPTIONS, "--output", str(folder)]) == 0
    ladder = read_ladder(folder / "connect4.json")
    assert ladder.network == "connect4"
    assert ladder.games > 0
    shown = capsys.readouterr().out
    assert "any move" in shown
    assert f"{ladder.games} games in 2 rounds" in shown
    page = (folder / "calibration.md").read_text()
    assert page.startswith("# The ladder of connect4 on connect4")
    assert (folder / "calibration.png").read_bytes().startswith(b"\x89PNG")
    (installed,) = (tmp_path / "data" / "sparring" / "ladders").iterdir()
    assert read_ladder(installed) == ladder


def test_what_cannot_be_calibrated_is_said() -> None:
    with pytest.raises(UsageError, match="chess"):
        dispatch(["calibrate", "chess"])
