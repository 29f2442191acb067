"""Short trainings, from nothing: what is foretold gets better, and so does the play."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from engine.training.alphazero.learning import Learning
from engine.training.alphazero.loop import Run, iterations
from engine.training.alphazero.recipe import Recipe
from engine.training.alphazero.recipes import SPARRING
from engine.training.alphazero.strength import Rival
from engine.training.alphazero.window import Growth
from engine.training.metrics import Metrics, Row
from tests.training.alphazero.tiny import Unwatched, setting_in

LEARNING = Learning(batch=64, settling=8, warm_up=10, learning_rate=3e-3, passes=4)


def small(ours: Recipe, *, games: int, count: int, rival: Rival) -> Recipe:
    """The recipe scaled down, from random weights."""
    quick = {"visits": 40, "fast_visits": 8, "full_share": 0.4, "solve_empties": 10}
    return replace(
        ours,
        blocks=2,
        channels=16,
        play={**ours.play, **quick, "random_opening_moves": 4},
        games=games,
        first_games=games,
        first_judge=False,
        iterations=count,
        growth=Growth(first=4000),
        learning=LEARNING,
        rival=rival,
    )


def trained(recipe: Recipe, folder: Path) -> tuple[float, list[Row], Run]:
    """The points before anything was learned, the metrics, and the run at its end."""
    torch.set_num_threads(1)
    with Metrics(folder) as metrics:
        run = Run(setting_in(folder, recipe), metrics)
        before = run.points(seed=3)
        rows = list(iterations(run, Unwatched(), most=recipe.iterations, seconds=None))
        run.close(Unwatched())
    return before, rows, run


def test_seconds_of_connect4_are_enough_to_beat_random(tmp_path: Path) -> None:
    """On 6x5, by the policy alone: one visit a move."""
    never = Rival("random", games=60, visits=1, every=0)
    board = replace(SPARRING["connect4"], width=6, height=5)
    before, rows, run = trained(small(board, games=90, count=4, rival=never), tmp_path)
    for loss in ("unseen_policy", "unseen_value", "unseen_lead"):
        assert rows[-1][loss] < 0.92 * rows[1][loss], loss
    assert rows[-1]["policy"] < 0.75 * rows[0]["policy"]
    # Half of the points is what random weights take; a standard deviation is 6%.
    assert before < 0.68
    assert run.points(seed=3) > 0.75


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_minutes_of_othello_are_enough_to_beat_a_tree_search(tmp_path: Path) -> None:
    """On 6x6, with 60 visits a move against 50 random playouts."""
    rival = Rival("mcts4", games=60, visits=60, every=0)
    recipe = small(SPARRING["othello6"], games=200, count=10, rival=rival)
    recipe = replace(recipe, channels=32, growth=Growth(first=12_000))
    before, rows, run = trained(recipe, tmp_path)
    for loss in ("unseen_policy", "unseen_value", "unseen_lead", "unseen_ownership"):
        assert rows[-1][loss] < 0.95 * rows[1][loss], loss
    after = run.points(seed=3)
    assert after > 0.65
    assert after > before + 0.15
