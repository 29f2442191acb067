"""Guests, as clients of TCP ports are, name no files and see none of the user's personas."""

from __future__ import annotations

import os
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

from engine.personas import PARTS, PERSONAS, make_persona
from engine.personas.files import files_in
from protocols.rights import NO_FILES
from tests.support.gtp_conversation import Conversation

# Every text field of a persona that names no file, and what it is.
HARMLESS = {"profile", "kind", "name", "about", "methods", "title"}
ARGUMENTS = {"level": ":100", "softmax": ":1"}

# {} is a path that there is, or one that there is not.
NAMING = [
    "loadsgf {}",
    "printsgf {}",
    "sparring-persona {}.toml",
    "sparring-persona {}.toml naturalness.points=3",
    "sparring-personas {}.toml",
    "sparring-personas full+mixed={}",
    "sparring-personas full+mixed=w_diff=0.05:network={}",
    "sparring-persona full+mixed={}",
    "sparring-persona full+mixed=network={}",
    "sparring-persona full+mixed=w_diff=0.05:network={}",
    "sparring-persona full+mixed=w_diff=0.05:p_th=0.2:network={}",
    "sparring-persona full+style=edge+mixed=p_th=0.2:network={}",
    "sparring-persona full mixed.network {}",
    "sparring-persona full mixed.network={}",
    'sparring-persona full mixed.network="{}"',
    "sparring-persona full mixed=w_diff=0.05:network={}",
    'sparring-persona full mixed={{network="{}"}}',
    "sparring-persona full strength=full+mixed=w_diff=0.05:network={}",
]


@pytest.mark.parametrize("command", NAMING)
def test_a_guest_names_no_file_and_learns_of_none(command: str, tmp_path: Path) -> None:
    (tmp_path / "there").touch()
    (tmp_path / "there.toml").write_text('strength = "full"')
    answers = set()
    for name in ("there", "absent"):
        conversation = Conversation()
        answer = conversation.refused(command.format(tmp_path / name))
        answers.add(answer.replace(f"/{name}", "/NAME"))
        assert NO_FILES in answer
        assert conversation.session.settings.persona.mixed is None
    assert len(answers) == 1


def test_every_field_that_can_hold_a_path_is_marked() -> None:
    parts = [base for kind in PARTS.values() for base in kind.bases.values()]
    for name, kind in PERSONAS.items():
        game = kind.games[-1]
        persona = make_persona(f"strength:{name}{ARGUMENTS.get(name, '')}", game)
        parts += [persona.strength, persona.style]
    settings = [part for part in parts if is_dataclass(part) and not isinstance(part, type)]
    marked = {each.name for part in settings for each in files_in(part)}
    texts = {each.name for part in settings for each in fields(part) if "str" in str(each.type)}
    assert marked == {"network"}
    assert texts - marked <= HARMLESS


def test_a_guest_plays_by_the_personas_that_come_with_sparring(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = tmp_path / "sparring" / "personas"
    mine.mkdir(parents=True)
    for name in ("secret", "teacher"):
        (mine / f"{name}.toml").write_text('about = "my own"\nstrength = "level:7"')
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    user, guest = Conversation(folder=tmp_path), Conversation()
    assert "my own" in user.say("sparring-personas")
    assert "my own" in user.say("sparring-personas secret")
    assert "my own" not in guest.say("sparring-personas")
    assert "my own" not in guest.say("sparring-personas teacher")
    for command in ("sparring-personas", "sparring-persona"):
        assert "no persona 'secret'" in guest.refused(f"{command} secret")


def test_a_pipe_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    conversation = Conversation(folder=tmp_path)
    for command in ("loadsgf", "printsgf", "sparring-persona", "sparring-personas"):
        assert "no file" in conversation.refused(f"{command} pipe.toml")


def test_the_home_of_no_user_is_a_name_like_others(tmp_path: Path) -> None:
    conversation = Conversation(folder=tmp_path)
    for command in ("loadsgf", "printsgf", "sparring-persona full mixed.network"):
        assert "internal error" not in conversation.refused(f"{command} ~nobody-here/a")
