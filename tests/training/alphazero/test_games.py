"""Self-play's games: an interrupt ends them at once."""

from __future__ import annotations

import os
import signal

import pytest

from engine.training.alphazero.games import SelfPlayTask

GAMES = 5000  # some 20 seconds


def test_an_interrupt_ends_the_games_of_all_threads() -> None:
    told: list[int] = []

    def tell(games: int) -> None:
        if not told:
            os.kill(os.getpid(), signal.SIGINT)
        told.append(games)

    task = SelfPlayTask("connect4", 7, 6, None, {"visits": 8}, {}, seed=1, threads=1)
    with pytest.raises(KeyboardInterrupt):
        task(range(GAMES), tell)
    assert 0 < sum(told) < GAMES / 2
