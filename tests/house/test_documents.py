"""The documents: lengths, links, module paths, and the columns of their tables."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.paths import ROOT

PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
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


def test_every_figure_has_command_commit_and_date() -> None:
    rows = rows_of(ROOT / "docs" / "measurements.md")
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
