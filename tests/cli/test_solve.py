from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest

from engine.errors import UsageError
from protocols.cli.main import dispatch

# Two empty squares: X takes d1 and turns c1, then neither can move and d4 counts for X: 13 to 3.
TWO_LEFT = "XXO-XXXXXXXXOOO- X"


def solve(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, list[str]]:
    code = dispatch(["solve", "--quiet", *words])
    return code, capsys.readouterr().out.splitlines()


def test_positions_are_solved_in_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    code, lines = solve(capsys, "othello4", TWO_LEFT, "--moves")
    assert code == 0
    assert lines[0].split() == ["empties", "score", "move", "nodes", "seconds", "nodes/s", "line"]
    assert lines[1].split()[:3] == ["2", "+10", "d1"]
    assert lines[2].split() == ["d1:+10"]
    assert lines[3].startswith("2 empty: median ")


def test_connect4_is_solved_the_same_way(capsys: pytest.CaptureFixture[str]) -> None:
    code, lines = solve(capsys, "connect4", "445566")
    assert code == 0
    assert lines[1].split()[1:3] in (["+18", "3"], ["+18", "7"])


def test_a_score_that_differs_from_the_one_told_shows(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "endings.obf"
    path.write_text(f"% two\n{TWO_LEFT}; d1:+10;\n{TWO_LEFT}; d1:+4;\n")
    code, lines = solve(capsys, "othello4", "--positions", str(path))
    assert code == 1
    assert "(expected:" not in lines[1]
    assert "(expected: +4)" in lines[2]
    assert lines[-1] == "1 of 2 scores differ from those of the positions"


def test_time_without_an_answer_shows(capsys: pytest.CaptureFixture[str]) -> None:
    code, lines = solve(capsys, "othello", "f5", "--seconds", "0.01")
    assert code == 1
    assert lines[1].split()[1] == "?"


def test_a_peer_is_timed_round_by_round(capsys: pytest.CaptureFixture[str]) -> None:
    code = "import sys; print(sum(line.strip() != '' for line in sys.stdin), 'nodes')"
    peer = shlex.join([sys.executable, "-S", "-c", code])
    words = ["othello6", "--random", "2", "--empties", "6,8", "--rounds", "2", "--peer", peer]
    code_, lines = solve(capsys, *words, "--json")
    assert code_ == 0
    values = json.loads(lines[0])
    assert [row["nodes"] for row in values["peer_rounds"]] == [4, 4]
    assert values["rounds"][0]["nodes"] == values["rounds"][1]["nodes"]
    assert list(values["median_seconds"]) == ["6", "8"]
    assert solve(capsys, *words)[1][-1].startswith("round 2: ours ")


def test_the_2x4_board_of_dark_chess_is_solved(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "values.png"
    words = ["PPPP", "KGGP:-g/XX/KX/-X red GGkp", "--moves", "--picture", str(path)]
    code, lines = solve(capsys, "darkchess2x4", *words)
    assert code == 0
    assert lines[1].split()[:5] == ["PPPP", "-19/35", "-0.54286", "0.2286", "194933"]
    assert lines[2].split() == [f"{square}(?):-19/35" for square in SQUARES]
    assert lines[3].endswith(": 0 (+0.00000), best: b1(?) a2-a1")
    assert path.stat().st_size > 0
    assert solve(capsys, "darkchess2x4", "PPPP:a1(p),b1(P)", "--json")[0] == 0


SQUARES = ("a4", "b4", "a3", "b3", "a2", "b2", "a1", "b1")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["darkchess2x4", "KQKQ"], "'KQKQ' is no material"),
        (["darkchess2x4", "PPPP:a1(K)"], "'a1.K.' in 'PPPP:a1.K.'"),
        (["darkchess2x4", "--random", "3"], "--random is for othello"),
        (["connect4", "--picture", "x.png"], "--picture is for darkchess2x4"),
        (["go9"], "no solver for 'go9'"),
        (["checkers"], "no game 'checkers'"),
        (["chess"], "no solver for 'chess'"),
        (["othello", "z9"], "'z9'"),
        (["othello", "--megabytes", "0"], "megabytes 0"),
        (["othello", "--positions", "absent.obf"], "absent.obf"),
        (["othello4", TWO_LEFT, "--peer", "no-such-solver"], "no-such-solver"),
    ],
)
def test_what_cannot_be_done_is_told(words: list[str], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        dispatch(["solve", "--quiet", *words])
