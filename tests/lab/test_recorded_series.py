"""Estimates in the records of matches: series by opponent, errors by the given places."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.errors import UsageError
from engine.lab.recorded_series import recorded_series
from engine.match.game_spec import GameSpec
from engine.opponents.posterior import Posterior
from protocols.cli.main import dispatch

START = GameSpec("connect4", 7, 6)
PLAYERS = ["sparring:even", "mcts:9", "sparring:level:300", "random"]


def row(number: int, rival: int, mean: float, black: int = 0) -> dict[str, Any]:
    posterior = Posterior.of_stranger(-350, 1250, mean_elo=mean, deviation_elo=90)
    known = [{"opponent": {"posterior": posterior.to_json()}}, None]
    return {"game": number, "pair": [0, rival], "black": black, "winner": 0, "known": known}


def record(path: Path, *rows: dict[str, Any], remember: bool = True) -> Path:
    header = {"game": "connect4", "players": PLAYERS, "remember": remember}
    path.write_text("".join(json.dumps(each) + "\n" for each in (header, *rows)))
    return path


def test_each_opponent_is_a_series(tmp_path: Path) -> None:
    rows = row(2, 1, 600), row(0, 1, 400), row(1, 2, 300), row(3, 3, 0)
    found = recorded_series([record(tmp_path / "a", *rows)], START, {"mcts:9": 500.0})
    assert [(each.stranger.name, each.games, round(each.error)) for each in found.estimates] == [
        ("mcts:9", 1, -100),
        ("mcts:9", 2, 100),
        ("sparring:level:300", 1, 0),
        ("random", 1, 0),
    ]
    assert [place.elo for place in found.places.values()] == [0, 300, 500]
    assert not found.left_out


def test_without_memory_each_game_is_a_series(tmp_path: Path) -> None:
    path = record(tmp_path / "a", row(0, 2, 350), row(1, 2, 250), remember=False)
    assert [each.games for each in recorded_series([path], START, {}).estimates] == [1, 1]


def test_opponents_without_a_place_and_games_without_an_estimate_are_left_out(
    tmp_path: Path,
) -> None:
    nothing = row(2, 3, 0) | {"known": [None, None]}
    path = record(tmp_path / "a", row(0, 1, 0), row(1, 3, 0), nothing)
    found = recorded_series([path], START, {})
    assert found.left_out == {"mcts:9": 1}
    assert [each.games for each in found.estimates] == [1]
    with pytest.raises(UsageError, match=r"no estimate of an opponent of known Elo in '.*a'"):
        recorded_series([record(tmp_path / "a", nothing)], START, {})


def test_the_command_tells_errors_by_both_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = record(tmp_path / "a", row(0, 1, 400), row(1, 2, 300))
    words = ("lab", "estimate", "connect4", "--matches", str(path))
    assert dispatch(words) == 0
    text = capsys.readouterr().out
    assert "left out: 1 games against 'mcts:9', for want of --placed 'mcts:9'=ELO" in text
    assert dispatch([*words, "--placed", "mcts:9=450", "--json"]) == 0
    values = json.loads(capsys.readouterr().out)
    assert set(values["kinds"]["staying"]) == {"both"}
    assert values["strangers"]["mcts:9"]["both"]["1"]["bias"] == pytest.approx(-50, abs=1)
