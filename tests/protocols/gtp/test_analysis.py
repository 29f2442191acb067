"""Analysis of the games that are not Go: the same lines, without what a game lacks."""

from __future__ import annotations

import pytest

from engine.play.session import Session
from tests.protocols.gtp.test_checklist import infos
from tests.support.gtp_conversation import Conversation


@pytest.mark.parametrize("command", ["lz-analyze", "kata-analyze"])
def test_othello_is_analysed_like_go(command: str) -> None:
    conversation = Conversation(game="othello")
    conversation.inbox.patience = 5000
    lines = conversation.hear(f"{command} b 0").splitlines()
    assert lines[0] == "="
    for segment in infos(lines[-2]):
        assert segment["move"] in {"d3", "c4", "f5", "e6"}
        assert segment["pv"].split()[0] == segment["move"]


@pytest.mark.parametrize(
    ("game", "ownership", "cells"), [("othello", True, 64), ("connect4", False, 0)]
)
def test_ownership_is_told_where_a_game_has_it(game: str, ownership: bool, cells: int) -> None:
    conversation = Conversation(game=game)
    answer = conversation.hear("kata-search_analyze b ownership true movesOwnership true")
    assert (" ownership " in answer) == (" movesOwnership " in answer) == ownership
    if cells:
        told = answer.partition(" ownership ")[2].partition("\n")[0].split()
        assert len(told) == cells
        assert all(-1 <= float(value) <= 1 for value in told)


@pytest.mark.parametrize(
    ("game", "restriction", "moves"),
    [
        ("othello", "allow b f5,e6 1", {"f5", "e6"}),
        ("othello", "avoid b f5,e6,c4,pass 2", {"d3"}),
        ("connect4", "allow b 1,7 3", {"1", "7"}),
        ("connect4", "avoid b a,b,c,d,e 1", {"6", "7"}),
    ],
)
def test_moves_are_allowed_and_avoided(game: str, restriction: str, moves: set[str]) -> None:
    conversation = Conversation(game=game)
    answer = conversation.say(f"kata-search_analyze b {restriction}")
    told = {segment.split()[1] for segment in answer.split("info ")[1:]}
    assert told
    assert told <= moves
    assert answer.split()[-1] in moves


@pytest.mark.parametrize(
    ("game", "moves"), [("othello", "d3,c4,f5,e6"), ("connect4", "1,2,3,4,5,6,7")]
)
def test_a_move_is_played_though_all_are_forbidden(game: str, moves: str) -> None:
    conversation = Conversation(game=game)
    for command in ("kata-search_analyze", "kata-genmove_analyze"):
        answer = conversation.say(f"{command} b avoid b {moves} 1")
        assert answer.removeprefix("play ") in moves.split(",")
    assert len(conversation.session.game.moves) == 1


def test_an_only_move_is_analysed_all_the_same() -> None:
    conversation = Conversation(game="othello")
    conversation.say("boardsize 4")
    conversation.say("gogui-play_sequence b c4 w b4 b a2 w d4")
    answer = conversation.say("kata-genmove_analyze b")
    assert answer.splitlines()[0].startswith("info move pass ")
    assert answer.splitlines()[-1] == "play pass"


def test_columns_are_columns_in_variations_though_moves_are_points() -> None:
    conversation = Conversation(game="connect4", visits=300)
    conversation.say("gogui-rules_game_id")
    conversation.say("gogui-play_sequence b D1 w D2 b D3 w D4 b D5")
    answer = conversation.say("kata-genmove_analyze w")
    assert all(word in "1234567" for word in answer.partition(" pv ")[2].split(" info")[0].split())
    assert answer.splitlines()[-1] in {
        "play A1", "play B1", "play C1", "play D6", "play E1", "play F1", "play G1"
    }  # fmt: skip


@pytest.mark.parametrize("game", ["othello", "connect4"])
def test_what_is_known_at_once_is_told_before_the_analysis_waits(game: str) -> None:
    conversation = Conversation(game=game)
    session = conversation.session
    if game == "othello":
        conversation.say("boardsize 4")
    while len(session.game.moves) < {"othello": 8, "connect4": 36}[game]:
        free = [move for move in session.game.position.legal_moves() if not wins(session, move)]
        session.play(session.game.position.to_move, free[0])
    conversation.inbox.patience = 10_000
    lines = conversation.hear(
        f"kata-analyze {'bw'[session.game.position.to_move]} 100"
    ).splitlines()
    assert lines[0] == "="
    assert lines[1].startswith("info move ")
    assert conversation.inbox.waits == 1
    assert conversation.inbox.patience > 0


def wins(session: Session, move: int) -> bool:
    """Whether the move ends the game."""
    position = session.game.position.copy()
    position.play(move)
    return position.is_over
