"""Another engine's values in place of our playouts: its lines, its limits, its death."""

from __future__ import annotations

import logging
import shutil
import sys
import time
from pathlib import Path

import pytest

from engine._core import SearchSettings
from engine.games.chess_game import MOVES, read_uci
from engine.networks.lc0 import read_lc0
from engine.networks.native_backend import NativeEvaluator
from engine.search.report import ReportOptions
from engine.search.search import Restriction, Search
from engine.values import Limit, Report
from protocols.positions.player import ThinkingLimits
from protocols.positions.session_adapter import SessionAdapter
from tests.support.networks import lc0_writer

pytest.importorskip("chess", reason="needs python-chess: sparring[chess]")

from engine.games.chess_position import ChessPosition
from engine.search.chess_aids import OpenAids
from engine.search.engine_lines import read_line
from engine.search.external_engine import ExternalEngine

# It answers every search by three lines, and notes what it is told. `go nodes 13000` kills it.
PROGRAM = """
import sys
for line in sys.stdin:
    line = line.strip()
    print(line, file=sys.stderr, flush=True)
    if line == "uci":
        print("option name MultiPV type spin default 1 min 1 max 500")
        print("option name UCI_ShowWDL type check default false")
        print("uciok", flush=True)
    elif line == "isready":
        print("readyok", flush=True)
    elif line == "go nodes 13000":
        sys.exit(3)
    elif line == "go nodes 14000":
        pass
    elif line.startswith("go"):
        print("info depth 1 multipv 1 score cp 900 lowerbound pv a2a3")
        print("info depth 2 multipv 1 score cp 30 wdl 300 600 100 nodes 9 pv d2d4 d7d5 nonsense")
        print("info depth 2 multipv 2 score cp 20 wdl 250 600 150 nodes 9 pv e2e4")
        print("info depth 2 multipv 3 score cp -450 wdl 0 50 950 nodes 9 pv g2g4 e7e5")
        if "infinite" not in line:
            print("bestmove d2d4", flush=True)
        else:
            print("info depth 3 multipv 1 score cp 25 wdl 280 620 100 pv d2d4", flush=True)
    elif line == "stop":
        print("bestmove d2d4", flush=True)
    elif line == "quit":
        break
    sys.stdout.flush()
"""


@pytest.fixture(scope="module")
def evaluator(tmp_path_factory: pytest.TempPathFactory) -> NativeEvaluator:
    path = lc0_writer.write(tmp_path_factory.mktemp("lc0") / "net.pb.gz", lc0_writer.Shape())
    return NativeEvaluator(read_lc0(path), precision="fp32", threads=1)


@pytest.fixture
def command(tmp_path: Path) -> str:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    return f"{sys.executable} {program}"


def search_with(evaluator: NativeEvaluator, command: str, fen: str = "") -> Search:
    engine = ExternalEngine(command)
    search = Search(evaluator, seed=1, aids=OpenAids(engine=engine))
    search.set_position(ChessPosition(fen) if fen else ChessPosition())
    return search


def said_to(search: Search) -> list[str]:
    """The commands that the program was told."""
    assert search.aids.engine is not None
    client = search.aids.engine._client
    assert client is not None
    search.aids.engine.close()
    return list(client.stderr)


def test_the_values_of_the_lines_are_the_report(evaluator: NativeEvaluator, command: str) -> None:
    search = search_with(evaluator, command)
    report = search.run(Limit(visits=100))
    moves = {MOVES[stats.move]: stats for stats in report.moves}
    assert list(moves) == ["d2d4", "e2e4", "g2g4"]
    assert moves["d2d4"].win_rate == pytest.approx(0.6)
    assert moves["d2d4"].no_result == pytest.approx(0.6)
    assert moves["g2g4"].win_rate == pytest.approx(0.025)
    assert moves["d2d4"].visits > moves["e2e4"].visits > moves["g2g4"].visits == 1
    assert moves["d2d4"].pv == (read_uci("d2d4"), read_uci("d7d5"))
    assert (moves["d2d4"].score_mean, moves["g2g4"].score_mean) == (0.3, -4.5)
    assert report.root.win_rate == pytest.approx(0.6)
    assert report.root.visits == pytest.approx(100, abs=3)
    assert report.policy[report.moves[0].move] > 0
    commands = said_to(search)
    assert "setoption name MultiPV value 20" in commands
    assert "setoption name UCI_ShowWDL value true" in commands
    assert commands[commands.index("go nodes 100000") - 1].startswith("position fen rnbqkbnr")


def test_options_behind_the_command_are_set(evaluator: NativeEvaluator, command: str) -> None:
    search = search_with(evaluator, f"{command} option.SyzygyPath=/tables 'option.Book File=b.bin'")
    assert search.run(Limit(visits=5)).moves
    commands = said_to(search)
    assert "setoption name SyzygyPath value /tables" in commands
    assert "setoption name Book File value b.bin" in commands


def test_levels_of_people_get_utilities_by_pawns(evaluator: NativeEvaluator, command: str) -> None:
    search = search_with(evaluator, command)
    settings = SearchSettings()
    settings.win_loss_utility_factor = 0.0
    search.change_settings(settings)
    moves = search.run(Limit(visits=100)).moves
    assert moves[0].utility == pytest.approx(0)
    assert moves[1].utility == pytest.approx(-0.05, abs=0.001)  # a tenth of a pawn
    assert moves[2].utility == pytest.approx(-0.984, abs=0.001)  # nearly five pawns


def test_a_search_of_one_visit_is_the_networks_alone(
    evaluator: NativeEvaluator, command: str
) -> None:
    search = search_with(evaluator, command)
    assert search.run(Limit(visits=1)).root.visits == 1
    assert search.aids.engine is not None
    assert search.aids.engine._client is None


def test_limits_become_the_programs(evaluator: NativeEvaluator, command: str) -> None:
    search = search_with(evaluator, command)
    until = [0 if MOVES[move] in {"d2d4", "e2e4"} else 1 for move in range(len(MOVES))]
    report = search.run(
        Limit(seconds=2.0, max_seconds=0.5),
        restriction=Restriction(black=until),  # color 0, White in chess
        options=ReportOptions(lines=1),
    )
    assert report.moves
    commands = said_to(search)
    assert "setoption name MultiPV value 1" in commands
    (go,) = [each.split() for each in commands if each.startswith("go")]
    assert go[:4] == ["go", "movetime", "500", "searchmoves"]
    assert sorted(go[4:]) == ["d2d4", "e2e4"]


@pytest.mark.parametrize(("persona", "lines"), [("full", 3), ("full", 1), ("even", 20)])
def test_a_client_says_how_many_lines_full_strength_works_out(
    evaluator: NativeEvaluator, command: str, persona: str, lines: int
) -> None:
    player = SessionAdapter(search_with(evaluator, command), "chess")
    player.set_persona(persona)
    wanted = 3 if lines == 20 else lines  # `even` needs the values of all moves
    player.choose(
        ThinkingLimits(seconds=0.2, lines=wanted), stop=lambda: False, on_analysis=lambda _: None
    )
    assert f"setoption name MultiPV value {lines}" in said_to(player.session.search)


def test_stop_ends_an_endless_search(evaluator: NativeEvaluator, command: str) -> None:
    search = search_with(evaluator, command)
    shown: list[Report] = []
    report = search.run(
        Limit(), stop=lambda: bool(shown), on_report=shown.append, report_every_seconds=0.0
    )
    assert len(report.moves) == 3
    assert said_to(search)[-2:] == ["stop", "quit"]


@pytest.mark.parametrize(
    ("program", "message"),
    [("", "ended at 'go nodes 13000'"), ("/no/such/program", "No such file or directory")],
)
def test_without_the_program_our_own_search_goes_on(
    evaluator: NativeEvaluator,
    command: str,
    caplog: pytest.LogCaptureFixture,
    program: str,
    message: str,
) -> None:
    search = search_with(evaluator, program or command)
    with caplog.at_level(logging.WARNING, "sparring"):
        report = search.run(Limit(visits=13))
        again = search.run(Limit(visits=20))
    assert (report.root.visits, again.root.visits) == (13, 20)
    assert [message in line for line in caplog.messages] == [True]
    assert "our own search goes on" in caplog.messages[0]


def test_a_silent_program_is_given_up(
    evaluator: NativeEvaluator, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.search.external_engine.PATIENCE_SECONDS", 0.2)
    search = search_with(evaluator, command)
    assert search.run(Limit(visits=14)).root.visits == 14
    assert search.aids.engine is not None
    assert search.aids.engine.is_lost


def test_a_pause_of_this_process_is_no_silence_of_the_program(
    evaluator: NativeEvaluator, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.search.external_engine.PATIENCE_SECONDS", 0.2)
    search = search_with(evaluator, command)

    def pause() -> bool:
        time.sleep(0.3)
        return False

    assert len(search.run(Limit(visits=100), stop=pause).moves) == 3
    assert search.aids.engine is not None
    assert not search.aids.engine.is_lost


def test_a_move_that_repeats_keeps_the_value_of_the_rules(
    evaluator: NativeEvaluator, command: str
) -> None:
    search = search_with(evaluator, command)
    position = ChessPosition("7k/8/8/8/8/8/3RP1P1/7K w - - 0 1")
    for word in ("d2d4", "h8g8", "d4d2", "g8h8"):
        position.play(position.read_move(word))
    search.set_position(position)
    moves = {MOVES[stats.move]: stats for stats in search.run(Limit(visits=50)).moves}
    assert (moves["d2d4"].win_rate, moves["d2d4"].no_result) == (0.5, 1.0)
    assert moves["e2e4"].win_rate == pytest.approx(0.55)
    assert moves["e2e4"].order == 0


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("info depth 3 score mate 2 pv e2e4", (1.0, 98.0)),
        ("info depth 3 score mate -1 pv e2e4", (-1.0, -99.0)),
        ("info depth 3 score cp 0 pv e2e4", (0.0, 0.0)),
        ("info depth 3 score cp 100 pv e2e4", (0.182, 1.0)),
    ],
)
def test_scores_without_chances_become_values(line: str, expected: tuple[float, float]) -> None:
    read = read_line(line, ChessPosition())
    assert read is not None
    number, value = read
    assert (number, value.pawns) == (1, expected[1])
    assert value.win_loss == pytest.approx(expected[0], abs=0.06)


@pytest.mark.parametrize(
    "line",
    ["info string hello pv e2e4", "info depth 3 score cp 1", "info score cp 1 upperbound pv e2e4",
     "info depth 1 score cp 3 pv e2e5", "bestmove e2e4"],
)  # fmt: skip
def test_lines_without_a_value_are_skipped(line: str) -> None:
    assert read_line(line, ChessPosition()) is None


@pytest.mark.skipif(not shutil.which("stockfish"), reason="needs stockfish")
def test_stockfish_finds_the_mate(evaluator: NativeEvaluator) -> None:
    search = search_with(evaluator, "stockfish", "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
    report = search.run(Limit(visits=5))
    assert MOVES[report.moves[0].move] == "d1d8"
    assert report.moves[0].win_rate > 0.99
    assert search.aids.engine is not None
    search.aids.engine.close()
