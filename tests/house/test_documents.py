"""The documents: lengths, links, module paths, command lines, and the columns of their tables."""

from __future__ import annotations

import re
import shlex
from importlib import import_module
from pathlib import Path

import pytest

from protocols.cli.main import parser_of
from protocols.cli.subcommands import LAB, find
from tests.support.paths import ROOT

PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
MEASUREMENTS = ROOT / "docs" / "measurements.md"
LINK = re.compile(r"\]\(([^)\s]+)\)")
PATH = re.compile(r"`((?:engine|protocols|bots|tests|systemd)/[\w./-]*)`")
CELL = re.compile(r"(?<!\\)\|")
COMMIT = re.compile(r"[0-9a-f]{7}(, [0-9a-f]{7})*", re.ASCII)
DATE = re.compile(r"\d{4}-\d\d-\d\d(, \d{4}-\d\d-\d\d)*", re.ASCII)
LONGEST_README = 150
GLOSSARY_TERMS = 60


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def rows_of(path: Path) -> list[list[str]]:
    """The rows of all tables of a page as cells, without heads and rules."""
    lines = path.read_text().splitlines()
    rules = {number for number, line in enumerate(lines) if line.startswith("|--")}
    left_out = rules | {number - 1 for number in rules}
    return [
        [cell.strip() for cell in CELL.split(line)[1:-1]]
        for number, line in enumerate(lines)
        if line.startswith("|") and number not in left_out
    ]


def anchors_of(path: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    heads = re.findall(r"^#+ (.+)$", path.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def commands_of(path: Path) -> list[str]:
    """The command lines `sparring ...` of a page's code blocks, and of the tables of figures."""
    blocks = re.findall(r"^```sh\n(.*?)^```", path.read_text(), re.MULTILINE | re.DOTALL)
    lines = [line.split("  #")[0] for line in "\n".join(blocks).splitlines()]
    if path.name == MEASUREMENTS.name:
        lines += [code for row in rows_of(path) for code in re.findall(r"`([^`]+)`", row[2])]
    return [line for line in lines if re.match(r"(\.venv/bin/)?sparring \w", line)]


def test_readme_stays_short() -> None:
    assert len((ROOT / "README.md").read_text().splitlines()) <= LONGEST_README


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_links_and_module_paths_exist(path: Path) -> None:
    text = path.read_text()
    for link in LINK.findall(text):
        if "://" not in link:
            file, _, anchor = link.partition("#")
            target = path if not file else path.parent / file
            assert target.exists(), link
            assert not anchor or anchor in anchors_of(target), link
    for module in PATH.findall(text):
        assert (ROOT / module).exists(), module


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_command_lines_are_understood(path: Path) -> None:
    for line in commands_of(path):
        _, name, *words = shlex.split(line)
        if name == LAB:
            name, *words = f"{LAB} {words[0]}", *words[1:]
        row = find(name)
        parser_of(name, import_module(row.module), plays=row.plays).options(words)


def test_every_figure_has_command_commit_and_date() -> None:
    rows = rows_of(MEASUREMENTS)
    assert len(rows) > 50
    for what, figure, command, commit, date in rows:
        assert what, figure
        assert figure, what
        assert "`" in command, what
        assert COMMIT.fullmatch(commit), what
        assert DATE.fullmatch(date), what


def test_every_term_has_its_meaning_and_its_opposite() -> None:
    rows = rows_of(ROOT / "docs" / "glossary.md")
    assert len(rows) >= GLOSSARY_TERMS
    assert len({row[0] for row in rows}) == len(rows)
    for row in rows:
        assert len(row) == 3, row
        assert all(row), row
