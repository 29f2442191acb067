"""Records that loadsgf reads for games other than Go."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.gtp_conversation import Conversation

GGF = (
    "(;GM[Othello]PB[a]PW[b]TI[05:00]TY[8]RE[?]BO[8 ---------------------------O*------*O-----"
    "---------------------- *]B[f5//1.2]W[d6/-1.5]B[c3];)"
)
SET_UP = "(;GM[Othello]TY[4]BO[4 ---- ***- -O*- ---- O]W[d3]B[d4];)"


def loaded(folder: Path, game: str, text: str, command: str) -> Conversation:
    (folder / "game").write_text(text)
    conversation = Conversation(game=game, folder=folder)
    conversation.say(command)
    return conversation


@pytest.mark.parametrize(
    ("text", "command", "moves"),
    [
        (GGF, "loadsgf game", ["f5", "d6", "c3"]),
        (GGF, "loadsgf game 3", ["f5", "d6"]),
        (GGF, "loadsgf game 1", []),
        (f"2 {GGF}{GGF}", "loadsgf game", ["f5", "d6", "c3"]),
        ("F5D6 c3", "loadsgf game", ["f5", "d6", "c3"]),
        ("1. f5 d6 2. c3", "loadsgf game 2", ["f5"]),
    ],
)
def test_othello_is_loaded_from_ggf_and_lines(
    tmp_path: Path, text: str, command: str, moves: list[str]
) -> None:
    session = loaded(tmp_path, "othello", text, command).session
    assert [session.game.kind.write_move(move, 8, 8) for _, move in session.game.moves] == moves
    assert [color for color, _ in session.game.moves] == [0, 1, 0][: len(moves)]


def test_a_position_of_ggf_keeps_its_stones_and_turn(tmp_path: Path) -> None:
    conversation = loaded(tmp_path, "othello", SET_UP, "loadsgf game 1")
    assert conversation.session.game.position.to_move == 1
    assert conversation.session.game.width == 4
    assert conversation.session.game.position.stones.sum() == 4 + 2
    assert conversation.refused("undo") == "cannot undo"
    conversation.say("loadsgf game")
    assert [color for color, _ in conversation.session.game.moves] == [1, 0]
    conversation.say("clear_board")
    assert conversation.session.game.position.to_move == 0


def test_connect4_is_loaded_from_a_line_of_columns(tmp_path: Path) -> None:
    session = loaded(tmp_path, "connect4", "4453\n", "loadsgf game").session
    assert session.game.moves == ((0, 3), (1, 3), (0, 4), (1, 2))


@pytest.mark.parametrize(
    ("game", "text"),
    [
        ("othello", "f5f5"),
        ("othello", ""),
        ("othello", "(;GM[Othello]"),
        ("othello", GGF.replace("Othello", "Go")),
        ("othello", GGF.replace("f5", "a1")),
        ("connect4", "4444444"),
        ("connect4", "89"),
        ("connect4", "\x00\xff"),
    ],
)
def test_what_cannot_be_read_changes_nothing(tmp_path: Path, game: str, text: str) -> None:
    (tmp_path / "game").write_text(text)
    conversation = Conversation(game=game, folder=tmp_path)
    move = conversation.say("genmove b")
    board = conversation.say("showboard")
    if text:
        assert conversation.refused("loadsgf game").startswith("cannot load file: ")
        assert conversation.say("showboard") == board, move
    assert conversation.refused("loadsgf nothing").startswith("cannot load file: ")


def test_rules_of_an_sgf_that_cannot_be_used_are_warned_of(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    loaded(tmp_path, "go", "(;GM[1]SZ[9]RU[our own]KM[5.5];B[aa])", "loadsgf game")
    assert "RU[our own] cannot be used, the rules are chinese" in caplog.text


@pytest.mark.parametrize(
    "command",
    [
        "loadsgf {}",
        "printsgf {}",
        "sparring-persona {}",
        "sparring-persona {}.toml",
        "sparring-personas {}",
        "sparring-persona full+mixed=w_diff=0.05:network={}",
    ],
)
def test_a_name_longer_than_any_files_is_a_usual_mistake(tmp_path: Path, command: str) -> None:
    refusal = Conversation(folder=tmp_path).refused(command.format("a" * 5000))
    assert "internal error" not in refusal
    assert "aaa" in refusal
