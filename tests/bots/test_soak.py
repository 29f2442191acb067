"""A short run of the soak: OGS's and CGOS's stand-ins at one engine, with cut lines."""

from __future__ import annotations

import asyncio

import pytest

from tests.support.bots.soak import soak


@pytest.mark.slow
def test_games_on_two_servers_at_once_have_no_fault(capsys: pytest.CaptureFixture[str]) -> None:
    assert asyncio.run(soak(minutes=0.7, ogs_games=3, cgos_bots=2)) == 0
    said = capsys.readouterr().out
    assert "won by" in said
    assert "lost by timeout" not in said
