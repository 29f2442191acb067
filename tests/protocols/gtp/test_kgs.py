"""The engine at kgsGtp: whole games in its order, over memory, pipes and TCP."""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.opponents import TransientStore
from engine.play.networks import bundled_network
from engine.strength.target_win_rate import TargetWinRate
from protocols.chat_words import HELP_TEXT, LONGEST_SAID, WORDS
from tests.protocols.server.conftest import COMMAND
from tests.support.gtp_conversation import Conversation
from tests.support.kgs_controller import KgsController, KgsSettings
from tests.support.paths import ROOT

TIMES = ("none", "absolute 900", "byoyomi 600 30 5", "canadian 600 300 25")


def controller(
    settings: KgsSettings | None = None, color: str = "w", persona: str = "full"
) -> tuple[KgsController, Conversation]:
    talk = Conversation(visits=4)
    talk.say(f"sparring-persona {persona}")
    kgs = KgsController(lambda line: talk.hear(line).strip("\n"), settings or KgsSettings(), color)
    kgs.connect()
    return kgs, talk


def play_to_two_passes(kgs: KgsController) -> None:
    """The opponent plays four stones on the edge, and passes until the engine passes too."""
    for number in range(200):
        kgs.opponent_plays(f"{'abcd'[number]}1" if number < 4 else "pass")
        if kgs.engine_plays(600 - number, 0) in ("pass", "resign"):
            return
    raise AssertionError("the engine never passes")


@pytest.mark.parametrize("time", TIMES)
@pytest.mark.parametrize("rules", ["japanese", "chinese", "aga", "new_zealand"])
def test_a_whole_game_goes_in_the_order_of_kgs(time: str, rules: str) -> None:
    kgs, talk = controller(KgsSettings(rules=rules, time=time))
    assert kgs.challenged(9)
    assert not kgs.challenged(38)
    kgs.start()
    play_to_two_passes(kgs)
    assert set(kgs.dead_stones()) <= {"a1", "b1", "c1", "d1"}
    kgs.over()
    assert talk.session.game.moves  # the record stays until the next game
    kgs.start()  # the next game
    assert talk.session.game.moves == ()
    kgs.opponent_plays("e5")
    assert kgs.engine_plays() != "e5"


def test_further_words_of_the_rules_are_ignored() -> None:
    kgs, talk = controller()
    kgs.needed("kgs-rules japanese blah blah")
    assert '"scoring":"TERRITORY"' in talk.say("kata-get-rules")
    assert not kgs.command("kgs-rules")[0]
    assert not kgs.command("kgs-rules tetris")[0]


@pytest.mark.parametrize("color", ["b", "w"])
@pytest.mark.parametrize("is_fixed", [False, True])
def test_handicap_games_begin_with_their_stones(color: str, *, is_fixed: bool) -> None:
    kgs, talk = controller(KgsSettings(handicap=3, is_fixed=is_fixed, komi=0.5), color)
    kgs.start()
    assert len(talk.session.game.setup) == 3
    if color == "b":
        kgs.opponent_plays("e5")
    assert kgs.engine_plays() not in ("c3", "g7", "c7")


def test_undo_takes_back_one_move_each_also_after_passes() -> None:
    kgs, talk = controller()
    kgs.start()
    kgs.opponent_plays("e5")
    kgs.engine_plays()
    kgs.undo(2)
    assert talk.session.game.moves == ()
    play_to_two_passes(kgs)
    before = len(talk.session.game.moves)
    kgs.dead_stones()
    kgs.undo()
    assert len(talk.session.game.moves) == before - 1


def test_after_a_dispute_the_engine_captures_the_dead_before_it_passes() -> None:
    kgs, _ = controller(KgsSettings(rules="chinese"))
    kgs.start()
    # Black lives in all of the board but the corner, where one dead white stone is left.
    for black, white in (("c3", "a1"), ("c7", "pass"), ("g3", "pass"), ("g7", "pass")):
        kgs.opponent_plays(black)
        kgs.needed(f"play w {white}")
        kgs.moves.append(("w", white))
    kgs.undo()  # of a pass: the opponent does not agree
    kgs.engine_plays(cleanup=True)
    assert [line for line in kgs.sent if line.startswith("kgs-genmove_cleanup")] == [
        "kgs-genmove_cleanup w"
    ]


def test_every_command_of_kgs_is_listed() -> None:
    kgs, _ = controller()
    assert {
        *("kgs-rules", "kgs-time_settings", "kgs-genmove_cleanup", "kgs-chat", "kgs-game_over"),
        *("final_status_list", "place_free_handicap", "set_free_handicap", "time_left", "undo"),
    } <= kgs.commands
    assert not {"analyze", "genmove_analyze"} & kgs.commands


def test_chat_is_answered_by_words_and_other_lines_are_left_to_kgs() -> None:
    kgs, talk = controller(persona="even")
    kgs.start()
    assert kgs.chat("Ann", "level").startswith("I do not know you yet")
    assert kgs.chat("Ann", "why?") == "I have not moved yet."
    kgs.opponent_plays("e5")
    kgs.engine_plays()
    assert kgs.chat("Ann", "Level?").startswith("Your level, as I see it: ")
    choice = talk.session.last_choice
    assert choice is not None
    assert kgs.chat("Ann", "why") == choice.reason[:LONGEST_SAID]
    assert kgs.chat("Ann", "help", "private") == HELP_TEXT
    assert kgs.chat("Ann", "hello there, are you a bot?") == "talk"
    assert kgs.chat("Ann", "rematch") == "talk"  # KGS has no command for it
    assert kgs.chat("Ann", "x" * 10_000) == "talk"
    assert kgs.chat("Ann", "\x07level\x1b?") != "talk"
    for text in ("", "game", "room Ann level"):
        assert talk.refused(f"kgs-chat {text}")


def test_chat_changes_the_strength_until_the_game_is_over() -> None:
    kgs, talk = controller(persona="even:60%")

    def chance() -> float:
        strength = talk.session.settings.persona.strength
        assert isinstance(strength, TargetWinRate)
        return strength.chance

    kgs.start()
    assert kgs.chat("Ann", "stronger") == "I play stronger: I aim at 70% of our games."
    assert chance() == 0.7
    for _ in range(9):
        kgs.chat("Ann", "weaker")
    assert chance() == 0.05
    assert talk.session.settings.persona.ending is not None  # the other parts stay
    assert kgs.chat("Ann", "stay") == "I have no level yet: ask me again after my first move."
    kgs.opponent_plays("e5")
    kgs.engine_plays()
    assert kgs.chat("Ann", "stay").startswith("I stay at level ")
    assert talk.say("sparring-persona").startswith("even:60% strength=level:")
    assert kgs.chat("Ann", "stronger").startswith("I play stronger: at level ")
    assert kgs.chat("Ann", "weaker", "private") == "talk"
    kgs.over()
    assert talk.say("sparring-persona") == "even:60%"


@pytest.mark.parametrize(
    ("persona", "answer"),
    [
        ("level:8k", "I play stronger: at level 7k."),
        ("level:1200", "I play stronger: at level 1300."),
        ("level:-193", "I play stronger: at level -93 (weaker than random play)."),
        ("full", "My strength is fixed, and I cannot change it."),
    ],
)
def test_stronger_is_a_step_of_the_strength(persona: str, answer: str) -> None:
    kgs, _ = controller(persona=persona)
    assert kgs.chat("Ann", "stronger") == answer
    assert kgs.chat("Ann", "stay") == "My strength stays as it is."


def test_the_next_opponent_without_a_name_is_a_stranger() -> None:
    kgs, talk = controller(persona="even")
    kgs.start()
    kgs.opponent_plays("e5")
    kgs.engine_plays()
    assert talk.session.opponent_model.opponent is not None
    kgs.over()
    assert talk.session.opponent_model.opponent is None


def test_a_named_opponent_is_kept_over_the_game() -> None:
    talk = Conversation(visits=4, memory=TransientStore())
    kgs = KgsController(lambda line: talk.hear(line).strip("\n"))
    kgs.connect()
    talk.say('sparring-opponent {"server": "kgs", "name": "Ann"}')
    kgs.start()
    kgs.over()
    assert talk.session.opponent is not None
    assert str(talk.session.opponent.name) == "Ann (kgs)"


def test_sparring_chat_answers_the_words_alone() -> None:
    talk = Conversation(visits=4)
    assert talk.say("sparring-chat help") == HELP_TEXT
    assert talk.refused("sparring-chat hello") == "no word for the engine: 'hello'"
    assert set(WORDS) == {"level", "why", "stronger", "weaker", "stay", "rematch", "help"}


def play_a_game(read_line: Callable[[], bytes], write: Callable[[bytes], object]) -> None:
    """Plays a short game over two streams of bytes."""

    def ask(line: str) -> str:
        write(line.encode() + b"\n")
        lines: list[str] = []
        while (text := read_line().decode()) != "\n":
            assert text, "the engine has ended"
            lines.append(text)
        return "".join(lines).rstrip("\n")

    kgs = KgsController(ask, KgsSettings(size=9, handicap=2, time="byoyomi 60 10 3"))
    kgs.connect()
    assert kgs.challenged(9)
    kgs.start()
    for vertex in ("e5", "e3"):
        kgs.engine_plays(60)
        kgs.opponent_plays(vertex)
    assert kgs.chat("Ann", "why") != "talk"
    kgs.undo()
    kgs.dead_stones()
    kgs.over()
    play_a_dispute(kgs)
    kgs.needed("quit")


def play_a_dispute(kgs: KgsController) -> None:
    """Ends a game with dead stones, and lets the opponent doubt that they are dead."""
    kgs.settings = KgsSettings(size=9, rules="chinese", time="none", komi=7.5)
    kgs.start()
    # White surrounds the board's lower left half; Black's two stones behind it are dead.
    for column in "abcdefghj":
        kgs.moves += [("w", f"{column}4"), ("b", f"{column}6")]
    kgs.moves += [("w", "e3"), ("b", "c2"), ("w", "c3"), ("b", "b2")]
    kgs.synchronize()
    kgs.engine_plays()
    for vertex in ("c7", "g7"):  # Black's own side lives
        kgs.opponent_plays(vertex)
        if kgs.engine_plays() == "pass":
            break
    for _ in range(150):
        kgs.opponent_plays("pass")
        if kgs.engine_plays() == "pass":
            break
    behind = {"b2", "c2"}
    dead = behind & set(kgs.dead_stones())
    assert dead in (behind, set())  # captured already, or said to be dead
    kgs.undo()  # the opponent does not agree
    for _ in range(150):
        if kgs.engine_plays(cleanup=True) == "pass":
            break
        kgs.opponent_plays("pass")
    else:
        raise AssertionError("the engine never passes")
    assert not behind & set(kgs.dead_stones())  # kgsGtp ends an engine that left them


@pytest.mark.slow
@pytest.mark.parametrize("way", ["pipes", "tcp"])
def test_kgs_plays_over_pipes_and_over_tcp(way: str, tmp_path: Path) -> None:
    network = bundled_network()
    if network is None:
        pytest.skip("no network of Go")
    command = [
        *COMMAND, "gtp", "--alone", "--opponent=none", "--persona=even", "--visits=4",
        "--store=none",
    ]  # fmt: skip
    environment = {**os.environ, "XDG_RUNTIME_DIR": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
    if way == "pipes":
        with subprocess.Popen(
            command, cwd=ROOT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            bufsize=0,
        ) as engine:  # fmt: skip
            assert engine.stdin is not None
            assert engine.stdout is not None
            play_a_game(engine.stdout.readline, engine.stdin.write)
            assert engine.wait(30) == 0
        return
    # The option engine.port: kgsGtp listens, and the engine's end is a socket.
    with socket.create_server(("127.0.0.1", 0)) as listener:
        near = socket.create_connection(listener.getsockname())
        with (
            near,
            subprocess.Popen(
                command, cwd=ROOT, env=environment, stdin=near.fileno(), stdout=near.fileno()
            ) as engine,
        ):
            near.close()
            far, _ = listener.accept()
            with far, far.makefile("rb") as answers:
                play_a_game(answers.readline, far.sendall)
            assert engine.wait(30) == 0
