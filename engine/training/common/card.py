"""The card of a trained network: method, source, time, score.

A card is a page in Markdown. Each training writes the texts of its parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Card:
    """The parts of a card, each Markdown of its own."""

    name: str
    about: str  # a description
    made: str  # source, method, time, and the command for an equal one
    scored: str  # on data outside training; "" leaves the part out

    def text(self) -> str:
        """Returns the page."""
        parts = [f"# {self.name}", self.about, "## How it was made", self.made]
        if self.scored:
            parts += ["## What it scored", self.scored]
        return "\n\n".join(parts) + "\n"

    def write(self, path: Path) -> None:
        """Writes the page."""
        path.write_text(self.text(), encoding="utf-8")


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Returns a table in Markdown; raises ValueError if a row and the head differ in length."""
    for row in rows:
        if len(row) != len(head):
            raise ValueError(f"{len(row)} cells under {len(head)} titles: {list(row)}")
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
