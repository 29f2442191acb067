"""KaTrain's own game, AI strategies and remote engine, driven headless against `serve`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.support.paths import SUPPORT

SESSION = SUPPORT / "katrain_session.py"


@pytest.fixture(scope="module")
def python() -> str:
    """An interpreter that has KaTrain: this one, or the one that KATRAIN_PYTHON names."""
    if named := os.environ.get("KATRAIN_PYTHON"):
        return named
    if find_spec("katrain") is None:
        pytest.skip("needs KaTrain: pip install katrain==1.20.0, here or for KATRAIN_PYTHON")
    return sys.executable


def test_katrain_plays_analyzes_and_ponders(python: str, serving: Any, tmp_path: Path) -> None:
    done = subprocess.run(
        [python, str(SESSION), f"ws://127.0.0.1:{serving.websocket_port}"],
        env={**os.environ, "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    facts = json.loads(done.stdout.splitlines()[-1])
    assert facts["connected"]
    assert facts["visits"] == 30
    assert facts["candidates"] > 0
    assert isinstance(facts["points_lost_by_c3"], float)
    assert (facts["policy_length"], facts["ownership_length"]) == (82, 81)
    assert len(facts["played"]) == 3
    assert facts["reports_grow"]
    assert facts["said"] == []
