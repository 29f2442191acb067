"""The list of personas in protocols and on the command line, and the start with one."""

from __future__ import annotations

import argparse
import re
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

from engine.errors import SettingError, UsageError
from engine.games.game_settings import usual_settings
from engine.games.table import GAMES, Board
from engine.networks.human_policy import HumanPolicy
from engine.personas import PARTS, PERSONAS, files
from engine.play.search_source import OneSearch
from engine.play.session import Session
from engine.play.session_settings import Budget, SessionSettings
from engine.strength.fixed_elo import FixedElo
from engine.style.naturalness import Naturalness
from protocols.cli import personas
from protocols.cli.gui import greeting_options
from protocols.cli.main import parser_of
from protocols.cli.setting_sources import apply
from protocols.cli.settings import rows_of
from protocols.cli.subcommands import find, overview
from protocols.conversation import folder_named
from protocols.positions.player import PositionAnalysis, ThinkingLimits
from protocols.positions.session_adapter import SessionAdapter
from tests.support.games import PLAYABLE
from tests.support.gtp_conversation import Conversation, search_for


def parsed(subcommand: str, *words: str) -> argparse.Namespace:
    """The options of a command line, with the defaults of the settings."""
    row = find(subcommand)
    options = parser_of(subcommand, import_module(row.module), plays=row.plays).options(words)
    apply(options, rows_of(subcommand), {})
    return options


def listed(*words: str) -> list[str]:
    said: list[str] = []
    assert personas.run(parsed("personas", *words), said.append) == 0
    return said


def names_in(lines: list[str]) -> list[str]:
    return [re.split(r"[ :=\[]", line)[0] for line in lines if not line.endswith(":")]


def test_every_persona_is_listed_with_its_argument() -> None:
    shipped = files.names([files.SHIPPED])
    strengths = [name for name, kind in PERSONAS.items() if name not in shipped or kind.form]
    assert names_in(listed()) == [*shipped, *strengths, *PARTS]
    assert "softmax:Z[:R_TH]" in "\n".join(listed())
    assert "personas" in overview()


@pytest.mark.parametrize("game", PLAYABLE)
def test_gtp_lists_those_of_its_game(game: str) -> None:
    conversation = Conversation()
    conversation.say(f"set_game {GAMES[game].title}")
    told = names_in(conversation.say("sparring-personas").splitlines())
    assert {"full", "even", "level"} <= set(told)
    assert ("alphadda2" in told) is (game in PERSONAS["alphadda2"].games)
    for name in set(told) - set(PARTS):
        if name not in PERSONAS or PERSONAS[name].form[:1] in ("", "["):
            conversation.say(f"sparring-persona {name}")


def test_a_persona_is_shown_and_changed_on_the_command_line(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    shown = "\n".join(listed("teacher"))
    assert shown + "\n" == (files.SHIPPED / "teacher.toml").read_text()
    changed = listed("teacher", "naturalness.points", "2", "--personas", str(folder))
    assert "points = 2" in changed
    assert not folder.exists()
    written = listed("teacher", "naturalness.points", "2", "--personas", str(folder), "--write")
    assert written == [str(folder / "teacher.toml")]
    assert listed("teacher", "--personas", str(folder)) == changed
    assert listed("level:300") == ["# " + files.FIELDS["strength"], 'strength = "level:300"']


@pytest.mark.parametrize(
    ("words", "quoted"),
    [
        (["nobody"], "'nobody'"),
        (["teacher", "naturalness.points"], "no value for 'naturalness.points'"),
        (["teacher", "naturalness.point", "2"], "did you mean 'points'"),
        (["teacher", "naturalness.points", "-2"], "points -2"),
        (["level:300", "naturalness.points", "2", "--write"], "'level:300'"),
    ],
)
def test_invalid_listings_and_changes_are_quoted(words: list[str], quoted: str) -> None:
    with pytest.raises(UsageError, match=quoted):
        listed(*words)


def test_a_file_with_a_mistake_is_listed_with_it(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text("strength = 3")
    assert (
        "cannot be used: mine.toml: strength 3 is no text" in listed("--personas", str(tmp_path))[0]
    )


def test_gtp_changes_a_field_for_the_conversation(tmp_path: Path) -> None:
    conversation = Conversation(folder=tmp_path, game="othello")

    def budget() -> Naturalness:
        found = conversation.session.settings.persona.naturalness
        assert found is not None
        return found

    conversation.say("sparring-persona teacher naturalness.points 2")
    assert budget().points == 2
    conversation.say("sparring-persona teacher naturalness.visits 7")
    assert (budget().points, budget().visits) == (2, 7)
    told = "teacher naturalness.points=2 naturalness.visits=7"
    assert conversation.say("sparring-persona") == told
    conversation.say("sparring-persona teacher")
    assert budget().visits != 7
    for line, quoted in (
        ("sparring-persona teacher naturalness.points", "no value for 'naturalness.points'"),
        ("sparring-persona teacher naturalness.points x", "points 'x' is no float"),
        ("sparring-personas nobody", "'nobody'"),
    ):
        assert quoted in conversation.refused(line)
    assert "# " in conversation.say("sparring-personas teacher")
    (tmp_path / "mine.toml").write_text('strength = "level:7"')
    conversation.say("sparring-persona mine.toml")
    assert conversation.session.settings.persona.strength == FixedElo(7)
    conversation.say("sparring-persona teacher naturalness.visits 7")
    conversation.say("set_game Connect Four")
    assert conversation.say("sparring-persona") == "teacher naturalness.visits=7"


def test_a_network_to_mix_in_is_a_file_of_the_clients_folder(tmp_path: Path) -> None:
    (tmp_path / "centre.safetensors").touch()
    conversation = Conversation(folder=tmp_path)
    full = tmp_path / "centre.safetensors"
    for text in (
        "full+mixed=centre.safetensors:w_diff=0.1",
        "full+mixed=w_diff=0.1:network=centre.safetensors",
        f"full+mixed={full}",
        "full mixed.network centre.safetensors",
        "full+style=edge+mixed=centre.safetensors",
    ):
        conversation.say(f"sparring-persona {text}")
        mixed = conversation.session.settings.persona.mixed
        assert mixed is not None
        assert mixed.path == full
    assert "network '" in conversation.refused("sparring-persona full+mixed=edge.safetensors")
    assert "p_th 7.0" in conversation.refused("sparring-persona full mixed.p_th 7")


@pytest.mark.parametrize(
    "text",
    [
        'strength = "full"\nmixed = "centre.safetensors:w_diff=0.1"',
        'strength = "full"\n[mixed]\nnetwork = "centre.safetensors"\nw_diff = 0.1',
        'strength = "full+mixed=centre.safetensors:w_diff=0.1"',
        'strength = "full+mixed=w_diff=0.1:network=centre.safetensors"',
    ],
)
def test_a_network_in_a_file_lies_in_the_files_folder(tmp_path: Path, text: str) -> None:
    (tmp_path / "centre.safetensors").touch()
    (tmp_path / "mine.toml").write_text(text)
    for name, folders in (("mine", [tmp_path]), (str(tmp_path / "mine.toml"), None)):
        mixed = files.make_persona(name, "go", folders).mixed
        assert mixed is not None
        assert (mixed.path, mixed.w_diff) == (tmp_path / "centre.safetensors", 0.1)


def test_a_folder_of_personas_is_named_on_the_command_line(tmp_path: Path) -> None:
    asked = greeting_options(parsed("gtp", "--personas", ".", "--persona", "mine.toml"))
    assert asked["personas"] == str(Path.cwd())
    assert asked["persona"] == "mine.toml"  # in the client's folder, as the reply says
    assert asked["folder"] == str(Path.cwd())
    assert folder_named(str(tmp_path)) == tmp_path
    with pytest.raises(SettingError, match="nowhere"):
        folder_named(str(tmp_path / "nowhere"))


def test_the_command_line_names_a_persona() -> None:
    for name in ("gtp", "ugi", "nboard"):
        asked = greeting_options(parsed(name, "--persona", "softmax:1"))
        assert asked["persona"] == "softmax:1"
    with pytest.raises(UsageError, match="--persona"):
        parsed("analysis", "--persona", "full")


def test_the_command_line_names_a_network_of_human_moves() -> None:
    for option in ("--human-network", "-human-model"):
        asked = greeting_options(parsed("gtp", option, "human.bin.gz"))["human_network"]
        assert asked == str(Path("human.bin.gz").resolve())
    assert "human_network" not in greeting_options(parsed("gtp"))


def test_the_human_policy_is_needed_by_a_budget_alone() -> None:
    board = Board("othello", 6, 6)
    asked: list[bool] = []

    def human_policy() -> HumanPolicy | None:
        asked.append(True)
        return None

    search = search_for(board)
    source = OneSearch(search, human_policy=human_policy)
    settings = SessionSettings(budget=Budget(max_visits=4), solve=False)
    session = Session(search, settings, game_settings=usual_settings("othello"), source=source)
    session.start_over((6, 6))
    session.genmove(0)
    assert not asked
    natural = replace(settings.persona, naturalness=Naturalness())
    session.change_settings(replace(settings, persona=natural))
    session.genmove(1)
    assert asked == [True]


def player(persona: str) -> SessionAdapter:
    board = Board("connect4", 7, 6)
    made = SessionAdapter(search_for(board), board.game)
    made.set_persona(persona)
    return made


def ignore(_thought: PositionAnalysis) -> None:
    pass


def test_a_player_answers_the_move_that_its_persona_chose() -> None:
    """Also a move of few visits, by a persona that prefers such moves."""
    effort = ThinkingLimits(visits=40)
    best = player("full").choose(effort, stop=lambda: False, on_analysis=ignore).lines[0]
    worst = player("softmax:-inf:0").choose(effort, stop=lambda: False, on_analysis=ignore).lines
    assert worst[0].visits <= min(line.visits for line in worst)
    assert worst[0].variation[0] != best.variation[0]
    assert len({line.variation[0] for line in worst}) == len(worst)
    with pytest.raises(SettingError, match="'nobody'"):
        player("nobody")


def test_a_player_learns_from_the_moves_that_it_chose() -> None:
    """The level of its own moves, and the final ownership."""
    made = player("level:300")
    start = made.position.copy()
    moves: list[int] = []
    for _ in range(3):
        analysis = made.choose(ThinkingLimits(visits=4), stop=lambda: False, on_analysis=ignore)
        moves.append(analysis.lines[0].variation[0])
        made.follow(start, moves)
        moves.append(made.position.legal_moves()[0])
        made.follow(start, moves)
    watch = made.session.opponent_model.tracker
    assert watch is not None
    assert watch.levels == (300.0,) * 3
    assert made.session.opponent_model.our_color == 0
    made.follow(start, [])
    assert made.session.opponent_model.our_color is None
