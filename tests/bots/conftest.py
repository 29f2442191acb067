"""Fixtures of the bots: a running engine that can be killed and started again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.bots.engine_process import EngineServer


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[EngineServer]:
    """A running engine on a socket of its own, with few visits a move."""
    server = EngineServer(tmp_path)
    server.start()
    yield server
    server.kill()
