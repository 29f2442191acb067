from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.errors import UsageError
from engine.lab.calibrate.even_game_records import recorded_even_games
from engine.match.game_spec import GameSpec

START = GameSpec("go", 9, 9)
PLAYERS = ["sparring:even", "gtp:gnugo", "sparring:level:1500", "random"]


def row(number: int, rival: int, **values: Any) -> dict[str, Any]:
    """Four moves after two of the opening; the engine's are the first and the third."""
    return {
        "game": number,
        "pair": [0, rival],
        "black": 0,
        "winner": 0,
        "result": "B+3.5",
        "how": "score",
        "opening": ["C3", "G7"],
        "handicap": [],
        "moves": ["D4", "E5", "F6", "C6"],
        "levels": [1400.0, None, 1410.0, None],
        **values,
    }


def record(path: Path, *rows: dict[str, Any], game: str = "go9") -> Path:
    header = {"game": game, "players": PLAYERS, "rules": "chinese", "komi": 7.5}
    path.write_text("".join(json.dumps(each) + "\n" for each in (header, *rows)))
    return path


def test_games_have_the_first_players_view_and_the_opponents_elo(tmp_path: Path) -> None:
    path = record(
        tmp_path / "a.jsonl",
        row(0, 2),
        row(1, 3, black=3, winner=3),
        row(2, 1, how="resignation", result="B+R", winner=1),
        row(3, 2, levels=[None] * 4),
        row(4, 2, how="crashed"),
    )
    games, left_out = recorded_even_games([path], START, {"gtp:gnugo": 1900.0})
    assert not left_out
    assert [(game.name, game.rival, game.elo) for game in games] == [
        (f"{path}:0", "sparring:level:1500", 1500.0),
        (f"{path}:1", "random", 0.0),
        (f"{path}:2", "gtp:gnugo", 1900.0),
    ]
    assert [(game.color, game.points, game.margin) for game in games] == [
        (0, 1.0, 3.5),
        (1, 0.0, -3.5),
        (0, 0.0, None),
    ]
    assert games[0].levels == (None, None, 1400.0, None, 1410.0, None)
    assert len(games[0].game_record.moves) == 6


def test_opponents_without_an_elo_are_left_out_and_counted(tmp_path: Path) -> None:
    path = record(tmp_path / "a.jsonl", row(0, 1), row(1, 1), row(2, 3))
    games, left_out = recorded_even_games([path], START, {})
    assert [game.rival for game in games] == ["random"]
    assert left_out == {"gtp:gnugo": 2}
    with pytest.raises(UsageError, match=r"no game with levels.*a\.jsonl"):
        recorded_even_games([record(tmp_path / "a.jsonl", row(0, 1))], START, {})


def test_a_record_of_another_board_is_refused(tmp_path: Path) -> None:
    path = record(tmp_path / "a.jsonl", row(0, 2), game="go13")
    with pytest.raises(UsageError, match=r"a\.jsonl' is a record of go13, not go9"):
        recorded_even_games([path], START, {})
