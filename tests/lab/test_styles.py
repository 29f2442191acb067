"""The effect of styles: their openings, their measures, and `sparring lab styles`."""

from __future__ import annotations

import json
import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from engine.errors import UsageError
from engine.games.table import GAMES, Board
from engine.lab.cost import session_on
from engine.lab.styles import (
    NORMAL,
    SHOWINGS,
    StyleMove,
    deviation,
    measure,
    opening_moves,
    openings,
    play,
)
from engine.style.policy_bias import POLICY_BIASES, Scene
from protocols.cli.main import dispatch
from tests.support.stand_in import StandInEvaluator

GO9 = Board("go", 9, 9)


def moves_of(board: Board, *texts: str) -> StyleMove:
    """The last of these moves, as if a style had chosen it."""
    kind = GAMES[board.game]
    read = [kind.read_move(text, board.width, board.height) for text in texts]
    recent = [kind.new_position(board.width, board.height)]
    for move in read[:-1]:
        recent.append(recent[-1].copy())
        recent[-1].play(move)
    ownership = np.zeros((board.height, board.width), np.float32)
    return StyleMove(Scene(board.game, recent, ownership=ownership), read[-1], 4.5)


SHOWN = [
    (GO9, ("E5", "C4"), {"middle": 0.0, "distance": math.sqrt(5), "deviation": 4.5}),
    (
        GO9,
        ("E5", "D4"),
        {"middle": 1.0, "distance": math.sqrt(2), "attack": 1.0, "defence": math.nan},
    ),
    (GO9, ("E5", "A1", "E4"), {"defence": 1.0, "attack": 0.0}),
    (GO9, ("E5", "pass"), {"middle": 0.0, "distance": math.nan}),
    (GO9, ("D4",), {"middle": 1.0, "distance": math.nan}),
    (Board("othello", 8, 8), ("f5", "f6"), {"middle": 1.0, "distance": 1.0}),
    (Board("connect4", 7, 6), ("4", "2"), {"middle": 0.0, "distance": 2.0}),
]


@pytest.mark.parametrize(("board", "moves", "shown"), SHOWN)
def test_what_a_move_shows(board: Board, moves: tuple[str, ...], shown: dict[str, float]) -> None:
    played = moves_of(board, *moves)
    for name, value in shown.items():
        assert SHOWINGS[name].of(played) == pytest.approx(value, nan_ok=True), name


@pytest.mark.parametrize(
    ("board", "moves"),
    [(GO9, 20), (Board("go", 13, 13), 40), (Board("go", 19, 19), 60), (Board("go", 7, 7), 20),
     (Board("othello", 8, 8), 32), (Board("connect4", 7, 6), 21)],
)  # fmt: skip
def test_how_long_an_opening_is(board: Board, moves: int) -> None:
    assert opening_moves(board) == moves


@pytest.mark.parametrize("board", [GO9, Board("othello", 6, 6), Board("connect4", 7, 6)])
def test_moves_are_those_chosen_after_the_beginning(board: Board) -> None:
    evaluator = StandInEvaluator(game=board.game)
    (beginning,) = openings(board, 1, seed=4)
    game = play(session_on(board, evaluator, "full", 4, 1), board, beginning, evaluator)
    assert 0 < len(game) <= opening_moves(board) - len(beginning)
    assert game[0].scene.position.move_number == len(beginning)
    for one, other in pairwise(game):
        after = one.scene.position.copy()
        after.play(one.move)
        assert after.is_same(other.scene.position)
        assert one.deviation == deviation(evaluator, after)


def test_styles_differ_in_what_they_are_for() -> None:
    """Centre goes farther in than edge, and local play stays nearer than tenuki."""
    beginnings = openings(GO9, 6, seed=1)

    def shown(style: str, name: str) -> float:
        evaluator = StandInEvaluator()
        found = measure(
            GO9, evaluator, f"full+style={style}", beginnings=beginnings, visits=60, seed=1
        )[name]
        assert found is not None
        assert found.interval is not None
        return found.value

    assert shown("centre", "middle") > 1.5 * shown("edge", "middle")
    assert shown("local", "distance") < shown("tenuki", "distance") - 1


def test_the_command_shows_a_row_a_style(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--visits=4", "--openings=2", "--quiet"]
    assert dispatch(["lab", "styles", "connect4", NORMAL, "centre:2", *words, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [each["style"] for each in told] == [NORMAL, "centre:2"]
    assert all(set(SHOWINGS) < set(each) for each in told)
    assert dispatch(["lab", "styles", "connect4", *words]) == 0
    _, heads, *rows = capsys.readouterr().out.splitlines()
    assert heads.split() == list(SHOWINGS)
    assert [row.split()[0] for row in rows] == [NORMAL, *POLICY_BIASES]


def test_games_tell_what_a_style_costs_and_are_gone_on_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A style at whatever price loses to the same persona without; each game is played once."""
    words = ["connect4", NORMAL, "edge:4:1", "local", "--visits=12", "--openings=1", "--quiet"]
    words += [f"--output={tmp_path}", "--at-once=1"]
    assert dispatch(["lab", "styles", *words, "--games=2", "--json"]) == 0
    normal, edge, local = json.loads(capsys.readouterr().out)
    assert "against" not in normal
    assert edge["against"]["games"] == local["against"]["games"] == 2
    kept = (tmp_path / "games.jsonl").read_text()
    assert dispatch(["lab", "styles", *words, "--games=6"]) == 0
    assert (tmp_path / "games.jsonl").read_text().startswith(kept)
    told = capsys.readouterr().out
    assert told == (tmp_path / "styles.txt").read_text()
    *_, heading, of_edge, of_local = told.splitlines()
    assert heading == "points won against normal, 6 games each:"
    assert of_edge.startswith("edge:4:1  ")
    assert of_local.startswith("local ")
    found = json.loads((tmp_path / "styles.json").read_text())[1]["against"]
    assert found["games"] == 6
    assert found["rate"] < 0.5


@pytest.mark.parametrize("wrong", [["go9", "middle"], ["go9", "--persona=nobody"], ["go99"]])
def test_what_cannot_be_measured_is_quoted(wrong: list[str]) -> None:
    with pytest.raises(UsageError, match=wrong[-1].partition("=")[2] or wrong[-1]):
        dispatch(["lab", "styles", *wrong, "--quiet", "--openings=1", "--visits=2"])
