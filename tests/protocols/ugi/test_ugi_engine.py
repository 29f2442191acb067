"""Searches that are stopped, limits, the game of the command line, and boards as text."""

from __future__ import annotations

import random

import pytest

from engine.errors import RecordError, SettingError
from engine.games.table import GAMES, Board
from protocols.positions import search_depth
from protocols.ugi import fen
from protocols.ugi.variants import VARIANTS, variant
from tests.support.ugi_conversation import Conversation


def test_stop_ends_a_search_which_is_then_answered() -> None:
    conversation = Conversation(steps=1_000_000)
    conversation.inbox.late.append((30, "stop"))
    heard = conversation.say(["go infinite"])
    assert heard[-1] == "bestmove d3"
    assert len(heard) < 60


@pytest.mark.parametrize("command", ["quit", "stop"])
def test_an_endless_search_that_found_all_waits_to_be_stopped(command: str) -> None:
    conversation = Conversation(steps=2)
    conversation.inbox.late.append((1000, command))
    assert conversation.say(["go infinite"])[-1] == "bestmove d3"
    assert not conversation.inbox.late


def test_an_endless_search_ends_with_the_input() -> None:
    conversation = Conversation(steps=1_000_000)
    conversation.inbox.closed = True
    assert conversation.say(["go infinite"])[-1] == "bestmove d3"


def test_questions_are_answered_while_searching() -> None:
    conversation = Conversation(steps=1_000_000)
    conversation.inbox.late.extend([(10, "isready"), (11, "query p1turn"), (20, "stop")])
    heard = conversation.say(["go infinite"])
    ready, turn = heard.index("readyok"), heard.index("response true")
    assert ready < turn < len(heard) - 1
    assert heard[-1] == "bestmove d3"


def test_what_comes_after_a_line_that_waits_does_not_overtake_it() -> None:
    conversation = Conversation(steps=100)
    conversation.inbox.late.extend([(3, "position startpos moves f5"), (4, "isready")])
    heard = conversation.say(["go nodes 10", "query p1turn"])
    assert heard[0] == "response true"
    assert heard[-2:] == ["bestmove d3", "readyok"]
    assert conversation.say(["query p1turn"]) == ["response false"]


def test_a_stop_is_for_the_search_right_before_it() -> None:
    conversation = Conversation(steps=60)
    heard = conversation.say(["go nodes 9", "go infinite", "stop", "isready"])
    first, second = (number for number, line in enumerate(heard) if line.startswith("bestmove"))
    assert first > 50
    assert second - first < 5
    assert heard[-1] == "readyok"


@pytest.mark.parametrize("last", ["stop", "quit"])
def test_no_endless_search_outlives_a_stop(last: str) -> None:
    conversation = Conversation(steps=10**6)
    heard = conversation.say(["go infinite", "go infinite", "go infinite", last])
    assert sum(line.startswith("bestmove") for line in heard) == 3
    assert len(heard) < 20


def test_limits() -> None:
    conversation = Conversation()
    conversation.say(
        [
            "go depth 10",
            "go nodes 77",
            "go nodes 0",
            "go movetime 1500",
            "go depth 10 nodes 77 movetime 20",
            "go p1time 60000 p2time 30000 p1inc 500 p2inc 250",
            "position startpos moves f5",
            "go p1time 60000 p2time 30000 p1inc 500 p2inc 250",
            "go p1time 1000 p2time -20",
            "go",
        ]
    )
    efforts = conversation.player.limits
    assert [asked.visits for asked in efforts] == [256, 77, 1, None, 77, None, None, None, 512]
    assert [asked.seconds for asked in efforts[3:5]] == [1.5, 0.02]
    clocks = [asked.clock for asked in efforts[5:8]]
    assert [(clock.main, clock.control.increment) for clock in clocks if clock] == [
        (60, 0.5),
        (30, 0.25),
        (0.001, 0),
    ]
    assert conversation.player.looks == 0
    assert search_depth.visits(10) == 256


def test_another_game_has_its_own_engine() -> None:
    conversation = Conversation()
    assert conversation.boards == [Board("othello", 8, 8)]
    conversation.say(["setoption name Game value othello6", "setoption name game value Connect4"])
    assert conversation.boards == [Board("othello", 8, 8), Board("connect4", 7, 6)]
    conversation.say(["uginewgame"])
    assert conversation.player.games == 1
    assert conversation.player.position.width == 7


def test_the_command_line_chooses_the_first_game() -> None:
    conversation = Conversation(game="connect4-5x4")
    heard = conversation.say(["ugi"])
    assert "default connect4-5x4 " in heard[2]
    assert heard[2].endswith("var connect4-5x4")
    assert conversation.player.position.width == 5
    with pytest.raises(SettingError, match="'hex'"):
        Conversation(game="hex")


def test_exact_scores_are_told() -> None:
    conversation = Conversation(exact_from=60)
    assert conversation.say(["go nodes 1"])[-2:] == ["info string exact score +4", "bestmove d3"]


def test_a_search_that_fails_is_answered_all_the_same() -> None:
    conversation = Conversation()

    def fail(*_: object, **__: object) -> None:
        raise OSError("gone")

    conversation.player.choose = fail  # type: ignore[method-assign,assignment]
    heard = conversation.say(["go nodes 5", "isready"])
    assert heard == ["bestmove 0000", "info string internal error at 'go'", "readyok"]


@pytest.mark.parametrize("name", VARIANTS)
def test_boards_are_read_as_they_are_written(name: str) -> None:
    start = variant(name).start()
    rng = random.Random(3)
    game = variant(name).game
    for _ in range(10):
        board = start.copy()
        while not board.is_over and rng.random() < 0.95:
            board.play(rng.choice(board.legal_moves()))
            again = fen.read(game, fen.write(board))
            assert (again.stones == board.stones).all()
            assert again.is_over == board.is_over
            if not board.is_over:
                assert again.to_move == board.to_move
                assert again.legal_moves() == board.legal_moves()


def test_the_board_of_the_documentation() -> None:
    start = GAMES["othello"].new_position(8, 8)
    assert fen.write(start) == "8/8/8/3ox3/3xo3/8/8/8 x"
    for text in ("8/8/8/3ox3/3xo3/8/8/8", "8/8/8/...wb.../3BW3/--------/8/8 b 0 1"):
        assert fen.read("othello", text).legal_moves() == start.legal_moves()


@pytest.mark.parametrize("text", ["7/7/7/3x3/7/7 o", "7/7/7/7/7/6xx o", "7/7 x", "99/1 x"])
def test_boards_that_cannot_be_are_refused(text: str) -> None:
    with pytest.raises(RecordError):
        fen.read("connect4", text)
