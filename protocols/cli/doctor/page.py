"""The sections of the page, and how they become text and JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Problem:
    """A problem of the installation, and its remedy as an order to the user."""

    text: str
    remedy: str


@dataclass(frozen=True)
class Section:
    """The findings of one check."""

    rows: Mapping[str, str] = field(default_factory=dict)  # property -> value
    problems: tuple[Problem, ...] = ()


Page = Mapping[str, Section]  # sections by title


def lines(page: Page) -> Iterator[str]:
    """Yields the page as text: each section with its rows, then the problems."""
    for title, section in page.items():
        yield f"{title}:"
        width = max(map(len, section.rows), default=0)
        for name, value in section.rows.items():
            yield f"  {name:<{width}}  {value}"
        yield ""
    problems = [(title, each) for title, section in page.items() for each in section.problems]
    if not problems:
        yield "No problem was found."
        return
    yield f"Problems: {len(problems)}"
    for number, (title, problem) in enumerate(problems, start=1):
        yield f"  {number}. {title}: {problem.text}"
        yield f"     {problem.remedy}"


def values(page: Page) -> dict[str, Any]:
    """Returns the page as plain values for JSON."""
    return {
        "sections": {title: dict(section.rows) for title, section in page.items()},
        "problems": [
            {"section": title, **asdict(problem)}
            for title, section in page.items()
            for problem in section.problems
        ],
    }


def has_problems(page: Page) -> bool:
    """Whether any section has a problem."""
    return any(section.problems for section in page.values())


def path_text(path: Path) -> str:
    """Returns a path with the user's home folder as `~`, as a bug report may show it."""
    try:
        return f"~/{path.relative_to(Path.home())}"
    except (ValueError, RuntimeError):
        return str(path)
