"""Run by an interpreter that has KaTrain: its game and engine, headless.

The argument is the URL of a remote engine, or the path of the program that KaTrain starts in place
of KataGo, with the network of KaTrain's package. Prints one JSON object of what KaTrain then knows.
It imports nothing of Sparring.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any

os.environ |= {"KIVY_NO_ARGS": "1", "KIVY_NO_CONSOLELOG": "1", "KIVY_NO_FILELOG": "1"}

from katrain.core.ai import generate_ai_move
from katrain.core.base_katrain import KaTrainBase
from katrain.core.constants import (
    AI_STRATEGIES,
    OUTPUT_ERROR,
)
from katrain.core.engine import KataGoEngine
from katrain.core.game import Game, Move
from katrain.core.remote_engine import RemoteKataGoEngine

SECONDS = 60.0


class Headless(KaTrainBase):
    """KaTrain without a window; keeps what it would have shown."""

    def __init__(self) -> None:
        self.said: list[str] = []
        super().__init__(force_package_config=True)
        self.controls = self

    def log(self, message: str, level: int = 0) -> None:
        if level <= OUTPUT_ERROR:
            self.said.append(str(message)[:500])

    def set_status(self, message: str, *_rest: object, **_more: object) -> None:
        self.said.append(str(message)[:500])


def wait(what: str, done: Callable[[], bool]) -> None:
    until = time.monotonic() + SECONDS
    while not done():
        if time.monotonic() > until:
            raise TimeoutError(what)
        time.sleep(0.02)


def connected(katrain: Headless, address: str) -> KataGoEngine:
    """KaTrain's engine of its own settings with fewer visits, remote or local."""
    settings = {**katrain.config("engine"), "max_visits": 30, "fast_visits": 10}
    if address.startswith("ws://"):
        return RemoteKataGoEngine(katrain, {**settings, "remote_url": address})
    return KataGoEngine(katrain, {**settings, "katago": address})


def main(address: str) -> dict[str, Any]:
    katrain = Headless()
    engine = connected(katrain, address)
    facts: dict[str, Any] = {"alive": engine.check_alive(), "command": engine.command}
    rules = {"SZ": "9", "RU": "japanese", "KM": 6.5}
    game = katrain.game = Game(katrain, engine, game_properties=rules)
    for vertex, color in (("E5", "B"), ("C3", "W"), ("G7", "B")):
        game.play(Move.from_gtp(vertex, player=color))
        wait(vertex, lambda: game.current_node.analysis_complete)
    node = game.current_node
    facts["visits"] = node.analysis["root"]["visits"]
    facts["candidates"] = len(node.candidate_moves)
    facts["points_lost_by_c3"] = node.parent.points_lost
    facts["policy_length"] = len(node.policy)
    facts["ownership_length"] = len(node.ownership)

    played: dict[str, list[str]] = {}
    said: dict[str, list[str]] = {}
    for strategy in AI_STRATEGIES:
        before = len(katrain.said)
        for _ in range(2):
            move, node = generate_ai_move(game, strategy, katrain.config(f"ai/{strategy}"))
            wait(strategy, lambda: game.current_node.analysis_complete)
            played.setdefault(strategy, []).append(move.gtp())
            thoughts = node.ai_thoughts.strip()
        said[strategy] = katrain.said[before:]
        facts.setdefault("thoughts", {})[strategy] = thoughts
    facts["played"] = played
    facts["said"] = said

    ponder = game.current_node
    reports: list[int] = []
    engine.request_analysis(
        ponder,
        callback=lambda analysis, partial: reports.append(analysis["rootInfo"]["visits"]),
        ponder=True,
    )
    wait("pondering", lambda: len(reports) >= 3)
    engine.stop_pondering()
    wait("stop", engine.is_idle)
    facts["reports_grow"] = reports == sorted(reports)
    engine.shutdown(finish=False)
    return facts


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1])))
