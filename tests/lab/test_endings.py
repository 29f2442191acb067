"""Recorded results of Go beside another program's count, and whole games of personas so."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from engine.errors import UsageError
from engine.lab.endings import agreement
from engine.match.game_spec import GameSpec
from protocols.cli.endings import usual_counter, usual_opponent
from protocols.cli.main import dispatch

BOARD = GameSpec("go", 7, 7, komi=7.5)


class Counter:
    """A Player with one count for all games; it notes its moves."""

    text, limited_by = "counter", ""

    def __init__(self, score: str | None) -> None:
        self.score = score
        self.told: list[tuple[int, str]] = []

    def begin(self, start: GameSpec, _seed: int) -> None:
        self.told = [(color, start.write(move)) for color, move in start.opening_moves()]

    def watch(self, color: int, move: int) -> None:
        self.told.append((color, BOARD.write(move)))

    def final_score(self) -> str | None:
        return self.score

    def choose(self, *_: object) -> Any:
        raise NotImplementedError

    finish = close = kill = choose


def row(result: str, how: str = "score") -> dict[str, Any]:
    return {
        **dict.fromkeys(("game", "black"), 0),
        "pair": [0, 1],
        "result": result,
        "how": how,
        "opening": ["C3"],
        "moves": ["E5", "pass", "pass"],
    }


@pytest.mark.parametrize(
    ("result", "other", "winners", "margins"),
    [
        ("B+3.5", "B+3.5", 1, 1),
        ("B+3.5", "B+13.5", 1, 0),
        ("B+3.5", "W+0.5", 0, 0),
        ("0", "0", 1, 1),
    ],
)
def test_two_counts_agree_on_winner_and_margin(
    result: str, other: str, winners: int, margins: int
) -> None:
    counter = Counter(other)
    found = agreement("even", [row(result)], BOARD, counter)
    assert (found.winners, found.margins, found.uncounted) == (winners, margins, 0)
    assert len(found.differing) == 1 - margins
    assert counter.told == [(0, "C3"), (1, "E5"), (0, "pass"), (1, "pass")]


def test_resigned_games_and_those_that_nobody_counts_are_no_agreement() -> None:
    rows = [row("W+R", "resign"), row("0", "too long")]
    assert agreement("even", rows, BOARD, Counter("B+1")).uncounted == 2
    assert agreement("even", [row("B+1")], BOARD, Counter(None)).uncounted == 1


@pytest.mark.parametrize(
    ("rules", "options"),
    [
        ("chinese", "--chinese-rules"),
        ("japanese", "--japanese-rules"),
        ("aga", "--chinese-rules --situational-superko"),
        ("new-zealand", "--chinese-rules --allow-suicide --situational-superko"),
        ("tromp-taylor", "--chinese-rules --allow-suicide --positional-superko"),
    ],
)
def test_gnu_go_plays_and_counts_by_the_rules_of_the_games(rules: str, options: str) -> None:
    board = GameSpec("go", 9, 9, rules)
    captures = " --capture-all-dead" if rules == "tromp-taylor" else ""
    assert usual_opponent(board).endswith(f"--level 1 {options}{captures}")
    assert usual_counter(board).endswith(f"--level 10 {options}")


def test_other_games_need_no_counting() -> None:
    with pytest.raises(UsageError, match="games of Othello need no counting"):
        dispatch(["lab", "endings", "othello8", "full"])


@pytest.mark.parametrize("rules", ["chinese", "japanese", "tromp-taylor"])
def test_games_of_a_weakened_persona_end_as_gnu_go_counts_them(
    gnugo: str,
    rules: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A short version of the measurement: full strength would hardly pass too early."""
    words = [
        "lab",
        "endings",
        "go7",
        "level:1500",
        "--games=2",
        "--at-once=1",
        "--seed=5",
        "--quiet",
    ]
    folder = tmp_path / "out"
    command = [*words, "--visits=8", f"--rules={rules}", "--json", f"--output={folder}"]
    monkeypatch.setenv("PATH", f"{Path(gnugo).parent}{os.pathsep}{os.environ['PATH']}")
    assert dispatch(command) == 0
    (found,) = json.loads(capsys.readouterr().out)["players"]
    assert found["counted"] == found["same_margin"] == 2
    assert json.loads((folder / "endings.json").read_text())["players"] == [found]
    assert not list((folder / "differing").iterdir())
