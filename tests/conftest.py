"""Fixtures every test may use."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def katago_model() -> Path:
    """Path of the reference KataGo network; skips where it is absent."""
    path = SHARED_DATA / "katago" / "g170-b6c96-s175395328-d26788732.bin.gz"
    if not path.exists():
        pytest.skip(f"needs the reference network {path.name} in ../shared/data/katago")
    return path


@pytest.fixture(scope="session")
def katago_reference() -> Path:
    """Path of KataGo's reference outputs; skips where they are absent."""
    path = SHARED_DATA / "katago" / "reference.json"
    if not path.exists():
        pytest.skip("needs reference.json in ../shared/data/katago")
    return path
