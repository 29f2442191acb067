"""The dark chess dialect against a client: answers, whole games, wrong lines, random lines."""

from __future__ import annotations

import random

import pytest

from engine.games.chance import drawn
from engine.games.dark_chess import new_position, read_action, write_action
from engine.games.table import Board
from engine.play.session_settings import Budget
from protocols.darkchess.engine import COMMANDS, DarkChessEngine
from protocols.positions.session_adapter import SessionAdapter
from tests.support.gtp_conversation import search_for
from tests.support.line_talk import ScriptedInbox

START = "X" * 32
ALL_HIDDEN = "5 2 2 2 2 2 1 5 2 2 2 2 2 1"


class Conversation:
    """Says lines to an engine and hears its answers."""

    def __init__(self) -> None:
        search = search_for(Board("darkchess", 4, 8))
        self.player = SessionAdapter(search, "darkchess", budget=Budget(visits=20))
        self.inbox = ScriptedInbox()
        self.emitted: list[str] = []
        self.engine = DarkChessEngine(self.player, self.emitted.append, self.inbox)

    def say(self, line: str) -> str:
        self.emitted.clear()
        self.engine.handle(line)
        return "".join(self.emitted)


def test_answers_have_the_id_and_one_newline() -> None:
    client = Conversation()
    assert client.say("0 protocol_version") == "=0 1.0.0\n"
    assert client.say("1 name") == "=1 Sparring\n"
    assert client.say("3 known_command genmove") == "=3 true\n"
    assert client.say("3 known_command castle") == "=3 false\n"
    assert client.say("7 reset_board") == "=7\n"
    assert client.say("name") == "= Sparring\n"
    assert client.say("") == ""
    assert set(client.say("4 list_commands")[3:].split()) == set(COMMANDS)
    assert client.say("99 castle") == "?99 unknown command 'castle'\n"


def test_a_chosen_move_is_played_when_the_client_says_so() -> None:
    client = Conversation()
    start, end = client.say("12 genmove unknown").removeprefix("=12 ").split()
    assert start == end
    assert client.engine.handle("17 showboard")
    assert client.player.position.move_number == 0
    assert client.say(f"11 flip {start} K") == "=11\n"
    assert client.player.position.move_number == 1
    assert client.say("12 genmove red") == "?12 it is the turn of black\n"
    assert client.say("12 genmove black").startswith("=12 ")


WRONG = {
    "11 flip a1 Q": "is no piece",
    "11 flip z9 K": "is no square",
    "11 flip a1": "two arguments",
    "10 move a1 a1": "names its piece",
    "10 move a1 b2": "not a move along a line",
    "10 move a1 a2": "illegal move a1-a2",
    "6 boardsize 9 9": "the board is 4x8",
    "8 num_repetition 5": "num_repetition is 3 here",
    "12 genmove green": "is no color",
    "16 time_left red soon": "milliseconds",
    f"18 init_board {START} 1 2 3": "32 letters and 14 numbers",
    f"18 init_board {START} {ALL_HIDDEN[:-1]}2": "more of a kind",
    f"18 init_board K{START[1:]} {ALL_HIDDEN}": "more of a kind",
    f"18 init_board Q{START[1:]} {ALL_HIDDEN}": "no pieces",
}


@pytest.mark.parametrize("line", WRONG)
def test_wrong_lines_are_refused_with_the_reason(line: str) -> None:
    client = Conversation()
    before = client.say("17 showboard")
    told = client.say(line)
    assert told.startswith("?")
    assert WRONG[line] in told
    assert client.say("17 showboard") == before


def test_a_piece_that_is_not_unrevealed_is_refused() -> None:
    client = Conversation()
    assert client.say("11 flip a1 K") == "=11\n"
    assert client.say("11 flip b1 K") == "?11 no K is unrevealed\n"
    assert client.say("11 flip a1 k").startswith("?11 illegal move")


def test_a_board_is_set_up_for_either_side() -> None:
    board = "K---" + "-" * 24 + "---k"
    for color in ("red", "black"):
        client = Conversation()
        assert client.say(f"18 init_board {board} " + "0 " * 14) == "=18\n"
        square = {"red": "a8", "black": "d1"}[color]
        assert client.say(f"12 genmove {color}").startswith(f"=12 {square} ")
        assert client.say(f"10 move {square} {'a7' if color == 'red' else 'c1'}") == "=10\n"


def test_whole_games_against_random_play() -> None:
    for seed in range(3):
        rng, client, position = random.Random(seed), Conversation(), new_position(4, 8)
        own = seed % 2
        while not position.is_over:
            if position.to_move == own:
                color = ("red", "black", "unknown")[position.color_of_player(own)]
                start, end = client.say(f"12 genmove {color}").removeprefix("=12 ").split()
                text = f"{start}(?)" if start == end else f"{start}-{end}"
                move = read_action(text, 4, 8)
                assert position.is_legal(move)
            else:
                move = rng.choice(position.legal_moves())
            move = drawn(position, move, rng.randrange)
            position.play(move)
            text = write_action(move, 4, 8)
            is_flip = "(" in text
            line = f"11 flip {text[:2]} {text[3]}" if is_flip else f"10 move {text[:2]} {text[3:]}"
            assert client.say(line).startswith("="), text
        assert client.say("12 genmove unknown") == "?12 the game is over\n"
        assert client.say("13 game_over draw") == "=13\n"


def test_random_lines_are_answered_and_break_nothing() -> None:
    rng, client = random.Random(4), Conversation()
    words = [*COMMANDS, "a1", "b2", "h9", "K", "k", "X", "red", "black", "-", "0", "99", "1e9", "ü"]
    words += [START, "\x00", "move move", "a1-a2", "999999999999"]
    for _ in range(3000):
        line = " ".join(rng.choice(words) for _ in range(rng.randint(1, 4)))
        if "genmove" in line and rng.random() < 0.95:
            continue
        told = client.say(line)
        assert told == "" or told[0] in "=?"
        assert "internal error" not in told, line
