"""Conversations recorded in files: each command and exactly what it is answered.

In a file, `> ` begins a command, the lines under it are the reply; a line that begins with `~ ` is
a regular expression for one line, `#` a comment.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.gtp_conversation import Conversation

FILES = sorted((Path(__file__).parent / "transcripts").glob("*.gtp"))


def exchanges(text: str) -> list[tuple[str, list[str]]]:
    """The commands of a transcript with the lines expected of each."""
    found: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        if line.startswith("> "):
            found.append((line[2:], []))
        elif line and not line.startswith("#"):
            found[-1][1].append(line)
    return found


def matches(line: str, expected: str) -> bool:
    if expected.startswith("~ "):
        return re.fullmatch(expected[2:], line.rstrip()) is not None
    return line.rstrip() == expected.rstrip()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_transcript(path: Path) -> None:
    conversation = Conversation()
    for command, expected in exchanges(path.read_text()):
        answer = conversation.hear(command)
        assert answer.endswith("\n\n"), command
        lines = answer[:-2].split("\n")
        assert len(lines) == len(expected), f"{command}: {answer}"
        for line, wanted in zip(lines, expected, strict=True):
            assert matches(line, wanted), f"{command}: {line!r} is not {wanted!r}"
