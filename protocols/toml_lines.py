"""Lines of an example file in TOML: comments and values. It imports little, as commands do."""

from __future__ import annotations

import json
from collections.abc import Iterator

WIDTH = 98  # columns of a comment


def comment_lines(text: str) -> Iterator[str]:
    """Yields a text as comments of at most WIDTH columns."""
    line = "#"
    for word in text.split():
        if len(line) + len(word) >= WIDTH:
            yield line
            line = "#"
        line += f" {word}"
    yield line


def toml_value(value: object) -> str:
    """Returns a text, a number, a truth value or a list of them as TOML, which is JSON for these.

    >>> toml_value(("a", "b")), toml_value(True)
    ('["a", "b"]', 'true')
    """
    return json.dumps(list(value) if isinstance(value, tuple) else value)
