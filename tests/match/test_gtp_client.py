from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from engine.match.gtp_client import GtpClient, Info, parse_analysis, root_visits
from engine.util.engine_process import EngineLostError, EngineRefusedError, resident_memory

CommandLine = Callable[..., list[str]]

KATA_LINE = (
    "info move E5 visits 302 winrate 0.45 scoreLead -0.3 order 0 pv E5 C5 D3 pvVisits 302 9 4"
    " info move pass visits 40 winrate 0.44 isSymmetryOf E5 order 1 pv pass"
    " rootInfo visits 625 winrate 0.45 ownership 0.5 -0.5"
)
LEELA_LINE = (
    "info move D4 visits 20 winrate 4801 prior 2211 lcb 4700 order 0 pv D4 Q16"
    " info move C3 visits 9 winrate 4712 order 1 pv C3"
)


def test_analysis_lines_are_cut_into_sections() -> None:
    first, second, root = parse_analysis(KATA_LINE)
    assert (first.move, first.visits, first.pv) == ("E5", 302, ("E5", "C5", "D3"))
    assert second == Info(
        "pass",
        {"visits": "40", "winrate": "0.44", "isSymmetryOf": "E5", "order": "1"},
        ("pass",),
    )
    assert (root.move, root.values) == ("", {"visits": "625", "winrate": "0.45"})


@pytest.mark.parametrize(
    ("line", "visits"),
    [(KATA_LINE, 625), (LEELA_LINE, 29), ("play D4", None), ("", None)],
)
def test_visits_of_the_root(line: str, visits: int | None) -> None:
    assert root_visits(line) == visits


def test_questions_and_refusals(scripted: CommandLine) -> None:
    with GtpClient(scripted("--moves", "D4 nonsense")) as engine:
        assert engine.ask("name") == ""
        assert "genmove" in engine.commands
        assert engine.ask_all(["clear_board", "genmove b", "genmove w"]) == ["", "D4", "E5"]
        with pytest.raises(EngineRefusedError, match="unknown command"):
            engine.ask("unheard-of")
        with pytest.raises(EngineRefusedError, match="unknown command"):
            engine.ask_all(["name", "unheard-of", "name"])
        assert engine.ask("list_commands").split()[-1] == "quit"
        with pytest.raises(ValueError, match="one line"):
            engine.ask("name\nquit")


def test_an_analysis_is_interrupted_and_the_engine_stays_in_step(scripted: CommandLine) -> None:
    with GtpClient(scripted("--moves", "D4")) as engine:
        lines = list(engine.analyze("kata-analyze b 10", 0.2))
        assert [root_visits(line) for line in lines] == [10, 20]
        engine.ask("clear_board")
        assert engine.ask("genmove b") == "D4"


def test_a_crash_is_reported_with_what_the_engine_said_last(scripted: CommandLine) -> None:
    with GtpClient(scripted("--moves", "crash")) as engine:
        engine.ask("clear_board")
        with pytest.raises(EngineLostError, match=r"'genmove b', exit code 1.*out of luck") as lost:
            engine.ask("genmove b")
        assert lost.value.how == "crashed"
        with pytest.raises(EngineLostError):
            engine.ask("name")


def test_silence_is_a_loss_after_the_limit(scripted: CommandLine) -> None:
    began = time.monotonic()
    with GtpClient(scripted("--moves", "hang"), seconds=30) as engine:
        engine.ask("clear_board")
        with pytest.raises(EngineLostError, match="no reply to 'genmove b'") as lost:
            engine.ask("genmove b", seconds=0.2)
        assert lost.value.how == "hung"
        engine.kill()
        assert engine.process.returncode is not None
    assert time.monotonic() - began < 30


@pytest.mark.parametrize("command", ["", "no-such-program --gtp", ["/dev/null"]])
def test_a_program_that_cannot_be_started(command: str | list[str]) -> None:
    with pytest.raises(EngineLostError) as lost:
        GtpClient(command)
    assert lost.value.how == "absent"


def test_memory_of_an_engine_and_of_this_process(scripted: CommandLine) -> None:
    with GtpClient(scripted()) as engine:
        engine.ask("name")
        assert 1 << 20 < engine.memory() < 1 << 30
    assert engine.memory() == 0
    assert resident_memory() > 1 << 20


def test_the_processor_time_of_an_engine(scripted: CommandLine) -> None:
    with GtpClient(scripted()) as engine:
        engine.ask("name")
        assert 0 < engine.processor_seconds() < 60  # Python's start at least
    assert engine.processor_seconds() == 0


def test_gnugo_answers(gnugo: str) -> None:
    with GtpClient([gnugo, "--mode", "gtp"]) as engine:
        assert engine.ask("name") == "GNU Go"
        replies = engine.ask_all(["boardsize 9", "clear_board", "play b E5"])
        assert replies == ["", "", ""]
        with pytest.raises(EngineRefusedError, match="illegal move"):
            engine.ask("play w E5")
        assert "E5" in engine.ask("list_stones b")
