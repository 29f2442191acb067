"""A conversation with the UGI engine in memory."""

from __future__ import annotations

from engine.games.table import Board
from protocols.positions.player import PositionPlayer
from protocols.ugi import UgiEngine
from tests.support.line_talk import ScriptedInbox, StandInPlayer


class Conversation:
    """Says lines to an engine and hears what it emits."""

    def __init__(self, game: str = "othello", **player_options: int) -> None:
        self.inbox = ScriptedInbox()
        self.emitted: list[str] = []
        self.boards: list[Board] = []
        self._options = player_options
        self.engine = UgiEngine(self._new_player, self.emitted.append, self.inbox, game=game)

    def _new_player(self, board: Board) -> PositionPlayer:
        self.boards.append(board)
        self.player = StandInPlayer(**self._options)
        return self.player

    def say(self, lines: list[str]) -> list[str]:
        """What these lines, sent at once, are answered."""
        self.emitted.clear()
        self.inbox.lines.extend(lines)
        self.engine.run()
        text = "".join(self.emitted)
        assert text == "" or text.endswith("\n")
        return text.splitlines()
