"""The soak: its report, and a short run on OGS's and CGOS's stand-ins at one engine."""

from __future__ import annotations

import asyncio

import pytest

from tests.support.bots.soak import soak
from tests.support.bots.soak_report import HUNG, ON_TIME, SoakReport


def test_the_report_tells_each_kind_of_fault_plainly() -> None:
    report = SoakReport()
    for is_lost, is_on_time in ((False, False), (True, False), (True, True)):
        report.add_game("OGS", is_lost=is_lost, is_on_time=is_on_time)
    report.add_game("CGOS", is_lost=False, is_on_time=False)
    report.add_faults("OGS", ["7 game/move: Illegal move aa", HUNG])
    report.add_faults("CGOS", [ON_TIME, "illegal move D4", "'D4' out of turn"])
    report.memory["engine"] += [100.0, 140.0, 120.0]
    assert list(report.lines()) == [
        "games ended: 4 (OGS 3, CGOS 1)",
        "games lost by the bot: 2 (OGS 2, CGOS 0)",
        "of these lost on time: 1 (OGS 1, CGOS 0)",
        "hung games: 1 (OGS 1)",
        "illegal moves: 2 (OGS 1, CGOS 1)",
        "memory of engine from the first minute to the last: 100 -> 120 MiB, at most 140",
        "other faults: 1",
        "CGOS: 'D4' out of turn",
        "all faults: 5",
    ]


def test_a_report_without_faults_says_so() -> None:
    assert "all faults: 0" in list(SoakReport().lines())


@pytest.mark.slow
def test_games_on_two_servers_at_once_have_no_fault(capsys: pytest.CaptureFixture[str]) -> None:
    assert asyncio.run(soak(minutes=0.7, ogs_games=3, cgos_bots=2)) == 0
    said = capsys.readouterr().out
    assert "games ended: " in said
    assert "games ended: 0" not in said
    assert "all faults: 0" in said
