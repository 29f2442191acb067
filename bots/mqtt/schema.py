"""The JSON schema of all messages, and the check of one message.

The schema is the file schemas/messages.json; each message has a definition of its own there.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

SCHEMA_FILE = Path(__file__).with_name("schemas") / "messages.json"
REQUESTS = ("start", "play", "genmove", "undo", "chat", "resign", "end", "state", "analyze")
LONGEST_MESSAGE = 300  # characters


@cache
def schema() -> dict[str, Any]:
    """Returns the whole schema."""
    content: dict[str, Any] = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))
    return content


@cache
def validator(definition: str) -> Draft202012Validator:
    """Returns the validator of one definition."""
    return Draft202012Validator({**schema(), "$ref": f"#/$defs/{definition}"})


def fault_in(message: object, definition: str) -> str:
    """Returns the fault of a message in words, empty without one.

    >>> fault_in({"type": "state"}, "state")
    "'game' is a required property"
    >>> fault_in({"type": "state", "game": 7}, "state")
    "game: 7 is not of type 'string'"
    """
    error = best_match(validator(definition).iter_errors(message))
    if error is None:
        return ""
    place = ".".join(str(part) for part in error.absolute_path)
    text = f"{place}: {error.message}" if place else error.message
    return text if len(text) <= LONGEST_MESSAGE else text[: LONGEST_MESSAGE - 3] + "..."
