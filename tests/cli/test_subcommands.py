"""The table of subcommands: the pages that list them, and the old names of the instruments."""

from __future__ import annotations

import re
from importlib import import_module

import pytest

from engine.errors import UsageError
from protocols.cli.main import dispatch
from protocols.cli.subcommands import (
    GROUPS,
    LAB,
    SUBCOMMANDS,
    lab_overview,
    overview,
    rows_of,
    short_name,
)

INSTRUMENTS = [short_name(name) for name in rows_of(LAB)]


def test_every_subcommand_has_a_group_and_a_module() -> None:
    assert {row.group for row in SUBCOMMANDS.values()} == set(GROUPS)
    for name, row in SUBCOMMANDS.items():
        assert name.startswith(f"{LAB} ") is (row.group == LAB)
        module = import_module(row.module)
        assert callable(module.configure)
        assert callable(module.run)


def test_the_help_page_lists_the_subcommands_by_group() -> None:
    page = overview()
    places = [page.index(f"\n{title}:\n") for title in GROUPS.values()]
    assert places == sorted(places)
    for name, row in SUBCOMMANDS.items():
        if row.group != LAB:
            assert f"\n  {name} " in page
            assert row.help in page
    assert max(map(len, page.splitlines())) <= 100
    assert ", ".join(INSTRUMENTS) in re.sub(r",\s+", ", ", page)


@pytest.mark.parametrize("words", [["lab"], ["lab", "--help"], ["lab", "help"], ["lab", "-h"]])
def test_the_laboratory_lists_its_instruments(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert dispatch(words) == (2 if words == ["lab"] else 0)
    said = capsys.readouterr().out
    assert said == lab_overview() + "\n"
    for name, row in rows_of(LAB).items():
        assert f"\n  {short_name(name)} " in said
        assert row.help in said


@pytest.mark.parametrize("name", INSTRUMENTS)
def test_an_old_name_is_answered_with_the_new_one(name: str) -> None:
    with pytest.raises(UsageError) as refusal:
        dispatch([name, "connect4"])
    assert str(refusal.value) == f"`sparring {name}` is now `sparring lab {name}`"


@pytest.mark.parametrize("name", INSTRUMENTS)
def test_an_instrument_shows_its_options_under_its_name(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        dispatch(["lab", name, "--help"])
    assert end.value.code == 0
    assert capsys.readouterr().out.startswith(f"usage: sparring lab {name} ")


def test_a_mistyped_instrument_is_answered_with_the_nearest_one() -> None:
    with pytest.raises(UsageError, match="no subcommand 'lab balanse'; did you mean 'lab balance'"):
        dispatch(["lab", "balanse"])
