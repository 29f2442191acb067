"""How natural a match's players moved, told after it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.errors import SettingError, UsageError
from engine.match.game_spec import GameSpec
from engine.networks.bundled import WEIGHTS
from engine.review.bench import Bench
from engine.review.match_naturalness import naturalness
from protocols.cli.main import dispatch
from tests.support.strength.rows import row

CONNECT4 = GameSpec("connect4", 7, 6)
MATCH = ("match", "connect4", "mcts:20", "random", "--games=4", "--quiet")


def told(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    """Returns the match's JSON."""
    assert dispatch([*MATCH, "--json", *words]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_each_player_has_their_own_moves_whatever_their_color() -> None:
    rows = [
        row(0, 0, black=0, moves=["4", "1", "4"], result="R+12"),
        row(1, 0, black=1, moves=["1", "4"], result="Y+2"),
        row(2, 1, black=0, moves=["1"]) | {"how": "crashed"},
    ]
    found = naturalness(CONNECT4, ["mcts:9", "random"], rows, Bench(None), at_once=2, quiet=True)
    assert found.reference == "connect4"
    first, second = found.players
    assert [(each.name, each.games, each.side.moves) for each in (first, second)] == [
        ("mcts:9", 2, 3),
        ("random", 2, 2),
    ]
    assert first.side.natural is not None
    assert second.side.natural is not None
    assert first.side.natural.value > second.side.natural.value, "who plays the middle"
    assert first.margin is not None
    assert first.margin.value == 7.0, "the median of 12 and 2"
    assert first.side.loss is None, "nobody searched"


def test_openings_are_nobodys_moves() -> None:
    game = row(0, 0, moves=["4"]) | {"opening": ["4", "4", "4"]}
    (first, *others) = naturalness(
        CONNECT4, ["a", "b"], [game], Bench(None), at_once=1, quiet=True
    ).players
    assert not others, "the opening left one move, of Yellow"
    assert (first.name, first.side.moves) == ("b", 1)
    assert first.side.distance is not None
    assert first.side.distance.value == 1.0, "to the opening's last"


def test_a_match_tells_it_when_asked_to_and_of_games_played_before(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = f"--record={tmp_path / 'm.jsonl'}"
    plain = told(capsys, record)
    assert "natural" not in plain
    later = told(capsys, record, "--natural")
    players = later.pop("natural")["players"]
    assert later == plain, "no game was played again"
    assert [player["player"] for player in players] == ["mcts:20", "random"]
    assert players[0]["games"] == 4
    assert 0 <= players[0]["unnatural"]["value"] <= 1
    assert dispatch([*MATCH, record, "--natural"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-4] == "natural by connect4:"
    assert lines[-3].split()[:3] == ["games", "moves", "natural"]
    assert [line.split()[0] for line in lines[-2:]] == ["mcts:20", "random"]


def test_a_reference_that_cannot_be_used_is_said() -> None:
    with pytest.raises(UsageError, match="no network file 'absent'"):
        dispatch([*MATCH, "--natural", "--reference=absent"])
    bench = Bench(None, human_network=str(WEIGHTS / "othello8.safetensors"))
    with pytest.raises(SettingError, match="network of Othello, not of Connect4"):
        naturalness(CONNECT4, ["a", "b"], [row(0, 0, moves=["4"])], bench, at_once=1, quiet=True)
