"""Matches of agents on the command line: every game, killed and gone on with, tables and files."""

from __future__ import annotations

import argparse
import csv
import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from engine.errors import UsageError
from engine.formats import ggf, sgf
from engine.formats.transcript import read as read_transcript
from engine.games.rules import named_rules
from engine.games.table import Board
from engine.match.engine_options import options_of
from engine.match.engine_player import EnginePlayer
from engine.match.game_spec import GameSpec, board_of
from engine.match.player import MoveBudget
from engine.match.players import PlayerTerms, start_player
from engine.play.game_networks import NetworkChoice
from protocols.cli import match
from tests.support.paths import ROOT

FAST = ("random", "first-legal")


def played(*words: str) -> dict[str, Any]:
    """The summary of a match."""
    parser = argparse.ArgumentParser()
    match.configure(parser)
    said: list[str] = []
    assert match.run(parser.parse_args([*words, "--quiet", "--json"]), said.append) == 0
    return json.loads(said[0])


def rows_of(record: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in record.read_text().splitlines()[1:]]


def bare(row: dict[str, Any]) -> dict[str, Any]:
    """Returns the row without times and efforts: they differ from run to run."""
    return {name: row[name] for name in row if name not in {"times", "began", "efforts"}}


def by_number(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(map(bare, rows), key=lambda row: row["game"])


@pytest.mark.parametrize(
    "game", ["go7", "othello", "othello6", "othello10", "othello4", "connect4", "connect4-5x4"]
)
def test_every_game_is_played_to_its_end(game: str, tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    summary = played(game, *FAST, "--games=20", f"--record={record}")
    assert summary["wins"] + summary["losses"] + summary["draws"] == 20
    start = GameSpec(*board_of(game), komi=7.5)
    for row in rows_of(record):
        position = start.empty()
        for text in (*row["opening"], *row["moves"]):
            position.play(start.read(text))
        assert position.is_over
        assert row["how"] == "score"
        points = 0 if row["result"] == "0" else float(row["result"][2:])
        sign = 1 if row["result"][0] == start.kind.colors[0][0] else -1
        assert position.black_score == sign * points
        colors = {None: -1, row["black"]: 0}
        assert position.winner == colors.get(row["winner"], 1)
        assert len(row["times"]) == len(row["moves"])


def test_forced_passes_are_played_and_cost_nothing(tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    played("othello4", *FAST, "--games=40", f"--record={record}")
    rows = rows_of(record)
    passes = sum(row["moves"].count("pass") for row in rows)
    assert passes > 0
    made = sum(effort["moves"] for row in rows for effort in row["efforts"])
    assert made == sum(len(row["moves"]) for row in rows) - passes


def test_a_thousand_quick_games_take_seconds(tmp_path: Path) -> None:
    words = ("roxanne", "random", "--games=1000", f"--record={tmp_path / 'record.jsonl'}")
    began = time.process_time()  # not the clock's time, which other processes lengthen
    assert played("othello8", *words)["games"] == 1000
    assert time.process_time() - began < 5


def test_the_same_seed_plays_the_same_games_in_any_order(tmp_path: Path) -> None:
    found = []
    for name, words in {"one": (), "three": ("--at-once=3",), "other": ("--seed=2",)}.items():
        record = tmp_path / name
        played("othello6", "random", "roxanne", "--games=30", f"--record={record}", *words)
        found.append(by_number(rows_of(record)))
    assert found[0] == found[1]
    assert found[0] != found[2]


def test_openings_are_played_from_both_sides(tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    played("connect4", *FAST, "--games=6", "--opening-plies=3", f"--record={record}")
    rows = by_number(rows_of(record))
    assert [row["black"] for row in rows] == [0, 1] * 3
    openings = [tuple(row["opening"]) for row in rows]
    assert openings[::2] == openings[1::2]
    assert len(set(openings)) > 1
    assert {len(opening) for opening in openings} == {3}


def test_the_first_player_may_begin_every_game(tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    words = ("othello6", *FAST, "--games=12", f"--record={record}")
    played(*words, "--no-swap")
    rows = by_number(rows_of(record))
    assert [row["black"] for row in rows] == [0] * 12
    assert len({tuple(row["opening"]) for row in rows}) > 8
    with pytest.raises(UsageError, match="another match"):
        played(*words)


def test_a_killed_match_has_every_game_once(tmp_path: Path) -> None:
    whole, killed = tmp_path / "whole.jsonl", tmp_path / "killed.jsonl"
    words = ["othello8", "random", "roxanne", "worst", "--games=600"]
    kills = 0
    while kills < 3:
        match = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "protocols.cli",
                "match",
                *words,
                f"--record={killed}",
                "--at-once=2",
            ],
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        before = killed.stat().st_size if killed.exists() else 0
        while match.poll() is None and killed_size(killed) < before + 40_000:
            time.sleep(0.001)
        assert match.poll() is None, "it was over before it could be killed"
        match.send_signal(signal.SIGKILL)
        match.wait()
        kills += 1
    assert 50 < len(killed.read_text().splitlines()) < 1800
    summary = played(*words, f"--record={killed}")
    assert summary["games"] == 1800
    played(*words, f"--record={whole}")
    assert by_number(rows_of(killed)) == by_number(rows_of(whole))
    assert [row["game"] for row in by_number(rows_of(killed))] == list(range(1800))


def killed_size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def test_a_game_of_two_names_has_one_record(tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    played("othello", *FAST, "--games=2", f"--record={record}")
    assert played("othello8", *FAST, "--games=4", f"--record={record}")["games"] == 4


def test_a_line_cut_short_is_played_again(tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    played("connect4", *FAST, "--games=5", f"--record={record}")
    rows, text = by_number(rows_of(record)), record.read_text()
    for cut in (1, 30):
        record.write_text(text[:-cut])
        played("connect4", *FAST, "--games=5", f"--record={record}")
        assert by_number(rows_of(record)) == rows


def test_a_record_is_written_by_one_match_at_a_time(tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    words = ("connect4", *FAST, "--games=5", f"--record={record}")
    played(*words)
    code = (
        "import fcntl, sys; file = open(sys.argv[1], 'a'); fcntl.flock(file, fcntl.LOCK_EX);"
        "print('locked', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(record)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"locked\n"
        with pytest.raises(UsageError, match="being written"):
            played(*words)
        other.communicate()
    played(*words)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[1]\n", "begins with"),
        ("hello\n", "no match record"),
        ('{"game": "connect4"}\n{"no": 1}\n', "no match record"),
        ('{"game": "go9"}\n', "its game is 'go9'"),
    ],
)
def test_a_file_that_is_no_record_of_this_match(tmp_path: Path, content: str, message: str) -> None:
    record = tmp_path / "record.jsonl"
    record.write_text(content)
    with pytest.raises(UsageError, match=message):
        played("connect4", *FAST, "--games=5", f"--record={record}")
    assert record.read_text() == content


def test_bytes_that_are_no_text_are_no_record(tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    record.write_bytes(b"\xff\xfe{}\n")
    with pytest.raises(UsageError, match="no match record"):
        played("connect4", *FAST, "--games=5", f"--record={record}")
    assert record.read_bytes() == b"\xff\xfe{}\n"


def test_a_game_found_twice_is_refused(tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    played("connect4", *FAST, "--games=2", f"--record={record}")
    lines = record.read_text().splitlines(keepends=True)
    record.write_text("".join([*lines, lines[1]]))
    with pytest.raises(UsageError, match="holds a game twice"):
        played("connect4", *FAST, "--games=2", f"--record={record}")


def test_a_round_robin_rates_all_players(tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    players = ("random", "roxanne", "alphabeta:2")
    summary = played("othello6", *players, "--games=60", f"--record={record}", "--elo-k=8")
    rows = rows_of(record)
    assert summary["games"] == len(rows) == 180
    assert {tuple(row["pair"]) for row in rows} == {(0, 1), (0, 2), (1, 2)}
    assert [pair["games"] for pair in summary["pairs"]] == [60, 60, 60]
    for row in rows:
        assert row["black"] in row["pair"]
        assert row["winner"] in {None, *row["pair"]}
    ratings = {standing["player"]: standing for standing in summary["ratings"]}
    assert sum(standing["elo"] for standing in ratings.values()) == pytest.approx(0, abs=1e-6)
    assert sum(standing["points"] for standing in ratings.values()) == 180
    assert ratings["random"]["elo"] == min(standing["elo"] for standing in ratings.values())
    assert all(0 < standing["error"] < 200 for standing in ratings.values())
    assert sum(summary["moving_elo"]) == pytest.approx(4500)
    more = played("othello6", *players, "--games=62", f"--record={record}")
    assert more["games"] == 186


@pytest.mark.parametrize("game", ["othello6", "connect4"])
def test_the_engine_itself_plays_within_its_visits(game: str, tmp_path: Path) -> None:
    found = []
    for name in ("one", "two"):
        record = tmp_path / name
        # How far a solver comes in its time depends on how busy the machine is.
        words = ("sparring:full --no-solver", "random", "--games=4", "--visits=20")
        summary = played(game, *words, f"--record={record}")
        assert 5 < summary["efforts"][0]["visits_per_move"] <= 20
        assert summary["wins"] >= 3
        found.append(by_number(rows_of(record)))
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("text", "solves"), [("sparring:full", True), ("sparring:full --no-solver", False)]
)
def test_the_engine_solves_late_positions_unless_told_not_to(text: str, *, solves: bool) -> None:
    columns = (1, 4, 4, 1, 2, 4, 3, 5, 4, 0, 4, 0, 6, 3, 2, 4, 1, 1, 6, 3)
    start = GameSpec("connect4", 7, 6, opening=columns)
    player = start_player(text, PlayerTerms(start, MoveBudget(visits=20)))
    assert isinstance(player, EnginePlayer)
    player.begin(start, 1)
    choice = player.session.genmove(0, play=False)
    assert choice.reason.startswith("The end is solved:") == solves


def test_the_engine_plays_go_by_the_terms_of_the_match() -> None:
    start = GameSpec("go", 7, 7, "chinese", komi=9.0, handicap=(16, 32))
    player = start_player("sparring:full --visits 3", PlayerTerms(start, MoveBudget(visits=20)))
    assert isinstance(player, EnginePlayer)
    player.begin(start, 1)
    assert player.session.game.position.is_same(start.position())
    move = player.choose(start.position())
    assert move.visits == (3,)


def test_the_engine_says_what_it_takes_for_the_score_of_go(tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    words = ("--games=2", "--rules=chinese", f"--record={record}")
    played("go7", "sparring:full --visits 2", "random", *words)
    rows = rows_of(record)
    assert [row["judge"] for row in rows] == ["referee"] * 2
    for row in rows:
        color, other = ("Black", "White") if row["black"] == 0 else ("White", "Black")
        assert f"{color} says {row['result']}" in row["detail"]
        assert f"{other} says None" in row["detail"]


def test_the_engine_plays_without_its_network_too() -> None:
    for board in (Board("othello", 6, 6), Board("connect4", 7, 6)):
        assert options_of(board, ["full", "--no-network"]).network == NetworkChoice(
            None, game=board.game
        )
        with pytest.raises(ValueError, match="exclude each other"):
            options_of(board, ["full", "--no-network", "--network", __file__])


def test_the_table_of_games(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    summary = played("othello6", "random", "roxanne", "--games=10", f"--csv={path}")
    with path.open(newline="") as file:
        games = list(csv.DictReader(file))
    assert [game["game"] for game in games] == [str(number) for number in range(10)]
    assert [game["black"] for game in games] == ["random", "roxanne"] * 5
    assert sum(game["winner"] == "random" for game in games) == summary["wins"]
    assert all(float(game["black_seconds"]) > 0 for game in games)
    with (tmp_path / "games-summary.csv").open(newline="") as file:
        (pair,) = csv.DictReader(file)
    assert (pair["first"], pair["second"]) == ("random", "roxanne")
    assert int(pair["wins"]) == summary["wins"]
    assert float(pair["rate_low"]) == summary["interval"][0]
    assert float(pair["first_seconds_per_move"]) > 0


def test_games_as_files(tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    for game in ("othello6", "connect4", "go7"):
        record, folder = tmp_path / f"{game}.jsonl", tmp_path / game
        words = (game, *FAST, "--games=4", f"--record={record}")
        played(*words)
        played(*words, f"--games-dir={folder}")
        files = sorted(folder.iterdir())
        assert len(files) == 4, "games recorded before are written too"
        for row, path in zip(by_number(rows_of(record)), files, strict=True):
            assert moves_in(game, path) == [*row["opening"], *row["moves"]]


def moves_in(game: str, path: Path) -> list[str]:
    start = GameSpec(*board_of(game))
    text = path.read_text()
    if path.suffix == ".sgf":
        found = sgf.read(text.encode(), named_rules("chinese"))
        assert found.result
        moves = [move for _, move in found.moves]
    elif path.suffix == ".ggf":
        (kept,) = ggf.read(text)
        assert kept.result is not None
        assert {kept.black, kept.white} == set(FAST)
        assert all(made.seconds is not None for made in kept.moves[-4:])
        _, moves = ggf.replay(kept)
    else:
        moves = read_transcript("connect4", text.strip(), start.empty())
    return [start.write(move) for move in moves]


@pytest.mark.parametrize(
    "words", [("--games", "0"), ("--at-once", "two"), ("--seconds", "nan"), ("--visits", "-1")]
)
def test_numbers_that_make_no_sense(
    words: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        played("connect4", *FAST, *words)
    assert f"argument {words[0]}: {words[1]!r} is not a " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("othello", "random"), "two players"),
        (("othello", "random", "nobody"), "no player 'nobody'"),
        (("connect4", "random", "roxanne"), "'roxanne'"),
        (("connect4", "random", "nboard:edax"), "plays othello, not connect4"),
        (("othello", "random", "ugi:'"), "No closing quotation"),
        (("othello", "random", "minimax:9"), "minimax:9"),
        (("go9", *FAST, "--opening-plies=2"), "not for Go"),
        (("othello4", *FAST, "--opening-plies=99"), "no opening of 99 moves"),
        (("othello", "random", "sparring:angry"), "no persona 'angry'"),
        (("othello", "random", "sparring:full --network none.gz"), "no network file 'none.gz'"),
        (("go9", "random", "sparring:full --no-network"), "go is not played without a network"),
        (("othello", "random", "sparring:full --swiftly"), "no option '--swiftly'"),
        (("othello", *FAST, "--handicap=2"), "--handicap is an option of Go"),
        (("othello", *FAST, "--komi=5"), "--komi is an option of Go, not of Othello"),
        (("connect4", *FAST, "--rules=japanese"), "--rules is an option of Go, not of Connect4"),
        (("checkers", *FAST), "no game 'checkers'"),
        (("connect4", *FAST, "--csv=no/folder/games.csv"), "No such file.*no/folder"),
        (("connect4", *FAST, "--record=no/folder/record"), "No such file"),
    ],
)
def test_matches_that_cannot_be(words: tuple[str, ...], message: str) -> None:
    with pytest.raises((UsageError, OSError), match=message):
        played(*words, "--games=1")
