"""A conversation with the page's engine in memory, over evaluators without a network."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from engine.games.evaluator import Evaluator
from engine.games.table import Board
from engine.networks.human_policy import HumanPolicy
from engine.opponents import OpponentName, OpponentStore, TransientStore
from engine.play.search_source import SearchSource
from engine.search.search import Search
from protocols.conversation import ClientDefaults
from protocols.inbox import Inbox
from protocols.page.conversation import PageConversation
from protocols.page.lobby import Lobby
from protocols.page.messages import VERSION
from protocols.rights import Rights
from tests.support.stand_in import StandInEvaluator

WEAK: dict[str, Any] = {"strength": "level:0"}


class StandInSource:
    """Satisfies SearchSource without a network."""

    def search_on(self, board: Board, /) -> Search:
        return Search(StandInEvaluator(game=board.game), seed=1)

    def human_policy_on(self, _board: Board, /) -> HumanPolicy | None:
        return None

    def mixed_network(self, _path: Path, /) -> Evaluator | None:
        return None


class PageTalk:
    """Says messages to a conversation and hears those that it sends."""

    def __init__(
        self,
        lobby: Lobby | None = None,
        memory: OpponentStore | None = None,
        *,
        is_user: bool = True,
        guest: OpponentName | None = None,
        name: str = "",
        visitor: str | None = None,
        source: Callable[[], SearchSource] | None = None,
        inbox: Inbox | None = None,
        defaults: ClientDefaults | None = None,
        refused: Mapping[str, str] | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.memory = memory or TransientStore()
        self.lobby = lobby or Lobby()
        self.inbox = inbox or Inbox()
        self.heard: list[dict[str, Any]] = []
        self.conversation = PageConversation(
            source or StandInSource,
            self.memory,
            self.lobby,
            rights=Rights(is_user=is_user),
            defaults=defaults or ClientDefaults(),
            name="",
            guest=guest,
            refused=refused,
            inbox=self.inbox,
            emit=self._hear,
            now=now,
        )
        [self.welcome] = self.say("hello", visitor=visitor, name=name or None)
        self.visitor: str = self.welcome["visitor"]

    def _hear(self, text: str) -> None:
        assert text.endswith("\n")
        self.heard += [json.loads(line) for line in text.splitlines()]

    def say(self, name: str, /, **fields: Any) -> list[dict[str, Any]]:
        """The answers to one message."""
        self.heard.clear()
        self.conversation.handle(line_of(name, **fields))
        return list(self.heard)

    def state(self, name: str, /, **fields: Any) -> dict[str, Any]:
        """The last answer to a message, a state."""
        answer = self.say(name, **fields)[-1]
        assert answer["type"] == "state", answer
        return answer


def line_of(name: str, /, **fields: Any) -> str:
    """A message of the page as a line."""
    return json.dumps({"v": VERSION, "type": name, **fields})


def resumed(talk: PageTalk, state: dict[str, Any]) -> dict[str, Any]:
    """Goes on with the game of a state, from its moves; returns the state after it."""
    moves = [name for _, name in state["moves"]]
    return talk.state("resume", **state["terms"], moves=moves)
