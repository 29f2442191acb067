"""Play in a terminal: whole games, the same chance after undo, and reasons for wrong lines."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest

from engine._core import DarkChessPosition
from engine.errors import SettingError
from engine.games import dark_chess, einstein
from engine.games.game_settings import usual_settings
from engine.games.table import Board
from engine.personas import make_persona
from engine.play.session import Session
from engine.play.session_settings import Budget, SessionSettings
from protocols.rights import Rights
from protocols.terminal.boards import NAMES, WrongMoveError, board_named, read_dark_chess
from protocols.terminal.engine import COMMANDS, Dealer, TerminalEngine
from tests.support.gtp_conversation import search_for
from tests.support.line_talk import ScriptedInbox


class Conversation:
    """Says lines to an engine of few visits and hears its answers."""

    def __init__(self, board: Board, *lines: str, persona: str = "full", seed: int = 1) -> None:
        dealer = Dealer(random.Random(seed))
        settings = SessionSettings(
            persona=make_persona(persona, board.game), budget=Budget(visits=20)
        )
        self.session = Session(
            search_for(board),
            settings,
            game_settings=usual_settings(board.game),
            seed=seed,
            draw=dealer.draw,
        )
        self.session.start_over((board.width, board.height))
        self.emitted: list[str] = []
        self.engine = TerminalEngine(
            self.session,
            dealer,
            self.emitted.append,
            ScriptedInbox(lines),
            rights=Rights(is_user=True),
        )
        self.engine.run()
        self.begun = "".join(self.emitted)

    def say(self, line: str) -> str:
        self.emitted.clear()
        self.engine.handle(line)
        return "".join(self.emitted)

    def first_move(self) -> str:
        """The first legal move, as the list has it, without a flip's brackets."""
        return self.say("moves").split()[0].removesuffix("(?)")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("side", ["first", "second"])
def test_a_whole_game_is_played(name: str, side: str) -> None:
    talk = Conversation(board_named(name))
    talk.say(f"new {side}")
    rng = random.Random(3)
    for _ in range(400):
        if talk.session.game.is_ended:
            break
        position = talk.session.game.position
        assert position.to_move == int(side == "second")
        moves = talk.say("moves").split()
        legal = {talk.engine._written(move) for move in position.legal_moves()}
        assert set(moves) - {"..."} <= legal
        answer = talk.say(rng.choice(moves[:10]).removesuffix("(?)"))
        assert answer.startswith("You play "), answer
    assert talk.session.game.is_ended
    assert re.search("(You win|The engine wins|The game is drawn): .+[.] `new`", answer)
    assert talk.say("moves") == "There is no move: the game is over.\n"
    assert "is over" in talk.say("b3")
    record = talk.say("record").split()
    assert len(record) == len(talk.session.game.moves)


@pytest.mark.parametrize("name", NAMES)
def test_a_repeated_move_has_the_same_outcome(name: str) -> None:
    talk = Conversation(board_named(name))
    move = talk.first_move()
    first = talk.say(move).splitlines()[0]
    talk.say("undo")
    assert talk.session.game.moves == ()
    assert talk.say(move).splitlines()[0] == first


def test_games_have_different_chance() -> None:
    talk = Conversation(Board("darkchess", 4, 8))
    flips = set()
    for _ in range(12):
        flips.add(talk.say("a1").splitlines()[0])
        talk.say("new")
    assert len(flips) > 3


def test_it_greets_and_ends_with_its_input_or_quit() -> None:
    talk = Conversation(Board("darkchess", 4, 8), "a1", "quit", "a2")
    assert talk.begun.startswith("Chinese dark chess: b3 flips a piece")
    assert len(talk.session.game.moves) == 2
    assert "The first flip gives the colors. Face down: KGG" in talk.begun


WRONG = {
    ("darkchess", ""): "",
    ("darkchess", "castle"): "'castle' is no move: write b3 for a flip, a4-a5 for a step.",
    ("darkchess", "x" * 100): f"'{'x' * 40}...' is no move",
    ("darkchess", "b3(K)"): "The outcome is drawn here: leave the brackets out.",
    ("darkchess", "a9"): "'a9(?)' is not a flip on the 4x8 board.",
    ("darkchess", "a1-b2"): "'a1-b2' is not a move along a line of the 4x8 board.",
    ("darkchess", "a1-a2"): "The piece on a1 is face down: write a1 to flip it.",
    ("darkchess", "undo"): "You have not moved yet.",
    ("darkchess", "new third"): "Write new, new first or new second.",
    ("darkchess", "persona nobody"): "No persona 'nobody'",
    ("einstein", "a5-b4"): "The pieces are placed first: write six numbers, as in 123456.",
    ("einstein", "123455"): "'123455' is no move on a 5x5 board.",
    ("einstein", "123456(2)"): "The outcome is drawn here: leave the brackets out.",
}


@pytest.mark.parametrize(("game", "line"), WRONG)
def test_wrong_lines_have_a_reason_and_change_nothing(game: str, line: str) -> None:
    talk = Conversation(board_named(game))
    assert talk.say(line).startswith(WRONG[game, line])
    assert talk.session.game.moves == ()


def test_reasons_of_illegal_moves() -> None:
    position = dark_chess.new_position(2, 4, "KCPP")
    dark_chess.set_up(position, "-X\nkP\nC-\npK\nred P")
    assert isinstance(position, DarkChessPosition)
    for text, reason in {
        "a4-b4": "a4 is empty",
        "a4": "a4 holds no face-down piece",
        "a3-a4": "the k on a3 is not yours: you are Red",
        "b3-b4": "the piece on b4 is face down and cannot be taken",
        "a2-b2": None,
        "b1-a1": "the K on b1 cannot take the p there",
        "a2-a4": "a2-a4 is no step to a square beside it",
    }.items():
        if reason is None:
            assert position.is_legal(read_dark_chess(text, position))
            continue
        with pytest.raises(WrongMoveError, match=re.escape(reason)):
            read_dark_chess(text, position)


def test_reasons_of_illegal_steps() -> None:
    talk = Conversation(Board("einstein", 5, 5))
    talk.say("123456")
    position = talk.session.game.position
    (start,) = position.movable()  # type: ignore[attr-defined]
    cell = einstein.write_cell(start)
    others = sorted({"a5", "b5", "c5", "a4", "b4", "a3"} - {cell})
    assert talk.say(f"{others[0]}-{others[0][0]}{int(others[0][1]) - 1}").startswith("The die is ")
    assert "already" in talk.say("654321")
    assert talk.say("c3-c4").startswith("The die is ")


def test_the_persona_changes_by_name() -> None:
    talk = Conversation(Board("einstein", 5, 5))
    assert talk.say("persona") == "The engine plays as full.\n"
    assert talk.say("persona level:300") == "The engine plays as level:300.\n"
    talk.say("123456")
    talk.say("new second")
    assert talk.session.settings.persona.name == "level:300"
    assert talk.say("why") == "The pieces are placed at random.\n"
    assert talk.say("resign") == "The engine wins by resignation. `new` begins another.\n"
    assert talk.say("resign") == "The game is over.\n"


def test_help_lists_every_command() -> None:
    talk = Conversation(Board("einstein", 5, 5))
    lines = talk.say("help").splitlines()
    assert [line.split()[0] for line in lines[1:]] == list(COMMANDS)


def test_games_without_a_terminal_board_are_refused() -> None:
    with pytest.raises(SettingError, match="no game 'go'"):
        board_named("go")


def test_random_lines_never_break_it() -> None:
    rng = random.Random(5)
    words = [*COMMANDS, "a1", "b2-b3", "b2 b3", "(", "?", "123456", "\0", "ä", "a1(?)", "level:1"]
    for game in ("darkchess2x4", "einstein"):
        talk = Conversation(board_named(game))
        talk.session.change_settings(replace(talk.session.settings, budget=Budget(visits=2)))
        for _ in range(150):
            answer = talk.say(" ".join(rng.choices(words, k=rng.randint(1, 3))))
            assert "Internal error" not in answer
