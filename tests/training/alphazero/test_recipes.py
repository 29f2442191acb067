"""The recipes agree with their sources: AlphaDDA's table A1, and the core's settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import pytest

from engine._core import SearchSettings, SelfPlaySettings
from engine.networks.architecture import Residual
from engine.networks.checks import check
from engine.training.alphazero.games import play_settings, search_settings
from engine.training.alphazero.learning import SGD_MOMENTUM
from engine.training.alphazero.recipe import Recipe
from engine.training.alphazero.recipes import RECIPES
from engine.training.common.turns import turns_of


class Column(NamedTuple):
    """A column of the paper's table A1."""

    board: tuple[str, int, int]
    blocks: int
    iterations: int  # N_iter
    games: int  # N_self
    visits: int  # N_sim
    opening: int  # T_opening
    softness: float  # tau
    queue: int  # positions, each in all symmetries
    symmetries: int


A1 = {
    "connect4": Column(("connect4", 7, 6), 3, 600, 30, 200, 4, 50, 20_000, 2),
    "othello6": Column(("othello", 6, 6), 3, 600, 10, 200, 4, 20, 20_000, 8),
    "othello8": Column(("othello", 8, 8), 5, 700, 10, 400, 6, 40, 50_000, 8),
}
# Every column:
PLAY = {"full_share": 1, "forced_playouts": 0, "reuse_tree": False, "later_temperature": 0}
PLAY |= {"random_openings": 0, "solve_empties": 0}
SEARCH = {
    "root_epsilon": 0.2,
    "cpuct_exploration": 1.25,
    "cpuct_exploration_log": 0,
    "cpuct_utility_stdev_scale": 0,
    "win_loss_utility_factor": 1,
    "static_score_utility_factor": 0,
    "dynamic_score_utility_factor": 0,
    "fpu_reduction_max": 0,
    "root_fpu_reduction_max": 0,
    "root_dirichlet_weight": 0,
    "use_lcb_for_selection": False,
    "use_graph_search": False,
    "proves": False,
    "random_symmetries": False,
    "fpu_parent_share": 0.0,
    "cpuct_weight_offset": 1.0,
}
LEARNING = {
    "optimizer": "sgd",
    "learning_rate": 0.2,
    "weight_decay": 1e-4,
    "batch": 2048,
    "warm_up": 0,
    "average": 0,
    "weights": {"policy": 1.0, "squares": 1.0},
}


def fields(settings: object, names: Mapping[str, object]) -> dict[str, object]:
    return {name: getattr(settings, name) for name in names}


@pytest.mark.parametrize("name", A1)
def test_alphadda_is_the_papers_table(name: str) -> None:
    recipe, column = RECIPES["alphadda"][name], A1[name]
    assert (recipe.game, recipe.width, recipe.height) == column.board
    assert (recipe.blocks, recipe.channels) == (column.blocks, 256)
    assert recipe.iterations == column.iterations
    assert [len(recipe.numbers(iteration)) for iteration in (0, 1, 9)] == [column.games] * 3
    assert not recipe.first_judge

    play = play_settings(recipe.play)
    assert play.visits == column.visits
    assert (play.opening_moves, play.opening_softness) == (column.opening, column.softness)
    assert fields(play, PLAY) == PLAY
    assert fields(search_settings(recipe.search), SEARCH) == SEARCH

    assert fields(recipe.learning, LEARNING) == LEARNING
    assert SGD_MOMENTUM == 0.9
    turns = turns_of(*column.board)
    assert turns.count == column.symmetries
    for played in (1_000_000, column.queue // column.symmetries):
        window = recipe.growth.rows(played)
        assert window * column.symmetries == column.queue
        # One epoch, whatever is new.
        batches = recipe.learning.batches(new=10, window=window, symmetries=turns.count)
        assert batches == round(column.queue / 2048)


@pytest.mark.parametrize("name", A1)
def test_alphaddas_network_is_plain(name: str) -> None:
    recipe = RECIPES["alphadda"][name]
    network = recipe.network(name, seed=1).export()
    check(network)
    assert all(isinstance(block, Residual) for block in network.blocks)
    assert network.planes.weights.shape[2:] == (3, 3)


@pytest.mark.parametrize(
    "recipe", [row for rows in RECIPES.values() for row in rows.values()], ids=lambda _row: ""
)
def test_settings_are_those_of_the_core(recipe: Recipe) -> None:
    play, search = play_settings(recipe.play), search_settings(recipe.search)
    assert isinstance(play, SelfPlaySettings)
    assert isinstance(search, SearchSettings)
    assert all(getattr(play, name) == value for name, value in recipe.play.items())
    assert all(getattr(search, name) == value for name, value in recipe.search.items())
    assert search.root_symmetries == 1


def test_settings_that_the_core_lacks_are_refused_by_name() -> None:
    with pytest.raises(ValueError, match="SelfPlaySettings has no 'vists'"):
        play_settings({"vists": 3})


def test_games_are_numbered_through_all_iterations() -> None:
    recipe = RECIPES["sparring"]["connect4"]
    numbers = [number for iteration in range(4) for number in recipe.numbers(iteration)]
    assert numbers == list(range(recipe.first_games + 3 * recipe.games))
