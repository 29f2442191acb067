"""The frontier of balance and naturalness, from records of matches."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.errors import UsageError
from engine.lab.frontier import FrontierPoint, points
from engine.match.recorded import recorded
from engine.review.bench import Bench
from protocols.cli.main import dispatch
from tests.support.strength.rows import row

NATURAL, ODD = ["4", "4"], ["1", "7"]  # first moves of Connect4


def record(
    path: Path, players: list[str], rows: list[dict[str, Any]], game: str = "connect4"
) -> Path:
    """Writes the record of a match."""
    told = [{"game": game, "players": players}, *rows]
    path.write_text("".join(json.dumps(each) + "\n" for each in told))
    return path


@pytest.fixture
def matches(tmp_path: Path) -> list[Path]:
    """Two personas against one opponent: the first always wins, the second half of the games."""
    strong = [row(n, 0, black=n % 2, moves=NATURAL, result="R+9") for n in range(4)]
    even = [row(n, n % 2, black=n // 2, moves=ODD, result="Y+3") for n in range(4)]
    return [
        record(tmp_path / "a.jsonl", ["sparring:full --visits 9", "mcts:9"], strong),
        record(tmp_path / "b.jsonl", ["sparring:even", "mcts:9"], even),
    ]


def found(paths: list[Path], *against: str) -> list[FrontierPoint]:
    return points(list(map(recorded, paths)), against, Bench(None), at_once=1, quiet=True)


def test_points_say_how_even_and_how_natural_games_were(matches: list[Path]) -> None:
    full, even = found(matches)
    assert [(each.bout.persona, each.bout.opponent) for each in (full, even)] == [
        ("full", "mcts:9"),
        ("even", "mcts:9"),
    ]
    assert (full.win_loss.value, full.opponent_wins.value) == (1.0, 0.0)
    assert (even.win_loss.value, even.opponent_wins.value) == (0.0, 0.5)
    assert full.opponent_wins.interval == pytest.approx((0.0, 0.49), abs=0.01)
    assert full.review.side.natural is not None
    assert even.review.side.natural is not None
    assert full.review.side.natural.value > even.review.side.natural.value
    assert full.review.side.moves == even.review.side.moves == 4
    assert full.review.margin is not None
    assert full.review.margin.value == 9.0


def test_opponents_may_be_named_whoever_was_named_first(
    matches: list[Path], tmp_path: Path
) -> None:
    lost = [row(n, 0, black=n % 2, moves=NATURAL) for n in range(3)]
    turned = record(tmp_path / "c.jsonl", ["mcts:9", "sparring:even", "random"], lost)
    full, even = found([*matches, turned], "mcts:9")
    assert even.bout.tally().games == 7
    assert (full.opponent_wins.value, even.opponent_wins.value) == (0.0, 5 / 7)
    (only,) = found(matches[:1], "sparring:full --visits 9")
    assert (only.bout.persona, only.bout.opponent, only.opponent_wins.value) == (
        "mcts:9",
        "full",
        1.0,
    )


def test_a_lost_program_counts_as_a_result_and_tells_nothing_of_play(tmp_path: Path) -> None:
    crashed = row(1, 1, moves=["4"]) | {"how": "crashed"}
    path = record(tmp_path / "a.jsonl", ["a", "b"], [row(0, 0, moves=["4"]), crashed])
    (point,) = found([path])
    assert point.bout.tally().games == 2
    assert point.review.games == 1


def test_the_command_draws_and_tells(
    matches: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "out"
    words = ["lab", "frontier", *map(str, matches), "--quiet", f"--output={output}"]
    assert dispatch([*words, "--balance=opponent-wins", "--natural=natural"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:3] for line in lines[1:]] == [
        ["full", "mcts:9", "4"],
        ["even", "mcts:9", "4"],
    ]
    assert (output / "frontier.txt").read_text().splitlines() == lines
    assert (output / "frontier.png").stat().st_size > 10_000
    assert dispatch([*words, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told == json.loads((output / "frontier.json").read_text())
    assert told["points"][1]["opponent-wins"]["value"] == 0.5
    assert (output / "frontier.csv").read_text().count("\n") == 3


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["absent.jsonl"], "absent.jsonl"),
        (["a.jsonl", "--against=zoe"], "nobody is called 'zoe': there are full, mcts:9"),
        (["a.jsonl", "--against", "full", "mcts:9"], "no game against full or mcts:9"),
        (["a.jsonl", "other.jsonl"], "'other.jsonl' of othello6: no picture holds both"),
        (["empty.jsonl"], "no games"),
        (["a.jsonl", "--reference=absent"], "no network file 'absent'"),
    ],
)
@pytest.mark.usefixtures("matches")
def test_what_cannot_be_drawn_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], text: str
) -> None:
    monkeypatch.chdir(tmp_path)
    record(tmp_path / "other.jsonl", ["a", "b"], [], "othello6")
    record(tmp_path / "empty.jsonl", ["a", "b"], [])
    with pytest.raises(UsageError) as refusal:
        dispatch(["lab", "frontier", *words, "--quiet"])
    assert text in str(refusal.value)
