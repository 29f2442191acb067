from __future__ import annotations

import argparse
import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.errors import UsageError
from engine.match.referee import normal_result
from protocols.cli import match

CommandLine = Callable[..., list[str]]

# On 7x7 these walls leave A to C to one side, G to the other, and E to nobody: 28 points to 14.
LARGER = "--moves 'D1 D2 D3 D4 D5 D6 D7'"
SMALLER = "--moves 'F1 F2 F3 F4 F5 F6 F7'"
AREA_BLACK, AREA_WHITE = "B+6.5", "W+21.5"


def player(command: CommandLine, options: str) -> str:
    return "gtp:" + shlex.join(command(*shlex.split(options)))


def played(*arguments: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Returns the summary of a match on 7x7 without openings; writes its record if there is one."""
    parser = argparse.ArgumentParser()
    match.configure(parser)
    said: list[str] = []
    words = ["go7", *arguments, "--no-openings", "--quiet", "--json"]
    options = parser.parse_args(words)
    assert match.run(options, said.append) == 0
    rows = options.record.read_text().splitlines()[1:] if options.record else []
    return json.loads(said[0]), [json.loads(row) for row in rows]


def test_a_match_counts_from_both_sides(scripted: CommandLine, tmp_path: Path) -> None:
    players = player(scripted, f"{LARGER} --visits 50"), player(scripted, SMALLER)
    record = tmp_path / "record.jsonl"
    words = ("--games=4", f"--record={record}", "--at-once=2", "--rules=tromp-taylor")
    summary, rows = played(*players, *words)
    assert (summary["wins"], summary["losses"], summary["draws"]) == (4, 0, 0)
    assert summary["as_black"] == summary["as_white"] == [2, 0, 0]
    assert summary["ended"] == {"score by area": 4}
    results = {row["game"]: row["result"] for row in rows}
    assert results == {0: AREA_BLACK, 1: AREA_WHITE, 2: AREA_BLACK, 3: AREA_WHITE}
    first = next(row for row in rows if row["game"] == 0)
    assert first["moves"][:4] == ["D1", "F1", "D2", "F2"]
    assert first["moves"][-2:] == ["pass", "pass"]
    # Each color makes seven moves and one pass.
    assert [effort["moves"] for effort in first["efforts"]] == [8, 8]
    assert summary["efforts"][0]["visits_per_move"] == 50
    assert summary["efforts"][1]["visits_per_move"] is None


@pytest.mark.parametrize(
    ("fault", "how"),
    [
        ("--moves 'D1 crash'", "crashed"),
        ("--moves 'D1 hang'", "hung"),
        ("--moves 'D1 D1'", "illegal"),
        ("--moves 'D1 Z9'", "illegal"),
        ("--moves 'D1 refuse'", "refused"),
        ("--moves D1 --refuse-play F2", "refused"),
    ],
)
def test_a_fault_loses_the_game_and_the_match_goes_on(
    scripted: CommandLine, tmp_path: Path, fault: str, how: str
) -> None:
    players = player(scripted, fault), player(scripted, SMALLER)
    record = tmp_path / "record.jsonl"
    patience = "--patience=4" if how == "hung" else "--patience=60"
    summary, rows = played(*players, "--games=2", patience, f"--record={record}")
    assert (summary["wins"], summary["losses"]) == (0, 2)
    assert [row["result"] for row in rows] == ["W+F", "B+F"]
    assert [row["how"] for row in rows] == [how, how]
    assert all(row["detail"] for row in rows)


@pytest.mark.parametrize(
    ("scores", "result", "judge"),
    [
        (("W+3.5", "W+3.50"), "W+3.5", "players"),
        (("0", "B+0.0"), "0", "players"),
        (("W+3.5", "B+1.5"), AREA_BLACK, "referee"),  # this engine, as none was named
        (("W+3.5", ""), AREA_BLACK, "referee"),
    ],
)
def test_players_that_agree_are_believed(
    scripted: CommandLine, tmp_path: Path, scores: tuple[str, str], result: str, judge: str
) -> None:
    players = [
        player(scripted, f"{moves} --score={score}")
        for moves, score in zip((LARGER, SMALLER), scores, strict=True)
    ]
    record = tmp_path / "record.jsonl"
    _, rows = played(*players, "--games=1", "--rules=chinese", f"--record={record}")
    assert (rows[0]["result"], rows[0]["judge"]) == (result, judge)


def test_the_referee_decides_between_players(scripted: CommandLine, tmp_path: Path) -> None:
    players = player(scripted, LARGER), player(scripted, SMALLER)
    record = tmp_path / "record.jsonl"
    referee = shlex.join(scripted("--score", "W+9.5"))
    words = ("--games=2", "--rules=chinese", f"--record={record}", f"--referee={referee}")
    _, rows = played(*players, *words)
    assert [(row["result"], row["judge"]) for row in rows] == [("W+9.5", "referee")] * 2


def test_black_places_handicap_stones_and_white_begins(
    scripted: CommandLine, tmp_path: Path
) -> None:
    players = player(scripted, LARGER), player(scripted, SMALLER)
    record = tmp_path / "record.jsonl"
    _, rows = played(*players, "--games=1", "--handicap=2", f"--record={record}")
    assert rows[0]["handicap"] == ["C3", "E5"]
    assert rows[0]["moves"][:2] == ["F1", "D1"]
    with pytest.raises(UsageError, match="no fixed handicap of 9 stones"):
        played(*players, "--handicap=9")


def test_resigning_ends_the_game(scripted: CommandLine) -> None:
    summary, _ = played(
        player(scripted, LARGER), player(scripted, "--moves 'F1 resign'"), "--games=2"
    )
    assert summary["ended"] == {"B resign": 2}


def test_a_killed_match_goes_on_where_its_record_ends(
    scripted: CommandLine, tmp_path: Path
) -> None:
    players = player(scripted, LARGER), player(scripted, SMALLER)
    record = tmp_path / "record.jsonl"
    played(*players, "--games", "3", "--record", str(record))
    lines = record.read_text().splitlines(keepends=True)
    record.write_text("".join(lines[:2]) + lines[2][:40])
    summary, rows = played(*players, "--games", "4", "--record", str(record))
    assert summary["games"] == 4
    assert sorted(row["game"] for row in rows) == [0, 1, 2, 3]
    assert json.loads(lines[1]) == rows[0]


# A record's first two lines as they were when Go was the only game and matches had two players.
OLD_HEADER = {"game": "go7", "seed": 1, "visits": None, "seconds": None, "rules": "tromp-taylor"}
OLD_HEADER |= {"komi": 7.5, "handicap": 0, "referee": None, "openings": False}
OLD_EFFORT = {"moves": 8, "seconds": 0.5, "longest_seconds": 0.2, "visits": 0, "counted_moves": 0}
OLD_ROW = {"game": 0, "black": 0, "winner": 1, "result": "W+R", "how": "resign", "judge": ""}
OLD_ROW |= {"detail": "", "opening": [], "handicap": [], "moves": ["D1", "F1"]}
OLD_ROW |= {"efforts": [OLD_EFFORT] * 2, "limits": ["its own settings"] * 2}


def test_an_old_record_is_gone_on_with(scripted: CommandLine, tmp_path: Path) -> None:
    players = player(scripted, LARGER), player(scripted, SMALLER)
    record, folder = tmp_path / "record.jsonl", tmp_path / "games"
    lines = [json.dumps(OLD_HEADER | {"players": players}), json.dumps(OLD_ROW)]
    record.write_text("\n".join(lines) + "\n")
    words = ["--games=3", "--rules=tromp-taylor", f"--record={record}"]
    words += [f"--csv={tmp_path / 'games.csv'}"]
    summary, rows = played(*players, *words, f"--games-dir={folder}")
    assert (summary["wins"], summary["losses"]) == (2, 1)
    assert summary["ended"] == {"A resign": 1, "score by area": 2}
    assert rows[0] == OLD_ROW
    assert [row["game"] for row in rows] == [0, 1, 2]
    assert len(list(folder.glob("*.sgf"))) == 3
    assert b"W+R" in (folder / "game-000000.sgf").read_bytes()


def test_a_record_of_another_match_is_refused(scripted: CommandLine, tmp_path: Path) -> None:
    players = player(scripted, LARGER), player(scripted, SMALLER)
    record = tmp_path / "record.jsonl"
    played(*players, "--games=1", f"--record={record}")
    with pytest.raises(UsageError, match="its seed is 1"):
        played(*players, "--games=1", f"--record={record}", "--seed=2")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("gtp:", "sparring:full"), "no player 'gtp:'"),
        (("chess:crafty", "sparring:full"), "no player 'chess:crafty'"),
        (("sparring:angry", "sparring:full"), "no persona 'angry'"),
        (("gtp:no-such-engine", "gtp:no-such-engine"), "no-such-engine"),
    ],
)
def test_players_that_cannot_play(words: tuple[str, str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        played(*words, "--games=1")


def test_an_engine_that_dies_at_its_start_stops_the_match(scripted: CommandLine) -> None:
    with pytest.raises(UsageError, match="no network here"):
        played(player(scripted, "--die-at-start"), player(scripted, SMALLER))


@pytest.mark.parametrize(
    ("text", "result"),
    [("B+3.50", "B+3.5"), ("W+12.0", "W+12"), ("B+0.0", "0"), ("W+Resign", None), (None, None)],
)
def test_results_have_one_spelling(text: str | None, result: str | None) -> None:
    assert normal_result(text) == result
