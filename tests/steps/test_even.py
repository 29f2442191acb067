"""The time of a balanced move: its two searches keep within it together."""

from __future__ import annotations

import numpy as np
import pytest

from engine.games import GAMES, Board
from engine.personas import make_persona
from engine.player import choose
from engine.records import Limit
from engine.search import Search, SearchSettings
from engine.turn import Turn
from engine.watching import of_stranger
from tests.stand_in import StandInEvaluator, description_of

SECONDS = 1.0


class Clock:
    """Time that passes by a little whenever the network is asked."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def now(self) -> float:
        return self.seconds

    def pause(self) -> None:
        self.seconds += 0.01


@pytest.mark.parametrize("limit", [Limit(seconds=SECONDS), Limit(max_seconds=SECONDS)])
def test_reading_and_playing_share_the_time_of_a_move(limit: Limit) -> None:
    clock = Clock()
    evaluator = StandInEvaluator(game="othello", rows=1, slots=1, pause=clock.pause)
    search = Search(evaluator, SearchSettings(), seed=3, now=clock.now)
    position = GAMES["othello"].new_position(8, 8)
    search.set_position(position)
    watch = of_stranger(Board("othello", 8, 8), description_of("othello"))
    persona = make_persona("even:95%", "othello")
    rng = np.random.default_rng(1)
    choice = choose(search, Turn(position, limit, "othello", persona=persona, watch=watch, rng=rng))
    assert choice.level_elo == pytest.approx(watch.ladder.highest, abs=1)
    assert SECONDS / 4 < clock.seconds <= SECONDS + 0.03
