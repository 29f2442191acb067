"""A bot's configuration: the example holds, mistakes are named, and secrets stay secret."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from bots.common_rows import service_settings
from bots.configuration import (
    ConfigurationError,
    ConfigurationRow,
    Secret,
    example,
    flag,
    number,
    one_of,
    read_configuration,
    several,
    text,
    texts,
    whole,
)
from bots.program import rows_of
from bots.server_table import SERVERS, module_of

ROWS = (
    ConfigurationRow("one", "name", text, None, "A name.", "Ann", is_required=True),
    ConfigurationRow("one", "count", whole(1, 9), 3, "A number."),
    ConfigurationRow("one", "share", number(0, 1), 0.5, "A share."),
    ConfigurationRow("one", "is_on", flag, False, "A choice."),
    ConfigurationRow("one", "names", texts, (), "Names."),
    ConfigurationRow("two", "sizes", several(whole(2, 19)), (9, 19), "Sizes."),
    ConfigurationRow("two", "speed", one_of("fast", "slow"), "slow", "A speed."),
    ConfigurationRow("two", "key", text, None, "A file with a key.", is_secret=True),
)


def written(folder: Path, content: str) -> Path:
    path = folder / "bot.toml"
    path.write_text(content)
    return path


def test_values_come_from_the_file_and_else_from_the_rows(tmp_path: Path) -> None:
    path = written(tmp_path, '[one]\nname = "x"\ncount = 4\n[two]\nsizes = [13]\n')
    configuration = read_configuration(path, ROWS, {})
    assert configuration["one", "count"] == 4
    assert configuration["one", "share"] == 0.5
    assert configuration["two", "sizes"] == (13,)
    assert configuration["two", "key"] is None


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "[one] name is missing: A name."),
        ('[one]\nname = ""\n', "[one] name is missing: A name."),
        ("[one", "bot.toml"),
        ('[one]\nnmae = "x"', "unknown key 'nmae'; did you mean 'name'?"),
        ('[ome]\nname = "x"', "unknown section [ome]; did you mean [one]?"),
        ("[elsewhere]\n", "unknown section [elsewhere]; there are one, two"),
        ("one = 3", "'one' is a section, [one]"),
        ('[one]\nname = "x"\ncount = 10', "count is a whole number from 1 to 9, not 10"),
        ('[one]\nname = "x"\ncount = true', "count is a whole number from 1 to 9, not True"),
        ('[one]\nname = "x"\nshare = "a"', "share is a number from 0 to 1, not 'a'"),
        ('[one]\nname = "x"\nshare = nan', "share is a number from 0 to 1, not nan"),
        ('[one]\nname = "a\\nb"', "name is one line of text, not 'a\\nb'"),
        ('[one]\nname = "x"\nis_on = 1', "is_on is true or false, not 1"),
        ('[one]\nname = "x"\nnames = "x"', "names is a list of texts, not 'x'"),
        ('[one]\nname = "x"\n[two]\nsizes = [9, 99]', "sizes is a whole number from 2 to 19"),
        ('[one]\nname = "x"\n[two]\nspeed = "warp"', "speed is one of fast, slow, not 'warp'"),
        ('[one]\nname = "x"\n[two]\nkey_file = ""', "[two] key_file names no file"),
        (
            '[one]\nname = "x"\n[two]\nkey_file = "/nonexistent/key"',
            "key_file names /nonexistent/key, which cannot be read: No such file or directory",
        ),
        ('[one]\nname = "x"\n[two]\nkey = "abc"', "unknown key 'key'; did you mean 'key_file'?"),
    ],
)
def test_mistakes_are_named(content: str, words: str, tmp_path: Path) -> None:
    path = written(tmp_path, content)
    with pytest.raises(ConfigurationError) as raised:
        read_configuration(path, ROWS, {})
    assert words in str(raised.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"none\.toml: No such file"):
        read_configuration(tmp_path / "none.toml", ROWS, {})


def test_a_secret_comes_from_a_private_file_or_a_credential(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("hush-hush\n")
    path = written(tmp_path, f'[one]\nname = "x"\n[two]\nkey_file = "{secret}"')
    secret.chmod(0o644)
    with pytest.raises(ConfigurationError, match="chmod 600"):
        read_configuration(path, ROWS, {})
    secret.chmod(0o600)
    value = read_configuration(path, ROWS, {})["two", "key"]
    assert isinstance(value, Secret)
    assert value.reveal() == "hush-hush"
    assert "hush" not in f"{value} {value!r}"
    credentials = tmp_path / "credentials"
    credentials.mkdir()
    (credentials / "key").write_text("other-one")
    path = written(tmp_path, '[one]\nname = "x"')
    configuration = read_configuration(path, ROWS, {"CREDENTIALS_DIRECTORY": str(credentials)})
    assert configuration["two", "key"].reveal() == "other-one"


@pytest.mark.parametrize("content", ["", "two\nlines", "x" * 5000])
def test_a_wrong_secret_is_refused_without_a_quotation(content: str, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text(content)
    secret.chmod(0o600)
    path = written(tmp_path, f'[one]\nname = "x"\n[two]\nkey_file = "{secret}"')
    with pytest.raises(ConfigurationError) as raised:
        read_configuration(path, ROWS, {})
    assert not content or content not in str(raised.value)


@pytest.mark.parametrize("name", SERVERS)
def test_the_example_of_each_server_is_understood(name: str, tmp_path: Path) -> None:
    rows = rows_of(name)
    lines = "\n".join(example("An example.", rows))
    secret = tmp_path / "secret"
    secret.write_text("password")
    secret.chmod(0o600)
    commented = "\n".join(
        line.removeprefix("#") if line.startswith("#") and not line.startswith("# ") else line
        for line in lines.splitlines()
    )
    for content in (lines, commented):
        values = tomllib.loads(content)
        filled = content
        for row in rows:
            if row.is_secret and row.file_key in values.get(row.section, {}):
                shown = values[row.section][row.file_key]
                filled = filled.replace(
                    f'{row.file_key} = "{shown}"', f'{row.file_key} = "{secret}"'
                )
        configuration = read_configuration(written(tmp_path, filled), rows, {})
        if not SERVERS[name].has_own_service:
            assert service_settings(configuration).most_games >= 1
            assert module_of(name).settings_of(configuration).most_games >= 1
    assert max(map(len, lines.splitlines())) <= 100
