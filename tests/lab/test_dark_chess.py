"""The metrics of dark chess, and the thesis's table beside ours."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from engine._core import (
    BiasCount,
    DarkChessSearchPlayer,
    DarkChessSeries,
    SolvedDarkChess,
    optimal_dark_chess_player,
    play_dark_chess_series,
    uniform_dark_chess_player,
)
from engine.agents.dark_knight import read_setting
from engine.errors import UsageError
from engine.games.chance import drawn
from engine.games.dark_chess import new_position, set_up, write_action, write_cell
from engine.lab.dark_chess_metrics import (
    Metric,
    PositionTests,
    Row,
    example_positions,
    luck_shares,
    metrics_of,
    player_of,
    start_of,
)
from engine.lab.dark_chess_pairs import pair_points, share_of
from engine.lab.dark_chess_published import (
    CORRELATIONS,
    PublishedRow,
    published_metrics,
    read_published,
    regression,
    true_correlation,
)
from engine.lab.dark_chess_study import Study, measured
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
        "5000,PB,H=B+C,c_PB=0.01,count=L,IMB,w=0.5,c_s=20,EPT,eps=0.1,C=1,captures=0.5"
    ).native()
    assert (native.simulations, native.exploration, native.capture_share) == (5000, 1.0, 0.5)
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


def measured_by(rows: Sequence[Row]) -> dict[str, Metric]:
    """Returns the metrics of a setting, alone in its study."""
    return metrics_of(rows, luck_shares(rows))


def values_of(series: DarkChessSeries) -> dict[str, float]:
    names = ("wins", "losses", "draws", "luck", "luck_squares", "luck_results")
    values = {name: getattr(series, name) for name in names}
    return values | {"games": series.wins + series.losses + series.draws}


def points_of(series: DarkChessSeries) -> float:
    return (series.wins + series.draws / 2) / (series.wins + series.draws + series.losses)


def test_the_order_of_players_is_that_of_the_thesis(pawns: SolvedDarkChess) -> None:
    """Random play loses to expectiminimax and to optimal play."""
    start = start_of("PPPP")
    best, expecting, other = (player_of(name, pawns, start, 1) for name in ("OPT", "EMM", "random"))
    assert points_of(play_dark_chess_series(pawns, other, best, 100, 180, 1)) < 0.2
    assert points_of(play_dark_chess_series(pawns, expecting, other, 100, 180, 1)) > 0.6


def test_optimal_play_needs_time_to_win(pawns: SolvedDarkChess) -> None:
    """It may repeat positions, and wins less where few quiet moves are a draw."""
    best, other = optimal_dark_chess_player(pawns), uniform_dark_chess_player()
    usual, patient, adjudged = (
        play_dark_chess_series(pawns, other, best, 200, limit, 1, adjudicates)
        for limit, adjudicates in ((20, False), (180, False), (180, True))
    )
    assert usual.draws > patient.draws
    assert points_of(patient) < points_of(usual)
    assert points_of(adjudged) == pytest.approx(points_of(patient), abs=0.03)


def test_luck_is_taken_out_without_a_bias(pawns: SolvedDarkChess) -> None:
    best = optimal_dark_chess_player(pawns)
    player = player_of("300", pawns, start_of("PPPP"), 1)
    series = play_dark_chess_series(pawns, player, best, 2000, 180, 1)
    plain = 100 * points_of(series)
    rate = measured_by([{"against": "OPT", **values_of(series)}])["WR_OPT"]
    half = 196 * (plain / 100 * (1 - plain / 100) / 2000) ** 0.5
    assert rate.value == pytest.approx(plain, abs=2 * half)
    assert rate.half < 0.8 * half
    assert abs(series.luck) / 2000 < 3 * (series.luck_squares / 2000**2) ** 0.5


def test_optimal_play_has_only_the_luck_of_flips(pawns: SolvedDarkChess) -> None:
    """The result of best play is its value and its luck."""
    best = optimal_dark_chess_player(pawns)
    series = play_dark_chess_series(pawns, best, best, 100, 180, 1)
    assert series.luck == pytest.approx(series.wins - series.losses)
    squares = series.wins + series.losses - 2 * series.luck_results + series.luck_squares
    assert squares / 100 == pytest.approx((19 / 35) ** 2)


def test_series_are_checked_and_repeatable(pawns: SolvedDarkChess) -> None:
    best, start = optimal_dark_chess_player(pawns), start_of("PPPP")
    one, same, other = (
        play_dark_chess_series(pawns, player_of("20", pawns, start, 3), best, 20, 180, seed)
        for seed in (1, 1, 2)
    )
    assert one.luck == same.luck != other.luck
    assert one.wins + one.losses + one.draws == 20
    with pytest.raises(ValueError, match="pairs"):
        play_dark_chess_series(pawns, best, best, 3, 180, 1)


def test_players_are_checked() -> None:
    """Likely outcomes are known for the usual material alone."""
    start = new_position(2, 4, "KKKK")
    with pytest.raises(ValueError, match="usual material"):
        DarkChessSearchPlayer(read_setting("10,EPT").native(), start, 1, 1)
    with pytest.raises(ValueError, match="seeds"):
        DarkChessSearchPlayer(read_setting("10").native(), start, 0, 1)


def test_kept_choices_hold_for_symmetric_boards() -> None:
    """One search answers for a board, its mirrors, and for either color."""
    start = start_of("KGGP")
    player = DarkChessSearchPlayer(read_setting("50").native(), start, 1, 1)
    board = ("Kg", "XX", "-X", "-G")
    for rows in (board, board[::-1], [row[::-1] for row in board]):
        text = "\n".join(rows)
        for picture in (f"{text}\nred Gkg", text.swapcase().replace("x", "X") + "\nblack gKG"):
            position = start_of("KGGP")
            set_up(position, picture)
            assert position.is_legal(player.choose(position, 1))
    assert player.searches == 1


def test_captures_are_the_legal_moves_onto_enemies() -> None:
    rng = random.Random(1)
    number = 0
    for material in ("KGCP", "CCPP", "KCPP"):
        for _ in range(100):
            position = start_of(material)
            for _ in range(rng.randrange(4, 40)):
                if position.is_over:
                    break
                position.play(drawn(position, rng.choice(position.legal_moves()), rng.randrange))
            if position.is_over or sum(position.pool) == 8:
                continue
            expected = set()
            for move in position.legal_moves():
                end = re.search("-(..)", write_action(move, 2, 4))
                cells = {write_cell(cell, 2, 4): cell for cell in range(8)}
                stone = int(position.stones.flat[cells[end[1]]]) if end else 0
                if stone == 2 - position.to_move:
                    expected.add(move)
            assert set(position.captures) == expected
            number += len(expected)
    assert number > 50


def test_metrics_of_a_setting(pawns: SolvedDarkChess) -> None:
    start = start_of("PPPP")
    positions = example_positions(player_of("random", pawns, start, 1), start, 10, 40, 1)
    assert len(positions) == 40
    tests = PositionTests.of(positions, pawns, ["500"], ["50"], 1)
    few, many = tests.counts_of(read_setting("10"), [10, 2000], 1)
    small, large = measured_by([few]), measured_by([many])
    assert small["MSE_TH"].value > large["MSE_TH"].value
    assert small["PR_BEST"].value < large["PR_BEST"].value <= 100
    assert small["PR_500"].value < large["PR_500"].value <= 100
    assert small["MSE_GO_50"].value > large["MSE_GO_50"].value
    assert measured_by([few, few])["MSE_TH"].value == pytest.approx(small["MSE_TH"].value)
    other = {"positions": 60, "hits": {"BEST": 60}, "squares": {"TH": 0.0}}
    both = measured_by([few, other])  # other positions, without the expert
    assert both["PR_500"].value == small["PR_500"].value
    assert both["MSE_TH"].value == pytest.approx(0.4 * small["MSE_TH"].value)


def test_win_rates_have_intervals() -> None:
    row: dict[str, object] = {"against": "1000", "games": 4, "wins": 2, "losses": 0}
    row |= {"luck": 0.0, "luck_squares": 1.0, "luck_results": 0.0}
    metric = measured_by([row, row])["WR_1k"]
    assert metric.value == 75
    assert metric.half == pytest.approx(50 * 1.96 * (1 / 3) ** 0.5 / 8**0.5, abs=0.01)
    lucky = measured_by([row | {"luck": 1.0, "luck_results": 1.0}])["WR_1k"]
    assert lucky.value < 75
    assert lucky.half < metric.half * 2**0.5


def test_materials_differ_without_noise() -> None:
    """Both games of a material end alike: nothing is left to chance."""
    row: dict[str, object] = {"against": "OPT", "games": 2, "luck": 0.0}
    row |= {"luck_squares": 0.0, "luck_results": 0.0}
    lost = row | {"wins": 0, "losses": 2}
    won = row | {"wins": 2, "losses": 0}
    assert measured_by([lost, won])["WR_OPT"] == Metric(50, 0)


def test_noise_lowers_a_correlation() -> None:
    rng = random.Random(4)
    truths = [rng.gauss(40, 5) for _ in range(4000)]
    points = [
        (Metric(rng.gauss(truth, 3), 3 * 1.96), Metric(rng.gauss(truth, 2), 2 * 1.96))
        for truth in truths
    ]
    assert regression([(x.value, y.value) for x, y in points]).correlation < 0.85
    assert true_correlation(points) == pytest.approx(1, abs=0.02)
    plain = [(Metric(x.value), Metric(y.value)) for x, y in points]
    assert true_correlation(plain) < 0.85


def test_players_have_names(pawns: SolvedDarkChess) -> None:
    start = start_of("PPPP")
    for name in ("OPT", "EMM", "random", "20,EPT"):
        assert start.is_legal(player_of(name, pawns, start, 1).choose(start, 1))
    with pytest.raises(ValueError, match="XYZ"):
        player_of("XYZ", pawns, start, 1)


def test_larger_searches_play_fewer_games() -> None:
    study = Study(["1", "30000", "30000,EPT", "1000,EPT"], ["PPPP"], games=20)
    settings = [setting for group in study.groups for setting in group]
    assert [study.games_of(setting) for setting in settings] == [20, 4, 20, 4]
    assert [[each.text for each in group] for group in study.groups] == [
        ["1", "30000"], ["1000,EPT", "30000,EPT"],
    ]  # fmt: skip


def test_a_study_measures_each_row_once() -> None:
    few = Study(["1", "10"], ["PPPP"], ["OPT"], games=2, positions=2, generator="random")
    rows = list(measured(few, []))
    assert len(rows) == 4
    assert list(measured(few, rows)) == []
    more = replace(few, rounds=2)
    later = list(measured(more, rows[:3]))
    assert later[0] == rows[3]
    assert {row["round"] for row in later[1:]} == {1}
    limited = replace(few, most_simulations={"OPT": 1})
    assert sum("against" in row for row in measured(limited, [])) == 1


WORDS = ["lab", "darkchess", "all", "--materials", "PPPP", "--games", "8", "--quiet",
         "--generator", "random", "--positions", "4"]  # fmt: skip


def test_the_table_stands_beside_the_published_one(
    capsys: pytest.CaptureFixture[str], table: Path, tmp_path: Path
) -> None:
    record = tmp_path / "study.jsonl"
    words = [*WORDS, "--published", str(table), "--output", str(record)]
    assert dispatch([*words, "--against", "OPT", "EMM"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == [
        "setting", "WR_OPT", "thesis", "WR_EMM", "thesis", "PR_BEST", "thesis", "MSE_TH", "thesis",
    ]  # fmt: skip
    assert lines[1].split()[-1] == "0.0955"
    assert lines[-1].startswith("MSE_TH: r ")
    assert lines[-1].endswith("3 settings, thesis -0.9078, s 2.45")
    written = record.read_text()
    assert dispatch([*words, "--against", "OPT", "EMM", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["thesis"]["WR_OPT"] for row in rows] == [11.5, 18, 26]
    assert record.read_text() == written


def test_pairs_on_the_whole_board(capsys: pytest.CaptureFixture[str]) -> None:
    """Searches beat choices by one simulation, and a seed repeats its games."""
    many, one = read_setting("300,PB"), read_setting("1")
    points = list(pair_points(many, one, 3, 1))
    assert points == list(pair_points(many, one, 3, 1))
    assert share_of(points).value > 60
    assert share_of([1.0, 0.5]).half == pytest.approx(49, abs=0.1)
    words = ["lab", "darkchess", "10", "--against", "1", "--pairs", "1"]
    assert dispatch(words) == 0
    assert "10 against 1:" in capsys.readouterr().out
    assert dispatch([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["half"] is None
    with pytest.raises(UsageError, match="OPT"):
        dispatch(["lab", "darkchess", "10", "--pairs", "1"])


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
