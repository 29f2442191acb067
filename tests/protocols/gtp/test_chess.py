"""Chess in GTP: White moves first, castling is read in both notations, games begin from a FEN."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.gtp_conversation import Conversation

chess = pytest.importorskip("chess", reason="needs python-chess: sparring[chess]")

CHESS960 = "nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w KQkq - 0 1"
BEFORE_CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"


@pytest.fixture
def conversation() -> Conversation:
    return Conversation(game="chess", visits=4)


def moves_of(conversation: Conversation) -> list[list[str]]:
    game = json.loads(conversation.say("sparring-game"))
    return list(game["moves"])


def test_white_moves_first(conversation: Conversation) -> None:
    assert conversation.refused("play black e7e5") == "wrong color"
    assert conversation.refused("play white e2e5") == "illegal move"
    assert "Could not parse vertex" in conversation.refused("play white e2")
    conversation.say("play white e2e4")
    answer = conversation.say("genmove b")
    board = chess.Board()
    board.push_uci("e2e4")
    assert chess.Move.from_uci(answer) in board.legal_moves
    assert moves_of(conversation) == [["white", "e2e4"], ["black", answer]]
    conversation.say("gg-undo 2")
    assert moves_of(conversation) == []


def test_a_whole_game_is_legal_and_ends_by_mate_or_draw(conversation: Conversation) -> None:
    for move in ("white f2f3", "black e7e5", "white g2g4", "black d8h4"):
        conversation.say(f"play {move}")
    assert conversation.say("final_score") == "B+1"
    game = json.loads(conversation.say("sparring-game"))
    assert (game["is_over"], game["result"], game["to_move"]) == (True, "B+1", None)
    assert "The game is over" in conversation.say("showboard")
    assert conversation.say("genmove white") == "pass"


def test_a_resignation_names_the_winner_by_its_pieces(conversation: Conversation) -> None:
    conversation.say("play white resign")
    assert json.loads(conversation.say("sparring-game"))["result"] == "B+R"


@pytest.mark.parametrize(
    ("variant", "played", "told"),
    [
        ("chess", "e1g1", "e1g1"),
        ("chess", "e1h1", "e1g1"),
        ("chess", "O-O", "e1g1"),
        ("chess960", "e1h1", "e1h1"),
        ("chess960", "O-O-O", "e1a1"),
    ],
)
def test_castling_is_read_in_every_notation(
    variant: str, played: str, told: str, conversation: Conversation
) -> None:
    conversation.say(f"sparring-start {variant} {BEFORE_CASTLING}")
    conversation.say(f"play white {played}")
    assert moves_of(conversation) == [["white", told]]


def test_a_game_begins_from_a_position(conversation: Conversation) -> None:
    conversation.say(f"sparring-start chess960 {CHESS960}")
    assert f"FEN: {CHESS960}" in conversation.say("showboard")
    first = conversation.say("genmove white")
    assert chess.Move.from_uci(first) in chess.Board(CHESS960, chess960=True).legal_moves
    conversation.say("sparring-start chess 4k3/8/8/8/8/8/8/4K2R b K - 0 1")
    assert json.loads(conversation.say("sparring-game"))["to_move"] == "black"
    conversation.say("sparring-start chess")
    assert chess.STARTING_FEN in conversation.say("showboard")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ("shogi", "Expected chess or chess960"),
        ("", "Expected chess or chess960"),
        ("chess nonsense", "fen"),
        ("chess 8/8/8/8/8/8/8/8 w - - 0 1", "not a possible position"),
    ],
)
def test_an_impossible_start_changes_nothing(
    arguments: str, reason: str, conversation: Conversation
) -> None:
    conversation.say("play white e2e4")
    assert reason in conversation.refused(f"sparring-start {arguments}")
    assert moves_of(conversation) == [["white", "e2e4"]]


def test_a_game_is_read_from_pgn(tmp_path: Path) -> None:
    (tmp_path / "game.pgn").write_text('[Event "x"]\n\n1. e4 e5 2. Nf3 Nc6 *\n')
    conversation = Conversation(game="chess", folder=tmp_path)
    conversation.say("loadsgf game.pgn 3")
    assert moves_of(conversation) == [["white", "e2e4"], ["black", "e7e5"]]


def test_the_start_is_a_command_of_chess_alone() -> None:
    assert "is a command of Chess" in Conversation().refused("sparring-start chess")
