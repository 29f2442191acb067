"""The metrics of dark chess, and the thesis's table beside ours."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine._core import BiasCount, SolvedDarkChess
from engine.agents.dark_knight import read_setting
from engine.errors import UsageError
from engine.games.dark_chess import new_position
from engine.lab.dark_chess_metrics import (
    SettingMetrics,
    baseline,
    example_positions,
    match_of,
    minimax,
    optimal,
    play_game,
    start_of,
    uniform,
)
from engine.lab.dark_chess_published import (
    CORRELATIONS,
    PublishedRow,
    published_metrics,
    read_published,
    regression,
)
from engine.match.tally import Tally
from protocols.cli.main import dispatch
from tests.conftest import SHARED_DATA

# The six rows without these metrics move their correlations.
LOST = {"PR_BEST": 0.9837, "PR_1k": 0.4802, "PR_1M": 0.9126,
        "MSE_TH": -0.9046, "MSE_GO_1k": -0.8837, "MSE_GO_1M": -0.9054}  # fmt: skip


TABLE = """\
technique,simulations,parameters,WR_OPT,MSE_TH
none,1,,11.5,0.0955
none,10,,18,
IMB,100,w=0.4,26,0.0275
"""


@pytest.fixture(scope="module")
def thesis() -> list[PublishedRow]:
    """The 129 settings of the thesis. Six rows lack two metrics: its own table has lost them."""
    path = SHARED_DATA / "dark-chess" / "settings129.csv"
    if not path.exists():
        pytest.skip(f"needs {path.name} in ../shared/data/dark-chess")
    return read_published(path)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "published.csv"
    path.write_text(TABLE)
    return path


@pytest.fixture(scope="module")
def pawns() -> SolvedDarkChess:
    return SolvedDarkChess(new_position(2, 4, "PPPP"))


def test_a_setting_has_the_constants_of_its_techniques() -> None:
    native = read_setting(
        "5000,PB,H=B+C,c_PB=0.01,count=L,IMB,w=0.5,c_s=20,EPT,eps=0.1,C=1"
    ).native()
    assert (native.simulations, native.exploration) == (5000, 1.0)
    assert (native.ends_early, native.outcome_noise) == (True, 0.1)
    assert (native.minimax_share, native.minimax_decay) == (0.5, 20)
    assert (native.bias_share, native.bias_count) == (0.01, BiasCount.losses)
    assert (native.bias_values_flips, native.bias_curb) == (False, 0.25)
    assert read_setting("1,PB,H=B").native().bias_curb == 0.0
    plain = read_setting("1").native()
    shares = (plain.minimax_share, plain.length_share, plain.terminal_share, plain.bias_share)
    assert (plain.ends_early, shares) == (False, (0, 0, 0, 0))
    quality = read_setting("1,SL,TSQ,a_T=0.2").native()
    assert (quality.length_share, quality.length_slope) == (0.25, 7)
    assert (quality.terminal_share, quality.terminal_slope) == (0.2, 11)


@pytest.mark.parametrize(
    "text", ["", "EPT", "0", "10,XYZ", "10,w=0.3", "10,IMB,w=x", "10,PB,H=Q", "10,PB,count=M"]
)
def test_a_wrong_setting_is_quoted(text: str) -> None:
    with pytest.raises(ValueError, match=repr(text)[1:-1] or "''"):
        read_setting(text)


def test_the_thesis_has_129_different_settings(thesis: list[PublishedRow]) -> None:
    assert len({row.setting.key for row in thesis}) == len(thesis) == 129
    assert published_metrics(thesis, read_setting("1000"))["WR_OPT"] == 37.67
    assert published_metrics(thesis, read_setting("30000,IMB,w=0.4"))["WR_4x8"] == 69.25
    assert published_metrics(thesis, read_setting("1234")) == {}


def test_a_published_table_may_have_gaps(table: Path) -> None:
    rows = read_published(table)
    assert [row.setting.text for row in rows] == ["1", "10", "100,IMB,w=0.4"]
    assert published_metrics(rows, read_setting("10")) == {"WR_OPT": 18}


@pytest.mark.parametrize("row", ["none,1", "XYZ,1,,2,3", "none,0,,2,3", "none,1,,two,3"])
def test_a_wrong_row_of_a_published_table_is_numbered(table: Path, row: str) -> None:
    table.write_text(f"{TABLE}{row}\n")
    with pytest.raises(ValueError, match="row 4"):
        read_published(table)


@pytest.mark.parametrize("name", CORRELATIONS)
def test_the_thesis_s_correlations_come_out(thesis: list[PublishedRow], name: str) -> None:
    rows = [row.metrics for row in thesis if name in row.metrics]
    fit = regression([(metrics[name], metrics["WR_OPT"]) for metrics in rows])
    correlation, error = CORRELATIONS[name]
    assert fit.correlation == pytest.approx(LOST.get(name, correlation), abs=0.00006)
    assert fit.error == pytest.approx(error, abs=0.005 if name not in LOST else 0.13)


def test_points_without_a_line_are_refused() -> None:
    with pytest.raises(ValueError, match="2 points"):
        regression([(1, 2), (3, 4)])
    with pytest.raises(ValueError, match="3 points"):
        regression([(1, 2), (1, 3), (1, 4)])


def test_the_order_of_players_is_that_of_the_thesis(pawns: SolvedDarkChess) -> None:
    """Random play loses to expectiminimax and to optimal play."""
    best = optimal(pawns)
    assert match_of(uniform, best, start_of("PPPP"), 100, 1).rate < 0.2
    assert match_of(minimax, uniform, start_of("PPPP"), 100, 1).rate > 0.6


def test_optimal_play_needs_time_to_win(pawns: SolvedDarkChess) -> None:
    """It may repeat positions, and wins less where repetitions are draws."""
    best = optimal(pawns)
    usual = match_of(uniform, best, start_of("PPPP", quiet_limit=40, repetitions=3), 100, 1)
    patient = match_of(uniform, best, start_of("PPPP"), 100, 1)
    assert usual.draws > patient.draws
    assert patient.rate < usual.rate


def test_matches_take_the_first_move_in_turn(pawns: SolvedDarkChess) -> None:
    """The first player of the eight pawns expects 8/35 of the points; the players take turns."""
    best, start = optimal(pawns), start_of("PPPP")
    first = [play_game(best, best, start, seed) for seed in range(200)]
    assert first.count(1) > 2 * first.count(0)
    assert 0.35 < match_of(best, best, start, 200, 1).rate < 0.65
    assert match_of(best, uniform, start, 9, 7) == match_of(best, uniform, start, 9, 7)


def test_metrics_of_a_setting(pawns: SolvedDarkChess) -> None:
    positions = example_positions(uniform, start_of("PPPP"), 3, 1)
    few, many = (SettingMetrics(read_setting(text), {"OPT": Tally()}) for text in ("10", "2000"))
    for row in (few, many):
        row.predict(pawns, positions, 1)
        assert row.positions == len(positions)
    assert few.metrics["MSE_TH"] > many.metrics["MSE_TH"]
    assert few.metrics["PR_BEST"] < many.metrics["PR_BEST"] <= 100
    few.play(pawns, start_of("PPPP"), 4, 1)
    assert few.tallies["OPT"].games == 4


def test_baselines_have_names(pawns: SolvedDarkChess) -> None:
    position = new_position(2, 4, "PPPP")
    for name in ("OPT", "EMM", "20,EPT"):
        move, _ = baseline(name, pawns)(position, 1)
        assert position.is_legal(move)
    with pytest.raises(ValueError, match="XYZ"):
        baseline("XYZ", pawns)


def test_the_table_stands_beside_the_published_one(
    capsys: pytest.CaptureFixture[str], table: Path
) -> None:
    words = [
        "lab",
        "darkchess",
        "all",
        "--published",
        str(table),
        "--materials",
        "PPPP",
        "--games",
        "8",
        "--quiet",
    ]
    words += ["--quiet-limit", "40", "--repetitions", "3"]
    assert dispatch([*words, "--generator", "random", "--against", "OPT", "EMM"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == [
        "setting", "WR_OPT", "thesis", "WR_EMM", "thesis", "PR_BEST", "thesis", "MSE_TH", "thesis",
    ]  # fmt: skip
    assert lines[1].split()[-1] == "0.0955"
    assert lines[-1].startswith("MSE_TH: r ")
    assert lines[-1].endswith("thesis -0.9078, s 2.45")
    assert dispatch([*words, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["thesis"]["WR_OPT"] for row in rows] == [11.5, 18, 26]


def test_wrong_words_are_refused() -> None:
    for words, fault in (
        (["XYZ"], "XYZ"),
        (["all"], "--published FILE"),
        (["1", "--published", "no such file"], "no such file"),
        (["1", "--materials", "KQ"], "KQ"),
        (["1", "--against", "BEST", "--materials", "PPPP"], "BEST"),
    ):
        with pytest.raises(UsageError, match=fault):
            dispatch(["lab", "darkchess", "--quiet", "--games", "1", *words])
