"""Personas in files: their contents, refusals, lookup and changes."""

from __future__ import annotations

import re
import time
import tomllib
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from engine.games.table import GAMES
from engine.personas import FULL, PARTS, USUAL, Persona, files, make_persona
from engine.personas.parts import KIND, part_of, settings_in
from engine.strength.fixed_elo import FixedElo
from engine.strength.human_play import HumanPlay
from engine.strength.softmax_index import Softmax
from engine.strength.target_win_rate import TargetWinRate
from engine.style.naturalness import Naturalness
from engine.style.policy_bias import Style
from engine.style.position_control import PositionControl
from protocols.persona_list import described
from protocols.rights import Rights

SHIPPED = sorted(files.SHIPPED.glob("*.toml"))
MINE = """
# Mine.
about = "a friend"
games = ["othello"]
strength = "level:400"

[naturalness]
# Rather strict.
probability = 0.1
visits = 8
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "friend.toml").write_text(MINE)
    return tmp_path


def named(text: str, folder: Path, game: str = "othello") -> Persona:
    return make_persona(text, game, [folder, files.SHIPPED])


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_a_shipped_file_plays_its_games_and_explains_each_field(path: Path) -> None:
    content = files.read(path)
    for game in content.get("games", GAMES):
        persona = make_persona(path.stem, game, [files.SHIPPED])
        assert (persona.name, persona.about) == (path.stem, content["about"])
    lines = path.read_text().splitlines()
    for number, line in enumerate(lines):
        if line and not line.startswith("#"):
            assert lines[number - 1].startswith("# "), f"{line!r} is not explained"
    for part, kind in PARTS.items():
        if isinstance(content.get(part), dict):
            value: Any = part_of(kind.bases, content[part])
            names = {field.name for field in fields(value)}
            assert set(content[part]) - {KIND} == names, "a file shows all that can be set"


def test_the_bundled_personas_match_their_names() -> None:
    assert {"full", "even", "teacher", "gentle"} <= set(files.names([files.SHIPPED]))
    assert make_persona("full", "go") == FULL
    even = make_persona(USUAL, "go", [files.SHIPPED])
    assert even.strength == TargetWinRate()
    assert even.naturalness is not None
    assert make_persona("teacher", "connect4", [files.SHIPPED]).ending is None
    teacher = make_persona("teacher", "go", [files.SHIPPED])
    assert None not in (teacher.naturalness, teacher.ending)
    assert isinstance(teacher.strength, TargetWinRate)
    assert teacher.strength.chance > 0.5
    assert teacher.naturalness is not None


def test_a_file_tells_strength_and_parts(folder: Path) -> None:
    persona = named("friend", folder)
    assert persona == Persona(
        "friend", "a friend", FixedElo(400), naturalness=Naturalness(probability=0.1, visits=8)
    )
    assert named(str(folder / "friend.toml"), folder) == replace(
        persona, name=str(folder / "friend.toml")
    )


def test_text_after_a_colon_goes_to_its_strength(folder: Path) -> None:
    teacher = named("teacher", folder)
    (folder / "teacher.toml").write_text('strength = "even"\n[naturalness]\nvisits = 3\n')
    mine = named("teacher:70%", folder)
    assert mine.strength == TargetWinRate(chance=0.7)
    assert mine.naturalness == Naturalness(visits=3)
    assert mine != teacher
    assert named("strength:even:70%", folder).naturalness is None
    assert named("strength:even:70%", folder).strength == mine.strength


@pytest.mark.parametrize(
    ("strength", "text", "expected"),
    [
        ("even:60%:fair", "mine:70%", TargetWinRate(chance=0.7, fair_ending=True)),
        ("even:60%", "mine:chance=0.7:caution=0", TargetWinRate(chance=0.7, caution=0.0)),
        ("even:60%", "mine", TargetWinRate(chance=0.6)),
        ("human:rank_5k:lambda=0.3", "mine:rank_1d", HumanPlay.read("rank_1d:lambda=0.3")),
        ("position:A+B+C:c=2", "mine:A:ahead=0.7", PositionControl(wide=True, c=2.0, ahead=0.7)),
        ("softmax:-0.5", "mine:0.2", Softmax(-0.5, 0.2)),
    ],
)
def test_text_behind_the_name_wins_over_the_file(
    strength: str, text: str, expected: object, folder: Path
) -> None:
    (folder / "mine.toml").write_text(f'strength = "{strength}"\n')
    assert named(text, folder).strength == expected


def test_parts_behind_the_name_win_over_those_of_the_files_strength(folder: Path) -> None:
    (folder / "mine.toml").write_text('strength = "even:60%+style=local:0.5"\n')
    persona = named("mine:70%+style=centre", folder)
    assert (persona.strength, persona.style) == (TargetWinRate(chance=0.7), Style("centre"))
    assert named("mine:70% strength=level:400", folder).strength == FixedElo(400)


@pytest.mark.parametrize(
    "text", ["mine:70%:80%", "mine:70%:chance=0.8", "mine:caution=1:caution=1"]
)
def test_a_text_that_repeats_a_setting_is_refused(text: str, folder: Path) -> None:
    (folder / "mine.toml").write_text('strength = "even:60%"\n')
    with pytest.raises(ValueError, match="again"):
        named(text, folder)


def test_fields_are_changed_behind_the_name(folder: Path) -> None:
    text = "friend strength=level:500 naturalness.probability=0.2 naturalness.points=2"
    persona = named(text, folder)
    assert persona.name == text
    assert persona.strength == FixedElo(500)
    expected = Naturalness(probability=0.2, points=2.0, visits=8)
    assert persona.naturalness == expected
    assert named("friend naturalness=none", folder).naturalness is None
    assert named("level:300 naturalness.visits=4", folder) == Persona(
        "level:300 naturalness.visits=4",
        make_persona("level:300", "othello").about,
        FixedElo(300),
        naturalness=Naturalness(visits=4),
    )
    budget = Naturalness(visits=4, ladders=False)
    for text in (
        "full naturalness=visits=4:ladders=false",
        "full+naturalness=visits=4:ladders=false",
    ):
        assert named(text, folder).naturalness == budget
    styled = named("friend+style=local:0.5 naturalness.visits=3", folder)
    assert styled.style == Style("local", 0.5)
    assert styled.naturalness == Naturalness(probability=0.1, visits=3)


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("strength = 3", "mine.toml: strength 3 is no text"),
        ("about = 'x'", "mine.toml: strength is missing"),
        ("strenght = 'full'", "mine.toml: no field 'strenght': did you mean 'strength'"),
        ("strength = 'fool'", "mine.toml: no persona 'fool'"),
        ("strength = 'level:x'", "mine.toml: persona 'level:x': 'x' is no Elo"),
        ("strength = 'full'\ngames = ['shogi']", "mine.toml: games 'shogi'"),
        ("strength = 'full'\ngames = 'go'", "mine.toml: games 'go'"),
        ("strength = 'full'\nnaturalness = 3", "mine.toml: naturalness 3"),
        (
            "strength = 'full'\n[naturalness]\nprobabilty = 0.1",
            "mine.toml: [naturalness] no setting 'probabilty': did you mean 'probability'",
        ),
        (
            "strength = 'full'\n[naturalness]\nprobability = 2",
            "mine.toml: [naturalness] probability 2.0 is not 0..1",
        ),
        (
            "strength = 'full'\n[naturalness]\nvisits = 2.5",
            "mine.toml: [naturalness] visits 2.5 is no int",
        ),
        (
            "strength = 'full'\n[naturalness]\nladders = 1",
            "mine.toml: [naturalness] ladders 1 is no bool",
        ),
        ("strength = full", "mine.toml: "),
        (
            "strength = 'full'\nstyle = 'center'",
            "mine.toml: [style] no style 'center': did you mean 'centre'",
        ),
        ("strength = 'full'\n[style]\nname = 'centre'", "mine.toml: style is a text, STYLE"),
    ],
)
def test_faults_are_quoted_with_their_field(text: str, quoted: str, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(text)
    with pytest.raises(ValueError) as raised:  # noqa: PT011 (the text follows)
        make_persona("mine", "go", [tmp_path])
    assert str(raised.value).startswith(quoted)


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        (
            "friend naturalness.probabilty=0.1",
            "persona 'friend naturalness.probabilty=0.1': friend.toml: [naturalness] no setting",
        ),
        (
            "friend about.x=3",
            "persona 'friend about.x=3': friend.toml: about 'a friend' is no table",
        ),
        ("friend+style=x", "persona 'friend+style=x': friend.toml: persona 'level:400+style=x'"),
        ("level:300 natural=none", "persona 'level:300 natural=none': no field 'natural'"),
        ("../friend", "no persona '../friend'"),
        ("no-such.toml", "no-such.toml: cannot be read"),
    ],
)
def test_a_text_that_says_nothing_sensible_is_quoted(text: str, quoted: str, folder: Path) -> None:
    with pytest.raises(ValueError) as raised:  # noqa: PT011 (the text follows)
        named(text, folder)
    assert str(raised.value).startswith(quoted)


def test_a_persona_of_another_game_is_refused(folder: Path) -> None:
    with pytest.raises(ValueError, match=r"'friend' plays othello, not 'go'"):
        named("friend", folder, "go")


def test_the_users_own_come_first(folder: Path) -> None:
    (folder / "full.toml").write_text('about = "mine"\nstrength = "level:0"\n')
    assert named("full", folder).about == "mine"
    assert files.names([folder, files.SHIPPED])[:2] == ["friend", "full"]
    environment = {"XDG_CONFIG_HOME": str(folder)}
    assert files.persona_folders(environment) == (
        folder / "sparring" / "personas",
        files.SHIPPED,
    )


@pytest.mark.parametrize(
    ("field", "value", "line"),
    [
        ("naturalness.probability", 0.2, "probability = 0.2"),
        ("naturalness.ladders", False, "ladders = false"),
        ("about", 'a "good" friend', 'about = "a \\"good\\" friend"'),
        ("games", ["go", "othello"], 'games = ["go", "othello"]'),
    ],
)
def test_a_change_leaves_the_rest_of_a_file_as_it_stood(field: str, value: Any, line: str) -> None:
    new = files.edited(MINE, field, value)
    part, _, name = field.rpartition(".")
    content = tomllib.loads(new)
    assert (content[part] if part else content)[name] == value
    before, after = MINE.splitlines(), new.splitlines()
    assert line in after
    assert [each for each in before if each not in after and not each.startswith(name)] == []


def test_a_setting_that_a_file_did_not_have_is_explained_there() -> None:
    new = files.edited('strength = "full"\n', "naturalness.points", 2.0)
    about = Naturalness.__dataclass_fields__["points"].metadata["about"]
    assert new.splitlines() == [
        'strength = "full"',
        "",
        "[naturalness]",
        f"# {about}",
        "points = 2.0",
    ]


def test_a_value_on_several_lines_is_left_alone() -> None:
    text = 'strength = "full"\ngames = [\n  "go",\n]\n'
    with pytest.raises(ValueError, match="games stands on several lines"):
        files.edited(text, "games", ["othello"])


def test_settings_in_a_text_occur_once() -> None:
    assert settings_in("a=1:b=x:c=true") == {"a": 1, "b": "x", "c": True}
    with pytest.raises(ValueError, match="'a=2' sets a again"):
        settings_in("a=1:a=2")


def test_a_long_run_of_spaces_is_read_in_linear_time() -> None:
    began = time.monotonic()
    assert len(files.CHANGE.split("teacher" + " " * 400_000 + "x")) == 1
    assert time.monotonic() - began < 20


# ---- Wrong types

WRONG = ["[]", "[[]]", "[1]", "{a = 1}", "[{}]", "true", "1.5", "nan", "'x'", '"a\\n\\nb"']
WRONG += ["9" * 30, "1979-05-27", "9" * 5000, "[" * 9999 + "]" * 9999]
LINES = [
    *((name, f"{name} = ") for name in (*files.FIELDS, *PARTS)),
    *(
        (setting, f"[{part}]\n{setting} = ")
        for part, kind in PARTS.items()
        for setting in sorted(
            {KIND, "unknown", *(each.name for base in kind.bases.values() for each in fields(base))}
        )
    ),
]


@pytest.mark.parametrize(("field", "line"), LINES)
def test_a_wrong_type_is_reported_and_the_other_personas_are_listed(
    field: str, line: str, tmp_path: Path
) -> None:
    path = tmp_path / "wrong.toml"
    for value in WRONG:
        strength = "" if field == "strength" else "strength = 'full'\n"
        path.write_text(f"{strength}{line}{value}\n")
        rows = described(Rights(is_user=True, folder=tmp_path, personas=tmp_path))
        assert any(row.startswith("gentle ") for row in rows)
        (row,) = (row for row in rows if row.startswith("wrong "))
        assert row.isprintable()
        for game in GAMES:
            try:
                make_persona("wrong", game, [tmp_path])
            except ValueError as error:
                told = str(error)
                assert "wrong.toml: " in told, value
                part = line.strip("[ =").split("]")[0]
                assert re.search(rf"{field}|{part}|network|no persona|too deep|the limit", told)
        if "cannot be used" in row:
            assert "wrong.toml: " in row
