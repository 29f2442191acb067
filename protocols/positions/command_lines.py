"""Answers to the command lines of UGI and UCI by a table of commands."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from protocols.lines import LONGEST_LINE
from protocols.outbox import ClientGoneError
from protocols.positions.option_lines import note, quoted, words_of

log = logging.getLogger(__name__)

Conversation = TypeVar("Conversation")

OVERLONG = note(f"ignored a line of more than {LONGEST_LINE} bytes")


def answer(
    line: str,
    commands: Mapping[str, Callable[[Conversation, Sequence[str]], None]],
    conversation: Conversation,
    emit: Callable[[str], None],
    faults: tuple[type[Exception], ...],
) -> None:
    """Calls the command of a line that has a word.

    faults: the errors of a line with a fault, which changes nothing. Another error is a bug: it is
    logged. Either is reported as `info string`. Raises ClientGoneError.
    """
    name, *words = words_of(line)
    command = commands.get(name)
    if command is None:
        emit(note(f"unknown command {quoted(name)}"))
        return
    try:
        command(conversation, words)
    except faults as error:
        emit(note(f"{quoted(name)} ignored: {error}"))
    except ClientGoneError:
        raise
    except Exception:
        log.exception("%s failed", quoted(line))
        emit(note(f"internal error at {quoted(name)}"))
