"""Random messages in a random order: the conversation answers each, and never fails inside."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from protocols.inbox import Inbox
from tests.support.page_talk import PageTalk, line_of

GAMES: tuple[dict[str, Any], ...] = (
    {},
    {"width": 5, "height": 5},
    {"game": "connect4"},
    {"game": "othello", "width": 6, "height": 6},
)
STRENGTHS = ("level:0", "easier", "even", "harder", "level:400", "brutal", "level:9k", "")
NAMES = ("", "Ann", "none", " ", "\u202e", "x" * 300)
CELLS = ("D4", "d3", "4", "pass", "E5", "f5", "Z9", "", "0", "-1", "a1", "A1")
MOST_MESSAGES = 80


def message(rng: random.Random, state: dict[str, Any]) -> str:
    """A message that may fit the state, or not."""
    legal = state.get("legal") or list(CELLS)
    kind = rng.choice(
        ["move"] * 8
        + [
            "new",
            "resume",
            "continue",
            "undo",
            "hint",
            "resign",
            "mark",
            "agree",
            "play on",
            "strength",
        ]
        + ["review", "download", "lists", "hello", "junk"]
    )
    if kind == "new":
        terms = dict(rng.choice(GAMES))
        return line_of(kind, **terms, strength=rng.choice(STRENGTHS), color=rng.randrange(3),
            name=rng.choice(NAMES), handicap=rng.choice([0, 0, 2, 9]))  # fmt: skip
    if kind == "resume":
        moves = [name for _, name in state.get("moves", [])][: rng.randrange(1, 9)]
        return line_of(kind, **dict(rng.choice(GAMES)), moves=moves, strength="level:0")
    if kind in {"move", "mark"}:
        return line_of(kind, at=rng.choice([rng.choice(legal), rng.choice(CELLS)]))
    if kind == "strength":
        return line_of(kind, to=rng.choice(STRENGTHS))
    if kind == "junk":
        return rng.choice(["", "{", "[]", '{"v":1}', '{"v":1,"type":"move","at":{}}', "\x00"])
    return line_of(kind)


class RandomInbox(Inbox):
    """Random messages for the present state, some of them while the engine thinks."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__()
        self.rng = rng
        self.left = MOST_MESSAGES
        self.state: dict[str, Any] = {}
        self.line = ""

    def take(self) -> str | None:
        self.left -= 1
        self.line = message(self.rng, self.state)
        return self.line if self.left >= 0 else None

    def waiting(self) -> bool:
        return self.left > 0 and self.rng.random() < 0.02


@pytest.mark.parametrize("seed", range(6))
def test_random_messages_are_answered(seed: int) -> None:
    inbox = RandomInbox(random.Random(seed))
    talk = PageTalk(is_user=seed % 2 == 0, inbox=inbox)
    heard: list[str] = []

    def hear(text: str) -> None:
        for answer in map(json.loads, text.splitlines()):
            heard.append(answer["type"])
            assert "internal error" not in answer.get("text", ""), inbox.line
            if answer["type"] == "state":
                inbox.state = answer

    talk.conversation._emit = hear
    talk.conversation.run()
    assert inbox.left < 0
    assert {"state", "error"} <= set(heard)
