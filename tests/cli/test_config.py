"""The configuration: command line over environment over file, and the file that `config` writes."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.errors import UsageError
from engine.games.rules import USUAL_RULES
from engine.personas import USUAL
from engine.play.session_settings import Budget
from protocols.cli import serve
from protocols.cli.config import commented
from protocols.cli.local_engine_options import local_engine_options
from protocols.cli.main import dispatch, parser_of
from protocols.cli.setting_sources import SettingSources, apply, changed_settings, read_file
from protocols.cli.settings import ROWS, SECTIONS, SETTINGS, rows_of
from protocols.server.local_engine import client_defaults_of
from protocols.store_options import SOMEBODY
from tests.support.paths import ROOT

Write = Callable[[str], Path]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """A function: writes the user's configuration file."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    path = tmp_path / "sparring" / "sparring.toml"
    path.parent.mkdir()

    def written(text: str) -> Path:
        path.write_text(text)
        return path

    return written


def parsed(*arguments: str, **environment: str) -> Any:
    """The options of `serve`."""
    options = parser_of("serve", serve, plays=False).options(arguments)
    apply(options, rows_of("serve"), environment)
    return options


def test_the_command_line_goes_before_the_environment_before_the_file(tmp_path: Path) -> None:
    home = {"XDG_CONFIG_HOME": str(tmp_path)}
    assert parsed(**home).persona is None
    assert parsed(**home).sessions == 64
    (tmp_path / "sparring").mkdir()
    (tmp_path / "sparring" / "sparring.toml").write_text(
        '[play]\npersona = "teacher"\nvisits = 7\nkomi = 6.5\n[limits]\nsessions = 9\n'
        '[listen]\nallow_host = ["a", "b"]\n[networks]\nothello = "o.safetensors"\n'
    )
    assert parsed(**home).persona == "teacher"
    options = parsed("--visits=9", **home, SPARRING_PERSONA="full", SPARRING_VISITS="8")
    assert (options.persona, options.visits, options.sessions) == ("full", 9, 9)
    assert (options.komi, options.allow_host) == ("6.5", ["a", "b"])
    engine = local_engine_options(options)
    assert engine.networks == {"othello": "o.safetensors"}
    defaults = client_defaults_of(engine)
    assert defaults.game_settings.komi == 6.5
    assert defaults.budget().visits == 9
    assert parsed(**home, SPARRING_ALLOW_HOST="x,y").allow_host == ["x", "y"]


MISTAKES = [
    # the file; what is said after its name
    ("[play]\n\nkomy = 7", ":3: unknown key 'komy' in [play]; did you mean 'komi' in [play]?"),
    ("[limits]\nkomi = 7", ":2: unknown key 'komi' in [limits]; did you mean 'komi' in [play]?"),
    ("#\n[pley]\nkomi = 7", ":2: unknown section [pley]; did you mean [play]?"),
    ("komi = 7", ":1: 'komi' stands in no section; did you mean 'komi' in [play]?"),
    ("[listen]\ngtp_port = 99999", ":2: gtp_port: '99999' is not a port: 0 (any free one) to"),
    ("[play]\nvisits = 0", ":2: visits: '0' is not a whole number above 0"),
    ("[play]\nvisits = true", ":2: visits: True is neither text nor a number"),
    ("[play]\nrules = ['a']", ":2: rules: one value is expected"),
    ("[listen]\nallow_host = 'a'", ":2: allow_host: a list is expected"),
    ("[networks]\nbackend = 'abacus'", ":2: backend: 'abacus' is not one of auto, cuda"),
    ("[play]\nkomi = ", "(at end of document)"),
]


@pytest.mark.parametrize(("text", "said"), MISTAKES)
def test_a_mistake_in_the_file_is_refused_with_its_line(
    text: str, said: str, write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(text)
    with pytest.raises(UsageError) as refusal:
        dispatch(["config", "--check"])
    assert str(refusal.value).startswith(f"{path}:")
    assert said in str(refusal.value)
    done = subprocess.run(
        [sys.executable, "-m", "protocols.cli", "gtp", "--alone"],
        cwd=ROOT, input="", capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


def test_a_wrong_variable_and_a_missing_file_are_refused() -> None:
    with pytest.raises(UsageError, match=r"^\$SPARRING_GTP_PORT: 'x' is not a port"):
        parsed(SPARRING_GTP_PORT="x")
    with pytest.raises(UsageError, match=r"no configuration file 'nosuch\.toml'"):
        parsed("--config=nosuch.toml")


def test_the_written_file_holds_every_key_and_its_values_can_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "new" / "sparring.toml"
    assert dispatch(["config", "--output", str(path)]) == 0
    assert read_file(str(path)) == {}
    lines = path.read_text().splitlines()
    assert max(map(len, lines)) <= 98
    keys = [row for row in SETTINGS if row.is_key]
    set_keys = [re.sub(r"^#(\w+ = )", r"\1", line) for line in lines]
    path.write_text("\n".join(set_keys))
    assert set(tomllib.loads(path.read_text())) == set(SECTIONS)
    assert set(read_file(str(path))) == {row.name for row in keys}
    for row in keys:
        assert row.usual_text in " ".join(path.read_text().replace("\n#", "").split())
    with pytest.raises(UsageError, match="is there already"):
        dispatch(["config", "--output", str(path)])


def test_names_keys_and_defaults_are_the_programs_own() -> None:
    assert len(ROWS) == len(SETTINGS)
    assert len({(row.section, row.key) for row in SETTINGS}) == len(SETTINGS)
    usual = {"persona": USUAL, "rules": USUAL_RULES, "opponent": SOMEBODY}
    usual["seconds"] = f"{Budget().default_seconds:g}"
    assert {name: ROWS[name].usual_text for name in usual} == usual
    assert len(list(commented(SETTINGS))) > 2 * len(SETTINGS)


def test_the_settings_in_force_are_shown_with_their_sources(
    write: Write, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write("[play]\nvisits = 7\n")
    monkeypatch.setenv("SPARRING_RULES", "japanese")
    monkeypatch.setenv("SPARRING_STORE", "postgresql://me:secret@there/games")
    assert dispatch(["config", "--show"]) == 0
    said = capsys.readouterr().out
    assert f"play.visits = 7  ({path}:2)" in said
    assert 'play.rules = "japanese"  ($SPARRING_RULES)' in said
    assert "limits.sessions = 64  (default)" in said
    assert "opponents.store = ...  ($SPARRING_STORE)" in said
    assert "secret" not in said


def test_a_reload_changes_what_it_may_and_names_what_needs_a_restart(write: Write) -> None:
    path = write("[play]\nvisits = 7\n")
    options = parsed("--komi=5.5", XDG_CONFIG_HOME=str(path.parent.parent))
    write("[play]\nvisits = 8\nkomi = 1.5\n[limits]\nsessions = 3\n")
    changes, new = changed_settings(options)
    assert [(row.name, row.reloads) for row in changes] == [("visits", True), ("sessions", False)]
    assert (new.visits, new.komi, new.sessions) == (8, "5.5", 64)
    write("[play]\nvisits = -1\n")
    with pytest.raises(UsageError, match=":2: visits"):
        changed_settings(new)


def test_the_environment_has_a_variable_for_each_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    sources = SettingSources(rows_of("serve"), {}, {"SPARRING_HOST": "::1", "HOME": "/nowhere"})
    assert sources.read()["host"] == ("::1", "$SPARRING_HOST")
