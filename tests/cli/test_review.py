"""`sparring review` on the command line."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest

from engine.errors import UsageError
from engine.formats import sgf
from engine.games.rules import RULE_SETS
from engine.networks.bundled import WEIGHTS
from protocols.cli.main import dispatch

GAME = "(;GM[1]SZ[7]PB[{}]PW[{}]RU[Chinese]KM[9]RE[{}];B[dd];W[dc];B[ec];W[cd];B[ed];W[ce])"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three games among Ann, Bob and Cid."""
    for name, *told in (
        ("a", "Ann", "Bob", "W+2"),
        ("b", "Cid", "Ann", "B+R"),
        ("c", "Ann", "Cid", "0"),
    ):
        (tmp_path / f"{name}.sgf").write_text(GAME.format(*told))
    return tmp_path


def review(capsys: pytest.CaptureFixture[str], *words: object) -> dict[str, Any]:
    """What the command says as JSON."""
    assert dispatch(["review", *map(str, words), "--json", "--quiet"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_a_single_game_is_told_move_by_move(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert dispatch(["review", str(folder / "a.sgf"), "--visits=2", "--quiet"]) == 0
    said = capsys.readouterr().out.splitlines()
    how = "Ann (Black) against Bob (White), W+2; natural by go-human, judged by go with 2 visits"
    assert said[0] == f"{folder / 'a.sgf'}: {how}"
    table = next(number for number, line in enumerate(said) if line.startswith("move "))
    heads = said[table].split()
    assert heads[:3] == ["move", "by", "played"]
    assert heads[-8:] == "likely rank points lost win rate lost distance".split()
    rows = said[table + 1 :]
    assert [line.split()[:3] for line in rows[:2]] == [["1", "Ann", "D4"], ["2", "Bob", "D5"]]
    assert rows[1].split()[-1] == "1.0"
    assert [line.split()[:3] for line in said[-2:]] == [["Ann", "1", "3"], ["Bob", "1", "3"]]


def test_numbers_are_those_of_the_moves(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = review(capsys, folder / "a.sgf", "--visits=2")
    (game,) = found["games"]
    moves, values, leads = game["moves"], game["values"], game["leads"]
    assert (game["margin"], leads[-1], values[-1]) == (-2.0, -2.0, 0.0)
    for number, move in enumerate(moves):
        sign = 1 if move["color"] == "Black" else -1
        assert move["win_rate_lost"] == pytest.approx(sign * (values[number] - values[number + 1]))
        assert move["points_lost"] == pytest.approx(sign * (leads[number] - leads[number + 1]))
    ann = found["players"][0]
    mean = sum(move["points_lost"] for move in moves[::2]) / 3
    assert ann["points"]["value"] == pytest.approx(mean)
    assert ann["unnatural"]["value"] == sum(move["likely"] < 0.05 for move in moves[::2]) / 3


def test_several_games_are_told_by_player(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = review(capsys, *sorted(folder.glob("*.sgf")), "--visits=0", "--at-once=2")
    players = {player["player"]: player for player in found["players"]}
    assert {name: (each["games"], each["moves"]) for name, each in players.items()} == {
        "Ann": (3, 9), "Bob": (1, 3), "Cid": (2, 6),
    }  # fmt: skip
    assert players["Ann"]["margin"]["value"] == 1.0, "the median of 2 and 0"
    assert players["Ann"]["loss"]["value"] is None
    assert players["Ann"]["natural"]["interval"][0] > 0


def test_moves_and_players_can_be_picked(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for text, numbers in {"3": [3], "2-4": [2, 3, 4], "5-": [5, 6], "-2": [1, 2]}.items():
        found = review(capsys, folder / "a.sgf", "--visits=0", f"--moves={text}")
        assert [move["number"] for move in found["games"][0]["moves"]] == numbers
    found = review(capsys, *sorted(folder.glob("*.sgf")), "--visits=0", "--player=Cid")
    assert [game["name"][-5:] for game in found["games"]] == ["b.sgf", "c.sgf"]
    assert {move["player"] for game in found["games"] for move in game["moves"]} == {"Cid"}
    assert [player["player"] for player in found["players"]] == ["Cid"]


def test_tables_and_pictures_are_written(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for names in (["a.sgf"], ["a.sgf", "b.sgf"]):
        output = folder / f"out{len(names)}"
        words = ["--visits=1", "--quiet", f"--output={output}", f"--csv={folder / 'm.csv'}"]
        assert dispatch(["review", *(str(folder / name) for name in names), *words]) == 0
        said = capsys.readouterr().out
        assert (output / "review.txt").read_text() == said
        assert (output / "review.png").stat().st_size > 10_000
        with (output / "moves.csv").open(newline="") as file:
            rows = list(csv.DictReader(file))
        assert len(rows) == 6 * len(names)
        assert (folder / "m.csv").read_text() == (output / "moves.csv").read_text()
        assert (folder / "m-players.csv").read_text() == (output / "players.csv").read_text()
        assert (folder / "m-games.csv").read_text().count("\n") == 1 + len(names)


def test_where_no_moves_are_nothing_is_told_of_any(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "empty.sgf").write_text("(;GM[1]SZ[7])")
    for words in (["empty.sgf"], ["a.sgf", "--moves=90-"]):
        game = [str(folder / words[0]), *words[1:]]
        assert dispatch(["review", *game, "--visits=1", "--quiet", f"--output={folder}"]) == 0
        assert capsys.readouterr().out.splitlines()[1:] == ["", "no moves"]


def test_bad_files_lose_nothing_of_the_others(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "bad.sgf").write_text("(;GM[1]SZ[7];B[zz])")
    words = [str(folder / "bad.sgf"), str(folder / "a.sgf"), "none.sgf"]
    assert dispatch(["review", *words, "--visits=0", "--quiet"]) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith(f"{folder / 'a.sgf'}: Ann")
    assert said[-2:] == [
        f"not read: {folder / 'bad.sgf'}: [zz] is not on the 7x7 board",
        "not read: none.sgf: No such file or directory",
    ]
    with pytest.raises(UsageError, match=r"\[zz\] is not on the 7x7 board"):
        dispatch(["review", words[0], "--quiet"])


def test_a_network_that_plays_another_game_hinders_its_games_alone(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    othello = WEIGHTS / "othello8-human.safetensors"
    words = ["f5d6", str(folder / "a.sgf"), f"--network={othello}", "--visits=1", "--quiet"]
    assert dispatch(["review", *words]) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("f5d6: Black against White")
    assert "is a network of Othello, not of Go" in said[-1]
    assert said[-1].startswith(f"not read: {folder / 'a.sgf'}: ")


def test_the_reference_can_be_another_network(capsys: pytest.CaptureFixture[str]) -> None:
    human = review(capsys, "f5d6c3d3c4", "--visits=0")
    own = review(
        capsys, "f5d6c3d3c4", "--visits=0", f"--reference={WEIGHTS / 'othello8.safetensors'}"
    )
    assert [found["games"][0]["reference"] for found in (human, own)] == [
        "othello8-human",
        "othello8",
    ]
    likely = [[move["likely"] for move in each["games"][0]["moves"]] for each in (human, own)]
    assert likely[0] != likely[1]


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["4453", "--player=Zoe"], "no player 'Zoe': there are Red, Yellow"),
        (["4453", "--board=go99"], "'go99'"),
        (["4453", "--csv=/nowhere/a.csv"], "/nowhere/a.csv: No such file"),
        (["4453", "--reference=absent.bin.gz"], "no network file 'absent.bin.gz'"),
        (["4453", "--human-profile=rank_99d"], "'rank_99d'"),
    ],
)
def test_what_cannot_be_done_is_said_before_the_work(words: list[str], text: str) -> None:
    with pytest.raises(UsageError) as refusal:
        dispatch(["review", *words, "--quiet"])
    assert text in str(refusal.value)


@pytest.mark.parametrize(
    "words", [["--moves=0-3"], ["--moves=x"], ["--moves=9-3"], ["--visits=-1"]]
)
def test_numbers_that_mean_nothing_are_quoted(words: list[str]) -> None:
    with pytest.raises(UsageError, match=repr(words[0].split("=")[1])):
        dispatch(["review", "4453", *words])


def test_the_worst_moves_come_first_with_a_better_move(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = "(;GM[1]SZ[7]PB[Ann]BR[2d]PW[Bob]WR[15k?]KM[9];B[dd];W[aa];B[dc];W[ga];B[ed];W[ag])"
    (folder / "bad.sgf").write_text(bad)
    words = [str(folder / "bad.sgf"), "--visits=30", "--quiet", f"--sgf={folder / 'out.sgf'}"]
    assert dispatch(["review", *words]) == 0
    said = capsys.readouterr().out.splitlines()
    assert "Ann (Black) 2d against Bob (White) 15k, " in said[0]
    bob = next(number for number, line in enumerate(said) if line.startswith("Bob: "))
    assert "blunder" in said[bob]
    assert said[bob + 1].startswith("  move 2: Blunder: A7 loses ")
    assert " is better" in said[bob + 1]
    assert "Players of 15k play " in said[bob + 1]
    written = sgf.read_all((folder / "out.sgf").read_bytes(), RULE_SETS["japanese"])
    assert [(game.names, game.ranks) for game in written] == [  # type: ignore[union-attr]
        (("Ann", "Bob"), ("2d", "15k?"))
    ]
    text = (folder / "out.sgf").read_text()
    assert "BM[2]" in text
    assert "LB[" in text
    assert "TR[aa]" in text
    assert "Blunder: A7 loses " in text.replace("\n", "")


def test_lessons_are_in_json_and_in_tables(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = review(capsys, folder / "a.sgf", "--visits=4", "--rank=8k")
    (game,) = found["games"]
    assert (game["first_rank"], game["second_rank"]) == ("8k", "8k")
    for move in game["moves"]:
        assert move["mark"] in {None, "inaccuracy", "mistake", "blunder"}
        assert move["best"] == move["best_line"][0]
        assert all(0.05 <= each["share"] <= 1 for each in move["people"])
        assert 0 <= move["win_rate_after"] <= 1
    words = [str(folder / "a.sgf"), "--visits=4", "--quiet", f"--csv={folder / 'm.csv'}"]
    assert dispatch(["review", *words]) == 0
    with (folder / "m.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows[0]["best"] == game["moves"][0]["best"]
    assert rows[0]["best_line"].split()[0] == rows[0]["best"]
    capsys.readouterr()
    without = review(capsys, folder / "a.sgf", "--visits=0")
    assert "mark" not in without["games"][0]["moves"][0], "no judge, no lessons"


def test_othello_and_connect4_have_better_moves_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert dispatch(["review", "c4c5f6c3b5g7e3", "--visits=60", "--quiet"]) == 0
    said = capsys.readouterr().out
    assert "move 6: Blunder: g7 loses " in said
    assert " discs; the win rate falls from " in said
    assert "People play c6 (" in said
    assert dispatch(["review", "44447", "--visits=30", "--quiet"]) == 0
    said = capsys.readouterr().out
    assert "  move 5: Blunder: with column 7 the win rate falls from " in said
    assert "Yellow: no marked move" in said


def test_progress_counts_the_positions_of_a_game(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert dispatch(["review", str(folder / "a.sgf"), "--visits=1"]) == 0
    shown = capsys.readouterr().err
    done, _, total = re.findall(r"(\d+)(/)(\d+) \[", shown)[-1]
    assert done == total
    assert int(total) >= 6


def test_sgf_is_of_go_alone(folder: Path) -> None:
    with pytest.raises(UsageError, match="--sgf writes games of Go"):
        dispatch(["review", "4453", f"--sgf={folder / 'out.sgf'}", "--quiet"])
    with pytest.raises(UsageError, match="'8x'"):
        dispatch(["review", "4453", "--rank=8x", "--quiet"])
