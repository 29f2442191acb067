"""The card of what a course made: how, from what, how long, and what it scored.

A page in Markdown from texts that the course writes; knows nothing of any course.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Card:
    """The parts of a card, each Markdown of its own."""

    name: str
    about: str  # what it is
    made: str  # from what, how, how long, and the command that does it again
    scored: str  # on what it has not learned from; "" leaves the part out

    def text(self) -> str:
        """The page."""
        parts = [f"# {self.name}", self.about, "## How it was made", self.made]
        if self.scored:
            parts += ["## What it scored", self.scored]
        return "\n\n".join(parts) + "\n"

    def write(self, path: Path) -> None:
        """Writes the page."""
        path.write_text(self.text(), encoding="utf-8")


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown; ValueError where a row is not as long as the head."""
    for row in rows:
        if len(row) != len(head):
            raise ValueError(f"{len(row)} cells under {len(head)} titles: {list(row)}")
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
