"""A conversation with the NBoard engine in memory."""

from __future__ import annotations

from typing import Any

from protocols.nboard import NBoardEngine
from tests.support.line_talk import ScriptedInbox, StandInPlayer


class Conversation:
    """Says lines to an engine and hears what it emits."""

    def __init__(self, player: Any = None) -> None:
        self.player: Any = player or StandInPlayer()  # whatever satisfies PositionPlayer
        self.inbox = ScriptedInbox()
        self.emitted: list[str] = []
        self.engine = NBoardEngine(self.player, self.emitted.append, self.inbox)

    def say(self, lines: list[str]) -> list[str]:
        """What these lines, sent at once, are answered."""
        self.emitted.clear()
        self.inbox.lines.extend(lines)
        self.engine.run()
        text = "".join(self.emitted)
        assert text == "" or text.endswith("\n")
        return text.splitlines()
