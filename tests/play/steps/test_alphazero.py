"""The persona alphazero: the paper's playouts in a new tree, whatever else is asked."""

from __future__ import annotations

import pytest

from engine.games.table import GAMES
from engine.personas import make_persona
from engine.play.move_choice import choose
from engine.play.steps.request import MoveRequest
from engine.search.search import Search, SearchSettings
from engine.values import Limit
from tests.support.stand_in import StandInEvaluator


@pytest.mark.parametrize(
    ("game", "size", "playouts"), [("connect4", (7, 6), 200), ("othello", (8, 8), 400)]
)
def test_the_most_visited_move_of_the_papers_playouts(
    game: str, size: tuple[int, int], playouts: int
) -> None:
    position = GAMES[game].new_position(*size)
    search = Search(StandInEvaluator(game=game), SearchSettings(), seed=3)
    search.set_position(position)
    search.run(Limit(visits=30))
    turn = MoveRequest(position, Limit(visits=30), game, persona=make_persona("alphazero", game))
    for _ in range(2):
        report = choose(search, turn).report
        assert report is not None
        assert report.root.visits == report.playouts == playouts
        assert report.best is not None
        assert report.best.edge_visits == max(stats.edge_visits for stats in report.moves)
